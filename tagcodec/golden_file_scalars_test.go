package tagcodec_test

import "github.com/gobitpack/bitpack/bits"

// The types and values of testdata/wire.txt. Together they have all kinds and
// options of tags, as TestGoldenFileIsComplete verifies.

type goldenPlain struct {
	B    bool
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	F32  float32
	F64  float64
	C64  complex64
	C128 complex128
	Wide bits.Uint128
	Int  bits.Int128
}

func (v *goldenPlain) fill(s *source) {
	*v = goldenPlain{
		s.one(2), int8(s.raw()), int16(s.raw()), int32(s.raw()), int64(s.raw()),
		uint8(s.raw()), uint16(s.raw()), uint32(s.raw()), s.raw(),
		s.float32(-1000, 1000), s.float64(-1000, 1000), complex(s.float32(-1, 1), s.float32(-9, 9)), complex(s.float64(-1, 1), s.float64(-9, 9)),
		bits.Uint128{Lo: s.raw(), Hi: s.raw()}, bits.Int128{Lo: s.raw(), Hi: int64(s.raw())},
	}
}

// goldenNative has types that always take 64 bits on the wire. Machines where
// they have fewer bits in memory refuse some values that others accept.
type goldenNative struct {
	I int
	U uint
	P uintptr
}

func (v *goldenNative) fill(s *source) {
	*v = goldenNative{int(int32(s.raw())), uint(uint32(s.raw())), uintptr(uint32(s.raw()))}
}

type goldenIntegers struct {
	Kind   uint16               `bp:"uint,bits=10"`
	Signed int32                `bp:"int,bits=10"`
	Far    int64                `bp:"int,bits=61"`
	Range  int                  `bp:"int,min=-50,max=1000"`
	Known  int8                 `bp:"int,min=7,max=7"`
	Small  int8                 `bp:"min=-3,max=3"`
	Short  int16                `bp:"min=-300,max=300"`
	High   uint64               `bp:"min=18446744073709550000,max=18446744073709551615"`
	Enum   uint8                `bp:"enum,max=9"`
	Fixed  int32                `bp:"fixed,frac=16,min=-100,max=100"`
	Q      bits.Int128          `bp:"fixed,frac=64,min=-5,max=5"`
	Wide   bits.Uint128         `bp:"min=1,max=0x100000000000000000000"`
	Varint uint32               `bp:"varint"`
	Zigzag int64                `bp:"varint"`
	Digits [3]int               `bp:"int,min=0,max=9"`
	Many   [16]uint8            `bp:"int,min=0,max=100"`
	Words  [13]int32            `bp:"int,min=-5000,max=5000"`
	Each   [12]uint16           `bp:"uint,bits=3"`
	Pairs  [2][7]uint64         `bp:"int,min=5,max=70000000000"`
	Pushed struct{ X, Y int32 } `bp:"min=-7,max=8"`
}

func (v *goldenIntegers) fill(s *source) {
	*v = goldenIntegers{
		Kind: uint16(s.integer(0, 1023)), Signed: int32(s.integer(-512, 511)), Far: s.integer(-1<<60, 1<<60-1),
		Range: int(s.integer(-50, 1000)), Known: 7, Small: int8(s.integer(-3, 3)), Short: int16(s.integer(-300, 300)),
		High: 18446744073709550000 + uint64(s.integer(0, 1615)), Enum: uint8(s.integer(0, 9)), Fixed: int32(s.integer(-100<<16, 100<<16)),
		Q: bits.Int128{Lo: s.raw(), Hi: s.integer(-5, 4)}, Wide: bits.Uint128{Lo: s.raw() | 1, Hi: uint64(s.integer(0, 0xFFFF))},
		Varint: uint32(s.raw() >> s.integer(32, 63)), Zigzag: int64(s.raw()) >> s.integer(0, 63),
	}
	for i := range v.Digits {
		v.Digits[i] = int(s.integer(0, 9))
	}
	for i := range v.Many {
		v.Many[i] = uint8(s.integer(0, 100))
	}
	for i := range v.Words {
		v.Words[i] = int32(s.integer(-5000, 5000))
	}
	for i := range v.Each {
		v.Each[i] = uint16(s.integer(0, 7))
	}
	for i := range v.Pairs {
		for j := range v.Pairs[i] {
			v.Pairs[i][j] = uint64(s.integer(5, 70_000_000_000))
		}
	}
	v.Pushed.X, v.Pushed.Y = int32(s.integer(-7, 8)), int32(s.integer(-7, 8))
}

