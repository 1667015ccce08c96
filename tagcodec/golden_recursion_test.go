package tagcodec_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Types that contain themselves: in a slice, through a pointer, mutually, in a
// map, in a subset, and through a union.
type (
	person struct {
		Age  uint8    `bp:"uint,bits=4"`
		Kids []person `bp:"maxlen=3"`
	}
	wagon struct {
		Load uint8 `bp:"uint,bits=4"`
		Next *wagon
	}
	hen struct{ Eggs *egg }
	egg struct {
		Blue bool
		Hens [2]*hen
	}
	folder struct {
		Subs map[uint8]folder `bp:"maxlen=3"`
	}
	trie struct {
		Word bool
		Next [3]*trie `bp:"subset=bitmap"`
	}
	expr any
	num  uint8
	sum  struct {
		A, B expr `bp:"union"`
	}
)

func TestGoldenRecursion(t *testing.T) {
	runGolden(t, []golden[person]{
		{"without kids", person{9, nil}, low(9, 4) + "00", nil},
		{"with kids and theirs", person{9, []person{{1, []person{{2, nil}}}, {3, nil}}},
			low(9, 4) + low(2, 2) + low(1, 4) + low(1, 2) + low(2, 4) + "00" + low(3, 4) + "00", nil},
	})
	runGolden(t, []golden[wagon]{
		{"one", wagon{5, nil}, low(5, 4) + "0", nil},
		{"three", wagon{5, &wagon{6, &wagon{7, nil}}}, low(5, 4) + "1" + low(6, 4) + "1" + low(7, 4) + "0", nil},
	})
	runGolden(t, []golden[hen]{
		{"in turn", hen{&egg{true, [2]*hen{nil, {&egg{}}}}}, "1 1 0 1 1 0 00", nil},
	})
	runGolden(t, []golden[folder]{
		{"in maps", folder{map[uint8]folder{9: {map[uint8]folder{1: {}}}, 7: {}}},
			low(2, 2) + low(7, 8) + "00" + low(9, 8) + low(1, 2) + low(1, 8) + "00", nil},
	})
	runGolden(t, []golden[trie]{
		{"in subsets", trie{false, [3]*trie{1: {true, [3]*trie{{Word: true}}}}}, "0 0 1 1 1 1 000 00 0", nil},
	})
	type packet struct {
		E expr `bp:"union"`
	}
	runGolden(t, []golden[packet]{
		{"in unions: 1 is num, 2 is sum", packet{sum{num(3), sum{nil, num(4)}}}, low(2, 2) + low(1, 2) + low(3, 8) + low(2, 2) + "00" + low(1, 2) + low(4, 8), nil},
	}, tagcodec.WithUnion[expr](num(0), sum{}))
}

// A recursive value may occur in any container.
func TestGoldenRecursionEverywhere(t *testing.T) {
	type packet struct {
		Before bool
		W      wagon
		On     wagon   `bp:"optional"`
		List   []wagon `bp:"maxlen=3"`
		Pair   [2]wagon
		Map    map[uint8]wagon `bp:"maxlen=3"`
		Behind *wagon
		After  bool
	}
	two, bits := wagon{1, &wagon{2, nil}}, low(1, 4)+"1"+low(2, 4)+"0"
	runGolden(t, []golden[packet]{
		{"zero", packet{}, "0" + "00000" + "0" + "00" + "00000 00000" + "00" + "0 0", nil},
		{"everywhere", packet{true, two, two, []wagon{two}, [2]wagon{1: two}, map[uint8]wagon{4: two}, &two, true},
			"1" + bits + "1" + bits + low(1, 2) + bits + "00000" + bits + low(1, 2) + low(4, 8) + bits + "1" + bits + "1", nil},
	})
	runRefused(t, []refused[packet]{
		{name: "an optional one that is zero", bits: "0 00000 1 0000 0", err: tagcodec.ErrNotCanonical,
			text: "packet.On at bit 6: not the canonical encoding"},
		{name: "deep in one", bits: "0 0000 1 0000 1 0000 1", err: tagcodec.ErrOverread,
			text: "packet.W.Next at bit 5: read past the end of the data: 22 more bits needed, 10 left"},
	})
}

