package tagcodec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// cell is an element of subsets, with 3 bits of content.
type cell struct {
	V  uint8 `bp:"uint,bits=3"`
	On bool
}

// The same cells in the five modes.
type (
	bitmapCells struct {
		P [5]cell `bp:"subset=bitmap,by=On"`
	}
	indexCells struct {
		P [5]cell `bp:"subset=index,by=On"`
	}
	sentinelCells struct {
		P [5]cell `bp:"subset=sentinel,by=On"`
	}
	relativeCells struct {
		P [5]cell `bp:"subset=relative,by=On"`
	}
	autoCells struct {
		P [5]cell `bp:"subset=auto,by=On"`
	}
)

// Values of the cells. In someCells, the cells at 1 and 3 hold 5 and 2.
var (
	noCells   = [5]cell{}
	someCells = [5]cell{1: {5, true}, 3: {2, true}}
	lastCell  = [5]cell{4: {0, true}}
	allCells  = [5]cell{{0, true}, {1, true}, {2, true}, {3, true}, {4, true}}
	offCells  = [5]cell{1: {5, true}, 2: {7, false}, 3: {2, true}}
)

func TestGoldenSubsetBitmap(t *testing.T) {
	runGolden(t, []golden[bitmapCells]{
		{"none", bitmapCells{noCells}, "00000", nil},
		{"all", bitmapCells{allCells}, "1 000 1 100 1 010 1 110 1 001", nil},
		{"some", bitmapCells{someCells}, "0 1 101 0 1 010 0", nil},
		{"the last", bitmapCells{lastCell}, "0000 1 000", nil},
		{"what an absent one holds is not sent", bitmapCells{offCells}, "0 1 101 0 1 010 0", &bitmapCells{someCells}},
	})
	runRefused(t, []refused[bitmapCells]{
		{name: "the bits that say what is present are", bits: "0 1 101 1 10", err: tagcodec.ErrOverread,
			text: "bitmapCells.P[2].V at bit 6: read past the end of the data: 3 more bits needed, 2 left"},
		{name: "the bits alone are", bits: "1 000 1 000", err: tagcodec.ErrOverread,
			text: "bitmapCells.P at bit 8: read past the end of the data: 1 more bits needed, 0 left"},
	})
}

func TestGoldenSubsetIndex(t *testing.T) {
	runGolden(t, []golden[indexCells]{
		{"none", indexCells{noCells}, low(0, 3), nil},
		{"all", indexCells{allCells}, low(5, 3) + "000 000 100 100 010 010 110 110 001 001", nil},
		{"some", indexCells{someCells}, low(2, 3) + low(1, 3) + "101" + low(3, 3) + "010", nil},
		{"the last", indexCells{lastCell}, low(1, 3) + low(4, 3) + "000", nil},
	})
	runRefused(t, []refused[indexCells]{
		{name: "more than there are", bits: low(6, 3), err: tagcodec.ErrLength,
			text: "indexCells.P at bit 0: length out of bounds: 6 is outside [0, 5]"},
		{name: "an index past the last", bits: low(1, 3) + low(5, 3) + "00", err: tagcodec.ErrRange,
			text: "indexCells.P at bit 3: value out of range: 5 is outside [0, 4]"},
		{name: "an index twice", bits: low(2, 3) + low(1, 3) + "101" + low(1, 3) + "0000", err: tagcodec.ErrRange,
			text: "indexCells.P at bit 9: value out of range: 1 is outside [2, 4]"},
		{name: "an index below the one before", bits: low(2, 3) + low(3, 3) + "101" + low(0, 3) + "0000", err: tagcodec.ErrRange,
			text: "indexCells.P at bit 9: value out of range: 0 is outside [4, 4]"},
		{name: "no room for the next", bits: low(2, 3) + low(4, 3) + "00", err: tagcodec.ErrRange,
			text: "indexCells.P at bit 3: value out of range: 4 is outside [0, 3]"},
		{name: "the element is", bits: low(2, 3) + low(0, 3) + "11", err: tagcodec.ErrOverread,
			text: "indexCells.P[0].V at bit 6: read past the end of the data: 3 more bits needed, 2 left"},
	})
}

