package tagcodec_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// A twin is a kind of value in two forms: a struct with tags, and a Serialize method
// that gives each field with its tag to Field.
type twin struct {
	name string
	test func(t *testing.T, opts []tagcodec.Option)
	opts []tagcodec.Option
}

// twinOf returns the twin of type T. Some of the values are refused in both
// forms.
func twinOf[T any](name string, values ...T) twin {
	return twin{name: name, test: func(t *testing.T, opts []tagcodec.Option) {
		p := &pair[T]{t: t, tags: tagcodec.MustFor[T](opts...), hand: tagcodec.MustFor[tagless[T]](opts...), linked: opts != nil}
		for i := range values {
			p.write(&values[i])
		}
		require.NotEmpty(t, p.written, "all values are refused")
		p.readVariants()
		require.Greater(t, p.accepted, len(p.written), "no other message is accepted")
		require.Positive(t, p.refused)
	}}
}

// tagless is a T that a method serializes.
type tagless[T any] struct{ Value T }

func (h *tagless[T]) Serialize(s *bits.Stream) error {
	v := reflect.ValueOf(&h.Value).Elem()
	for i := range v.NumField() {
		field, tag := v.Type().Field(i), v.Type().Field(i).Tag.Get("bp")
		if condition, ok := strings.CutPrefix(tag, "if="); ok { // on a bool
			name, absent := strings.CutPrefix(condition, "!")
			if tag = ""; v.FieldByName(name).Bool() == absent {
				if s.Reading() {
					v.Field(i).SetZero()
				}
				continue
			}
		}
		if field.Name == "_" {
			tagcodec.Field(s, &struct{}{}, tag)
		} else {
			tagcodec.Field(s, v.Field(i).Addr().Interface(), tag)
		}
	}
	return s.Err()
}

// pair compares the two forms of a T.
type pair[T any] struct {
	t      *testing.T
	tags   *tagcodec.Codec[T]
	hand   *tagcodec.Codec[tagless[T]]
	linked bool // the Linker of a codec is needed

	written  [][]byte
	used     tagless[T] // the variable that all messages are read into
	accepted int
	refused  int
}

var sentinels = []error{tagcodec.ErrRange, tagcodec.ErrLength, tagcodec.ErrText, tagcodec.ErrCheck, tagcodec.ErrPadding, tagcodec.ErrOverread,
	tagcodec.ErrTrailing, tagcodec.ErrNotCanonical, tagcodec.ErrOrder, tagcodec.ErrLink, tagcodec.ErrDepth}

// errMethod stands for the errors of a value's own methods.
var errMethod = errors.New("an error of a method")

func sentinelOf(err error) error {
	if err == nil {
		return nil
	}
	for _, s := range sentinels {
		if errors.Is(err, s) {
			return s
		}
	}
	return errMethod
}

// sameError requires that a value or a message is refused in both forms with the
// same cause, at the same bit and with the same path after the name of the type.
func (p *pair[T]) sameError(err, handErr error) {
	var want, got *tagcodec.Error
	if !errors.As(err, &want) || !errors.As(handErr, &got) {
		return
	}
	require.Equal(p.t, want.Bit, got.Bit, "%v, by hand %v", err, handErr)
	require.Equal(p.t, fmt.Sprintf("%+v", want.Err), fmt.Sprintf("%+v", got.Err)) // equal for NaNs too
	// A struct{} that Field gets has no name, and what follows a message no path.
	// Outside of a codec, a path starts at the field.
	if got.Type == reflect.TypeFor[tagless[T]]() && !strings.Contains(want.Path, "._") && !errors.Is(err, tagcodec.ErrTrailing) {
		require.Equal(p.t, strings.TrimPrefix(want.Path, want.Type.Name()), strings.TrimPrefix(got.Path, got.Type.Name()+".Value"), "%v, by hand %v", err, handErr)
	}
}

// sameReason requires that a message is refused in both forms, for the same
// reason, or accepted. Tags may find sooner that a message is too short: they know
// the bits that the fields after a value need, which a method does not.
func (p *pair[T]) sameReason(data []byte, err, handErr error, how string) {
	want, got := sentinelOf(err), sentinelOf(handErr)
	if want == tagcodec.ErrOverread && got != nil {
		return
	}
	require.Equal(p.t, want, got, "% x %s: %v, by hand %v", data, how, err, handErr)
	p.sameError(err, handErr)
}

