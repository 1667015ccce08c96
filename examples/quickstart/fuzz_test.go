package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	attack.Fuzz(f,
		attack.Type(players, runner(), standing()),
		attack.Type(worlds, exampleWorld(), movingWorld()),
	)
}
