package tagcodec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
)

type (
	allScalars struct {
		On      bool
		Health  int32      `bp:"int,min=0,max=100"`
		Pos     [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		Precise [2]float64 `bp:"float,min=-1,max=1,bits=40"`
		Half    float32    `bp:"half"`
		Heading float64    `bp:"angle,bits=12"`
		Raw     complex128
		Code    int16       `bp:"int,bits=11"`
		Money   bits.Int128 `bp:"fixed,frac=20,min=-1000,max=1000"`
		Hash    bits.Uint128
		Count   uint64 `bp:"varint"`
		From    uint32
		To      uint32   `bp:"relative,to=From"`
		Key     [16]byte `bp:"bytes"`
		Label   [8]byte  `bp:"cstring"`
		_       struct{} `bp:"align"`
		_       struct{} `bp:"check"`
	}
	entity struct {
		ID     uint16 `bp:"varint"`
		Moving bool
		Vel    [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=Moving"`
		Kind   uint8      `bp:"enum,max=9"`
		Target *point     `bp:"if=Kind&1"`
		Owner  uint16     `bp:"if=Kind!=0"`
		Rank   uint16     `bp:"relative,to=Owner,if=Owner"`
	}
	world struct {
		Entities []entity  `bp:"maxlen=100"`
		Grid     [][]uint8 `bp:"uint,min=0,max=7,maxlen=10,elem.maxlen=10"`
		Names    [3]string `bp:"maxlen=16"`
		Wide     string    `bp:"wstring,maxlen=16"`
		Blob     []byte    `bp:"bytes,maxlen=100"`
		IDs      []uint32  `bp:"relative,maxlen=100"`
		Points   []*point  `bp:"maxlen=10"`
	}
	sparse struct {
		Score  int32      `bp:"int,min=-100,max=100,optional"`
		Height float32    `bp:"float,min=-8,max=8,bits=10,common=0"`
		Class  uint8      `bp:"huffman=0:90|1:7|*:3"`
		Title  string     `bp:"maxlen=20,common=guest|owner"`
		Near   [20]entity `bp:"subset=auto,by=Moving"`
		Far    []*point   `bp:"subset=sentinel,maxlen=20"`
		Turn   quaternion `bp:"quat,bits=9"`
		Up     [3]float32 `bp:"unit,bits=8"`
		Body   transform  `bp:"affine,optional"`
	}
	// depth1 has as many blocks in each other as a stack of frames has room for
	// without the heap.
	depth1 struct{ A [2]depth2 }
	depth2 struct {
		B []depth3 `bp:"maxlen=3"`
	}
	depth3 struct{ C *depth4 }
	depth4 struct {
		D [2][]depth5 `bp:"maxlen=3"`
	}
	depth5 struct{ E [1]**uint16 }
)

func newWorld() world {
	return world{
		Entities: []entity{
			{ID: 3, Moving: true, Vel: [3]float32{1, 2, 3}, Kind: 1, Target: &point{1, 2}, Owner: 7, Rank: 9},
			{ID: 4, Kind: 2}, {ID: 90, Kind: 3, Target: nil, Owner: 1, Rank: 70},
		},
		Grid:  [][]uint8{{1, 2, 3}, {}, {7}},
		Names: [3]string{"one", "", "three"}, Wide: "wide \U0001F680", Blob: []byte{0, 255}, IDs: []uint32{0, 1, 1000},
		Points: []*point{{1, 1}, nil, {-300, 300}},
	}
}

func newDeep() depth1 {
	n := new(uint16)
	inner := []depth5{{[1]**uint16{&n}}, {}}
	one := depth3{&depth4{[2][]depth5{inner, nil}}}
	return depth1{[2]depth2{{[]depth3{one, {}}}, {[]depth3{one}}}}
}

// checkNoAllocs requires that a codec takes nothing from the heap, writing into
// a buffer with room and reading into a variable that has held such a message.
func checkNoAllocs[T any](t *testing.T, name string, v T) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		codec := MustFor[T]()
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
			return // sync.Pool forgets at random then
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
	require.Equal(t, manyFrames, MustFor[depth1]().Plan().Nesting)
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
	checkNoAllocs(t, "an array", [3]point{{1, 2}, {3, 4}, {5, 6}})
}

// The functions that take any value box what they are given, but a pointer
// needs no box.
func TestFunctionsAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool forgets at random")
	}
	v := newWorld()
	data, err := Marshal(&v)
	require.NoError(t, err)
	buf := make([]byte, 0, len(data))
	for name, row := range map[string]struct {
		allocs float64
		f      func() error
	}{
		"Marshal":        {1, func() error { _, err := Marshal(&v); return err }},
		"Append":         {0, func() error { _, err := Append(buf, &v); return err }},
		"Size":           {0, func() error { _, err := Size(&v); return err }},
		"Unmarshal":      {0, func() error { return Unmarshal(data, &v) }},
		"UnmarshalFirst": {0, func() error { _, err := UnmarshalFirst(data, &v); return err }},
	} {
		require.Equal(t, row.allocs, testing.AllocsPerRun(100, func() {
			if err := row.f(); err != nil {
				panic(err)
			}
		}), name)
	}
}

// TestAllocsOfChange counts what it takes to read a message that differs from
// the one before it, and then that one again.
func TestAllocsOfChange(t *testing.T) {
	rows := []struct {
		name   string
		change func(*world)
		allocs float64
	}{
		{"a string", func(v *world) { v.Names[0] = "another" }, 1 + 1},
		{"a wstring", func(v *world) { v.Wide = "another" }, 1 + 1},
		{"three strings, of which one was empty", func(v *world) { v.Names = [3]string{"x1", "x2", "x3"} }, 3 + 2},
		{"a string that becomes empty", func(v *world) { v.Names[0] = "" }, 0 + 1},
		{"shorter bytes and slices of integers", func(v *world) { v.Blob, v.IDs = v.Blob[:1], v.IDs[:2] }, 0},
		{"a condition that does not hold", func(v *world) { v.Entities[0].Moving = false }, 0},
		{"a pointer that is nil", func(v *world) { v.Points[0] = nil }, 0 + 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			codec := MustFor[world]()
			v := newWorld()
			before, err := codec.Append(nil, &v)
			require.NoError(t, err)
			row.change(&v)
			after, err := codec.Append(nil, &v)
			require.NoError(t, err)
			require.NoError(t, codec.Unmarshal(before, &v))
			require.Equal(t, row.allocs, testing.AllocsPerRun(100, func() {
				if codec.Unmarshal(after, &v) != nil || codec.Unmarshal(before, &v) != nil {
					panic("refused")
				}
			}))
		})
	}
}
