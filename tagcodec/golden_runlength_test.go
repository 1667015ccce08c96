package tagcodec_test

import (
	"slices"
	"testing"
)

// An array with rle is stretches of equal elements: the length less 1 as an
// expgolomb of order 0, and the element.
func TestGoldenRunLength(t *testing.T) {
	runRows(t, []goldenRow{
		{"rle, all equal", of("uint,bits=2,rle", [6]uint8{3, 3, 3, 3, 3, 3}), "001 2:2 3:2", nil, "6-1 is the third of the class from 3 on, and 3 is sent once"},
		{"rle, all different", of("uint,bits=2,rle", [6]uint8{0, 1, 2, 3, 2, 1}), "1 0:2 1 1:2 1 2:2 1 3:2 1 2:2 1 1:2", nil, "1 bit more each"},
		{"rle, stretches", of("uint,bits=2,rle", [6]uint8{1, 1, 1, 0, 0, 2}), "01 1:1 1:2 01 0:1 0:2 1 2:2", nil, "lengths of 3, 2 and 1"},
		{"rle of arrays", of("min=-1,max=1,rle", [2][3]int8{{1, 1, -1}, {-1, -1, 0}}), "01 0:1 2:2 01 1:1 0:2 1 1:2", nil, "a stretch goes on in the next row"},
		{"rle of bools after a bit", of("", true, "rle", [9]bool{8: true}), "1 0001 0:3 0 1 1", nil, "8 and 1"},
		{"rle of one", of("rle", [1]uint8{5}), "1 5:8", nil, "it has a length all the same"},
		{"rle of none", of("rle", [0]uint8{}, "", uint8(7)), "7:8", nil, "nothing is sent"},
		{"rle, empty", of("rle,maxlen=7", []uint8(nil)), "0:3", nil, "the count alone"},
		{"rle of a slice", of("rle,maxlen=7", []uint8{9, 9, 9, 9, 8}), "5:3 001 0:2 9:8 1 8:8", nil, "the count, then the stretches"},
		{"rle of a fixed length", of("min=0,max=3,rle,minlen=4,maxlen=4", []int16{2, 2, 2, 2}), "001 0:2 2:2", nil, "no count"},
		{"rle of a range of lengths", of("uint,bits=4,rle,minlen=2,maxlen=5", []uint32{7, 7}), "0:2 01 0:1 7:4", nil, "the count is an offset"},
		{"slices of rle in a slice", of("maxlen=2,elem.maxlen=3,elem.rle", [][]bool{{true, true}, nil}), "2:2 2:2 01 0:1 1 0:2", nil, "each has a count and stretches"},
		{"slices of rle in an array", of("maxlen=3,rle", [2][]bool{{true}, {false, false}}), "1:2 1 1 2:2 01 0:1 0", nil, "the array hands the tag on"},
		{"rle of quantized floats", of("float,min=0,max=3,res=1,rle", [4]float32{1, 1.25, 0.75, 2}), "01 1:1 1:2 1 2:2", [4]float32{1, 1, 1, 2}, "elements with one code are equal"},
		{"optional with rle, zero", of("uint,bits=3,rle,optional", [3]uint8{}), "0", nil, "one bit"},
		{"optional with rle", of("uint,bits=3,rle,optional", [3]uint8{0, 0, 1}), "1 01 0:1 0:3 1 1:3", nil, "then the stretches"},
	})
}

// More than 511 equal elements are several stretches, all but the last of them of
// 511.
func TestGoldenLongStretches(t *testing.T) {
	type long struct {
		A []uint16 `bp:"uint,bits=2,rle,maxlen=0xffff"`
	}
	equal := func(n int) long { return long{slices.Repeat([]uint16{2}, n)} }
	runRows(t, []goldenRow{
		{"rle of 510", equal(510), "510:16 00000000 1 254:8 2:2", nil, "510 is the last but one of its class"},
		{"rle of 511", equal(511), "511:16 00000000 1 255:8 2:2", nil, "the longest stretch"},
		{"rle of 512", equal(512), "512:16 00000000 1 255:8 2:2 1 2:2", nil, "and one more, of the same value"},
	})
}