func TestGoldenSubsetSentinel(t *testing.T) {
	runGolden(t, []golden[sentinelCells]{
		{"none", sentinelCells{noCells}, low(5, 3), nil},
		{"all", sentinelCells{allCells}, "000 000 100 100 010 010 110 110 001 001" + low(5, 3), nil},
		{"some", sentinelCells{someCells}, low(1, 3) + "101" + low(3, 3) + "010" + low(5, 3), nil},
		{"the last", sentinelCells{lastCell}, low(4, 3) + "000" + low(5, 3), nil},
	})
	runRefused(t, []refused[sentinelCells]{
		{name: "an index past the sentinel", bits: low(6, 3), err: tagcodec.ErrRange,
			text: "sentinelCells.P at bit 0: value out of range: 6 is outside [0, 5]"},
		{name: "an index twice", bits: low(4, 3) + "000" + low(4, 3), err: tagcodec.ErrRange,
			text: "sentinelCells.P at bit 6: value out of range: 4 is outside [5, 5]"},
		{name: "no sentinel", bits: low(4, 3) + "000" + low(3, 3), err: tagcodec.ErrRange,
			text: "sentinelCells.P at bit 6: value out of range: 3 is outside [5, 5]"},
		{name: "no bits for the sentinel", bits: low(0, 3) + "000" + low(1, 3) + "000" + low(4, 3) + "0", err: tagcodec.ErrOverread,
			text: "sentinelCells.P[4].V at bit 15: read past the end of the data: 3 more bits needed, 1 left"},
	})
}

func TestGoldenSubsetRelative(t *testing.T) {
	runGolden(t, []golden[relativeCells]{
		{"none: the sentinel is 6 after -1", relativeCells{noCells}, "001" + low(0, 3), nil},
		{"all: each is the next", relativeCells{allCells}, "1 000 1 100 1 010 1 110 1 001 1", nil},
		{"some: each is 2 after another", relativeCells{someCells}, "01 00 101 01 00 010 01 00", nil},
		{"the last is 5 after -1", relativeCells{lastCell}, "01 11 000 1", nil},
	})
	runRefused(t, []refused[relativeCells]{
		{name: "a step past the sentinel", bits: "001" + low(1, 3), err: tagcodec.ErrRange,
			text: "relativeCells.P at bit 0: value out of range: 6 is outside [0, 5]"},
		{name: "a step past it later", bits: "01 01 000 01 10", err: tagcodec.ErrRange,
			text: "relativeCells.P at bit 7: value out of range: 6 is outside [4, 5]"},
		{name: "a step of the last tier, which is empty here", bits: "000000", err: tagcodec.ErrRange,
			text: "relativeCells.P at bit 0: value out of range: 125 is outside [0, 5]"},
	})

	// Every form of a relative index occurs, and the last form encodes the end
	// of the subset.
	type packet struct {
		P [1000]cell `bp:"subset=relative,by=On"`
	}
	var v packet
	bits := ""
	for _, step := range []struct {
		index int
		bits  string
	}{
		{0, "1"}, {2, "01 00"}, {7, "01 11"}, {13, "001 000"}, {26, "001 111"}, {40, "0001 0000"}, {69, "0001 1111"},
		{99, "00001 00000"}, {160, "00001 11111"}, {222, "000001 000000"}, {347, "000001 111111"}, {473, "000000" + low(0, 10)},
	} {
		v.P[step.index] = cell{7, true}
		bits += step.bits + "111"
	}
	runGolden(t, []golden[packet]{
		{"every tier", v, bits + "000000" + low(1000-473-126, 10), nil},
	})
}

func TestGoldenSubsetAuto(t *testing.T) {
	runGolden(t, []golden[autoCells]{
		{"some: a bitmap of 5 bits", autoCells{someCells}, "00" + "0 1 101 0 1 010 0", nil},
		{"none: 3 bits of count", autoCells{noCells}, "10" + low(0, 3), nil},
		{"all", autoCells{allCells}, "00" + "1 000 1 100 1 010 1 110 1 001", nil},
	})
	runRefused(t, []refused[autoCells]{
		{name: "another mode than the shortest", bits: "01" + low(5, 3), err: tagcodec.ErrNotCanonical,
			text: "autoCells.P at bit 0: not the canonical encoding: sentinel"},
		{name: "a bitmap where a count is shorter", bits: "00" + "00000", err: tagcodec.ErrNotCanonical,
			text: "autoCells.P at bit 0: not the canonical encoding: bitmap"},
		{name: "an index where a bitmap is shorter", bits: "10" + low(2, 3) + low(1, 3) + "101" + low(3, 3) + "010", err: tagcodec.ErrNotCanonical,
			text: "autoCells.P at bit 0: not the canonical encoding: index"},
	})
	type packet struct {
		Before bool
		P      [64]cell `bp:"subset=auto,by=On"`
	}
	one, two, half := packet{}, packet{Before: true}, packet{}
	one.P[40] = cell{1, true}
	two.P[0], two.P[1] = cell{1, true}, cell{2, true}
	bits := ""
	for i := range half.P {
		if half.P[i].On = i&2 == 0; half.P[i].On {
			bits += "1000"
		} else {
			bits += "0"
		}
	}
	runGolden(t, []golden[packet]{
		{"one: its index", one, "0 10" + low(1, 7) + low(40, 6) + "100", nil},
		{"neighbours: relative", two, "1 11 1 100 1 010 000001" + low(1, 6), nil},
		{"half in a pattern: the bitmap", half, "0 00" + bits, nil},
	})
	type late struct {
		Before uint8   `bp:"uint,bits=7"`
		P      [2]cell `bp:"subset=auto,by=On"`
	}
	runRefused(t, []refused[late]{
		{name: "no bits for the mode", bits: low(0, 8), err: tagcodec.ErrOverread,
			text: "late.P at bit 7: read past the end of the data: 2 more bits needed, 1 left"},
	})
}

