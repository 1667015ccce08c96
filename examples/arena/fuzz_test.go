package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program, as if no
// datagram protection had kept them out.
func FuzzTypes(f *testing.F) {
	var snapshot Snapshot
	newWorld(3, 1).fill(&snapshot)
	attack.Fuzz(f,
		attack.Type(tagcodec.MustFor[Snapshot](), snapshot),
		attack.Type(tagcodec.MustFor[Input](), Input{Tick: 7, Thrust: [2]int{-1, 1}}),
		attack.Type(tagcodec.MustFor[changedInput](), changedInput{Thrust: [2]int{-8, 8}}),
	)
}
