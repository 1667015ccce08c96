package enginetest

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// ownForm has a binary form that shares memory with others.
type ownForm struct{ form []byte }

func (o *ownForm) MarshalBinary() ([]byte, error) { return o.form, nil }
func (o *ownForm) UnmarshalBinary([]byte) error   { return nil }

// within has values that may share memory with a buffer.
type within struct {
	Before uint64
	Bytes  []byte  `bp:"maxlen=100"`
	Text   []byte  `bp:"string,maxlen=100"`
	Ints   []uint8 `bp:"int,min=0,max=9,maxlen=100"`
	Rows   [2]struct {
		On   bool
		Ints []uint8 `bp:"int,min=0,max=9,maxlen=100,if=On"`
	}
	Many []uint64 `bp:"maxlen=100"`
}

// formed is like within. It has no generated code, because ownForm has methods.
type formed struct {
	Form ownForm  `bp:"binary,maxlen=100"`
	Many []uint64 `bp:"maxlen=100"`
}

// A value that shares memory with its own message is refused.
func TestAppendOfSharedMemory(t *testing.T) {
	many := func(v *within, n int) { v.Many = make([]uint64, n) }
	for path, set := range map[string]func(v *within, b []byte){
		"within.Bytes":        func(v *within, b []byte) { v.Bytes = b },
		"within.Text":         func(v *within, b []byte) { v.Text = b },
		"within.Ints":         func(v *within, b []byte) { v.Ints = b },
		"within.Rows[1].Ints": func(v *within, b []byte) { v.Rows[1].On, v.Rows[1].Ints = true, b },
	} {
		appendOfSharedMemory(t, path, set, many)
	}
	appendOfSharedMemory(t, "formed.Form", func(v *formed, b []byte) { v.Form.form = b },
		func(v *formed, n int) { v.Many = make([]uint64, n) })
}

// appendOfSharedMemory appends the message of a V whose value at path is set to
// bytes in the buffer and outside. many makes the message long.
func appendOfSharedMemory[V any](t *testing.T, path string, set func(v *V, b []byte), many func(v *V, n int)) {
	codec, err := tagcodec.For[V]()
	require.NoError(t, err)
	for name, appendTo := range map[string]func(dst []byte, v *V) ([]byte, error){
		"Append": codec.Append,
		"reference": func(dst []byte, v *V) ([]byte, error) {
			return reference.Encode(standard, sealed.PlanOf(codec.Plan()), reflect.ValueOf(v).Elem(), dst)
		},
	} {
		t.Run(path+", "+name, func(t *testing.T) {
			for _, n := range []int{0, 20} { // with 20, the buffer is replaced by a larger one
				check := func(length, from, to int, shared bool) {
					buffer := make([]byte, 40)
					for i := range buffer {
						buffer[i] = byte(1 + i%9)
					}
					var v V
					set(&v, buffer[from:to])
					many(&v, n)
					before := append([]byte{}, buffer[:length]...)
					data, err := appendTo(buffer[:length], &v)
					require.Equal(t, before, buffer[:length])
					if !shared {
						require.NoError(t, err)
						// The message must be that of the original value.
						again, err := appendTo(nil, &v)
						require.NoError(t, err)
						require.Equal(t, again, data[length:])
						return
					}
					require.ErrorIs(t, err, tagcodec.ErrArgument)
					require.Len(t, data, length)
					var e *tagcodec.Error
					require.ErrorAs(t, err, &e)
					require.Equal(t, path, e.Path)
				}
				check(0, 0, 10, true)
				check(0, 3, 4, true)
				check(0, 38, 40, true)
				check(10, 5, 11, true)
				check(10, 0, 10, false)
				check(10, 20, 20, false)
				check(40, 20, 30, false)
			}
		})
	}
}

// resets is a value that resets its Stream.
type resets struct{ How uint8 }

func (r *resets) Serialize(s *bits.Stream) error {
	if s.Reading() {
		data := access.Data(s.Reader())
		bits.Int(s, &r.How, 0, 3)
		switch r.How {
		case 1:
			s.Reader().Reset(data, 0)
		case 2:
			s.Reader().Reset(make([]byte, 1000), 5000)
		}
		return s.Err()
	}
	bits.Int(s, &r.How, 0, 3)
	switch w := s.Writer(); r.How {
	case 1:
		w.Reset(make([]byte, 100))
		w.WriteBits(0, 64)
		w.WriteBits(0, 64)
	case 2:
		w.Resume(nil, 0, 0)
		w.WriteBits(0, 64)
		w.WriteBits(0, 64)
	}
	return s.Err()
}

// A value that resets its Stream would discard the values before it.
func TestSerializeThatResets(t *testing.T) {
	type value struct {
		Before uint8
		R      resets
		Nested nestedResets
		After  uint8
	}
	codec := tagcodec.MustFor[value]()
	for _, row := range []struct {
		v    value
		path string
	}{
		{value{Before: 7, After: 9}, ""},
		{value{R: resets{1}}, "value.R"},
		{value{R: resets{2}}, "value.R"},
		{value{Nested: nestedResets{R: resets{1}}}, "value.Nested.R"},
		{value{Nested: nestedResets{R: resets{2}}}, "value.Nested.R"},
	} {
		check := func(err error) {
			if row.path == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, tagcodec.ErrArgument)
			require.Contains(t, err.Error(), row.path+" at bit ")
		}
		dst := []byte{1, 2, 3}
		data, err := codec.Append(dst, &row.v)
		check(err)
		require.Equal(t, dst, data[:3])
		_, err = reference.Encode(standard, sealed.PlanOf(codec.Plan()), reflect.ValueOf(&row.v).Elem(), dst)
		check(err)

		message := []byte{7, row.v.R.How | row.v.Nested.R.How<<2 | 9<<4, 0}
		var read value
		check(codec.Unmarshal(message, &read))
		check(referenceUnmarshal(standard, sealed.PlanOf(codec.Plan()), reflect.ValueOf(&read).Elem(), message))
	}
}

// nestedResets passes a part of itself to Serialize.
type nestedResets struct{ R resets }

func (n *nestedResets) Serialize(s *bits.Stream) error {
	type tagged nestedResets
	return tagcodec.Serialize(s, (*tagged)(n))
}
