package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	some := newScene()
	cluster(some, 3)
	attack.Fuzz(f,
		attack.LargeType(tagcodec.MustFor[Bitmap](), (*Bitmap)(some)),
		attack.LargeType(tagcodec.MustFor[Index](), (*Index)(some)),
		attack.LargeType(tagcodec.MustFor[Sentinel](), (*Sentinel)(some)),
		attack.LargeType(tagcodec.MustFor[Relative](), (*Relative)(some)),
		attack.LargeType(tagcodec.MustFor[Auto](), (*Auto)(some)),
	)
}
