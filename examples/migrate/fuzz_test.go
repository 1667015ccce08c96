package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	plain, short := states()
	attack.Fuzz(f, attack.Type(tagcodec.MustFor[tight](), short[:8]...), attack.Type(tagcodec.MustFor[state](), plain[:8]...))
}
