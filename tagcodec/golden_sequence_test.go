package tagcodec_test

import (
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// The elements of an array are written in order.
func TestGoldenArrays(t *testing.T) {
	runRows(t, []goldenRow{
		{"array of scalars", of("bits=3", [3]uint8{1, 2, 7}), "1:3 2:3 7:3", nil, "the elements follow each other"},
		{"array of arrays", of("", [2][2]int8{{1, -1}, {2, -2}}), "1:8 255:8 2:8 254:8", nil, "row by row"},
		{"array of bools", of("", [9]bool{0: true, 8: true}), "1 0000000 1", nil, "1 bit each"},
		{"array of structs", of("", [2]door{{true, 3}, {false, 1}}), "1 3:2 0 1:2", nil, "the fields of one, then of the next"},
		{"array of no scalars", of("", [0]int32{}, "", uint8(7)), "7:8", nil, "nothing of it is sent"},
		{"array of no strings", of("maxlen=3", [0]string{}, "maxlen=3", "b", "", uint8(7)), "1:2 | [62] 7:8", nil, "and the field after it is not taken for one of them"},
		{"array of no structs", of("", [0]door{}, "", door{true, 2}), "1 2:2", nil, "and the field after it is sent once"},
		{"array of strings", of("maxlen=3", [2]string{"a", ""}), "1:2 | [61] 0:2 |", nil, "each aligns"},
	})
}

// A slice is a count, as wide as its bounds require, then the elements.
func TestGoldenSlices(t *testing.T) {
	runRows(t, []goldenRow{
		{"slice, nil", of("maxlen=3", []int16(nil)), "0:2", nil, "a count of 0 to 3"},
		{"slice of two", of("maxlen=3", []int16{1, -2}), "2:2 1:16 0xFFFE:16", nil, "the count, then the elements"},
		{"slice, full", of("maxlen=3", []int16{1, 2, 3}), "3:2 1:16 2:16 3:16", nil, "the largest count"},
		{"slice of a range, the least length", of("min=-4,max=3,minlen=1,maxlen=4", []int16{-4}), "0:2 0:3", nil, "a count of 1 to 4 is an offset too"},
		{"slice of a range, the largest length", of("min=-4,max=3,minlen=1,maxlen=4", []int16{3, 2, 1, 0}), "3:2 7:3 6:3 5:3 4:3", nil, "min and max are the elements'"},
		{"slice of a fixed length", of("minlen=3,maxlen=3", []bool{true, false, true}), "101", nil, "no count"},
		{"slice without room", of("maxlen=0", []int16(nil), "", true), "1", nil, "no count and no elements"},
		{"elements without bits, in a fixed number", of("maxlen=1,minlen=1", []struct{}{{}}), "", nil, "nothing is sent, and nothing can be claimed"},
		{"slice of slices", of("uint,bits=2,maxlen=2,elem.maxlen=3", [][]uint8{{1, 2}, {3}}), "2:2 2:2 1:2 2:2 1:2 3:2", nil, "a count each"},
		{"slice of strings", of("maxlen=2,elem.maxlen=3", []string{"hi", "yo!"}), "2:2 2:2 | [68 69] 3:2 | [79 6f 21]", nil, "each aligns"},
		{"slice of structs", of("maxlen=4", []door{{true, 1}, {false, 2}}), "2:3 1 1:2 0 2:2", nil, "count of 0 to 4"},
		{"options for the fields of the elements", of("half,maxlen=2", []vector{{1, -2}}), "1:2 0x3C00:16 0xC000:16", nil, "half for X and Y"},
		{"slice of pointers", of("maxlen=2", []*int8{nil, new(int8)}), "2:2 0 1 0:8", nil, "a bit each"},
		{"ascending integers", of("relative,maxlen=4", []uint32{0, 1, 3, 10}), "4:3 1 1 01 0:3 001 0:5", nil, "0 after -1, 1, 2 and 7 more"},
		{"ascending integers, none", of("relative,maxlen=4", []uint32(nil)), "0:3", nil, "a count alone"},
		{"ascending integers from a base", of("relative,base=100,maxlen=4", []int16{101, 125}), "2:3 1 0001 0:9", nil, "1 and 24 more"},
	})
}

// A map is a count, then its entries sorted by key. Equal maps have equal
// messages.
func TestGoldenMaps(t *testing.T) {
	runRows(t, []goldenRow{
		{"map, nil", of("maxlen=3", map[int8]bool(nil)), "0:2", nil, "a count alone"},
		{"map of integers", of("maxlen=3", map[int8]bool{3: true, -1: false}), "2:2 255:8 0 3:8 1", nil, "sorted by key, which is -1 before 3"},
		{"map with ranges", of("min=0,max=7,maxlen=3,key.min=-5,key.max=5", map[int16]int16{5: 7, -5: 0, 0: 1}), "3:2 0:4 0:3 5:4 1:3 10:4 7:3", nil, "key. is for the keys, the rest for the values"},
		{"map of unsigned integers", of("bits=1,maxlen=2", map[uint8]uint8{200: 1, 100: 0}), "2:2 100:8 0 200:8 1", nil, "200 is not negative"},
		{"map of strings", of("maxlen=3,key.maxlen=2", map[string]uint8{"b": 1, "a": 2, "ab": 3}), "3:2 1:2 | [61] 2:8 2:2 | [61 62] 3:8 1:2 | [62] 1:8", nil, "in the order of the bytes"},
		{"map of bools", of("bits=2,maxlen=2", map[bool]uint8{true: 1, false: 2}), "2:2 0 2:2 1 1:2", nil, "false before true"},
		{"map of ascending keys", of("maxlen=3,key.kind=relative", map[uint32]bool{0: true, 2: false}), "2:2 1 1 01 0:3 0", nil, "0 after -1, 2 after 0"},
		{"map of slices", of("maxlen=2,elem.maxlen=3", map[bool][]int8{true: {1, 2}}), "1:2 1 2:2 1:8 2:8", nil, "elem. is for what the values hold"},
		{"map of structs", of("maxlen=2", map[uint8]door{9: {true, 3}}), "1:2 9:8 1 3:2", nil, "the key, then the fields"},
		{"map of pointers", of("maxlen=2", map[uint8]*int8{1: nil, 2: new(int8)}), "2:2 1:8 0 2:8 1 0:8", nil, "a bit each"},
	})
}

type (
	door struct {
		Open  bool
		Level uint8 `bp:"bits=2"`
	}
	vector struct{ X, Y float32 }
)

// Empty and nil are the same on the wire, so a new variable stays nil.
func TestGoldenEmpty(t *testing.T) {
	type lists struct {
		A []int16        `bp:"maxlen=3"`
		B []byte         `bp:"maxlen=3"`
		C map[int8]int16 `bp:"maxlen=3"`
	}
	want, _ := wireOf("0:2 0:2 | 0:2")
	for _, v := range []lists{{}, {[]int16{}, []byte{}, map[int8]int16{}}} {
		data, err := tagcodec.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, want, data)
	}
	var out lists
	require.NoError(t, tagcodec.Unmarshal(want, &out))
	require.Equal(t, lists{}, out)
	used := lists{[]int16{1, 2, 3}, []byte{4}, map[int8]int16{5: 6}}
	require.NoError(t, tagcodec.Unmarshal(want, &used))
	require.Empty(t, used.A)
	require.Equal(t, []int16{0, 0, 0}, used.A[:3], "old values are cleared")
	require.Empty(t, used.B)
	require.Empty(t, used.C)
}
