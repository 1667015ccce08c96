package enginetest

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// buried has links in nested values.
type buried struct {
	Next  *buried
	Links []*int `bp:"link,bits=2,maxlen=65535"`
}

// TestPatchesOfDeepLinks decodes many unknown links in many nested blocks. The
// cost of a patch must not grow with the depth.
func TestPatchesOfDeepLinks(t *testing.T) {
	const depth, links = 900, 4000
	w := bits.NewAppendWriter(nil)
	for range depth {
		w.WriteBool(true)
	}
	w.WriteBool(false)
	w.WriteBits(links, 16)
	for range links {
		w.WriteBits(1, 2)
	}
	for range depth {
		w.WriteBits(0, 16)
	}
	context := tagcodec.NewLinkingContext()
	context.SetMaxWaiting(links)
	codec := tagcodec.MustFor[buried](tagcodec.WithLinker(context))
	var v buried
	var err error
	took := allocated(func() {
		context.Forget()
		v = buried{}
		err = codec.Unmarshal(w.Bytes(), &v)
	})
	require.NoError(t, err)
	patches := context.Waiting()
	require.Len(t, patches, links)
	require.Less(t, took, uint64(2000*links), "bytes for each link")
	require.Regexp(t, `^buried(\.Next){8}\[\.\.\.\](\.Next){7}\.Links\[3999\]$`, patches[links-1].Path)

	// The reference interpreter must create the same patches.
	plain, read := tagcodec.NewLinkingContext(), new(buried)
	plain.SetMaxWaiting(links)
	c := settingsWith(tagcodec.WithLinker(plain))
	require.NoError(t, referenceUnmarshal(&c, codec.Plan().Data(), reflect.ValueOf(read).Elem(), w.Bytes()))
	require.Len(t, plain.Waiting(), links)
	for i, p := range plain.Waiting() {
		if p.ID != patches[i].ID || p.Path != patches[i].Path {
			require.Failf(t, "patch", "%d of %s, not %d of %s", p.ID, p.Path, patches[i].ID, patches[i].Path)
		}
	}

	seven := 7
	require.NoError(t, context.Add(1, &seven))
	deepest := &v
	for deepest.Next != nil {
		deepest = deepest.Next
	}
	require.Same(t, &seven, deepest.Links[links-1])
}
