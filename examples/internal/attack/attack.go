// Package attack is the fuzz test shared by the examples. It decodes arbitrary
// bytes as their types.
package attack

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// Target is a type under attack.
type Target struct {
	messages [][]byte
	read     func(t *testing.T, data []byte)
}

// Type returns a Target for the type of a codec. The messages of the values
// seed the fuzzing.
func Type[T any](codec *tagcodec.Codec[T], values ...T) Target {
	var large []*T
	for i := range values {
		large = append(large, &values[i])
	}
	return LargeType(codec, large...)
}

// LargeType is Type for values too large to copy.
func LargeType[T any](codec *tagcodec.Codec[T], values ...*T) Target {
	target := Target{read: func(t *testing.T, data []byte) { read(t, codec, data) }}
	for _, v := range append(values, new(T)) {
		if message, err := codec.Append(nil, v); err == nil {
			target.messages = append(target.messages, message)
		}
	}
	if len(target.messages) > 0 {
		first := target.messages[0]
		target.messages = append(target.messages, first[:len(first)/2])
	}
	return target
}

// Fuzz attacks the target selected by the first byte.
func Fuzz(f *testing.F, targets ...Target) {
	for i, target := range targets {
		for _, message := range target.messages {
			f.Add(append([]byte{byte(i)}, message...))
		}
		f.Add([]byte{byte(i), 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 0 {
			targets[int(data[0])%len(targets)].read(t, data[1:])
		}
	})
}

// sentinel returns the innermost cause of an error.
func sentinel(err error) error {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}

// settles is the set of reasons for an open plan that still let a value stay the
// same after it has been read and written once.
const settles = typecache.NoncanonicalRelative | typecache.NoncanonicalHalf | typecache.NoncanonicalLink | typecache.NoncanonicalOwn

// read requires that data is refused with an error that has a position, or that
// it is the message of its value.
func read[T any](t *testing.T, codec *tagcodec.Codec[T], data []byte) {
	v, other := new(T), new(T)
	err := codec.Unmarshal(data, v)
	brief := codec.With(tagcodec.WithSentinelErrors()).Unmarshal(data, other)
	if err != nil {
		var where *tagcodec.Error
		require.ErrorAs(t, err, &where)
		require.Equal(t, "unmarshal", where.Op)
		require.NotEmpty(t, where.Path)
		require.GreaterOrEqual(t, where.Bit, 0)
		require.LessOrEqual(t, where.Bit, 8*len(data))
		require.Error(t, brief)
		if codec.Plan().Noncanonical()&typecache.NoncanonicalOwn == 0 { // their methods create a new error each time
			require.ErrorIs(t, err, sentinel(brief))
		}
		return
	}
	require.NoError(t, brief)
	require.GreaterOrEqual(t, 8*len(data), codec.MinBits())
	require.LessOrEqual(t, len(data), codec.MaxSize())
	rest, err := codec.UnmarshalFirst(append(append([]byte{}, data...), 0xA5), other)
	require.NoError(t, err)
	require.Equal(t, []byte{0xA5}, rest)

	again, err := codec.Append([]byte{}, v)
	open := codec.Plan().Noncanonical()
	if open&(typecache.NoncanonicalMatrix|typecache.NoncanonicalOwn) != 0 && err != nil {
		return
	}
	require.NoError(t, err, "what was read cannot be written")
	if open == 0 {
		require.Equal(t, data, again, "two messages of one value")
	}
	size, err := codec.Size(v)
	require.NoError(t, err)
	require.Len(t, again, size)
	// other has been used before, which must not show.
	used, err := codec.Append([]byte{}, other)
	require.NoError(t, err)
	require.Equal(t, again, used, "the same message read as another value")
	if open&^settles != 0 {
		return
	}
	require.NoError(t, codec.Unmarshal(again, other))
	third, err := codec.Append([]byte{}, other)
	require.NoError(t, err)
	require.Equal(t, again, third, "a value does not settle")
}
