// Package large has types that are too large, and warnings. A comment has the text
// that the analyzer reports with -mtu=40.
package large

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Fine has floats. Only the first and some of the others have steps that a float
// cannot hold.
type Fine struct {
	A float32    `bp:"min=0,max=1e6,res=0.001"` // want: Fine.A: res=0.001 is finer than a float32, whose values near 1e+06 are 0.0625 apart: use res=0.0625, or a float64
	B [2]float32 `bp:"min=-1e6,max=0,res=0.0625"`
	C Vec        `bp:"min=-300,max=300,res=1e-6"` // want: Fine.C: res=1e-6 is finer than a float32, whose values near 300 are 3.052e-05 apart: use res=3.052e-05, or a float64
	D float64    `bp:"min=0,max=1e6,res=0.001"`
	E float64    `bp:"min=0,max=1e12,res=1e-3"`
	F []float32  `bp:"min=0,max=1024,res=0.00006103515625,maxlen=0"`
	G float32    `bp:"min=0,max=1,bits=30"`
	H []Inner    `bp:"maxlen=1"`
}

// Vec has no tags.
type Vec struct{ X, Y float32 }

// Inner is in Fine.
type Inner struct {
	A float64 `bp:"min=999999,max=1000000,res=1e-11"` // want: Inner.A: res=1e-11 is finer than a float64, whose values near 1e+06 are 1.164e-10 apart: use res=1.165e-10
}

// Player has a budget.
//
//bp:max 9
type Player struct { // want: Player: up to 11 bytes, and //bp:max allows 9; the largest fields are Name (64 bits), Pos (16 bits), Kind (8 bits): lower their limits, or raise the budget
	Kind uint8
	Pos  struct{ X, Y int8 }
	Name string `bp:"maxlen=7"`
}

// Whole has the size of its budget.
//
//bp:max 4
type Whole uint32

// Over is no struct.
//
//bp:max 3
type Over [4]uint8 // want: Over: up to 4 bytes, and //bp:max allows 3: lower their limits, or raise the budget

// Event is a union, whose members only a run shows.
type Event interface{ event() }

// Own encodes itself.
type Own struct{ A uint8 }

// Serialize does nothing.
func (*Own) Serialize(*bits.Stream) error { return nil }

// Open has parts of unknown size.
//
//bp:max 3
type Open struct { // want: Open: up to 4 bytes without its unions and Serialize methods, and //bp:max allows 3; the largest fields are A (32 bits): lower their limits, or raise the budget
	A     uint32
	Own   Own
	Event Event `bp:"union"`
}

// Enough may be small enough.
//
//bp:max 4
type Enough struct {
	A     uint32
	Own   []Own `bp:"maxlen=0"`
	Event Event `bp:"union"`
}

// Tree has no largest size.
//
//bp:max 1000
type Tree struct { // want: Tree: no largest size, and //bp:max allows 1000; the largest fields are Kids (no limit), A (8 bits): lower their limits, or raise the budget // want: Tree: no largest size, and -mtu allows 40; the largest fields are Kids (no limit), A (8 bits): lower their limits, or send it in fragments
	A    uint8
	Kids []Tree `bp:"maxlen=3"`
}

// Box is generic.
//
//bp:max 3
type Box[T any] struct { // want: Box[uint32]: up to 4 bytes, and //bp:max allows 3; the largest fields are V (32 bits): lower their limits, or raise the budget
	V T `bp:"uint"`
}

var _, _ = Box[uint8]{}, Box[uint32]{}

// Message is larger than a datagram.
type Message struct { // want: Message: up to 50 bytes, and -mtu allows 40; the largest fields are Parts (400 bits): lower their limits, or send it in fragments
	Parts [5]Part
	_     struct{} `bp:"align"`
}

// Part is too, but only Message is sent.
type Part struct {
	Bytes [10]byte `bp:"bytes"`
}

// Sent has no tags.
type Sent [6]uint64

var _, _ = tagcodec.For[Sent]() // want: Sent: up to 48 bytes, and -mtu allows 40: lower their limits, or send it in fragments

type (
	// One is in a group.
	//
	//bp:max 3
	One struct { // want: One: up to 4 bytes, and //bp:max allows 3; the largest fields are A (32 bits): lower their limits, or raise the budget
		A uint32
	}
	Two uint8
)

// Held is a message, and in another one.
type Held struct { // want: Held: up to 51 bytes, and -mtu allows 40; the largest fields are Text (408 bits): lower their limits, or send it in fragments
	Text string `bp:"maxlen=50"`
}

// Holder holds it.
type Holder struct { // want: Holder: up to 52 bytes, and -mtu allows 40; the largest fields are In (408 bits), B (3 bits): lower their limits, or send it in fragments
	In Held
	B  uint8 `bp:"bits=3"`
}

var _ = tagcodec.MustFor[Held]
