package tagcodec_test

import (
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// The elements of an array are written in order.
func TestGoldenArrays(t *testing.T) {
	type (
		threes struct {
			A [3]uint8 `bp:"bits=3"`
		}
		matrix  struct{ A [2][2]int8 }
		flags   struct{ A [9]bool }
		structs struct{ A [2]door }
		none    struct {
			A [0]int32
			B uint8
		}
		noneOfText struct {
			A [0]string `bp:"maxlen=3"`
			B string    `bp:"maxlen=3"`
			C uint8
		}
		noneOfStructs struct {
			A [0]door
			B door
		}
		text struct {
			A [2]string `bp:"maxlen=3"`
		}
	)
	runRows(t, []goldenRow{
		{"array of scalars", threes{[3]uint8{1, 2, 7}}, "1:3 2:3 7:3", "d101", nil, "the elements follow each other"},
		{"array of arrays", matrix{[2][2]int8{{1, -1}, {2, -2}}}, "1:8 255:8 2:8 254:8",
			"01ff02fe", nil, "row by row"},
		{"array of bools", flags{[9]bool{0: true, 8: true}}, "1 0000000 1", "0101", nil, "1 bit each"},
		{"array of structs", structs{[2]door{{true, 3}, {false, 1}}}, "1 3:2 0 1:2",
			"17", nil, "the fields of one, then of the next"},
		{"array of no scalars", none{[0]int32{}, 7}, "7:8", "07", nil, "nothing of it is sent"},
		{"array of no strings", noneOfText{[0]string{}, "b", 7}, "1:2 | [62] 7:8",
			"016207", nil, "and the field after it is not taken for one of them"},
		{"array of no structs", noneOfStructs{[0]door{}, door{true, 2}}, "1 2:2",
			"05", nil, "and the field after it is sent once"},
		{"array of strings", text{[2]string{"a", ""}}, "1:2 | [61] 0:2 |", "016100", nil, "each aligns"},
	})
}

// A slice is a count, as wide as its bounds require, then the elements.
func TestGoldenSlices(t *testing.T) {
	type (
		list struct {
			A []int16 `bp:"maxlen=3"`
		}
		ranged struct {
			A []int16 `bp:"min=-4,max=3,minlen=1,maxlen=4"`
		}
		exact struct {
			A []bool `bp:"minlen=3,maxlen=3"`
		}
		zero struct {
			A []int16 `bp:"maxlen=0"`
			B bool
		}
		one struct {
			A []struct{} `bp:"maxlen=1,minlen=1"`
		}
		grid struct {
			A [][]uint8 `bp:"uint,bits=2,maxlen=2,elem.maxlen=3"`
		}
		words struct {
			A []string `bp:"maxlen=2,elem.maxlen=3"`
		}
		doors struct {
			A []door `bp:"maxlen=4"`
		}
		halves struct {
			A []vector `bp:"half,maxlen=2"`
		}
		pointers struct {
			A []*int8 `bp:"maxlen=2"`
		}
		ascending struct {
			A []uint32 `bp:"relative,maxlen=4"`
		}
		ascendingFrom struct {
			A []int16 `bp:"relative,base=100,maxlen=4"`
		}
	)
	runRows(t, []goldenRow{
		{"slice, nil", list{nil}, "0:2", "00", nil, "a count of 0 to 3"},
		{"slice of two", list{[]int16{1, -2}}, "2:2 1:16 0xFFFE:16",
			"0600f8ff03", nil, "the count, then the elements"},
		{"slice, full", list{[]int16{1, 2, 3}}, "3:2 1:16 2:16 3:16", "070008000c0000", nil, "the largest count"},
		{"slice of a range, the least length", ranged{[]int16{-4}}, "0:2 0:3",
			"00", nil, "a count of 1 to 4 is an offset too"},
		{"slice of a range, the largest length", ranged{[]int16{3, 2, 1, 0}}, "3:2 7:3 6:3 5:3 4:3",
			"df25", nil, "min and max are the elements'"},
		{"slice of a fixed length", exact{[]bool{true, false, true}}, "101", "05", nil, "no count"},
		{"slice without room", zero{nil, true}, "1", "01", nil, "no count and no elements"},
		{"elements without bits, in a fixed number", one{[]struct{}{{}}}, "",
			"", nil, "nothing is sent, and nothing can be claimed"},
		{"slice of slices", grid{[][]uint8{{1, 2}, {3}}}, "2:2 2:2 1:2 2:2 1:2 3:2", "9a0d", nil, "a count each"},
		{"slice of strings", words{[]string{"hi", "yo!"}}, "2:2 2:2 | [68 69] 3:2 | [79 6f 21]",
			"0a686903796f21", nil, "each aligns"},
		{"slice of structs", doors{[]door{{true, 1}, {false, 2}}}, "2:3 1 1:2 0 2:2", "1a01", nil, "count of 0 to 4"},
		{"options for the fields of the elements", halves{[]vector{{1, -2}}}, "1:2 0x3C00:16 0xC000:16",
			"01f0000003", nil, "half for X and Y"},
		{"slice of pointers", pointers{[]*int8{nil, new(int8)}}, "2:2 0 1 0:8", "0a00", nil, "a bit each"},
		{"ascending integers", ascending{[]uint32{0, 1, 3, 10}}, "4:3 1 1 01 0:3 001 0:5",
			"5c1000", nil, "0 after -1, 1, 2 and 7 more"},
		{"ascending integers, none", ascending{nil}, "0:3", "00", nil, "a count alone"},
		{"ascending integers from a base", ascendingFrom{[]int16{101, 125}}, "2:3 1 0001 0:9",
			"8a0000", nil, "1 and 24 more"},
	})
}

// A map is a count, then its entries sorted by key. Equal maps have equal
// messages.
func TestGoldenMaps(t *testing.T) {
	type (
		byInt struct {
			A map[int8]bool `bp:"maxlen=3"`
		}
		byRange struct {
			A map[int16]int16 `bp:"min=0,max=7,maxlen=3,key.min=-5,key.max=5"`
		}
		byUint struct {
			A map[uint8]uint8 `bp:"bits=1,maxlen=2"`
		}
		byText struct {
			A map[string]uint8 `bp:"maxlen=3,key.maxlen=2"`
		}
		byBool struct {
			A map[bool]uint8 `bp:"bits=2,maxlen=2"`
		}
		byDelta struct {
			A map[uint32]bool `bp:"maxlen=3,key.kind=relative"`
		}
		ofSlices struct {
			A map[bool][]int8 `bp:"maxlen=2,elem.maxlen=3"`
		}
		ofStructs struct {
			A map[uint8]door `bp:"maxlen=2"`
		}
		ofPointers struct {
			A map[uint8]*int8 `bp:"maxlen=2"`
		}
	)
	runRows(t, []goldenRow{
		{"map, nil", byInt{nil}, "0:2", "00", nil, "a count alone"},
		{"map of integers", byInt{map[int8]bool{3: true, -1: false}}, "2:2 255:8 0 3:8 1",
			"fe1b08", nil, "sorted by key, which is -1 before 3"},
		{"map with ranges", byRange{map[int16]int16{5: 7, -5: 0, 0: 1}}, "3:2 0:4 0:3 5:4 1:3 10:4 7:3",
			"032a7a", nil, "key. is for the keys, the rest for the values"},
		{"map of unsigned integers", byUint{map[uint8]uint8{200: 1, 100: 0}}, "2:2 100:8 0 200:8 1",
			"92410e", nil, "200 is not negative"},
		{"map of strings", byText{map[string]uint8{"b": 1, "a": 2, "ab": 3}}, "3:2 1:2 | [61] 2:8 2:2 | [61 62] 3:8 1:2 | [62] 1:8",
			"07610202616203016201", nil, "in the order of the bytes"},
		{"map of bools", byBool{map[bool]uint8{true: 1, false: 2}}, "2:2 0 2:2 1 1:2",
			"72", nil, "false before true"},
		{"map of ascending keys", byDelta{map[uint32]bool{0: true, 2: false}}, "2:2 1 1 01 0:3 0",
			"2e00", nil, "0 after -1, 2 after 0"},
		{"map of slices", ofSlices{map[bool][]int8{true: {1, 2}}}, "1:2 1 2:2 1:8 2:8",
			"354000", nil, "elem. is for what the values hold"},
		{"map of structs", ofStructs{map[uint8]door{9: {true, 3}}}, "1:2 9:8 1 3:2",
			"251c", nil, "the key, then the fields"},
		{"map of pointers", ofPointers{map[uint8]*int8{1: nil, 2: new(int8)}}, "2:2 1:8 0 2:8 1 0:8",
			"06100800", nil, "a bit each"},
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
