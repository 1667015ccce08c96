package packet

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
