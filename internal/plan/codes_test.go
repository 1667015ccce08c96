package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryCodeHasARow makes sure that nothing of a row is left out. A code
// without a function panics where it is used first.
func TestEveryCodeHasARow(t *testing.T) {
	names := map[string]bool{}
	for i := range NumCodes {
		c := Code(i)
		row := &codeTable[c]
		require.NotEmpty(t, row.name, "code %d", i)
		require.False(t, names[row.name], row.name)
		names[row.name] = true
		require.Equal(t, row.name, c.String())
		require.NotNil(t, row.size, row.name)
		require.NotNil(t, row.text, row.name)
		require.NotNil(t, row.form, row.name)
		require.Equal(t, c.Encloses() || c.Block(), row.own != nil, row.name)
		require.False(t, c.Single() && c.Encloses(), row.name)
		require.False(t, c.Integer() && !c.Single(), row.name)
		require.False(t, c.Extended() && !c.Integer(), row.name)
		require.Equal(t, c.PrefixCoded(), prefixCodes[c].encode != nil && prefixCodes[c].decode != nil, row.name)
		require.False(t, c.PrefixCoded() && (c.Single() || !c.Scalar()), row.name)
		require.False(t, c.Repeats() && !c.Block(), row.name)
	}
	for i := NumCodes; i < len(codeTraits); i++ {
		require.Zero(t, codeTraits[i], "code %d", i)
		require.Panics(t, func() { _ = Code(i).String() })
	}
}
