package packet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

type shot struct {
	Power uint8
	_     struct{} `bp:"check"`
}

// TestRetailWithoutChecks requires that retail builds have no fields of kind check.
func TestRetailWithoutChecks(t *testing.T) {
	sizes := map[bool]int{}
	ids := map[bool]uint64{}
	for _, retail := range []bool{false, true} {
		c := testConfig(None)
		c.Retail = retail
		p, err := New(c, Of[shot]())
		require.NoError(t, err)
		sizes[retail], ids[retail] = p.Types()[0].MaxSize, p.ID()
	}
	require.Equal(t, map[bool]int{false: 5, true: 1}, sizes)
	require.NotEqual(t, ids[false], ids[true])
}

// TestRetail requires that retail builds send the same datagrams as if there were no
// end check, and refuse those of builds with it.
func TestRetail(t *testing.T) {
	c := testConfig(ChaCha20Poly1305)
	without := mustSession(t, testProtocol(t, c))
	c.EndCheck = true
	debug := mustSession(t, testProtocol(t, c))
	c.Retail = true
	retail := testProtocol(t, c)
	require.Equal(t, debug.p.Overhead()-4, retail.Overhead())
	client, server := pair(t, retail)
	require.Equal(t, sealAt(t, without, 3, testInput), sealAt(t, client, 3, testInput))
	_, err := server.Decode(sealAt(t, debug, 4, testInput))
	require.Equal(t, ErrForged, err)
}