// The limit counts nested values, including the outermost.
func TestDepthLimit(t *testing.T) {
	three := tagcodec.WithMaxDepth(3)
	fits := wagon{1, &wagon{2, &wagon{3, nil}}}
	deep := wagon{0, &fits}
	runGolden(t, []golden[wagon]{{"three wagons", fits, low(1, 4) + "1" + low(2, 4) + "1" + low(3, 4) + "0", nil}}, three)
	runRefused(t, []refused[wagon]{
		{name: "written", value: deep, err: tagcodec.ErrDepth, text: "wagon.Next.Next.Next at bit 15: nested too deeply: 4 is outside [0, 3]"},
		{name: "read", bits: "0000 1 0000 1 0000 1 0000 0", err: tagcodec.ErrDepth, text: "wagon.Next.Next.Next at bit 15: nested too deeply: 4 is outside [0, 3]"},
	}, three)
	runGolden(t, []golden[person]{{"brothers and sisters are not nested", person{1, []person{{2, []person{{}, {}}}, {3, []person{{}, {}, {}}}}},
		low(1, 4) + low(2, 2) + low(2, 4) + low(2, 2) + "000000 000000" + low(3, 4) + low(3, 2) + "000000 000000 000000", nil}}, three)
	runRefused(t, []refused[person]{
		{name: "in slices", value: person{Kids: []person{{}, {Kids: []person{{Kids: []person{{}}}}}}}, err: tagcodec.ErrDepth,
			text: "person.Kids[1].Kids[0].Kids[0] at bit 24: nested too deeply: 4 is outside [0, 3]"},
		{name: "read", bits: "0000 10 0000 10 0000 10 000000", err: tagcodec.ErrDepth,
			text: "person.Kids[0].Kids[0].Kids[0] at bit 18: nested too deeply: 4 is outside [0, 3]"},
	}, three)

	type packet struct {
		E expr `bp:"union"`
	}
	two := []tagcodec.Option{tagcodec.WithMaxDepth(2), tagcodec.WithUnion[expr](num(0), sum{})}
	runGolden(t, []golden[packet]{
		{"a union is a level, and nil is none", packet{sum{num(1), nil}}, low(2, 2) + low(1, 2) + low(1, 8) + "00", nil},
		{"nil at the limit", packet{sum{sum{}, nil}}, low(2, 2) + low(2, 2) + "00 00 00", nil},
	}, two...)
	runRefused(t, []refused[packet]{
		{name: "written", value: packet{sum{nil, sum{num(1), nil}}}, err: tagcodec.ErrDepth, text: "packet.E.B.A at bit 6: nested too deeply: 3 is outside [0, 2]"},
		{name: "read", bits: low(2, 2) + "00" + low(2, 2) + low(1, 2) + low(1, 8), err: tagcodec.ErrDepth, text: "packet.E.B.A at bit 6: nested too deeply: 3 is outside [0, 2]"},
	}, two...)
	runRefused(t, []refused[wagon]{
		{name: "no recursive value at all", value: wagon{}, err: tagcodec.ErrDepth, text: "wagon at bit 0: nested too deeply: 1 is outside [0, 0]"},
	}, tagcodec.WithMaxDepth(0))
}

// Without an option the limit is 1000. A cyclic value is refused, and so is a
// message that opens ever more levels.
func TestDefaultDepth(t *testing.T) {
	train := &wagon{}
	for range tagcodec.DefaultMaxDepth - 1 {
		train = &wagon{Next: train}
	}
	data, err := tagcodec.Marshal(train)
	require.NoError(t, err)
	var read wagon
	require.NoError(t, tagcodec.Unmarshal(data, &read))
	require.Equal(t, *train, read)
	_, err = tagcodec.Marshal(&wagon{Next: train})
	require.ErrorIs(t, err, tagcodec.ErrDepth)

	circle := &wagon{}
	circle.Next = circle
	_, err = tagcodec.Marshal(circle)
	require.ErrorIs(t, err, tagcodec.ErrDepth)

	ones := bytes.Repeat([]byte{0xFF}, 4000) // enough for consecutive values too
	for _, v := range []any{new(person), new(wagon), new(hen), new(trie)} {
		require.ErrorIs(t, tagcodec.Unmarshal(ones, v), tagcodec.ErrDepth, "%T", v)
	}
	require.ErrorIs(t, tagcodec.Unmarshal(ones, new(folder)), tagcodec.ErrDepth)
}
