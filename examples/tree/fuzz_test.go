package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	attack.Fuzz(f, attack.Type(parts, newTank()), attack.Type(orders, *list(5)), attack.Type(tagcodec.MustFor[Order](), *list(3)))
}
