// Package gen has types for which bp gen writes code.
package gen

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Players is a codec that exists before the code is registered.
var Players = tagcodec.MustFor[Player]()

// Player and Feed have a value of each sort that generated code handles.
type Player struct {
	Health int32      `bp:"int,min=0,max=100"`
	Pos    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	AtRest bool
	Vel    [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=!AtRest"`
	Team   Team       `bp:"enum,max=2"`
	Score  int        `bp:"min=-5,max=1000,optional"`
	Yaw    float64    `bp:"angle,bits=12"`
	Name   string     `bp:"maxlen=20"`
	Items  []Item     `bp:"maxlen=30"`
	Best   *Item
	Marks  [20]uint8       `bp:"bits=3"`
	Key    [16]byte        `bp:"bytes"`
	Seen   uint32          `bp:"varint"`
	Slots  [9]*Item        `bp:"subset=auto"`
	Ammo   map[Team]uint16 `bp:"maxlen=10"`
}

type Team uint8

type Item struct {
	ID    uint16
	Count int64 `bp:"int,min=1,max=12"`
}

// Stick has floats whose last code would be above max without a check.
type Stick struct {
	X, Y float32    `bp:"float,min=-3.3,max=1,res=0.01"`
	Z    [4]float64 `bp:"float,min=-5,max=0.2,res=0.1"`
}

// Feed has a union.
type Feed struct {
	Events []Event `bp:"union,maxlen=5"`
}

type Event interface{ event() }

type Hit struct {
	Damage int `bp:"min=1,max=100"`
}

type Chat struct {
	Text string `bp:"maxlen=20"`
}

func (Hit) event()   {}
func (*Chat) event() {}

func init() { tagcodec.RegisterUnion[Event](Hit{}, &Chat{}) }

// Rest has what is not in the others: what generated code does with methods of
// genrt, with alignment, and with the engine for a part of the message.
type Rest struct {
	Kind        uint8          `bp:"bits=3"`
	_           struct{}       `bp:"const,bits=5,value=21"`
	Turn        [4]float32     `bp:"quat,bits=9"`
	Face        Vec            `bp:"unit,bits=10"`
	Height      float32        `bp:"half"`
	Base        uint32         `bp:"bits=20"`
	Next        uint32         `bp:"relative,to=Base"`
	Often       uint16         `bp:"common=0|7,bits=10"`
	Temp        int16          `bp:"fixed,frac=3,min=-5,max=5"`
	_           struct{}       `bp:"align"`
	Raw         []byte         `bp:"maxlen=12"`
	Hash        [8]byte        // one word
	Steps       []Step         `bp:"maxlen=4"`
	Flags       map[bool]uint8 `bp:"maxlen=2"` // the engine
	Level       int8           `bp:"int,min=-3,max=9,if=Kind!=2"`
	Wide        uint64         `bp:"if=Kind&4"`
	More        *uint16        `bp:"if=Level==9"`
	Grid        [2][3]int8     `bp:"int,min=-2,max=2"`
	Close       [20]bool
	Sparse      []*Item `bp:"subset=bitmap,maxlen=9"`
	First, Last string  `bp:"maxlen=9"`
	Weight      float64 `bp:"float,min=0,max=1,bits=40,optional"`
	Big         bits.Uint128
}

// Vec is a direction.
type Vec struct{ X, Y, Z float32 }

// Step is an element whose numbers ascend.
type Step struct {
	ID uint32 `bp:"relative,chain"`
	On bool
}

// Maybe has values that may be absent.
type Maybe struct {
	Name   string               `bp:"maxlen=9,optional"`
	Key    [4]byte              `bp:"bytes,optional"`
	Hash   [8]byte              `bp:"optional"`
	Seen   uint32               `bp:"varint,optional"`
	Spot   struct{ X, Y int16 } `bp:"optional"`
	Face   Vec                  `bp:"unit,bits=10,optional"`
	Height float32              `bp:"half,optional"`
	Yaw    float64              `bp:"angle,bits=9,optional"`
	Speed  float32              `bp:"min=-1,max=1,res=0.01,optional"`
	In     bool
	Out    uint8   `bp:"if=In"`
	Deep   int16   `bp:"if=Out==3"`
	Deeper uint16  `bp:"if=Deep!=-3"`
	Warm   float32 `bp:"common=0|1.5"`
	Cold   int8    `bp:"common=-1,min=-3,max=3"`
	Yes    bool    `bp:"optional"`
}
