package typecache

import (
	"reflect"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// fifty is a message of 50 fields that covers every common kind.
type fifty struct {
	Sequence                         uint64
	Ack                              uint16
	AckBits                          uint32
	Tick                             uint32 `bp:"varint"`
	Client                           int32  `bp:"int,min=0,max=63"`
	Team                             uint8  `bp:"enum,max=3"`
	Alive, Firing, Reloading, AtRest bool
	Health, Armor, Shield            int16           `bp:"int,min=0,max=1000"`
	Score                            int32           `bp:"int,min=-10000,max=10000"`
	Kills, Deaths                    uint16          `bp:"uint,bits=10"`
	Ping                             uint16          `bp:"uint,bits=12"`
	Weapon                           uint8           `bp:"enum,max=15"`
	Ammo                             [8]int          `bp:"int,min=0,max=200"`
	X, Y, Z                          float32         `bp:"float,min=-1024,max=1024,res=0.01"`
	Rotation                         vec4            `bp:"float,min=-1,max=1,bits=10"`
	Velocity                         vec3            `bp:"float,min=-64,max=64,res=0.05,if=!AtRest"`
	Spin                             vec3            `bp:"half,if=!AtRest"`
	Yaw                              float32         `bp:"angle,bits=9,unit=deg"`
	Pitch                            float32         `bp:"angle,bits=9,unit=deg"`
	Heat                             float64         `bp:"float,min=0,max=100,res=0.5"`
	Fuel                             int32           `bp:"fixed,frac=16,min=0,max=100"`
	Parent                           int32           `bp:"relative,to=Client"`
	Name                             string          `bp:"string,maxlen=32"`
	Clan                             string          `bp:"string,maxlen=8"`
	Title                            string          `bp:"wstring,maxlen=16"`
	Token                            [16]byte        `bp:"bytes"`
	Voice                            []byte          `bp:"bytes,maxlen=256"`
	Events                           []uint32        `bp:"maxlen=16"`
	Seen                             []uint32        `bp:"relative,maxlen=32"`
	Items                            []item          `bp:"maxlen=8"`
	Stats                            map[uint8]int16 `bp:"int,min=0,max=999,maxlen=8"`
	Target                           *vec3           `bp:"float,min=-1024,max=1024,res=0.1"`
	A, B, C, D, E, F, G, H           int8            `bp:"int,min=-5,max=5"`
	_                                struct{}        `bp:"reserved,bits=3"`
	_                                struct{}        `bp:"check"`
}

type vec3 struct{ X, Y, Z float32 }
type vec4 struct{ X, Y, Z, W float32 }

type item struct {
	ID        uint16
	Quantity  uint8 `bp:"int,min=1,max=99"`
	Enchanted bool
	Power     float32 `bp:"if=Enchanted"`
}

// TestBuildMemory checks that building the plan of 50 fields allocates less
// than 50 kB.
func TestBuildMemory(t *testing.T) {
	const times = 20
	typ := reflect.TypeFor[fifty]()
	require.Equal(t, 50, typ.NumField())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		_, err := build(typ, global)
		require.NoError(t, err)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, (after.TotalAlloc-before.TotalAlloc)/times, uint64(50_000))
}

// TestListsBeginWithOneSize checks that the lists of a large plan and its builder take
// as much memory as a comment in init says.
func TestListsBeginWithOneSize(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("the sizes are those of 64-bit machines")
	}
	var b builder
	b.init(reflect.TypeFor[fifty](), global)
	p := b.plan
	for _, list := range []any{p.Elems, p.Conds, p.Relatives, p.Float32s, p.Float64s, p.Angles, b.names, b.room, b.firsts, b.planning} {
		v := reflect.ValueOf(list)
		size := v.Cap() * int(v.Type().Elem().Size())
		require.GreaterOrEqual(t, size, 512, v.Type())
		require.LessOrEqual(t, size, 576, v.Type())
	}
}

// BenchmarkBuild measures building a plan. That happens once per type, when a
// program starts or at the first packet. The cost matters if that packet has a
// deadline.
func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := build(reflect.TypeFor[fifty](), global); err != nil {
			b.Fatal(err)
		}
	}
}
