// Package game has message types for the tests of bp.
package game

import (
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// Event is a member of a union.
type Event interface{ event() }

type hit struct {
	Damage uint8 `bp:"uint,min=1,max=100"`
}

func (hit) event() {}

func init() { tagcodec.RegisterUnion[Event](hit{}) }

type item struct {
	Kind  uint8 `bp:"enum,max=7"`
	Count int   `bp:"int,min=1,max=64"`
}

type player struct {
	Name   string     `bp:"string,maxlen=15"`
	Health int32      `bp:"int,min=0,max=100"`
	Pos    [2]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	Items  []item     `bp:"maxlen=30"`
	Last   Event      `bp:"union"`
}

// chat is tagged, and nothing contains it or passes it to the library.
type chat struct {
	Text string `bp:"string,maxlen=80"`
}

// pair has two of a type.
type pair[T any] struct{ A, B T }

// plain has no tags. Only Marshal selects it.
type plain struct{ A uint8 }

// Send uses the types.
func Send() error {
	_ = tagcodec.MustFor[player]()
	_ = packet.Of[pair[uint16]]()
	_ = chat{}
	_, err := tagcodec.Marshal(plain{})
	return err
}