// write requires that both forms write the same message of v, or refuse it for
// the same reason.
func (p *pair[T]) write(v *T) {
	want, err := p.tags.Append(nil, v)
	got, handErr := p.hand.Append(nil, &tagless[T]{*v})
	require.Equal(p.t, sentinelOf(err), sentinelOf(handErr), "%+v: %v, by hand %v", *v, err, handErr)
	require.Equal(p.t, want, got, "%+v", *v)
	p.sameError(err, handErr)
	if !p.linked {
		w, m := bits.NewAppendWriter(nil), bits.NewMeasurer()
		s, measuring := bits.NewWriteStream(w), bits.NewWriteStream(m)
		value := &tagless[T]{*v}
		_ = value.Serialize(s) // the Stream keeps the error
		_ = value.Serialize(measuring)
		require.Equal(p.t, sentinelOf(err), sentinelOf(s.Err()), "%+v outside of a codec", *v)
		require.Equal(p.t, sentinelOf(err), sentinelOf(m.Err()), "%+v measured", *v)
		require.Equal(p.t, w.Bit(), m.Bit(), "%+v measured", *v)
		if err == nil {
			require.True(p.t, slices.Equal(want, w.Bytes()), "%+v outside of a codec", *v)
		}
	}
	if err == nil {
		p.written = append(p.written, want)
		require.NoError(p.t, p.read(want), "%+v", *v)
	} else {
		var place *bits.Error
		if errors.As(handErr, &place) {
			require.Equal(p.t, "write", place.Op, "%v", handErr)
		}
	}
}

// read requires that both forms read the same value from data, or refuse it for
// the same reason.
func (p *pair[T]) read(data []byte) error {
	var want T
	var got tagless[T]
	err := p.tags.Unmarshal(data, &want)
	handErr := p.hand.Unmarshal(data, &got)
	p.sameReason(data, err, handErr, "in a codec")
	var place *bits.Error
	if errors.As(handErr, &place) {
		require.Equal(p.t, "read", place.Op, "%v", handErr)
	}
	p.sameReason(data, err, p.hand.Unmarshal(data, &p.used), "into a used variable")
	values := []T{got.Value, p.used.Value}
	if !p.linked {
		r := bits.NewReader(data)
		var direct tagless[T]
		_ = direct.Serialize(bits.NewReadStream(r))
		p.sameReason(data, err, r.Finish(), "outside of a codec")
		values = append(values, direct.Value)
	}
	if err != nil {
		p.refused++
		return err
	}
	p.accepted++
	again, err := p.tags.Append(nil, &want)
	require.NoError(p.t, err)
	for i, v := range values {
		got, err := p.tags.Append(nil, &v)
		require.NoError(p.t, err)
		require.Equal(p.t, again, got, "% x: %+v and %+v", data, want, v)
		if used := i == 1; !used && !strings.Contains(fmt.Sprintf("%+v", want), "NaN") { // a used slice may be empty and not nil
			require.Equal(p.t, want, v, "% x", data)
		}
	}
	return nil
}

// readVariants reads the messages with every truncation and every bit flip, and
// random ones.
func (p *pair[T]) readVariants() {
	longest := 0
	for _, data := range p.written {
		longest = max(longest, len(data))
		for n := range data {
			p.read(data[:n])
		}
		p.read(append(slices.Clone(data), 0))
		for bit := range 8 * len(data) {
			flipped := slices.Clone(data)
			flipped[bit/8] ^= 1 << (bit % 8)
			p.read(flipped)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		data := make([]byte, rnd.IntN(longest+2))
		for i := range data {
			data[i] = byte(rnd.Uint32()) & byte(rnd.Uint32()|rnd.Uint32())
		}
		p.read(data)
	}
}

// Tags and Field give equal bytes for every kind of value, accept the same messages,
// read equal values from them, and give the same errors.
func TestFieldTwins(t *testing.T) {
	for _, row := range twins() {
		t.Run(row.name, func(t *testing.T) { row.test(t, row.opts) })
	}
}
