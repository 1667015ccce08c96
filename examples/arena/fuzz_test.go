package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program, as if no
// datagram protection had kept them out.
func FuzzTypes(f *testing.F) {
	attack.Fuzz(f,
		attack.Type(tagcodec.MustFor[World](), newWorld(3, 1).World),
		attack.Type(tagcodec.MustFor[Input](), Input{Thrust: [2]int{-1, 1}}),
		attack.Type(tagcodec.MustFor[changedInput](), changedInput{Thrust: [2]int{-8, 8}}),
		attack.Type(tagcodec.MustFor[Update](), Update{[]byte{1, 2, 3}}),
		attack.Type(tagcodec.MustFor[Blast](), Blast{[2]float32{-500, 0.25}}),
		attack.Type(tagcodec.MustFor[Welcome](), Welcome{999}),
		attack.Type(tagcodec.MustFor[Bomb](), Bomb{}),
	)
}
