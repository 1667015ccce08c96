// Package foreign has types that lose fields. Their own vet reports those with tags.
package foreign

import "github.com/gobitpack/bitpack/bits"

// Base encodes itself.
type Base struct{ ID uint8 }

// Serialize sends the ID.
func (b *Base) Serialize(s *bits.Stream) error { bits.Bits(s, &b.ID, 8); return s.Err() }

// Bare has no tags.
type Bare struct {
	Base
	Health int
}

// Tagged has one.
type Tagged struct {
	Base       // want: Tagged.Base: the method Serialize of the embedded field encodes all of Tagged, so that Health would not be sent: give the field a name, as in Base foreign.Base, give Tagged a method Serialize of its own, or leave the others out with bp:"-"
	Health int `bp:"min=0,max=9"`
}
