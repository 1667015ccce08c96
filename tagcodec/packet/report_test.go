package packet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSendingReportsNothing sends while the program holds a lock that the function
// for reports needs. The window moves past hundreds of datagrams in each round,
// but they are reported by the tick after it, each once and in order.
func TestSendingReportsNothing(t *testing.T) {
	c := testConfig(None)
	c.Acks, c.Messages, c.MTU, c.MaxPacket = true, 4, 300, 1000
	p := MustNew(c, Of[blob]().MayExceed(), Of[input]())
	client, _ := pair(t, p)
	locked := false
	next := uint64(0)
	client.OnReport(func(r Report) {
		require.False(t, locked, "reported while the program sends")
		require.Equal(t, Report{Sequence: next, Values: r.Values}, r)
		next++
	})
	b := p.NewBatch()
	require.NoError(t, b.addAll([]any{testInput, &blob{make([]byte, 600)}}))
	seal := []func() error{
		func() error { _, err := client.Append(nil, Tracked{testInput, 1}); return err },
		func() error { return client.SealEach(b, func([]byte) error { return nil }) },
		func() error { _, err := client.AppendKeepalive(nil); return err },
		func() error { _, err := client.Flush(nil); return err },
		func() error {
			if err := client.Queue(testInput); err != ErrQueueFull {
				return err
			}
			return nil
		},
	}
	for round := range 10 {
		locked = true
		before := next
		for i := 0; client.Sent() < uint64(round+1)*WindowSize; i++ {
			require.NoError(t, seal[i%len(seal)]())
		}
		require.Equal(t, before, next)
		locked = false
		client.Tick(testNow.Add(time.Duration(round) * time.Second))
		require.Equal(t, client.Sent()-WindowSize, next, "all that have left the window")
	}
}

// TestServerReportsInReceiveAndTick requires that the methods of a Server and its
// peers that send do not call Reported.
func TestServerReportsInReceiveAndTick(t *testing.T) {
	c := testConfig(ChaCha20Poly1305)
	c.Acks, c.Messages = true, 4
	p := MustNew(c, Of[input]())
	locked, reports := false, 0
	a := newArena(t, p, ServerConfig{Reported: func(_ *Peer, r Report) {
		require.False(t, locked, "reported while the program sends")
		reports++
	}})
	a.mustJoin(1, testAddressOf(1))
	a.wire = func(sent) []sent { return nil } // everything is lost
	peer := a.server.ByUser(1)
	b := p.NewBatch()
	require.NoError(t, b.Add(testInput))
	locked = true
	require.NoError(t, peer.Queue(testInput))
	for range WindowSize {
		require.NoError(t, peer.Send(testInput))
		require.NoError(t, a.server.Broadcast(b))
	}
	require.Zero(t, reports)
	locked = false
	a.server.Tick(a.now)
	require.Equal(t, int(peer.Session().Sent())-WindowSize, reports)
	reports, locked = 0, true
	peer.Kick(ReasonKicked)
	require.Zero(t, reports)
}