type goldenFloats struct {
	Steps   float32     `bp:"float,min=-1024,max=1024,res=0.01"`
	Uneven  float32     `bp:"float,min=-0.3,max=1.7,res=0.0007"`
	Bits    float32     `bp:"float,min=-1,max=1,bits=10"`
	Finest  float32     `bp:"float,min=-1,max=1,bits=32"`
	Double  float64     `bp:"float,min=-1024,max=1024,res=0.01"`
	Deep    float64     `bp:"float,min=-3.3,max=9.1,bits=53"`
	Vector  [3]float32  `bp:"float,min=-2,max=2,res=0.001"`
	Many    [24]float32 `bp:"float,min=-10,max=10,res=0.003"`
	Doubles [12]float64 `bp:"float,min=-10,max=10,res=0.003"`
	Between [24]float32 `bp:"float,min=0,max=10,res=0.01"`
	Middles [24]float64 `bp:"float,min=0,max=10,res=0.01"`
	Parts   complex64   `bp:"float,min=-2,max=2,res=0.1"`
	Half    float32     `bp:"half"`
	Halves  [12]float32 `bp:"half"`
	Turn    float32     `bp:"angle,bits=10"`
	Degrees float64     `bp:"angle,res=0.5,unit=deg"`
	Fine    float32     `bp:"angle,bits=23"`
	Radians [12]float64 `bp:"angle,bits=20,unit=rad"`
}

func (v *goldenFloats) fill(s *source) {
	*v = goldenFloats{
		Steps: s.float32(-1100, 1100), Uneven: s.float32(-1, 2), Bits: s.float32(-1, 1), Finest: s.float32(-1, 1),
		Double: s.float64(-1100, 1100), Deep: s.float64(-4, 10), Parts: complex(s.float32(-2, 2), s.float32(-2, 2)),
		Half: s.float32(-70000, 70000), Turn: s.float32(-20, 20), Degrees: s.float64(-1000, 1000), Fine: s.float32(-20, 20),
	}
	s.floats(v.Vector[:], -2, 2)
	s.floats(v.Many[:], -11, 11)
	s.floats(v.Halves[:], -5, 5)
	for i := range v.Between { // as close as possible to halfway between two steps
		v.Between[i], v.Middles[i] = float32(float64(2*s.integer(0, 999)+1)/200), float64(2*s.integer(0, 999)+1)/200
	}
	for i := range v.Doubles {
		v.Doubles[i], v.Radians[i] = s.float64(-11, 11), s.float64(-20, 20)
	}
}

type goldenRelative struct {
	Before uint32   `bp:"bits=20"`
	After  uint32   `bp:"relative,to=Before"`
	Based  int64    `bp:"relative,base=1000"`
	IDs    []uint32 `bp:"relative,maxlen=20"`
	Chain  []struct {
		ID uint16 `bp:"relative,chain,base=9"`
		HP uint8  `bp:"bits=7"`
	} `bp:"maxlen=9"`
}

func (v *goldenRelative) fill(s *source) {
	v.Before = uint32(s.integer(0, 1<<20-1))
	v.After = v.Before + uint32(s.integer(1, 1<<s.integer(0, 20)))
	v.Based = 1000 + s.integer(1, 1<<s.integer(0, 30))
	v.IDs = make([]uint32, s.integer(0, 20))
	id := uint32(0)
	for i := range v.IDs {
		id += uint32(s.integer(1, 1<<s.integer(0, 12)))
		v.IDs[i] = id
	}
	v.Chain = append(v.Chain, make([]struct {
		ID uint16 `bp:"relative,chain,base=9"`
		HP uint8  `bp:"bits=7"`
	}, s.integer(0, 9))...)
	id = 9
	for i := range v.Chain {
		id += uint32(s.integer(1, 1<<s.integer(0, 9)))
		v.Chain[i].ID, v.Chain[i].HP = uint16(id), uint8(s.integer(0, 127))
	}
}

type goldenEntropy struct {
	Kills  uint16      `bp:"expgolomb"`
	Damage uint32      `bp:"expgolomb,k=3"`
	Change [2]int64    `bp:"expgolomb,k=7"`
	Tiles  [8][9]uint8 `bp:"uint,bits=4,rle"`
	Flags  []bool      `bp:"rle,maxlen=1200"`
	Slopes [20]float32 `bp:"float,min=-1,max=1,bits=6,rle"`
}

func (v *goldenEntropy) fill(s *source) {
	v.Kills, v.Damage = uint16(s.raw()>>s.integer(48, 63)), uint32(s.raw()>>s.integer(32, 63))
	for i := range v.Change {
		v.Change[i] = int64(s.raw()) >> s.integer(0, 63)
	}
	for i := range v.Tiles {
		for k := range v.Tiles[i] {
			if v.Tiles[i][k] = v.Tiles[i][max(k-1, 0)]; s.one(4) {
				v.Tiles[i][k] = uint8(s.integer(0, 15))
			}
		}
	}
	v.Flags = make([]bool, s.integer(0, 1200))
	for i := range v.Flags {
		v.Flags[i] = s.one(500)
	}
	s.floats(v.Slopes[s.integer(0, 20):], -1, 1)
}
