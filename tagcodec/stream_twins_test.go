package tagcodec_test

import (
	"errors"
	"math"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
)

// made returns v and panics on an error.
func made[T any](v T, err error) T {
	must(err)
	return v
}

type (
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

func (v *twinNode) Serialize(s *bits.Stream) error {
	wholeByte(s, &v.Value)
	bits.Pointer(s, &v.Next, 9, bits.Value[twinNode])
	return s.Err()
}

func wholeByte(s *bits.Stream, v *uint8) { bits.Bits(s, v, 8) }

func digit(s *bits.Stream, v *int) { bits.Int(s, v, 0, 9) }

var (
	twinRange    = made(compress.NewFloat32(-1024, 1024, 0.01))
	twinFine     = made(compress.NewFloat64Bits(1, 2, 53))
	twinDegrees  = made(compress.NewAngleRes(0.5, 360))
	twinFixed    = made(compress.NewFixed(32, 16, -100, 100))
	twinCommon   = made(compress.NewCommon(twinRange.Serialize, 0, -1024, 500))
	twinHuffman  = made(compress.NewHuffmanValues(wholeByte, compress.HuffmanValue[uint8]{Weight: 90}, compress.HuffmanValue[uint8]{Value: 1, Weight: 7}, compress.HuffmanValue[uint8]{Escape: true, Weight: 3}))
	twinQuat     = made(compress.NewQuat(9))
	twinSign     = made(compress.NewQuatSign(5))
	twinUnit     = made(compress.NewUnit(10))
	twinHundred  = made(compress.NewFloat32(-100, 100, 0.01))
	twinQuarters = made(compress.NewFloat32(0, 4, 0.25))
	twinMatrix   = compress.AffineCode{Translation: twinHundred.Serialize, Rotation: twinQuat.Serialize32}
	twinAffine   = compress.AffineCode{Translation: twinRange.Serialize, Rotation: twinQuat.Serialize32, Scale: twinQuarters.Serialize}
)

// twins has no integers and raw floats: package vectors runs their Streams, and the
// vectors here their tags, on the same messages.
func twins() []twin {
	return []twin{
		twinOf("scalars", func(s *bits.Stream, v *twinScalars) {
			twinRange.Serialize(s, &v.Float)
			twinFine.Serialize(s, &v.Double)
			compress.Half(s, &v.Half)
			twinDegrees.Serialize(s, &v.Angle)
			compress.SerializeFixed(s, &twinFixed, &v.Fixed)
			bits.Varint(s, &v.Varint)
			bits.ExpGolomb(s, &v.Golomb, 7)
			bits.Binary(s, &v.Time, 20)
		}, twinScalars{}, twinScalars{1e9, 1.5, -1.5, -720.25, 100 << 16, math.MinInt64, math.MinInt8, time.Unix(1e9, 5).UTC()},
			twinScalars{Float: 0.005, Half: 1e9, Angle: 1e300, Varint: 64, Golomb: 3},
			twinScalars{Float: float32(math.NaN())}, twinScalars{Angle: math.Inf(1)}, twinScalars{Fixed: 100<<16 + 1}),
		twinOf("sequences", func(s *bits.Stream, v *twinSequences) {
			bits.Each(s, v.Array[:], digit)
			bits.Slice(s, &v.Slice, 1, 10, 4, digit)
			bits.RunLengthSlice(s, &v.Runs, 0, 1200, 4, digit)
			bits.Ascending(s, &v.Ascending, 0, 7, -1000)
			bits.Map(s, &v.Map, 0, 3, 68, func(s *bits.Stream, k *uint64) { bits.Bits(s, k, 64) }, digit)
			previous := int64(-1)
			bits.Slice(s, &v.Chain, 0, 10, 8, func(s *bits.Stream, o *twinObject) {
				bits.Relative(s, previous, &o.ID)
				previous = int64(o.ID)
				bits.Int(s, &o.Health, 0, 100)
			})
		}, twinSequences{Slice: []int{0}},
			twinSequences{[3]int{9, 0, 1}, []int{1, 2, 9}, make([]int, 600), []int16{-999, -998, 32767}, map[uint64]int{1 << 63: 1, 0: 9}, []twinObject{{0, 100}, {1000, 5}}},
			twinSequences{}, twinSequences{Array: [3]int{10}, Slice: []int{0}}, twinSequences{Slice: make([]int, 11)},
			twinSequences{Slice: []int{0}, Ascending: []int16{1, 1}}, twinSequences{Slice: []int{0}, Chain: []twinObject{{5, 1}, {5, 1}}}),
		twinOf("text", func(s *bits.Stream, v *twinText) {
			s.String(&v.Text, 15)
			s.WString(&v.Wide, 5)
			s.CString(v.Label[:])
			s.Bytes(v.Key[:])
			bits.ByteSlice(s, &v.Blob, 1, 15)
		}, twinText{Blob: []byte{1}}, twinText{"мир", "a😀", [6]byte{'x', 'y'}, [2]byte{1, 255}, []byte("bytes")},
			twinText{}, twinText{Text: "sixteen bytes or"}, twinText{Text: "\xff"}, twinText{Wide: "abcdef"}, twinText{Label: [6]byte{1, 2, 3, 4, 5, 6}}),
		twinOf("presence", func(s *bits.Stream, v *twinPresence) {
			if s.Bool(&v.Moving); v.Moving {
				wholeByte(s, &v.Speed)
				v.Rest = 0
			} else {
				wholeByte(s, &v.Rest)
				v.Speed = 0
			}
			bits.Optional(s, &v.Optional, twinRange.Serialize)
			twinCommon.Serialize(s, &v.Common)
			twinHuffman.Serialize(s, &v.Huffman)
			bits.Pointer(s, &v.Next, 9, bits.Value[twinNode])
		}, twinPresence{}, twinPresence{true, 7, 0, 3, -5000, 1, &twinNode{1, &twinNode{2, nil}}},
			twinPresence{Rest: 255, Optional: 0.001, Common: 12, Huffman: 255}, twinPresence{Optional: float32(math.NaN())}),
		twinOf("subsets", func(s *bits.Stream, v *twinSubsets) {
			on := func(v *twinElement) *bool { return &v.On }
			element := func(s *bits.Stream, v *twinElement) { wholeByte(s, &v.Type) }
			compress.SerializeSubset(s, compress.SubsetBitmap, v.Bitmap[:], on, element)
			compress.SerializeSubset(s, compress.SubsetIndex, v.Index[:], on, element)
			compress.SerializePointers(s, compress.SubsetSentinel, v.Sentinel[:], 8, wholeByte)
			bits.Length(s, &v.Relative, 0, 20, 0)
			compress.SerializePointers(s, compress.SubsetRelative, v.Relative, 8, wholeByte)
			bits.Length(s, &v.Auto, 0, 20, 0)
			compress.SerializeSubset(s, compress.SubsetAuto, v.Auto, on, element)
		}, twinSubsets{}, twinSubsets{[20]twinElement{3: {true, 3}, 19: {true, 9}}, [20]twinElement{0: {true, 1}}, [9]*uint8{4: new(uint8)},
			[]*uint8{nil, new(uint8), new(uint8)}, []twinElement{{true, 1}, {}, {true, 2}}}, twinSubsets{Auto: make([]twinElement, 21)}),
		geometryTwin(),
		twinOf("structure", func(s *bits.Stream, v *twinStructure) {
			bits.Bits(s, &v.A, 3)
			s.Align()
			s.Bool(&v.B)
			s.Reserved(3)
			s.Const(0x2a, 8)
			s.Check(0xfeedbeef)
		}, twinStructure{}, twinStructure{A: 7, B: true}, twinStructure{A: 8}),
		linksTwin(),
	}
}

func geometryTwin() twin {
	half, one, up := float32(math.Sqrt(0.5)), [4]float32{3: 1}, [3]float32{2: 1}
	unmoved := compress.Affine{Rotation: one, Scale: [3]float32{1, 1, 1}}
	turned := compress.Affine{Translation: [3]float32{1, -2, 99.5}, Rotation: [4]float32{half, 0, 0, half}, Scale: [3]float32{2, 2, 2}}
	scaled := compress.Affine{Rotation: one, Scale: [3]float32{1, 2, 3}}
	return twinOf("geometry", func(s *bits.Stream, v *twinGeometry) {
		twinQuat.Serialize32(s, &v.Quat)
		twinSign.Serialize(s, &v.Sign)
		twinUnit.Serialize32(s, &v.Unit)
		twinMatrix.SerializeMatrix(s, &v.Matrix)
		twinAffine.Serialize(s, (*compress.Affine)(&v.Transform))
	}, twinGeometry{one, [4]float64{3: 1}, up, unmoved.Matrix(), twinTransform(unmoved)},
		twinGeometry{turned.Rotation, [4]float64{-1, 1, 2, 0}, [3]float32{1, -2, 3}, turned.Matrix(), twinTransform(turned)},
		twinGeometry{one, [4]float64{1}, up, scaled.Matrix(), twinTransform(scaled)},
		twinGeometry{}, twinGeometry{Quat: one}, twinGeometry{one, [4]float64{1}, [3]float32{}, unmoved.Matrix(), twinTransform(unmoved)},
		twinGeometry{one, [4]float64{1}, up, [16]float32{}, twinTransform(unmoved)})
}

func linksTwin() twin {
	context, home, other := tagcodec.NewLinkingContext(), &homeBase{1}, &cat{}
	must(errors.Join(context.Add(1000, home), context.Add(5, other)))
	links := twinOf("links", func(s *bits.Stream, v *twinLinks) {
		tagcodec.Link(s, &v.Home, 10)
		tagcodec.Link(s, &v.Any, 3)
	}, twinLinks{}, twinLinks{home, other}, twinLinks{Any: other}, twinLinks{Home: &homeBase{}}, twinLinks{Any: home})
	links.opts = []tagcodec.Option{tagcodec.WithLinker(context)}
	return links
}