// Pointer elements are present if they are non-nil. A slice has its count
// first, which determines the width of the indices.
func TestGoldenSubsetPointers(t *testing.T) {
	type packet struct {
		A [3]*int8 `bp:"int,min=0,max=7,subset=bitmap"`
		B []*cell  `bp:"subset=index,maxlen=7"`
	}
	five, zero := int8(5), int8(0)
	runGolden(t, []golden[packet]{
		{"nil, and an empty slice, which has no more than its count", packet{}, "000" + low(0, 3), nil},
		{"a pointer to zero is present", packet{A: [3]*int8{1: &zero}, B: []*cell{nil}}, "0 1 000 0" + low(1, 3) + low(0, 1), nil},
		{"an index among one has no bits", packet{A: [3]*int8{&five}, B: []*cell{{3, true}}}, "1 101 00" + low(1, 3) + low(1, 1) + "110 1", nil},
		{"three", packet{B: []*cell{{1, false}, nil, {2, false}}}, "000" + low(3, 3) + low(2, 2) + "00 100 0 01 010 0", nil},
	})
	runRefused(t, []refused[packet]{
		{name: "more than the slice has", bits: "000" + low(2, 3) + low(3, 2), err: tagcodec.ErrLength,
			text: "packet.B at bit 6: length out of bounds: 3 is outside [0, 2]"},
		{name: "the target of a pointer", bits: "0 1 00", err: tagcodec.ErrOverread,
			text: "packet.B at bit 6: read past the end of the data: 3 more bits needed, 2 left"},
		{name: "a slice that is too long", value: packet{B: make([]*cell, 8)}, err: tagcodec.ErrLength,
			text: "packet.B at bit 3: length out of bounds: 8 is outside [0, 7]"},
	})
}

// A message cannot claim more elements than it has bits for.
func TestSubsetClaims(t *testing.T) {
	type packet struct {
		P []cell `bp:"subset=bitmap,by=On,maxlen=1048575"`
	}
	var v packet
	err := tagcodec.Unmarshal(lows(low(1<<20-1, 20)+"0000"), &v)
	require.EqualError(t, err, "tagcodec: unmarshal packet.P at bit 0: read past the end of the data: 1048575 more bits needed, 4 left")
	require.Nil(t, v.P)
}

// A subset may occur wherever an array may.
func TestGoldenSubsetEverywhere(t *testing.T) {
	type array struct {
		A [2]struct {
			P [2]cell `bp:"subset=bitmap,by=On"`
		}
		S [][2]cell         `bp:"maxlen=3,elem.subset=bitmap,elem.by=On"`
		M map[uint8][2]cell `bp:"maxlen=3,subset=sentinel,by=On"`
		P *[2]cell          `bp:"subset=relative,by=On"`
		N [2]*[2]cell       `bp:"subset=bitmap,elem.subset=bitmap,elem.by=On"`
		L []cell            `bp:"maxlen=3,minlen=1,subset=bitmap,by=On"`
	}
	on := cell{7, true}
	var v array
	v.A[1].P[0] = on
	v.S = [][2]cell{{on, {}}, {}}
	v.M = map[uint8][2]cell{200: {}, 3: {{}, on}}
	v.P = &[2]cell{on, on}
	v.N[1] = &[2]cell{{}, on}
	v.L = []cell{{}, on}
	runGolden(t, []golden[array]{
		{"everywhere", v, "00 1 111 0" + low(2, 2) + "1 111 0 00" +
			low(2, 2) + low(3, 8) + low(1, 2) + "111" + low(2, 2) + low(200, 8) + low(2, 2) +
			"1 1 111 1 111 1" + "0 1 0 1 111" + low(1, 2) + "0 1 111", nil},
	})
	runRefused(t, []refused[array]{
		{name: "a subset in a map in its path", bits: "0000 00" + low(1, 2) + low(9, 8) + low(3, 2), err: tagcodec.ErrRange,
			text: "array.M[9] at bit 16: value out of range: 3 is outside [0, 2]"},
	})
}
