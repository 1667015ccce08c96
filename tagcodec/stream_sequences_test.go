package tagcodec_test

import (
	"math"
	"strings"

	"github.com/gobitpack/bitpack/bits"
)

type (
	twinPoint struct{ X, Y int16 }
	twinArray struct {
		Digits [8]int     `bp:"int,min=0,max=9"`
		Pos    twinVec    `bp:"float,min=-1,max=1,bits=10"`
		Dir    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		Raw    [3]float32
		Points [2]twinPoint
	}
	twinVec   struct{ X, Y, Z float32 }
	twinSlice struct {
		A []uint16    `bp:"maxlen=100"`
		B []int       `bp:"int,min=0,max=9,maxlen=10,minlen=1"`
		C []twinPoint `bp:"maxlen=5"`
		D [][]uint8   `bp:"maxlen=3,elem.maxlen=3"`
		E []bool      `bp:"maxlen=3,minlen=3"`
	}
	twinRunLength struct {
		A [6]int    `bp:"int,min=0,max=9,rle"`
		B []float32 `bp:"float,min=-1024,max=1024,res=0.01,rle,maxlen=1200"`
		C []uint64  `bp:"rle,minlen=1,maxlen=3"`
	}
	twinAscending struct {
		A []uint32 `bp:"relative,maxlen=100"`
		B []int16  `bp:"relative,maxlen=7,minlen=1,base=-1000"`
	}
	twinChain struct {
		Objects []twinObject `bp:"maxlen=10"`
	}
	twinObject struct {
		ID     uint32 `bp:"relative,chain"`
		Health uint8  `bp:"int,min=0,max=100"`
	}
	twinText struct {
		A string     `bp:"string,maxlen=15"`
		B []byte     `bp:"string,maxlen=15"`
		C twinString `bp:"maxlen=3"`
		D string     `bp:"wstring,maxlen=5"`
		E [6]byte    `bp:"cstring"`
	}
	twinString string
	twinBytes  struct {
		A [5]byte    `bp:"bytes"`
		B []byte     `bp:"bytes,maxlen=15,minlen=1"`
		C twinString `bp:"bytes,maxlen=3"`
		D bool
		E [2]byte `bp:"bytes"`
	}
	twinMaps struct {
		A map[int]bool       `bp:"maxlen=9,key.min=0,key.max=99"`
		B map[twinString]int `bp:"maxlen=3,key.maxlen=7,elem.min=0,elem.max=9"`
		C map[bool]uint8     `bp:"maxlen=2"`
		D map[int8]twinPoint `bp:"maxlen=3,minlen=0"`
		E map[uint64][]uint8 `bp:"maxlen=3,elem.maxlen=2"`
	}
)

func (v *twinPoint) serialize(s *bits.Stream) {
	bits.Bits(s, &v.X, 16)
	bits.Bits(s, &v.Y, 16)
}

func serializePoint(s *bits.Stream, v *twinPoint) { v.serialize(s) }

func wholeByte(s *bits.Stream, v *uint8) { bits.Bits(s, v, 8) }

func digit(s *bits.Stream, v *int) { bits.Int(s, v, 0, 9) }

