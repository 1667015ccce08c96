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

// badPromoted has structs without a name that would lose fields.
var badPromoted = []bad{
	{"a field beside it", reflect.TypeFor[struct {
		Base
		Health uint8
	}]()},
	{"an element of a field", reflect.TypeFor[struct {
		Cats []struct {
			Health int `bp:"max=3,min=0"`
			Base
		} `bp:"maxlen=3"`
	}]()},
	{"an embedded pointer", reflect.TypeFor[struct {
		*Base
		_ struct{} `bp:"align"`
	}]()},
	{"an embedded interface", reflect.TypeFor[struct {
		bits.Serializer
		Health time.Time
	}]()},
	{"an embedded binary form", reflect.TypeFor[struct {
		A struct {
			time.Time
			Zone []string
		} `bp:"binary,maxlen=20"`
	}]()},
	{"an embedded bound", reflect.TypeFor[struct {
		Base
		Bound `bp:"-"`
	}]()},
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
