// Package gen has types for which bp gen writes code.
package gen

import "github.com/gobitpack/bitpack/tagcodec"

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
