package tagcodec_test

import (
	"errors"
	"math"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
)

type (
	twinIntegers struct {
		Int      int16        `bp:"int,min=-5,max=1000"`
		Uint     uint16       `bp:"uint,bits=11"`
		Enum     uint8        `bp:"enum,max=4"`
		Relative int32        `bp:"relative,base=7"`
		Wide     bits.Uint128 `bp:"int,min=1,max=0x100000000000000000"`
		Whole    int32
		Bool     bool
		Complex  complex64
		Arrays   [2][2]uint8 `bp:"uint,bits=3"`
	}
	twinScalars struct {
		Float  float32   `bp:"float,min=-1024,max=1024,res=0.01"`
		Double float64   `bp:"float,min=1,max=2,bits=53"`
		Half   float32   `bp:"half"`
		Angle  float64   `bp:"angle,res=0.5,unit=deg"`
		Fixed  int32     `bp:"fixed,frac=16,min=-100,max=100"`
		Varint int64     `bp:"varint"`
		Golomb int8      `bp:"expgolomb,k=7"`
		Time   time.Time `bp:"binary,maxlen=20"`
	}
	twinSequences struct {
		Array     [3]int         `bp:"int,min=0,max=9"`
		Slice     []int          `bp:"int,min=0,max=9,maxlen=10,minlen=1"`
		Runs      []int          `bp:"int,min=0,max=9,rle,maxlen=1200"`
		Ascending []int16        `bp:"relative,maxlen=7,base=-1000"`
		Map       map[uint64]int `bp:"maxlen=3,elem.min=0,elem.max=9"`
		Chain     []twinObject   `bp:"maxlen=10"`
	}
	twinObject struct {
		ID     uint32 `bp:"relative,chain"`
		Health uint8  `bp:"int,min=0,max=100"`
	}
	twinText struct {
		Text  string  `bp:"string,maxlen=15"`
		Wide  string  `bp:"wstring,maxlen=5"`
		Label [6]byte `bp:"cstring"`
		Key   [2]byte `bp:"bytes"`
		Blob  []byte  `bp:"bytes,maxlen=15,minlen=1"`
	}
	twinPresence struct {
		Moving   bool
		Speed    uint8   `bp:"if=Moving"`
		Rest     uint8   `bp:"if=!Moving"`
		Optional float32 `bp:"float,min=-1024,max=1024,res=0.01,optional"`
		Common   float32 `bp:"common=0|-1024|500,min=-1024,max=1024,res=0.01"`
		Huffman  uint8   `bp:"huffman=0:90|1:7|*:3"`
		Next     *twinNode
	}
	twinNode struct {
		Value uint8
		Next  *twinNode
	}
	twinElement struct {
		On   bool
		Type uint8
	}
	twinSubsets struct {
		Bitmap   [20]twinElement `bp:"subset=bitmap,by=On"`
		Index    [20]twinElement `bp:"subset=index,by=On"`
		Sentinel [9]*uint8       `bp:"subset=sentinel"`
		Relative []*uint8        `bp:"subset=relative,maxlen=20"`
		Auto     []twinElement   `bp:"subset=auto,by=On,maxlen=20"`
	}
	twinGeometry struct {
		Quat      [4]float32    `bp:"quat,bits=9"`
		Sign      [4]float64    `bp:"quat,mode=sign,bits=5"`
		Unit      [3]float32    `bp:"unit,bits=10"`
		Matrix    [16]float32   `bp:"affine,min=-100,max=100,res=0.01,bits=9"`
		Transform twinTransform `bp:"affine"`
	}
	twinTransform struct {
		Translation [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		Rotation    [4]float32 `bp:"quat,bits=9"`
		Scale       [3]float32 `bp:"float,min=0,max=4,res=0.25"`
	}
	twinStructure struct {
		A uint8    `bp:"uint,bits=3"`
		_ struct{} `bp:"align"`
		B bool
		_ struct{} `bp:"reserved,bits=3"`
		_ struct{} `bp:"const,bits=8,value=0x2a"`
		_ struct{} `bp:"check,value=0xfeedbeef"`
	}
	twinLinks struct {
		Home *homeBase `bp:"link,bits=10"`
		Any  any       `bp:"link,bits=3"`
	}
)

func twins() []twin {
	return []twin{
		twinOf("integers", twinIntegers{Relative: 8, Wide: bits.Uint128{Lo: 1}},
			twinIntegers{1000, 2047, 4, math.MaxInt32, bits.Uint128{Hi: 16}, math.MinInt32, true, 1 + 2i, [2][2]uint8{{1, 2}, {3, 7}}},
			twinIntegers{}, twinIntegers{Int: -6}, twinIntegers{Uint: 2048}, twinIntegers{Relative: 7},
			twinIntegers{Relative: 8, Wide: bits.Uint128{Lo: 1}, Arrays: [2][2]uint8{1: {0, 8}}}),
		twinOf("scalars", twinScalars{}, twinScalars{1e9, 1.5, -1.5, -720.25, 100 << 16, math.MinInt64, math.MinInt8, time.Unix(1e9, 5).UTC()},
			twinScalars{Float: 0.005, Half: 1e9, Angle: 1e300, Varint: 64, Golomb: 3},
			twinScalars{Float: float32(math.NaN())}, twinScalars{Angle: math.Inf(1)}, twinScalars{Fixed: 100<<16 + 1}),
		twinOf("sequences", twinSequences{Slice: []int{0}},
			twinSequences{[3]int{9, 0, 1}, []int{1, 2, 9}, make([]int, 600), []int16{-999, -998, 32767}, map[uint64]int{1 << 63: 1, 0: 9}, []twinObject{{0, 100}, {1000, 5}}},
			twinSequences{}, twinSequences{Array: [3]int{10}, Slice: []int{0}}, twinSequences{Slice: make([]int, 11)},
			twinSequences{Slice: []int{0}, Ascending: []int16{1, 1}}, twinSequences{Slice: []int{0}, Chain: []twinObject{{5, 1}, {5, 1}}}),
		twinOf("text", twinText{Blob: []byte{1}}, twinText{"мир", "a😀", [6]byte{'x', 'y'}, [2]byte{1, 255}, []byte("bytes")},
			twinText{}, twinText{Text: "sixteen bytes or"}, twinText{Text: "\xff"}, twinText{Wide: "abcdef"}, twinText{Label: [6]byte{1, 2, 3, 4, 5, 6}}),
		twinOf("presence", twinPresence{}, twinPresence{true, 7, 0, 3, -5000, 1, &twinNode{1, &twinNode{2, nil}}},
			twinPresence{Rest: 255, Optional: 0.001, Common: 12, Huffman: 255}, twinPresence{Optional: float32(math.NaN())}),
		twinOf("subsets", twinSubsets{}, twinSubsets{[20]twinElement{3: {true, 3}, 19: {true, 9}}, [20]twinElement{0: {true, 1}}, [9]*uint8{4: new(uint8)},
			[]*uint8{nil, new(uint8), new(uint8)}, []twinElement{{true, 1}, {}, {true, 2}}}, twinSubsets{Auto: make([]twinElement, 21)}),
		geometryTwin(),
		twinOf("structure", twinStructure{}, twinStructure{A: 7, B: true}, twinStructure{A: 8}),
		linksTwin(),
	}
}

func geometryTwin() twin {
	half, one, up := float32(math.Sqrt(0.5)), [4]float32{3: 1}, [3]float32{2: 1}
	unmoved := compress.Affine{Rotation: one, Scale: [3]float32{1, 1, 1}}
	turned := compress.Affine{Translation: [3]float32{1, -2, 99.5}, Rotation: [4]float32{half, 0, 0, half}, Scale: [3]float32{2, 2, 2}}
	scaled := compress.Affine{Rotation: one, Scale: [3]float32{1, 2, 3}}
	return twinOf("geometry", twinGeometry{one, [4]float64{3: 1}, up, unmoved.Matrix(), twinTransform(unmoved)},
		twinGeometry{turned.Rotation, [4]float64{-1, 1, 2, 0}, [3]float32{1, -2, 3}, turned.Matrix(), twinTransform(turned)},
		twinGeometry{one, [4]float64{1}, up, scaled.Matrix(), twinTransform(scaled)},
		twinGeometry{}, twinGeometry{Quat: one}, twinGeometry{one, [4]float64{1}, [3]float32{}, unmoved.Matrix(), twinTransform(unmoved)},
		twinGeometry{one, [4]float64{1}, up, [16]float32{}, twinTransform(unmoved)})
}

func linksTwin() twin {
	context, home, other := tagcodec.NewLinkingContext(), &homeBase{1}, &cat{}
	must(errors.Join(context.Add(1000, home), context.Add(5, other)))
	links := twinOf("links", twinLinks{}, twinLinks{home, other}, twinLinks{Any: other}, twinLinks{Home: &homeBase{}}, twinLinks{Any: home})
	links.opts = []tagcodec.Option{tagcodec.WithLinker(context)}
	return links
}
