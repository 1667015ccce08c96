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

// TestRetail requires that retail builds send the same datagrams as if there
// were no end check, and that a gate tells the two kinds of build apart.
func TestRetail(t *testing.T) {
	for _, protection := range protections {
		t.Run(protection.String(), func(t *testing.T) {
			c := testConfig(protection)
			without := testProtocol(t, c)
			c.EndCheck = true
			debug := testProtocol(t, c)
			c.Retail = true
			retail := testProtocol(t, c)

			require.Equal(t, without.ID(), retail.ID())
			require.Equal(t, without.Overhead(), retail.Overhead())
			require.Equal(t, debug.Overhead()-4, retail.Overhead())
			require.NotEqual(t, debug.ID(), retail.ID())

			client, server := pair(t, retail)
			same, _ := pair(t, without)
			debugClient, debugServer := pair(t, debug)
			d := sealAt(t, client, 3, testInput)
			require.Equal(t, sealAt(t, same, 3, testInput), d)
			checked := sealAt(t, debugClient, 4, testInput)
			require.Len(t, checked, len(d)+4)

			_, err := debugServer.Decode(append([]byte(nil), d...))
			require.Error(t, err)
			_, err = server.Decode(checked)
			require.Error(t, err)
			v, err := server.Decode(d)
			require.NoError(t, err)
			require.Equal(t, &testInput, v)

			j := testJoin(t, retail)
			_, reply, _, err := say(t, j, testGate(debug), testAddress, testNow)
			require.Equal(t, ErrProtocol, err)
			_, err = j.Read(reply)
			require.ErrorContains(t, err, "no end check here, end check there")
		})
	}
}
