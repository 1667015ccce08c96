package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	attack.Fuzz(f,
		attack.Type(tagcodec.MustFor[World](), World{Bodies: []Body{{ID: 5, Rotation: [4]float32{3: 1}}}}),
		attack.Type(tagcodec.MustFor[Update](), Update{[]byte{1, 2, 3}}),
		attack.Type(tagcodec.MustFor[Restart](), Restart{}),
	)
}
