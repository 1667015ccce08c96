package tagcodec_test

import (
	"math"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

type (
	twinIf struct {
		Moving bool
		Speed  uint16 `bp:"if=Moving"`
		Rest   uint8  `bp:"if=!Moving"`
	}
	twinPointer struct {
		A *uint16
		B *twinPoint
		C *twinNode
	}
	twinNode struct {
		Value uint8
		Next  *twinNode
	}
	twinOptional struct {
		A uint16          `bp:"optional"`
		B float32         `bp:"optional"`
		C float32         `bp:"float,min=-1024,max=1024,res=0.01,optional"`
		D twinString      `bp:"maxlen=7,optional"`
		E twinPoint       `bp:"optional"`
		F float32         `bp:"half,optional"`
		G float64         `bp:"angle,res=0.5,unit=deg,optional"`
		H [2]float32      `bp:"float,min=-1,max=1,bits=10,optional"`
		I [4]float32      `bp:"quat,bits=9,optional"`
		J int             `bp:"int,min=-5,max=5,optional"`
		K [3]twinOptInner `bp:"optional"`
	}
	twinOptInner struct{ A, B float32 }
	twinCommon   struct {
		A float32    `bp:"common=0"`
		B uint16     `bp:"common=0|7,bits=10"`
		C float32    `bp:"common=0|-1024|500,min=-1024,max=1024,res=0.01"`
		D twinString `bp:"common=a|b|abc|hello,maxlen=7"`
		E int64      `bp:"varint,common=-1|1000"`
		F bool       `bp:"common=true"`
		G float64    `bp:"angle,res=0.5,unit=deg,common=0|90|180|270"`
	}
	twinHuffman struct {
		A uint8      `bp:"huffman=0:90|1:7|*:3"`
		B float32    `bp:"huffman=*:10|0:5|1:5|-1:1,min=-1024,max=1024,res=0.01"`
		C twinString `bp:"huffman=idle:50|*:20|run:20|jump:10,maxlen=7"`
		D uint8      `bp:"huffman=0:1|1:1|2:2|3:4|4:8"`
		E int        `bp:"varint,huffman=5:1|-5:1|*:1"`
	}
	twinElement struct {
		On   bool
		Type uint8
	}
	twinSubsets struct {
		A [20]twinElement `bp:"subset=bitmap,by=On"`
		B [20]twinElement `bp:"subset=index,by=On"`
		C [20]twinElement `bp:"subset=sentinel,by=On"`
		D [20]twinElement `bp:"subset=relative,by=On"`
		E [20]twinElement `bp:"subset=auto,by=On"`
	}
	twinPointers struct {
		A [9]*uint8   `bp:"subset=bitmap"`
		B [9]*uint8   `bp:"subset=index"`
		C [9]*uint8   `bp:"subset=sentinel"`
		D [300]*uint8 `bp:"subset=relative"`
		E [9]*uint8   `bp:"subset=auto"`
		F [1]*uint8   `bp:"subset=index"`
	}
	twinSubsetSlices struct {
		A []twinElement `bp:"subset=bitmap,by=On,maxlen=20"`
		B []twinElement `bp:"subset=index,by=On,maxlen=20,minlen=1"`
		C []*uint8      `bp:"subset=auto,maxlen=20"`
		D []*uint8      `bp:"subset=relative,maxlen=20"`
	}
)

func (v *twinNode) Serialize(s *bits.Stream) error {
	wholeByte(s, &v.Value)
	bits.Pointer(s, &v.Next, 9, bits.Value[twinNode])
	return s.Err()
}

func tenBits(s *bits.Stream, v *uint16) { bits.Bits(s, v, 10) }

func sevenBytes(s *bits.Stream, v *twinString) { bits.Text(s, v, 7) }

func value[T any](v T, weight uint64) compress.HuffmanValue[T] {
	return compress.HuffmanValue[T]{Value: v, Weight: weight}
}

func escape[T any](weight uint64) compress.HuffmanValue[T] {
	return compress.HuffmanValue[T]{Escape: true, Weight: weight}
}

var (
	commonRaw     = made(compress.NewCommon((*bits.Stream).Float32, 0))
	commonTen     = made(compress.NewCommon(tenBits, 0, 7))
	commonRange   = made(compress.NewCommon(range32.Serialize, 0, -1024, 500))
	commonText    = made(compress.NewCommon(sevenBytes, "a", "b", "abc", "hello"))
	commonVarint  = made(compress.NewCommon(bits.Varint[int64], -1, 1000))
	commonBool    = made(compress.NewCommon((*bits.Stream).Bool, true))
	commonAngle   = made(compress.NewCommon(degrees.Serialize, 0, 90, 180, 270))
	huffmanByte   = made(compress.NewHuffmanValues(wholeByte, value[uint8](0, 90), value[uint8](1, 7), escape[uint8](3)))
	huffmanRange  = made(compress.NewHuffmanValues(range32.Serialize, escape[float32](10), value[float32](0, 5), value[float32](1, 5), value[float32](-1, 1)))
	huffmanText   = made(compress.NewHuffmanValues(sevenBytes, value[twinString]("idle", 50), escape[twinString](20), value[twinString]("run", 20), value[twinString]("jump", 10)))
	huffmanClosed = made(compress.NewHuffmanValues(wholeByte, value[uint8](0, 1), value[uint8](1, 1), value[uint8](2, 2), value[uint8](3, 4), value[uint8](4, 8)))
	huffmanVarint = made(compress.NewHuffmanValues(bits.Varint[int], value(5, 1), value(-5, 1), escape[int](1)))
)

func presenceTwins() []twin {
	number, sixty, node := uint16(7), uint8(60), &twinNode{1, &twinNode{2, &twinNode{3, nil}}}
	element := func(v *twinElement) *bool { return &v.On }
	serializeElement := func(s *bits.Stream, v *twinElement) { wholeByte(s, &v.Type) }
	inner := func(s *bits.Stream, v *twinOptInner) { bits.Fields(s, (*bits.Stream).Float32, &v.A, &v.B) }
	negative, nan := float32(math.Copysign(0, -1)), float32(math.NaN())
	set := func(all []twinElement, indices ...int) {
		for _, i := range indices {
			all[i] = twinElement{true, uint8(i)}
		}
	}
	var some, dense, ends twinSubsets
	for _, all := range [][]twinElement{some.A[:], some.B[:], some.C[:], some.D[:], some.E[:]} {
		set(all, 3, 4, 11)
	}
	for _, all := range [][]twinElement{dense.A[:], dense.B[:], dense.C[:], dense.D[:], dense.E[:]} {
		set(all, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
	}
	for _, all := range [][]twinElement{ends.A[:], ends.B[:], ends.C[:], ends.D[:], ends.E[:]} {
		set(all, 0, 19)
	}
	slice := func(n int, indices ...int) []twinElement {
		all := make([]twinElement, n)
		set(all, indices...)
		return all
	}
	return []twin{
		twinOf("conditions", func(s *bits.Stream, v *twinIf) {
			if s.Bool(&v.Moving); v.Moving {
				bits.Bits(s, &v.Speed, 16)
				v.Rest = 0
			} else {
				bits.Bits(s, &v.Rest, 8)
				v.Speed = 0
			}
		}, twinIf{}, twinIf{true, 7, 0}, twinIf{false, 0, 255}),
		twinOf("pointers", func(s *bits.Stream, v *twinPointer) {
			bits.Pointer(s, &v.A, 16, func(s *bits.Stream, v *uint16) { bits.Bits(s, v, 16) })
			bits.Pointer(s, &v.B, 32, serializePoint)
			bits.Pointer(s, &v.C, 9, bits.Value[twinNode])
		}, twinPointer{}, twinPointer{&number, &twinPoint{1, -1}, node}, twinPointer{C: node.Next.Next}),
		twinOf("optional values", func(s *bits.Stream, v *twinOptional) {
			bits.Optional(s, &v.A, func(s *bits.Stream, v *uint16) { bits.Bits(s, v, 16) })
			bits.Optional(s, &v.B, (*bits.Stream).Float32)
			bits.Optional(s, &v.C, range32.Serialize)
			bits.Optional(s, &v.D, sevenBytes)
			bits.Optional(s, &v.E, serializePoint)
			bits.Optional(s, &v.F, compress.Half)
			bits.Optional(s, &v.G, degrees.Serialize)
			bits.Optional(s, &v.H, func(s *bits.Stream, v *[2]float32) { bits.Each(s, v[:], signedUnit.Serialize) })
			bits.Optional(s, &v.I, twinQuat9.Serialize32)
			bits.Optional(s, &v.J, func(s *bits.Stream, v *int) { bits.Int(s, v, -5, 5) })
			bits.Optional(s, &v.K, func(s *bits.Stream, v *[3]twinOptInner) { bits.Each(s, v[:], inner) })
		}, twinOptional{},
			twinOptional{1, 2, 3, "d", twinPoint{0, 1}, 0.5, 90, [2]float32{1, -1}, [4]float32{0, 0, 0, 1}, -5, [3]twinOptInner{1: {B: 1}}},
			twinOptional{B: negative, C: 0.001, F: 1e-9, G: 359.9, H: [2]float32{0.0001}},
			twinOptional{C: negative, F: negative, G: -0.1, H: [2]float32{negative}, K: [3]twinOptInner{{A: negative}}},
			twinOptional{C: nan}, twinOptional{B: nan}, twinOptional{D: "too long"}, twinOptional{J: 6}, twinOptional{I: [4]float32{nan}}),
		twinOf("common values", func(s *bits.Stream, v *twinCommon) {
			commonRaw.Serialize(s, &v.A)
			commonTen.Serialize(s, &v.B)
			commonRange.Serialize(s, &v.C)
			commonText.Serialize(s, &v.D)
			commonVarint.Serialize(s, &v.E)
			commonBool.Serialize(s, &v.F)
			commonAngle.Serialize(s, &v.G)
		}, twinCommon{}, twinCommon{1, 7, -5000, "abc", -1, true, 90.1},
			twinCommon{negative, 1023, 500.001, "xyz", 1000, false, -90}, twinCommon{nan, 1, 12, "hello", math.MinInt64, true, 45},
			twinCommon{B: 1024}, twinCommon{C: nan}, twinCommon{D: "a\x00"}, twinCommon{D: "too long"}),
		twinOf("Huffman codes of values", func(s *bits.Stream, v *twinHuffman) {
			huffmanByte.Serialize(s, &v.A)
			huffmanRange.Serialize(s, &v.B)
			huffmanText.Serialize(s, &v.C)
			huffmanClosed.Serialize(s, &v.D)
			huffmanVarint.Serialize(s, &v.E)
		}, twinHuffman{}, twinHuffman{1, 1, "idle", 4, 5}, twinHuffman{255, -1, "jump", 3, -5},
			twinHuffman{2, 77, "other", 1, math.MinInt}, twinHuffman{0, 0.999, "run", 2, 6},
			twinHuffman{D: 5}, twinHuffman{B: nan}, twinHuffman{C: "too long"}),
		twinOf("subsets", func(s *bits.Stream, v *twinSubsets) {
			compress.SerializeSubset(s, compress.SubsetBitmap, v.A[:], element, serializeElement)
			compress.SerializeSubset(s, compress.SubsetIndex, v.B[:], element, serializeElement)
			compress.SerializeSubset(s, compress.SubsetSentinel, v.C[:], element, serializeElement)
			compress.SerializeSubset(s, compress.SubsetRelative, v.D[:], element, serializeElement)
			compress.SerializeSubset(s, compress.SubsetAuto, v.E[:], element, serializeElement)
		}, twinSubsets{}, some, dense, ends),
		twinOf("subsets of pointers", func(s *bits.Stream, v *twinPointers) {
			compress.SerializePointers(s, compress.SubsetBitmap, v.A[:], 8, wholeByte)
			compress.SerializePointers(s, compress.SubsetIndex, v.B[:], 8, wholeByte)
			compress.SerializePointers(s, compress.SubsetSentinel, v.C[:], 8, wholeByte)
			compress.SerializePointers(s, compress.SubsetRelative, v.D[:], 8, wholeByte)
			compress.SerializePointers(s, compress.SubsetAuto, v.E[:], 8, wholeByte)
			compress.SerializePointers(s, compress.SubsetIndex, v.F[:], 8, wholeByte)
		}, twinPointers{},
			twinPointers{[9]*uint8{0: &sixty}, [9]*uint8{8: &sixty}, [9]*uint8{4: &sixty}, [300]*uint8{0: &sixty, 1: &sixty, 9: &sixty, 40: &sixty, 299: &sixty}, [9]*uint8{2: &sixty}, [1]*uint8{&sixty}}),
		twinOf("subsets of slices", func(s *bits.Stream, v *twinSubsetSlices) {
			bits.Length(s, &v.A, 0, 20, 1)
			compress.SerializeSubset(s, compress.SubsetBitmap, v.A, element, serializeElement)
			bits.Length(s, &v.B, 1, 20, 0)
			compress.SerializeSubset(s, compress.SubsetIndex, v.B, element, serializeElement)
			bits.Length(s, &v.C, 0, 20, 0)
			compress.SerializePointers(s, compress.SubsetAuto, v.C, 8, wholeByte)
			bits.Length(s, &v.D, 0, 20, 0)
			compress.SerializePointers(s, compress.SubsetRelative, v.D, 8, wholeByte)
		}, twinSubsetSlices{B: slice(1)},
			twinSubsetSlices{slice(3, 0, 2), slice(20, 7, 8, 19), []*uint8{nil, &sixty}, []*uint8{&sixty, &sixty, nil}},
			twinSubsetSlices{}, twinSubsetSlices{A: slice(21), B: slice(1)}),
	}
}
