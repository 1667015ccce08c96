package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	attack.Fuzz(f, attack.Type(ticks, Tick{[]Event{
		Hit{Target: 7, Damage: 35}, Jump{}, &Spawn{Kind: "orc", At: [2]int16{-500, 12}}, &Spawn{Kind: "imp"}, Chat{"gg"}, nil,
	}}))
}
