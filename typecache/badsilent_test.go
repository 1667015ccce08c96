package typecache_test

import (
	"math/big"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// Types whose values would silently not be sent.
type (
	Purse   struct{ coins int32 }
	Pocket  struct{ Purse }
	Locked  struct{ sync.Mutex }
	Padded  struct{ _ [4]byte }
	Mark    struct{}
	Pinned  struct{ at [0]func() }
	LeftOut struct {
		coins int32
		Kills int32 `bp:"-"`
	}
	Guarded struct {
		mu    sync.Mutex
		Kills int32
	}
	Unlocked struct {
		sync.Mutex `bp:"-"`
		Kills      int32
	}
	Marked struct {
		coins int32
		_     struct{} `bp:"check"`
	}
	Built   struct{ hidden }
	Nothing struct{ leftOut }
	leftOut struct {
		A int32 `bp:"-"`
	}
)

var _ = []any{Purse{}.coins, LeftOut{}.coins, Marked{}.coins, &Guarded{mu: sync.Mutex{}}, Pinned{}.at}

// Structs with a method Serialize that does not implement bits.Serializer.
type (
	NoErr    struct{ N int32 }
	ByValue  struct{ N int32 }
	Counting struct{ N int32 }
	Wrapped  struct{ *Counting }
	ToText   struct{ N int32 }
	Several  struct{ N int32 }
	lower    struct{ N int32 }
)

func (*NoErr) Serialize(*bits.Stream)                   {}
func (ByValue) Serialize(bits.Stream) error             { return nil }
func (*Counting) Serialize(*bits.Stream) (int, error)   { return 0, nil }
func (*ToText) Serialize(*strings.Builder)              {}
func (*Several) Serialize(*bits.Stream, ...int) error   { return nil }
func (*lower) serialize(*bits.Stream)                   {}
func (*Padded) Serialise(*bits.Stream)                  {}
func (*Mark) MarshalSerialize(*bits.Stream) (err error) { return nil }

var _ = (*lower).serialize

func TestBadSilence(t *testing.T) {
	const (
		nothing = " has no exported fields, so that nothing of it would be sent: export them"
		leave   = `, leave the field out with bp:"-"`
		method  = ", or give the type a method Serialize(*bits.Stream) error"
		mend    = ", which is not called: make it Serialize(*bits.Stream) error, or rename it"
	)
	runBad(t, []bad{
		{"hidden fields alone", reflect.TypeFor[struct{ A Purse }](), "struct.A: typecache_test.Purse" + nothing + leave + method},
		{"of a type that is no field", reflect.TypeFor[Purse](), "Purse: typecache_test.Purse" + nothing + method},
		{"of the library", reflect.TypeFor[struct{ Kills atomic.Int64 }](), "struct.Kills: atomic.Int64" + nothing + leave + method},
		{"behind a pointer", reflect.TypeFor[struct{ A *big.Int }](), "struct.A: big.Int" + nothing + leave + method},
		{"in elements", fieldOf[[]strings.Builder]("maxlen=3"), "struct.A: strings.Builder" + nothing + leave + method},
		{"with a tag", fieldOf[Purse]("min=0,max=3"), "struct.A: typecache_test.Purse" + nothing + leave + method},
		{"optional", fieldOf[Purse]("optional"), "struct.A: typecache_test.Purse" + nothing + leave + method},
		{"embedded", reflect.TypeFor[Pocket](), "Pocket.Purse: typecache_test.Purse" + nothing + leave + method},
		{"embedded mutex", reflect.TypeFor[Locked](), "Locked.Mutex: sync.Mutex" + nothing + leave + method},

		{"no error", reflect.TypeFor[struct{ A NoErr }](),
			"struct.A: typecache_test.NoErr has a method Serialize(*bits.Stream)" + mend},
		{"stream by value", reflect.TypeFor[ByValue](),
			"ByValue: typecache_test.ByValue has a method Serialize(bits.Stream) error" + mend},
		{"two results", reflect.TypeFor[struct{ A *Counting }](),
			"struct.A: typecache_test.Counting has a method Serialize(*bits.Stream) (int, error)" + mend},
		{"promoted", reflect.TypeFor[Wrapped](),
			"Wrapped: typecache_test.Wrapped has a method Serialize(*bits.Stream) (int, error)" + mend},
	})

	registry := typecache.NewRegistry()
	registry.Register(reflect.TypeFor[Signal](), reflect.TypeFor[Purse]())
	_, err := typecache.Build(fieldOf[Signal]("union"), registry)
	require.EqualError(t, err, "typecache: Purse: typecache_test.Purse"+nothing+method, "of a member of a union")
}

// TestSilenceThatIsMeant has types similar to these that are not mistakes.
func TestSilenceThatIsMeant(t *testing.T) {
	for _, tt := range []struct {
		why string
		typ reflect.Type
		max int // bits
	}{
		{"there are no fields", reflect.TypeFor[Mark](), 0},
		{"blank fields are padding", reflect.TypeFor[Padded](), 0},
		{"fields that take no memory hold nothing", reflect.TypeFor[Pinned](), 0},
		{"a tag says so", reflect.TypeFor[LeftOut](), 0},
		{"a tag says so of a field that is promoted", reflect.TypeFor[Nothing](), 0},
		{"other fields are exported", reflect.TypeFor[Guarded](), 32},
		{"the mutex is left out", reflect.TypeFor[Unlocked](), 32},
		{"bits belong to it", reflect.TypeFor[Marked](), 32},
		{"fields are promoted", reflect.TypeFor[Built](), 32},
		{"the method is for something else", reflect.TypeFor[ToText](), 32},
		{"the method takes more", reflect.TypeFor[Several](), 32},
		{"the method is not exported", reflect.TypeFor[lower](), 32},
	} {
		t.Run(tt.why, func(t *testing.T) {
			plan, err := typecache.Of(tt.typ)
			require.NoError(t, err)
			require.Equal(t, tt.max, plan.MaxBits())
		})
	}
}
