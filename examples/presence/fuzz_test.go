package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	h := heights()
	attack.Fuzz(f,
		attack.Type(tagcodec.MustFor[Optional](), Optional{h.V[:]}),
		attack.Type(tagcodec.MustFor[Common1](), Common1(h)),
		attack.Type(tagcodec.MustFor[Common2](), Common2(h)),
		attack.Type(tagcodec.MustFor[Huffman](), Huffman(h)),
		attack.LargeType(tagcodec.MustFor[Fixed](), new(Fixed)),
	)
}
