package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCodes checks that every code has a name, that its traits agree, and that its
// op is a node of the tree unless it has no bits of its own.
// TestLoopsNameEveryCode in tagcodec finds a function that lacks a code.
func TestCodes(t *testing.T) {
	names := map[string]bool{}
	for i := range NumCodes {
		c := Code(i)
		name := c.String()
		require.NotEmpty(t, name, "code %d", i)
		require.False(t, names[name], name)
		names[name] = true
		require.False(t, c.Single() && c.Encloses(), name)
		require.False(t, c.Integer() && !c.Single(), name)
		require.False(t, c.Extended() && !c.Integer(), name)
		require.Equal(t, c.PrefixCoded(), prefixCodes[c].encode != nil && prefixCodes[c].decode != nil, name)
		require.False(t, c.PrefixCoded() && (c.Single() || !c.Scalar()), name)
		require.False(t, c.Repeats() && !c.Block(), name)
		require.Equal(t, c.Ends() || c == CodePresent, kinds[c] == "", name)
	}
	for i := NumCodes; i < len(codeTraits); i++ {
		require.Zero(t, codeTraits[i], "code %d", i)
		require.Panics(t, func() { _ = Code(i).String() })
	}
}
