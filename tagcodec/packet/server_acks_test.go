package packet

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestServerAcks lets a server and its clients acknowledge over a bad network.
// Each datagram is reported to its own side once, and what the handlers saw is
// reported delivered while the clients stay silent.
func TestServerAcks(t *testing.T) {
	p := ackProtocol(t, HMAC(16))
	type from struct {
		user uint64
		seq  uint64
	}
	reported := map[from]bool{}
	a := newArena(t, p, ServerConfig{Reported: func(p *Peer, r Report) {
		key := from{p.User(), r.Sequence}
		_, twice := reported[key]
		require.False(t, twice)
		reported[key] = r.Delivered
		if r.Delivered && len(r.Values) > 0 {
			require.NoError(t, p.Send(chat{"sent in a report"}))
		}
	}})
	for user := range uint64(3) {
		a.mustJoin(user, testAddressOf(int(user)))
	}
	random := rand.New(rand.NewPCG(7, 8))
	a.wire = badWire(random)
	received := map[netip.AddrPort]map[uint64]bool{}
	a.opened = func(at netip.AddrPort, c *Contents) {
		if received[at] == nil {
			received[at] = map[uint64]bool{}
		}
		received[at][c.Sequence()] = true
		for c.More() {
			_, err := c.Next()
			require.NoError(t, err)
		}
		c.Accept()
	}
	for range 1000 {
		a.step(15 * time.Millisecond)
		for peer := range a.server.All() {
			peer.Send(Tracked{testSnapshot(3), "value"})
		}
		a.run()
	}
	a.wire = nil
	for range 40 {
		a.step(15 * time.Millisecond)
	}
	delivered, lost := 0, 0
	for user := range uint64(3) {
		peer := a.server.ByAddress(testAddressOf(int(user)))
		for seq := range peer.Session().Sent() - 2*WindowSize {
			was, ok := reported[from{user, seq}]
			require.True(t, ok)
			if was {
				delivered++
				require.True(t, received[testAddressOf(int(user))][seq], "user %d, datagram %d", user, seq)
			} else {
				lost++
				require.False(t, received[testAddressOf(int(user))][seq], "user %d, datagram %d", user, seq)
			}
		}
		e := peer.Session().Estimates()
		require.InDelta(t, 0.2, e.Loss, 0.2)
		require.NotZero(t, e.RTT)
	}
	require.Greater(t, delivered, 2*lost)
	require.NotZero(t, lost)
}

// TestClientReports requires that a client hears of its own datagrams while the
// server says nothing by itself.
func TestClientReports(t *testing.T) {
	p := ackProtocol(t, ChaCha20Poly1305)
	a := newArena(t, p, ServerConfig{})
	var reports []Report
	a.onReport = func(r Report) { reports = append(reports, r) }
	c := a.mustJoin(1, testAddressOf(1))
	require.NoError(t, c.Send(Tracked{testInput, "value"}))
	a.run()
	require.Empty(t, reports)
	for range 3 {
		a.step(20 * time.Millisecond)
	}
	require.Len(t, reports, 1)
	require.True(t, reports[0].Delivered)
	require.Equal(t, 40*time.Millisecond, c.Session().Estimates().RTT)

	plain := testProtocol(t, testConfig(None))
	_, err := plain.NewServer(ServerConfig{Send: func(netip.AddrPort, []byte) {}, Reported: func(*Peer, Report) {}})
	require.ErrorContains(t, err, "Acks")
	_, err = plain.NewClient(ClientConfig{Send: func([]byte) {}, Reported: func(Report) {}})
	require.ErrorContains(t, err, "Acks")
}
