// Package values has values that are valid, but hardly what their author wants. A
// comment has the text that the analyzer reports.
package values

// Ints has some of 64 bits.
type Ints struct {
	Health int                // want: Ints.Health: int takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them
	Mana   uint               // want: Ints.Mana: uint takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them
	List   []int              `bp:"maxlen=3"` // want: Ints.List: int takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them
	Map    map[int]int8       `bp:"maxlen=3"` // want: Ints.Map: int takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them
	Score  Score              `bp:"optional"` // want: Ints.Score: int takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them
	Three  [3]uint            // want: Ints.Three: uint takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them
	Kind   int                `bp:"int"` // want: Ints.Kind: int takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them
	Grid   struct{ A, B int } `bp:"bits=64"`
	Ranged int                `bp:"min=0,max=9"`
	Var    int                `bp:"varint"`
	All    int                `bp:"bits=64"`
	Usual  int                `bp:"common=0"`
	Lists  []int              `bp:"maxlen=3,elem.bits=64"`
	Wide   int64
	Left   int `bp:"-"`
	Inner  Inner
	own    int
}

// Score has a name.
type Score int

// Inner is in Ints.
type Inner struct{ Level int } // want: Inner.Level: int takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them

// Stick has ranges without a zero.
type Stick struct {
	X      float32   `bp:"min=-1,max=1,bits=10"` // want: Stick.X: 0 becomes 0.0009775, because no step is 0: use min=-1,max=1,res=0.002, or add common=0
	Y      float64   `bp:"min=-1,max=1,bits=10"` // want: Stick.Y: 0 becomes 0.0009775, because no step is 0: use min=-1,max=1,res=0.002, or add common=0
	Even   float32   `bp:"min=-1,max=1,res=0.002"`
	Odd    float32   `bp:"min=-1,max=1,res=0.4"`    // want: Stick.Odd: 0 becomes 0.2, because no step is 0: use min=-1.2,max=1.2,res=0.4, or add common=0
	Uneven float32   `bp:"min=-3.3,max=1,res=0.01"` // want: Stick.Uneven: 0 becomes 0.00232, because no step is 0: use min=-3.3,max=1.01,res=0.01, or add common=0
	Skew   float32   `bp:"min=-1,max=3,bits=8"`     // want: Stick.Skew: 0 becomes 0.003922, because no step is 0: use min=-1.008,max=3.008,res=0.016, or add common=0
	Low    float32   `bp:"min=-5,max=-1,res=0.3"`
	From   float32   `bp:"min=0,max=1,res=0.3"`
	To     float64   `bp:"min=-7,max=0,res=0.3"`
	Common float32   `bp:"min=-1,max=1,bits=10,common=1|0"`
	Maybe  float32   `bp:"min=-1,max=1,bits=10,optional"`
	Code   float32   `bp:"min=-1,max=1,bits=10,huffman=0:9|*:1"`
	Vec    Vec       `bp:"min=-1,max=1,bits=16"`                           // want: Stick.Vec: 0 becomes 1.526e-05, because no step is 0: use min=-1.000029,max=1.000029,res=3.1e-05, or add common=0
	List   []float32 `bp:"maxlen=3,elem.min=-10,elem.max=10,elem.bits=12"` // want: Stick.List: 0 becomes 0.002442, because no step is 0: use elem.min=-10,elem.max=10,elem.res=0.005, or add elem.common=0
	One    float32   `bp:"min=-1,max=1,bits=1"`                            // want: Stick.One: 0 becomes 1, because no step is 0: add common=0
	Wide   float32   `bp:"min=-1,max=1,bits=32"`
	Near   float64   `bp:"min=-1e-9,max=1000,res=1"` // want: Stick.Near: 0 becomes -1e-09, because no step is 0: use min=0,max=1000,res=1, or add common=0
}

// Vec has no tags.
type Vec struct{ X, Y, Z float32 }

// Body has rotations.
type Body struct {
	Three  [4]float32   `bp:"quat,bits=9"` // want: Body.Three: the identity becomes a rotation of 0.2746 degrees, because smallest three has no zero: add mode=sign where bodies must return to it exactly, or send a bool, and the rotation with if=, or write mode=three if it need not be exact
	Sign   [4]float64   `bp:"quat,mode=sign,bits=9"`
	Meant  [4]float64   `bp:"quat,mode=three,bits=9"`
	Turns  [][4]float32 `bp:"quat,maxlen=3,bits=9,elem.mode=three"`
	Raw    [4]float32
	Matrix [16]float32 `bp:"affine,bits=12"` // want: Body.Matrix: the identity becomes a rotation of 0.03427 degrees, because smallest three has no zero: leave out bits=, or use a struct whose Rotation has quat,mode=sign, or write mode=three if it need not be exact
	Close  [16]float32 `bp:"affine,bits=12,mode=three"`
	Plain  [16]float32 `bp:"affine,min=-100,max=100,res=0.01"`
	Pose   Pose        `bp:"affine"`
}

// Pose is affine.
type Pose struct {
	Translation Vec        `bp:"min=-100,max=100,res=0.01"`
	Rotation    [4]float64 `bp:"quat,bits=12"` // want: Pose.Rotation: the identity becomes a rotation of 0.03427 degrees, because smallest three has no zero: add mode=sign where bodies must return to it exactly, or send a bool, and the rotation with if=, or write mode=three if it need not be exact
	Scale       float32    `bp:"min=-1,max=2,bits=8"`
}

// Ship has a half.
type Ship struct {
	Speed float32 `bp:"half"`
	Mass  float32
}

const light = 3e8

func ships(s *Ship) []*Ship {
	s.Speed = light                 // want: Speed: 3e+08 becomes infinite, because half ends at 65504: use float with min, max and res, or leave out the kind
	s.Speed, s.Mass = -65520, light // want: Speed: -6.552e+04 becomes infinite, because half ends at 65504: use float with min, max and res, or leave out the kind
	s.Speed = 65519
	return []*Ship{{Speed: 1e5}, {65504, 1e9}, {70000, 0}} // want: Speed: 1e+05 becomes infinite, because half ends at 65504: use float with min, max and res, or leave out the kind // want: Speed: 7e+04 becomes infinite, because half ends at 65504: use float with min, max and res, or leave out the kind
}

var _, _ = ships, Ints{own: 1}
