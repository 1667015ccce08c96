package tagcodec_test

import (
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

type goldenTexts struct {
	Lead  bool
	Name  string    `bp:"string,maxlen=15"`
	Title []byte    `bp:"string,maxlen=15"`
	Wide  string    `bp:"wstring,maxlen=15"`
	C     [16]byte  `bp:"cstring"`
	Raw   [9]byte   `bp:"bytes"`
	Blob  []byte    `bp:"bytes,minlen=1,maxlen=15"`
	Any   string    `bp:"bytes,maxlen=15"`
	When  time.Time `bp:"binary,maxlen=20"`
	Lines []string  `bp:"maxlen=8,elem.maxlen=16"`
	Blobs []string  `bp:"maxlen=8,elem.kind=bytes,elem.maxlen=16"`
}

func (v *goldenTexts) fill(s *source) {
	*v = goldenTexts{
		Lead: s.one(2), Name: s.text(15), Title: []byte(s.text(15)), Wide: s.text(15), Blob: append(s.bytes(14), 0xA5), Any: string(s.bytes(15)),
		When: time.Unix(s.integer(0, 4_000_000_000), s.integer(0, 999_999_999)).UTC(),
	}
	copy(v.C[:], s.text(15))
	copy(v.Raw[:], s.bytes(9))
	for range s.integer(0, 8) {
		v.Lines = append(v.Lines, s.text(16))
		v.Blobs = append(v.Blobs, string(s.bytes(16)))
	}
}

type goldenSequences struct {
	Counts []uint16      `bp:"maxlen=100"`
	Digits []int         `bp:"int,min=0,max=9,minlen=1,maxlen=100"`
	Points []goldenPoint `bp:"maxlen=10"`
	Fixed  [2]goldenPoint
	Signs  map[int]bool   `bp:"maxlen=9,key.min=0,key.max=99"`
	Scores map[string]int `bp:"maxlen=3,key.kind=bytes,key.maxlen=7,elem.min=0,elem.max=9"`
	Floats []float32      `bp:"maxlen=20,elem.min=-10,elem.max=10,elem.res=0.01"`
	Flags  []bool         `bp:"maxlen=30"`
	Nested [][]int8       `bp:"maxlen=4,elem.maxlen=3"`
	Turns  []float32      `bp:"angle,bits=9,maxlen=5"`
	Left   []byte         `bp:"-"`
}

type goldenPoint struct {
	X, Y float32 `bp:"float,min=-100,max=100,res=0.01"`
	Name string  `bp:"maxlen=5"`
}

func (v *goldenSequences) fill(s *source) {
	point := func() goldenPoint { return goldenPoint{s.float32(-100, 100), s.float32(-100, 100), s.text(5)} }
	for range s.integer(0, 30) {
		v.Counts = append(v.Counts, uint16(s.raw()))
	}
	for range s.integer(1, 30) {
		v.Digits = append(v.Digits, int(s.integer(0, 9)))
	}
	for range s.integer(0, 6) {
		v.Points = append(v.Points, point())
	}
	v.Fixed = [2]goldenPoint{point(), point()}
	v.Signs, v.Scores = map[int]bool{}, map[string]int{}
	for range s.integer(0, 9) {
		v.Signs[int(s.integer(0, 99))] = s.one(2)
	}
	for range s.integer(0, 3) {
		v.Scores[string(s.bytes(7))] = int(s.integer(0, 9))
	}
	v.Floats = make([]float32, s.integer(0, 20))
	s.floats(v.Floats, -11, 11)
	for range s.integer(0, 30) {
		v.Flags = append(v.Flags, s.one(3))
	}
	for range s.integer(0, 4) {
		v.Nested = append(v.Nested, nil)
		for range s.integer(0, 3) {
			v.Nested[len(v.Nested)-1] = append(v.Nested[len(v.Nested)-1], int8(s.raw()))
		}
	}
	v.Turns = make([]float32, s.integer(0, 5))
	s.floats(v.Turns, -7, 7)
}

type goldenPresence struct {
	Kind   uint8 `bp:"bits=4"`
	Moving bool
	Speed  float32 `bp:"float,min=0,max=100,res=0.1,if=Moving"`
	Still  uint16  `bp:"if=!Moving"`
	Three  uint16  `bp:"if=Kind==3"`
	Other  [2]int8 `bp:"if=Kind!=3"`
	Four   int64   `bp:"varint,if=Kind&4"`
	Ref    *uint16
	Body   *goldenPoint
	Extra  uint16      `bp:"optional"`
	Title  string      `bp:"maxlen=9,optional"`
	Spot   goldenBody  `bp:"optional"`
	Zero   float32     `bp:"common=0"`
	Level  uint16      `bp:"common=0|7,bits=10"`
	Steps  float32     `bp:"float,min=-1,max=1,bits=9,common=-1|1|0.5"`
	Greet  string      `bp:"maxlen=9,common=hello|bye"`
	Far    bits.Int128 `bp:"common=0|-1"`
	Event  uint8       `bp:"huffman=0:90|1:7|*:3"`
	Only   uint8       `bp:"huffman=0:8|1:4|2:2|3:1"`
}

type goldenBody struct {
	At    [3]float32 `bp:"float,min=-10,max=10,res=0.01"`
	Steps [2]uint32  `bp:"varint"`
}

func (v *goldenPresence) fill(s *source) {
	*v = goldenPresence{
		Kind: uint8(s.integer(0, 15)), Moving: s.one(2), Zero: s.float32(-5, 5), Level: uint16(s.integer(0, 1023)), Steps: s.float32(-1, 1),
		Greet: s.text(9), Far: bits.Int128{Lo: s.raw(), Hi: s.integer(-9, 9)}, Event: uint8(s.raw()), Only: uint8(s.integer(0, 3)),
	}
	if s.one(3) {
		v.Kind = 3
	}
	if s.one(2) {
		v.Zero, v.Level, v.Steps, v.Greet, v.Far, v.Event = 0, 7, 0.5, "hello", bits.Int128{}, uint8(s.integer(0, 1))
	}
	if s.one(2) {
		n := uint16(s.raw())
		v.Ref, v.Body = &n, &goldenPoint{s.float32(-9, 9), s.float32(-9, 9), s.text(5)}
	}
	if s.one(2) {
		v.Extra, v.Title = uint16(s.raw()), s.text(9)
		s.floats(v.Spot.At[:], -10, 10)
		v.Spot.Steps[1] = uint32(s.raw() >> s.integer(32, 63))
	}
	// Values that are not written decode as zero.
	if v.Moving {
		v.Speed = s.float32(0, 100)
	} else {
		v.Still = uint16(s.raw())
	}
	if v.Kind == 3 {
		v.Three = uint16(s.raw())
	} else {
		v.Other = [2]int8{int8(s.raw()), int8(s.raw())}
	}
	if v.Kind&4 != 0 {
		v.Four = int64(s.raw()) >> s.integer(0, 63)
	}
}

type goldenSubsets struct {
	Bitmap   [20]goldenSlot `bp:"subset=bitmap,by=On"`
	Index    [20]*uint8     `bp:"subset=index"`
	Sentinel [20]*uint8     `bp:"subset=sentinel"`
	Relative [40]*uint8     `bp:"subset=relative"`
	Auto     [40]*uint8     `bp:"subset=auto"`
	Slice    []goldenSlot   `bp:"maxlen=30,subset=auto,by=On"`
}

type goldenSlot struct {
	On    bool
	Type  uint8      `bp:"bits=5"`
	Speed [2]float32 `bp:"float,min=-1,max=1,res=0.01"`
}

func (v *goldenSubsets) fill(s *source) {
	every := s.integer(1, 20)
	slots := func(slots []goldenSlot) {
		for i := range slots {
			if s.one(every) {
				slots[i] = goldenSlot{true, uint8(s.integer(0, 31)), [2]float32{s.float32(-1, 1), s.float32(-1, 1)}}
			}
		}
	}
	some := func(list []*uint8) {
		for i := range list {
			if s.one(every) {
				n := uint8(s.raw())
				list[i] = &n
			}
		}
	}
	slots(v.Bitmap[:])
	some(v.Index[:])
	some(v.Sentinel[:])
	some(v.Relative[:])
	some(v.Auto[:])
	v.Slice = make([]goldenSlot, s.integer(0, 30))
	slots(v.Slice)
}

type goldenGeometry struct {
	Quat   [4]float32                   `bp:"quat,bits=9"`
	Fine   struct{ X, Y, Z, W float64 } `bp:"quat,bits=20"`
	Signed struct {
		W float64
		V [3]float64
	} `bp:"quat,mode=sign,bits=16"`
	Unit   struct{ X, Y, Z float32 } `bp:"unit,bits=10"`
	Normal [3]float64                `bp:"unit,bits=24"`
	Matrix [16]float32               `bp:"affine,min=-100,max=100,res=0.01,bits=12"`
	Rows   [4][4]float32             `bp:"affine"`
	Affine goldenAffine              `bp:"affine"`
	Plain  struct {
		Rotation    [4]float32 `bp:"quat,bits=7"`
		Scale       float64
		Translation [2]float32
	} `bp:"affine"`
	Many [12][4]float32 `bp:"quat,bits=12"`
}

type goldenAffine struct {
	Translation [3]float32 `bp:"float,min=-10,max=10,res=0.01"`
	Rotation    [4]float32 `bp:"quat,bits=9"`
	Scale       [3]float32 `bp:"float,min=0.5,max=8.5,bits=6"`
}

func (v *goldenGeometry) fill(s *source) {
	s.floats(v.Quat[:], -1, 1)
	v.Fine.X, v.Fine.Y, v.Fine.Z, v.Fine.W = s.float64(-1, 1), s.float64(-1, 1), s.float64(-1, 1), s.float64(-1, 1)
	v.Signed.W, v.Signed.V = s.float64(-1, 1), [3]float64{s.float64(-1, 1), s.float64(-1, 1), s.float64(-1, 1)}
	v.Unit.X, v.Unit.Y, v.Unit.Z = s.float32(-1, 1), s.float32(-1, 1), s.float32(-1, 1)
	v.Normal = [3]float64{s.float64(-1, 1), s.float64(-1, 1), s.float64(-1, 1)}
	v.Matrix, v.Rows = s.matrix(), [4][4]float32{}
	for i, x := range s.matrix() {
		v.Rows[i/4][i%4] = x
	}
	s.floats(v.Affine.Translation[:], -10, 10)
	s.floats(v.Affine.Rotation[:], -1, 1)
	v.Affine.Scale = [3]float32{1, 1, 1}
	if s.one(2) {
		s.floats(v.Affine.Scale[:], 1, 8)
	}
	s.floats(v.Plain.Rotation[:], -1, 1)
	s.floats(v.Plain.Translation[:], -100, 100)
	v.Plain.Scale = float64(s.integer(1, 3))
	for i := range v.Many {
		s.floats(v.Many[i][:], -1, 1)
	}
}

type goldenEvent interface{ goldenEvent() }

type goldenShot struct {
	By  uint16
	Aim [3]float32 `bp:"unit,bits=12"`
}

type goldenSaid struct {
	Text string `bp:"maxlen=80"`
}

type goldenBoth struct {
	Events []goldenEvent `bp:"union,maxlen=2"`
}

func (goldenShot) goldenEvent()  {}
func (*goldenSaid) goldenEvent() {}
func (*goldenBoth) goldenEvent() {}

var goldenOptions = []tagcodec.Option{
	tagcodec.WithUnion[goldenEvent](goldenShot{}, &goldenSaid{}, &goldenBoth{}), tagcodec.WithLinker(goldenLinker{}),
}

type goldenHome struct{ Number uint8 }

var goldenHomes = [...]*goldenHome{{1}, {2}, {3}}

// goldenLinker maps homes to numbers.
type goldenLinker struct{}

func (goldenLinker) ID(object any) (uint64, bool) {
	h, ok := object.(*goldenHome)
	return uint64(h.Number), ok
}

func (goldenLinker) Object(id uint64) (any, bool) {
	if id < 1 || id > uint64(len(goldenHomes)) {
		return nil, false
	}
	return goldenHomes[id-1], true
}

func (goldenLinker) Unresolved(tagcodec.Patch) {}

type goldenObjects struct {
	Event  goldenEvent   `bp:"union"`
	Events []goldenEvent `bp:"union,maxlen=4"`
	Home   *goldenHome   `bp:"link,bits=10"`
	Any    any           `bp:"link"`
	Tree   goldenTree
	List   *goldenList
	Self   goldenCustom
}

type goldenTree struct {
	Value int8         `bp:"int,min=-5,max=5"`
	Kids  []goldenTree `bp:"maxlen=3"`
}

type goldenList struct {
	ID   uint16 `bp:"varint"`
	Next *goldenList
}

// goldenCustom serializes itself.
type goldenCustom struct {
	N    int
	Roll float32
	Text string
}

func (c *goldenCustom) Serialize(s *bits.Stream) error {
	bits.Int(s, &c.N, -10, 10)
	s.Float32(&c.Roll)
	s.String(&c.Text, 10)
	return s.Err()
}

func (v *goldenObjects) fill(s *source) {
	v.Event = goldenShot{uint16(s.raw()), [3]float32{s.float32(-1, 1), s.float32(-1, 1), s.float32(-1, 1)}}
	for range s.integer(0, 4) {
		event := [...]goldenEvent{nil, &goldenSaid{s.text(20)}, v.Event, &goldenBoth{[]goldenEvent{nil, &goldenSaid{s.text(9)}}}}
		v.Events = append(v.Events, event[s.integer(0, 3)])
	}
	if v.Any = goldenHomes[2]; s.one(2) {
		v.Home, v.Any = goldenHomes[s.integer(0, 2)], nil
	}
	v.Tree.Value = int8(s.integer(-5, 5))
	for range s.integer(0, 3) {
		kid := goldenTree{Value: int8(s.integer(-5, 5))}
		for range s.integer(0, 2) {
			kid.Kids = append(kid.Kids, goldenTree{Value: int8(s.integer(-5, 5))})
		}
		v.Tree.Kids = append(v.Tree.Kids, kid)
	}
	for range s.integer(0, 4) {
		v.List = &goldenList{uint16(s.raw()), v.List}
	}
	v.Self = goldenCustom{int(s.integer(-10, 10)), s.float32(-1, 1), s.text(10)}
}

type goldenStructure struct {
	Header goldenHeader
	goldenHeader
	_     struct{}                  `bp:"align"`
	Small uint8                     `bp:"bits=3"`
	_     struct{}                  `bp:"reserved,bits=3"`
	_     struct{}                  `bp:"const,bits=8,value=0x2a"`
	_     struct{}                  `bp:"check"`
	Pose  struct{ X, Y, Z float32 } `bp:"float,min=-1,max=1,bits=10"`
	_     struct{}                  `bp:"check,value=0x12345678"`
	Name  string                    `bp:"maxlen=7"`
}

type goldenHeader struct {
	Version uint8  `bp:"bits=4"`
	Kind    uint16 `bp:"enum,max=9"`
}

func (v *goldenStructure) fill(s *source) {
	v.Header = goldenHeader{uint8(s.integer(0, 15)), uint16(s.integer(0, 9))}
	v.goldenHeader = goldenHeader{uint8(s.integer(0, 15)), uint16(s.integer(0, 9))}
	v.Small = uint8(s.integer(0, 7))
	v.Pose.X, v.Pose.Y, v.Pose.Z = s.float32(-1, 1), s.float32(-1, 1), s.float32(-1, 1)
	v.Name = s.text(7)
}
