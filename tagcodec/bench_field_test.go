package tagcodec_test

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

type (
	eightTagged struct {
		V [8]struct {
			A int32 `bp:"int,min=-500,max=500"`
		}
	}
	eightField  struct{ V [8]int32 }
	eightStream struct{ V [8]int32 }
)

func (v *eightField) Serialize(s *bits.Stream) error {
	for i := range v.V {
		tagcodec.Field(s, &v.V[i], "int,min=-500,max=500")
	}
	return s.Err()
}

func (v *eightStream) Serialize(s *bits.Stream) error {
	for i := range v.V {
		bits.Int(s, &v.V[i], -500, 500)
	}
	return s.Err()
}

// BenchmarkField compares eight integers by their tags, by Field and by a function
// of package bits.
func BenchmarkField(b *testing.B) {
	b.Run("tags", benchField[eightTagged])
	b.Run("Field", benchField[eightField])
	b.Run("Stream", benchField[eightStream])
}

func benchField[T any](b *testing.B) {
	codec, v := tagcodec.MustFor[T](), new(T)
	buf, err := codec.Append(nil, v)
	must(err)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			buf, _ = codec.Append(buf[:0], v)
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			_ = codec.Unmarshal(buf, v)
		}
	})
}