func sequenceTwins() []twin {
	long := strings.Repeat("x", 16)
	return []twin{
		twinOf("arrays and vectors", func(s *bits.Stream, v *twinArray) {
			bits.Each(s, v.Digits[:], digit)
			bits.Fields(s, signedUnit.Serialize, &v.Pos.X, &v.Pos.Y, &v.Pos.Z)
			bits.Each(s, v.Dir[:], range32.Serialize)
			bits.Each(s, v.Raw[:], (*bits.Stream).Float32)
			bits.Each(s, v.Points[:], serializePoint)
		}, twinArray{}, twinArray{[8]int{9, 0, 1, 2, 3, 4, 5, 9},
			twinVec{-1, 0.5, 1}, [3]float32{-1024, 5000, 0.005}, [3]float32{-1.5, math.MaxFloat32, 0}, [2]twinPoint{{1, -2}, {math.MaxInt16, math.MinInt16}}},
			twinArray{Digits: [8]int{7: 10}}, twinArray{Pos: twinVec{Y: float32(math.NaN())}},
			twinArray{Dir: [3]float32{2: float32(math.Inf(1))}}),
		twinOf("slices", func(s *bits.Stream, v *twinSlice) {
			bits.Slice(s, &v.A, 0, 100, 16, func(s *bits.Stream, v *uint16) { bits.Bits(s, v, 16) })
			bits.Slice(s, &v.B, 1, 10, 4, digit)
			bits.Slice(s, &v.C, 0, 5, 32, serializePoint)
			bits.Slice(s, &v.D, 0, 3, 2, func(s *bits.Stream, v *[]uint8) { bits.ByteSlice(s, v, 0, 3) })
			bits.Slice(s, &v.E, 3, 3, 1, (*bits.Stream).Bool)
		}, twinSlice{B: []int{1}, E: make([]bool, 3)},
			twinSlice{[]uint16{1, 2, 65535}, []int{0, 9, 9}, []twinPoint{{1, 2}, {-1, -2}}, [][]uint8{{1}, nil, {2, 3, 4}}, []bool{true, false, true}},
			twinSlice{make([]uint16, 100), make([]int, 10), make([]twinPoint, 5), nil, make([]bool, 3)},
			twinSlice{A: make([]uint16, 101), B: []int{1}, E: make([]bool, 3)}, twinSlice{E: make([]bool, 3)},
			twinSlice{B: []int{10}, E: make([]bool, 3)}, twinSlice{B: []int{1}}),
		twinOf("run lengths", func(s *bits.Stream, v *twinRunLength) {
			bits.RunLength(s, v.A[:], 4, digit)
			bits.RunLengthSlice(s, &v.B, 0, 1200, 18, range32.Serialize)
			bits.RunLengthSlice(s, &v.C, 1, 3, 64, func(s *bits.Stream, v *uint64) { bits.Bits(s, v, 64) })
		}, twinRunLength{C: []uint64{0}}, twinRunLength{[6]int{9, 9, 0, 1, 1, 1}, make([]float32, 1200), []uint64{math.MaxUint64, math.MaxUint64, 1}},
			twinRunLength{B: []float32{1, 1.001, 1.002, 1.01, 2}, C: make([]uint64, 2)}, // the first three have the same code
			twinRunLength{B: make([]float32, 511), C: make([]uint64, 3)}, twinRunLength{B: make([]float32, 512), C: make([]uint64, 3)},
			twinRunLength{A: [6]int{1, 10}, C: []uint64{0}}, twinRunLength{}, twinRunLength{B: make([]float32, 1201), C: []uint64{0}},
			twinRunLength{B: []float32{0, 0, float32(math.NaN())}, C: []uint64{0}}),
		twinOf("ascending integers", func(s *bits.Stream, v *twinAscending) {
			bits.Ascending(s, &v.A, 0, 100, -1)
			bits.Ascending(s, &v.B, 1, 7, -1000)
		}, twinAscending{B: []int16{0}}, twinAscending{[]uint32{0, 1, 5, 100, 70000, math.MaxUint32}, []int16{-999, -998, 32767}},
			twinAscending{[]uint32{1, 1}, []int16{0}}, twinAscending{[]uint32{2, 1}, []int16{0}},
			twinAscending{nil, []int16{-1000}}, twinAscending{}),
		twinOf("chains", func(s *bits.Stream, v *twinChain) {
			previous := int64(-1)
			bits.Slice(s, &v.Objects, 0, 10, 8, func(s *bits.Stream, o *twinObject) {
				bits.Relative(s, previous, &o.ID)
				previous = int64(o.ID)
				bits.Int(s, &o.Health, 0, 100)
			})
		}, twinChain{}, twinChain{[]twinObject{{0, 100}, {1, 0}, {1000, 50}}}, twinChain{[]twinObject{{5, 1}, {5, 1}}},
			twinChain{[]twinObject{{5, 101}}}),
		twinOf("text", func(s *bits.Stream, v *twinText) {
			s.String(&v.A, 15)
			bits.Text(s, &v.B, 15)
			bits.Text(s, &v.C, 3)
			s.WString(&v.D, 5)
			s.CString(v.E[:])
		}, twinText{}, twinText{"мир", []byte("bytes"), "abc", "a😀", [6]byte{'x', 'y', 0}},
			twinText{E: [6]byte{'1', '2', '3', '4', '5'}}, twinText{A: long}, twinText{B: []byte("a\x00")},
			twinText{C: "abcd"}, twinText{C: "\xff"}, twinText{D: "abcdef"}, twinText{E: [6]byte{1, 2, 3, 4, 5, 6}},
			twinText{E: [6]byte{0xff}}, twinText{E: [6]byte{'a', 0, 'b', 1, 1, 1}}),
		twinOf("bytes", func(s *bits.Stream, v *twinBytes) {
			s.Bytes(v.A[:])
			bits.ByteSlice(s, &v.B, 1, 15)
			bits.ByteSlice(s, &v.C, 0, 3)
			s.Bool(&v.D)
			s.Bytes(v.E[:])
		}, twinBytes{B: []byte{0}}, twinBytes{[5]byte{1, 255}, []byte(long[1:]), "\xff\x00", true, [2]byte{3, 4}}, twinBytes{},
			twinBytes{B: []byte(long)}, twinBytes{B: []byte{1}, C: "abcd"}),
		twinOf("maps", func(s *bits.Stream, v *twinMaps) {
			bits.Map(s, &v.A, 0, 9, 8, func(s *bits.Stream, k *int) { bits.Int(s, k, 0, 99) }, (*bits.Stream).Bool)
			bits.Map(s, &v.B, 0, 3, 7, func(s *bits.Stream, k *twinString) { bits.Text(s, k, 7) }, digit)
			bits.Map(s, &v.C, 0, 2, 9, (*bits.Stream).Bool, wholeByte)
			bits.Map(s, &v.D, 0, 3, 40, func(s *bits.Stream, k *int8) { bits.Bits(s, k, 8) }, serializePoint)
			bits.Map(s, &v.E, 0, 3, 66, func(s *bits.Stream, k *uint64) { bits.Bits(s, k, 64) },
				func(s *bits.Stream, v *[]uint8) { bits.ByteSlice(s, v, 0, 2) })
		}, twinMaps{},
			twinMaps{map[int]bool{99: true, 0: false, 50: true}, map[twinString]int{"b": 9, "": 0, "aa": 5}, map[bool]uint8{true: 1, false: 255},
				map[int8]twinPoint{-128: {1, 2}, 127: {3, 4}, 0: {}}, map[uint64][]uint8{math.MaxUint64: {1}, 1: nil, 1 << 63: {2, 3}}},
			twinMaps{A: map[int]bool{100: true}}, twinMaps{B: map[twinString]int{"a": 1, "b": 2, "c": 3, "d": 4}},
			twinMaps{B: map[twinString]int{"a\x00": 1}}, twinMaps{B: map[twinString]int{"a": 10}}),
	}
}
