package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"scattered over the scene bitmap index sentinel relative auto 1 sent 500 3 3 5 4 2 sent 500 5 5 7 5",
		"2000 sent 500 3002 3002", // the articles' 3000 bytes of plain indices
		"4000 sent 500 6002 6002 501 501 20 neighbours at a time",
		"200 sent 500 302 302 43 44",
	)
}

func TestLayouts(t *testing.T) {
	for _, pick := range []func(*Scene, int){scatter, cluster} {
		scene := newScene()
		pick(scene, 123)
		marked := 0
		for _, o := range scene.Objects {
			if o.Send {
				marked++
			}
		}
		require.Equal(t, 123, marked)
	}
}

// TestObjectBytes checks the size of the objects, which the table leaves out.
func TestObjectBytes(t *testing.T) {
	none, one := newScene(), newScene()
	one.Objects[7].Send = true
	before, err := indexBytes(none, 0, modes[0].as)
	require.NoError(t, err)
	after, err := indexBytes(one, 1, modes[0].as)
	require.NoError(t, err)
	require.Equal(t, before, after, "a bit of the bitmap is set")
}
