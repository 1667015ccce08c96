// Package sizes has types with budgets, and warnings.
package sizes

import "github.com/gobitpack/bitpack/tagcodec"

// Event is a union.
type Event interface{ event() }

func init() { tagcodec.RegisterUnion[Event](hit{}) }

// Message is larger than its budget because of its union.
//
//bp:max 10
type Message struct {
	Event Event `bp:"union"`
}

// Loose is no part of another type.
type Loose struct {
	Text   [100]byte
	Height float32 `bp:"float,min=0,max=1e6,res=0.001"`
}

// Wrong has a wrong budget.
//
//bp:max 1k
type Wrong uint8

// Part has a budget, although Whole contains it.
//
//bp:max 3
type Part struct {
	A uint32 `bp:"uint,bits=32"`
}

// Whole contains Part.
type Whole struct {
	Part Part
	_    struct{} `bp:"align"`
}

type hit struct {
	Damage [10]byte
}

func (hit) event() {}
