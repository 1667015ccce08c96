package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	snapshot := newSnapshot()
	attack.Fuzz(f,
		attack.Type(tagcodec.MustFor[Snapshot](), snapshot),
		attack.Type(tagcodec.MustFor[Player](), snapshot.Players...),
		attack.Type(tagcodec.MustFor[Pose](), snapshot.Players[0].Pose),
	)
}
