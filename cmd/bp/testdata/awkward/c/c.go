// Package c is called like a parameter of generated code.
package c

import (
	"github.com/gobitpack/bitpack/cmd/bp/testdata/awkward/c/internal/far"
	"github.com/gobitpack/bitpack/cmd/bp/testdata/awkward/internal/deep"
)

type (
	Kind  uint8
	Names []string
	Spot  struct {
		At  Kind
		hid int
		inner
		Depth deep.Depth
	}
	Far struct {
		D []far.Distance `bp:"maxlen=3"`
		E far.Distance
		F far.Point
	}
	inner struct{ Deep int8 }
	small uint8
	Tiny  struct{ S small }
)

// Use refers to what only embedding reaches.
func (s *Spot) Use() int { return s.hid + int(s.Deep) }

// Event is a member of a union elsewhere.
type Event struct{ At Kind }

// Happens does nothing.
func (*Event) Happens() {}
