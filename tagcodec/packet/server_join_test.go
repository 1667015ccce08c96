package packet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReplacedWhileJoining lets a user join again while Joined runs for the
// first time. The first client is sent a disconnect after its welcome, unless
// its address now belongs to the second.
func TestReplacedWhileJoining(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	for _, row := range []struct {
		name   string
		second int // the number of the second client's address
		want   int // datagrams to the first address
	}{
		{"at another address", 2, 1 + disconnects},
		{"at the same address", 1, 2}, // both welcomes
	} {
		t.Run(row.name, func(t *testing.T) {
			a := newArena(t, p, ServerConfig{})
			join := func(address int) {
				_, session := pair(t, p)
				client := &Joined{User: 5, Session: session, Attempt: nonce{byte(len(a.log))}}
				require.NoError(t, a.server.join(testAddressOf(address), client, []byte("welcome"), a.now))
			}
			a.onJoin = func(*Peer) {
				a.onJoin = nil
				join(row.second)
			}
			join(1)
			require.Equal(t, []string{"joined 5", "left 5: packet: disconnected: replaced by a later session", "joined 5"}, a.happened())
			got := 0
			for _, d := range a.queue {
				if d.to == testAddressOf(1) {
					got++
				}
			}
			require.Equal(t, row.want, got)
		})
	}
}

// TestWelcomeOutlivesItsBuffer lets two clients join while Joined runs for another.
// Their welcomes wait while the server answers more datagrams.
func TestWelcomeOutlivesItsBuffer(t *testing.T) {
	a := newArena(t, testProtocol(t, testConfig(HMAC(16))), ServerConfig{})
	var second, third *Client
	a.onJoin = func(*Peer) {
		a.onJoin = nil
		second = a.join(2, testAddressOf(2))
		third = a.join(3, testAddressOf(3))
		require.Nil(t, second.Session(), "the welcome waits for Joined")
	}
	a.join(1, testAddressOf(1))
	for _, c := range []*Client{second, third} {
		require.NotNil(t, c.Session())
	}
}
