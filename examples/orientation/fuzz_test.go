package main

import (
	"testing"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	parts := compress.Affine{Translation: [3]float32{10, -20, 30}, Rotation: [4]float32{0, 0.6, 0, 0.8}, Scale: [3]float32{1, 5, 1}}
	turn, up := [4]float64{0.1, 0.7, -0.7, 0.1}, [3]float64{0, 0.6, -0.8}
	attack.Fuzz(f,
		attack.Type(tagcodec.MustFor[Quat6](), Quat6{turn}),
		attack.Type(tagcodec.MustFor[Quat9](), Quat9{turn}),
		attack.Type(tagcodec.MustFor[Quat16](), Quat16{turn}),
		attack.Type(tagcodec.MustFor[Sign9](), Sign9{turn}),
		attack.Type(tagcodec.MustFor[Sign16](), Sign16{turn}),
		attack.Type(tagcodec.MustFor[Unit6](), Unit6{up}),
		attack.Type(tagcodec.MustFor[Unit8](), Unit8{up}),
		attack.Type(tagcodec.MustFor[Unit12](), Unit12{up}),
		attack.Type(tagcodec.MustFor[Prop](), Prop{Pose(parts)}),
		attack.Type(tagcodec.MustFor[Matrix](), Matrix{parts.Matrix()}),
	)
}
