// The reference interpreter allocates reflect.Values, so these tests do not
// apply to it.

//go:build !purego

package enginetest

import (
	"testing"

	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// checkNoAllocs requires that a codec allocates nothing if it appends to a
// buffer with spare capacity and decodes into a variable that has held such a
// message.
func checkNoAllocs[T any](t *testing.T, name string, v T) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		codec := tagcodec.MustFor[T]()
		data, err := codec.Append(nil, &v)
		require.NoError(t, err)
		for _, room := range []int{len(data), len(data) + 7, len(data) + 8, 2*len(data) + 64} {
			buf := make([]byte, 0, room)
			require.Zero(t, testing.AllocsPerRun(100, func() {
				if _, err := codec.Append(buf, &v); err != nil {
					panic(err)
				}
			}), "Append with room for %d bytes of %d", room, len(data))
		}
		var used T
		require.NoError(t, codec.Unmarshal(data, &used))
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if err := codec.Unmarshal(data, &used); err != nil {
				panic(err)
			}
		}), "Unmarshal")
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if _, err := codec.UnmarshalFirst(data, &used); err != nil {
				panic(err)
			}
		}), "UnmarshalFirst")
		again, err := codec.Append(nil, &used)
		require.NoError(t, err)
		require.Equal(t, data, again)
		if raceEnabled {
			return // sync.Pool then drops values at random
		}
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if _, err := codec.Size(&v); err != nil {
				panic(err)
			}
		}), "Size")
	})
}

func TestNoAllocs(t *testing.T) {
	checkNoAllocs(t, "scalars", allScalars{Health: 50, From: 7, To: 8, Count: 1 << 60, Label: [8]byte{'x'}})
	checkNoAllocs(t, "sequences, strings, pointers and conditions", newWorld())
	require.Equal(t, 8, sealed.PlanOf(tagcodec.MustFor[depth1]().Plan()).Nesting)
	checkNoAllocs(t, "blocks in blocks", newDeep())
	checkNoAllocs(t, "a recursive type", tree{Value: 1, Kids: []tree{{Value: 2, Name: "ab"}, {Kids: []tree{{}}}}})
	checkNoAllocs(t, "an embedded struct", moving{Header: Header{3, 4}, Fast: true, Odd: [2]uint8{1, 2}, Speed: 9, Faster: 12})
	if !raceEnabled {
		checkNoAllocs(t, "a type that serializes itself", counted{N: 2, Items: [6]uint16{4, 5}})
	}
	checkNoAllocs(t, "one integer", uint64(1<<60))
	few := sparse{
		Score: 5, Height: 1, Class: 9, Title: "owner", Far: []*point{4: {1, 2}, 6: nil},
		Turn: quaternion{W: 1}, Up: [3]float32{0, 0, 1}, Body: transform{Rotation: quaternion{X: 1}, Scale: [3]float32{1, 1, 1}},
	}
	few.Near[3] = entity{ID: 3, Moving: true}
	few.Near[17] = entity{Moving: true, Kind: 2, Owner: 1, Rank: 2}
	checkNoAllocs(t, "optional and listed values, subsets and rotations", few)
	type texts struct {
		Short  string `bp:"maxlen=16"`
		Eight  string `bp:"maxlen=16"`
		Long   string `bp:"maxlen=99"`
		Accent string `bp:"maxlen=16"`
	}
	checkNoAllocs(t, "texts that are there already", texts{"seven b", "0123456789", "more than sixteen bytes", "ten bytés"})
	checkNoAllocs(t, "an array", [3]point{{1, 2}, {3, 4}, {5, 6}})
}

// A plan that nests too deeply for the stack frames allocates all of its frames
// at once.
func TestAllocsOfDeepNesting(t *testing.T) {
	codec := tagcodec.MustFor[buriedNumber]()
	require.Equal(t, 20, sealed.PlanOf(codec.Plan()).Nesting)
	v := newBuriedNumber(0xABCD)
	buf, err := codec.Append(nil, &v)
	require.NoError(t, err)
	require.Equal(t, []byte{0xFF, 0xFF, 0xDF, 0xBC, 0x0A}, buf)
	frames := 1.0
	if sealed.PlanOf(codec.Plan()).Generated() != nil {
		frames = 0 // those of generated code are on the stack
	}
	require.Equal(t, frames, testing.AllocsPerRun(100, func() {
		if _, err := codec.Append(buf[:0], &v); err != nil {
			panic(err)
		}
	}), "Append")
	require.Equal(t, frames, testing.AllocsPerRun(100, func() {
		if err := codec.Unmarshal(buf, &v); err != nil {
			panic(err)
		}
	}), "Unmarshal")
}

// A short message allocates its buffer once, sized for the longest message of
// the type. A long message starts with room for the shortest.
func TestAllocsOfNewMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("slices.Grow makes what it appends")
	}
	type short struct {
		Name string `bp:"maxlen=50"`
		Rest [9]uint64
	}
	type long struct {
		Fixed [100]uint64
		Text  []string `bp:"maxlen=9,elem.maxlen=99"`
	}
	check := func(name string, allocs float64, size int, f func() ([]byte, error)) {
		var data []byte
		require.Equal(t, allocs, testing.AllocsPerRun(100, func() {
			var err error
			if data, err = f(); err != nil {
				panic(err)
			}
		}), name)
		require.LessOrEqual(t, cap(data), size, name)
	}
	a, b, four := &short{Name: "from one to fifty"}, &long{}, []byte("four")
	codecOfShort, codecOfLong := tagcodec.MustFor[short](), tagcodec.MustFor[long]()
	require.LessOrEqual(t, codecOfShort.MaxSize(), 128)
	check("Marshal", 1, 128, func() ([]byte, error) { return tagcodec.Marshal(a) })
	check("Append of nil", 1, 128, func() ([]byte, error) { return codecOfShort.Append(nil, a) })
	check("Append of four bytes", 1, 144, func() ([]byte, error) { return codecOfShort.Append(four, a) })
	check("Append of nil, long", 1, 896, func() ([]byte, error) { return codecOfLong.Append(nil, b) })
}

// A slice below its minimum length fails before memory for a long one is
// allocated.
func TestRefusedTakesNoMemory(t *testing.T) {
	type wide struct {
		Words []uint64 `bp:"minlen=0x7fffffff,maxlen=0x7fffffff"`
	}
	for name, f := range map[string]func() error{
		"Marshal": func() error { _, err := tagcodec.Marshal(&wide{}); return err },
		"Append":  func() error { _, err := tagcodec.MustFor[wide]().Append(nil, &wide{}); return err },
		"Size":    func() error { _, err := tagcodec.Size(&wide{}); return err },
	} {
		var err error
		require.Less(t, allocated(func() { err = f() }), uint64(8192), name)
		require.ErrorIs(t, err, tagcodec.ErrLength, name)
	}
}

// With sentinel errors, a message that ends too early allocates nothing.
func TestSentinelErrorsAllocs(t *testing.T) {
	codec := tagcodec.MustFor[world](tagcodec.WithSentinelErrors())
	v := newWorld()
	data, err := codec.Append(nil, &v)
	require.NoError(t, err)
	for n := range data {
		require.Zero(t, testing.AllocsPerRun(10, func() { _ = codec.Unmarshal(data[:n], &v) }), "%d bytes", n)
	}
}
