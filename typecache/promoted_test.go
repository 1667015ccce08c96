package typecache_test

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// Base encodes itself, and Bound has a bound.
type (
	Base  struct{ Name uint8 }
	Bound struct{ N int }
	Both  struct{ Base }
)

func (b *Base) Serialize(s *bits.Stream) error { bits.Bits(s, &b.Name, 8); return s.Err() }
func (Bound) MaxBits() int                     { return 3 }
func (*Both) MaxBits() int                     { return 8 }

// TestBadPromoted has structs without a name that would lose fields.
func TestBadPromoted(t *testing.T) {
	const base = "the method Serialize of "
	const lost = " is that of its embedded field Base, so that Health would not be sent: give the embedded field a name, as in A typecache_test.Base, or leave Health out with bp:\"-\""
	for _, row := range []struct {
		name string
		typ  reflect.Type
		text string
	}{
		{"a field", reflect.TypeFor[struct {
			Base
			Health uint8
		}](), "struct: " + base + "struct { typecache_test.Base; Health uint8 }" + lost},
		{"an element of a field", reflect.TypeFor[struct {
			Cats []struct {
				Health int `bp:"max=3,min=0"`
				Base
			} `bp:"maxlen=3"`
		}](), "struct.Cats: " + base + "struct { Health int \"bp:\\\"max=3,min=0\\\"\"; typecache_test.Base }" + lost},
		{"a pointer", reflect.TypeFor[struct {
			*Base
			_ struct{} `bp:"align"`
		}](), "struct: " + base + "struct { *typecache_test.Base; _ struct {} \"bp:\\\"align\\\"\" } is that of its embedded field Base, so that _ would not be sent: give the embedded field a name, as in A *typecache_test.Base, or leave _ out with bp:\"-\""},
		{"an interface", reflect.TypeFor[struct {
			bits.Serializer
			Health time.Time
		}](), "struct: " + base + "struct { bits.Serializer; Health time.Time } is that of its embedded field Serializer, so that Health would not be sent: give the embedded field a name, as in A bits.Serializer, or leave Health out with bp:\"-\""},
		{"a binary form", reflect.TypeFor[struct {
			A struct {
				time.Time
				Zone []string
			} `bp:"binary,maxlen=20"`
		}](), "struct.A: the binary form of struct { time.Time; Zone []string } is that of its embedded field Time, so that Zone would not be sent: give the embedded field a name, as in A time.Time, or leave Zone out with bp:\"-\""},
		{"a bound", reflect.TypeFor[struct {
			Base
			Bound `bp:"-"`
		}](), "struct: MaxBits of struct { typecache_test.Base; typecache_test.Bound \"bp:\\\"-\\\"\" } is that of its embedded field Bound, and Serialize that of Base: give one of the fields a name"},
	} {
		_, err := typecache.Of(row.typ)
		require.EqualError(t, err, "typecache: "+row.text, row.name)
	}
}

// TestGoodPromoted has structs without a name that lose nothing.
func TestGoodPromoted(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[struct{ Base }](),
		reflect.TypeFor[struct {
			Base
			_     sync.Mutex
			Mu    sync.RWMutex
			Log   func()
			Conn  []any
			Cache int `bp:"-"`
		}](),
		reflect.TypeFor[struct {
			Both
			C chan int
		}](),
		reflect.TypeFor[struct {
			A struct {
				time.Time
				zone string
			} `bp:"binary,maxlen=20"`
		}](),
	} {
		_, err := typecache.Of(typ)
		require.NoError(t, err)
	}
}
