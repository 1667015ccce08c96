package binary_test

import (
	"bytes"
	std "encoding/binary"
	"io"
	"reflect"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// A program that keeps making types that cannot be encoded does not fill the
// cache. Types that can be encoded stay in it.
func TestRefusedTypesAreNotKept(t *testing.T) {
	numbers, player := []int16{1, 2}, fixedSize{Health: 5}
	require.Equal(t, 4, binary.Size(numbers))
	require.Positive(t, binary.Size(&player))
	before := binary.CachedArgTypes()
	const types = 1500
	type without [0]func() // of a size that encoding/binary knows
	type noPlan struct {
		A without `bp:"int,min=0,max=1"`
	}
	for i := range types {
		untagged := reflect.ArrayOf(1+i, reflect.TypeFor[without]())
		for _, v := range []any{reflect.Zero(untagged).Interface(), reflect.New(untagged).Interface(), reflect.New(reflect.SliceOf(untagged)).Interface()} {
			require.Equal(t, -1, binary.Size(v))
			err := std.Write(io.Discard, std.LittleEndian, v)
			require.Error(t, err)
			require.Equal(t, err, binary.Write(io.Discard, binary.LittleEndian, v))
			_, appended := binary.Append(nil, binary.LittleEndian, v)
			_, err = std.Append(nil, std.LittleEndian, v)
			require.Equal(t, err, appended)
			require.Equal(t, std.Read(bytes.NewReader(nil), std.BigEndian, v), binary.Read(bytes.NewReader(nil), binary.BigEndian, v))
		}
		tagged := reflect.New(reflect.ArrayOf(1+i, reflect.TypeFor[noPlan]())).Interface()
		require.Equal(t, -1, binary.Size(tagged))
		for _, err := range []error{
			binary.Write(io.Discard, binary.LittleEndian, tagged),
			binary.Read(bytes.NewReader(nil), binary.LittleEndian, tagged),
		} {
			var cause *typecache.Error
			require.ErrorAs(t, err, &cause)
			require.Equal(t, reflect.TypeOf(tagged).Elem(), cause.Type)
		}
	}
	require.Equal(t, before, binary.CachedArgTypes())
	require.Equal(t, 4, binary.Size(numbers))
	require.Positive(t, binary.Size(&player))
	require.Equal(t, before, binary.CachedArgTypes(), "they were kept")
}

// late is a union whose types are registered after its first use.
type late any

type latecomer struct {
	Late late `bp:"union"`
}

// lateUnion registers the types of late. A process can do that only once, so
// only the first run of the test below sees the type without a plan.
var lateUnion sync.Once

// A type without a plan gets one once the types of its unions are registered.
func TestRegisteredLater(t *testing.T) {
	v := latecomer{Late: hit{1000}}
	added := 0
	lateUnion.Do(func() {
		for range 2 {
			require.Equal(t, -1, binary.Size(&v))
			require.ErrorIs(t, binary.Write(io.Discard, binary.LittleEndian, &v), typecache.ErrTag)
		}
		tagcodec.RegisterUnion[late](hit{})
		added = 1
	})
	want, err := tagcodec.Marshal(&v)
	require.NoError(t, err)
	before := binary.CachedArgTypes()
	got, err := binary.Append(nil, binary.LittleEndian, &v)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, len(want), binary.Size(&v))
	require.Equal(t, before+added, binary.CachedArgTypes())
}
