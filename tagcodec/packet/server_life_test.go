package packet

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestKeepalive lets a minute pass in which neither side sends anything else. Both
// must stay connected, with few datagrams. Other datagrams take the place of
// keepalives.
func TestKeepalive(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	a := newArena(t, p, ServerConfig{Timeout: 10 * time.Second, Keepalive: 2 * time.Second})
	c := a.mustJoin(1, testAddressOf(1))
	peer := a.server.ByAddress(testAddressOf(1))
	a.wire = func(d sent) []sent {
		require.LessOrEqual(t, len(d.data), p.headerEnd+2+1+p.trailerLen)
		return []sent{d}
	}
	for range 600 {
		a.step(100 * time.Millisecond)
	}
	require.NoError(t, c.Err())
	require.Equal(t, 1, a.server.Len())
	require.InDelta(t, 60/2, c.Session().Sent(), 1)
	require.InDelta(t, 60/2, peer.Session().Sent(), 1)

	a.wire = nil
	for range 30 {
		a.step(100 * time.Millisecond)
		up, down := c.Session().Sent(), peer.Session().Sent()
		require.NoError(t, c.Send(&input{}))
		require.NoError(t, peer.Send(&chat{"hello"}))
		a.step(0)
		require.Equal(t, [2]uint64{up + 1, down + 1}, [2]uint64{c.Session().Sent(), peer.Session().Sent()})
	}
	a.step(1900 * time.Millisecond)
	sent := c.Session().Sent()
	a.step(100 * time.Millisecond)
	require.Equal(t, sent+1, c.Session().Sent(), "2 seconds after the last")
}

// TestTimeout cuts the network in each direction and in both.
func TestTimeout(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	for _, row := range []struct {
		up, down bool // which directions work
		left     string
	}{
		{false, false, "left 1: packet: disconnected: timed out"},
		{true, false, "left 1: packet: disconnected: the client left"}, // the client hears nothing and says so
		{false, true, "left 1: packet: disconnected: timed out"},
	} {
		a := newArena(t, p, ServerConfig{Timeout: 3 * time.Second})
		c := a.mustJoin(1, testAddressOf(1))
		a.happened()
		a.wire = func(d sent) []sent {
			if d.to.IsValid() && row.down || !d.to.IsValid() && row.up {
				return []sent{d}
			}
			return nil
		}
		a.step(3 * time.Second)
		require.Equal(t, 1, a.server.Len())
		require.NoError(t, c.Err())
		for range 120 {
			a.step(100 * time.Millisecond)
		}
		require.Equal(t, []string{row.left}, a.happened())
		require.Equal(t, ReasonTimeout, c.Err())
		require.Zero(t, a.server.Len())
		a.check()
	}
}

// TestTimeoutAtOnce requires that the first tick after its timeout removes a
// peer and tells it so.
func TestTimeoutAtOnce(t *testing.T) {
	a := newArena(t, testProtocol(t, testConfig(HMAC(16))), ServerConfig{Timeout: 3 * time.Second})
	c := a.mustJoin(1, testAddressOf(1))
	a.server.Tick(a.now.Add(3 * time.Second))
	require.Equal(t, 1, a.server.Len())
	a.queue = nil
	a.server.Tick(a.now.Add(3*time.Second + 1))
	require.Zero(t, a.server.Len())
	require.Len(t, a.queue, disconnects)
	a.run()
	require.Equal(t, ReasonTimeout, c.Err())
	require.Equal(t, []string{"joined 1", "left 1: packet: disconnected: timed out"}, a.happened())

	// Only authentic datagrams count as a sign of life.
	a.mustJoin(2, testAddressOf(2))
	a.deliver(sent{from: testAddressOf(2), data: make([]byte, 40)})
	a.server.Tick(a.now.Add(3*time.Second + 1))
	require.Zero(t, a.server.Len())
}

func TestDisconnect(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		for _, row := range []struct{ sent, got Reason }{
			{ReasonLeft, ReasonLeft},
			{ReasonApplication, ReasonApplication},
			{255, 255},
			{ReasonKicked, ReasonLeft}, // only the server may give this reason
			{ReasonApplication - 1, ReasonLeft},
		} {
			a := newArena(t, p, ServerConfig{})
			c := a.mustJoin(1, testAddressOf(1))
			a.happened()
			lost := 0
			a.wire = func(d sent) []sent {
				if lost++; lost < disconnects {
					return nil
				}
				return []sent{d}
			}
			c.Disconnect(row.sent)
			c.Disconnect(ReasonApplication + 7)
			require.Len(t, a.queue, disconnects)
			a.run()
			require.Equal(t, []string{"left 1: " + row.got.Error()}, a.happened())
			require.Equal(t, row.sent, c.Err())
			require.Equal(t, row.sent, c.Tick(a.now))
			require.Equal(t, row.sent, c.Send(testInput))
			require.Empty(t, a.queue, "nothing is sent after a disconnect")
			a.check()
			require.Panics(t, func() { c.Disconnect(0) })
		}
	})
}

// TestCallbacks calls the server's methods from within its callbacks.
func TestCallbacks(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	t.Run("kick who joins", func(t *testing.T) {
		a := newArena(t, p, ServerConfig{})
		a.onJoin = func(p *Peer) {
			p.Kick(ReasonApplication)
			a.note("kicked")
			require.Zero(t, a.server.Len())
		}
		c := a.join(1, testAddressOf(1))
		require.Equal(t, []string{"joined 1", "kicked", "left 1: packet: disconnected: reason 128"}, a.happened())
		require.Equal(t, ReasonApplication, c.Err(), "the client is let in, and told why it may not stay")
		a.check()
	})
	t.Run("shut down and look up", func(t *testing.T) {
		a := newArena(t, p, ServerConfig{})
		a.mustJoin(1, testAddressOf(1))
		a.onJoin = func(*Peer) {
			a.server.Shutdown()
			a.server.Tick(a.now)
			require.Nil(t, a.server.ByUser(1))
			require.Empty(t, slices.Collect(a.server.All()))
		}
		c := a.join(2, testAddressOf(2))
		require.Equal(t, ReasonShutdown, c.Err())
		require.Equal(t, []string{"joined 1", "joined 2", "left 1: packet: disconnected: the server is shutting down",
			"left 2: packet: disconnected: the server is shutting down"}, a.happened())
	})
	t.Run("panic", func(t *testing.T) {
		a := newArena(t, p, ServerConfig{})
		a.onJoin = func(*Peer) { panic("of the program") }
		require.Panics(t, func() { a.join(1, testAddressOf(1)) })
		a.onJoin = nil
		a.mustJoin(2, testAddressOf(2))
	})
}

// TestIteration removes peers while iterating over them.
func TestIteration(t *testing.T) {
	a := newArena(t, testProtocol(t, testConfig(None)), ServerConfig{})
	for i := range 20 {
		a.mustJoin(uint64(i), testAddressOf(i))
	}
	seen := map[uint64]int{}
	for p := range a.server.All() {
		seen[p.User()]++
		p.Kick(ReasonKicked)
		if other := a.server.ByAddress(testAddressOf(int(p.User() ^ 1))); other != nil {
			other.Kick(ReasonKicked)
		}
		a.check()
	}
	require.Len(t, seen, 10, "one of each two")
	for user, n := range seen {
		require.Equal(t, 1, n)
		require.Zero(t, seen[user^1], "a peer that was removed must not come")
	}
	require.Zero(t, a.server.Len())
}

func TestShutdown(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{})
		clients := []*Client{a.mustJoin(1, testAddressOf(1)), a.mustJoin(2, testAddressOf(2))}
		a.happened()
		a.server.Shutdown()
		a.run()
		for _, c := range clients {
			require.Equal(t, ReasonShutdown, c.Err())
		}
		require.Zero(t, a.server.Len())
		require.Len(t, a.happened(), 2)
		requireRejected(t, ErrClosed, a.join(3, testAddressOf(3)))
		requireRejected(t, ErrClosed, a.join(1, testAddressOf(1)))
		require.Equal(t, []string{"refused: packet: the server is shutting down", "refused: packet: the server is shutting down"}, a.happened())
		a.check()
	})
}

// TestExhaustedPeers ends a session that cannot send any more.
func TestExhaustedPeers(t *testing.T) {
	a := newArena(t, testProtocol(t, testConfig(AES256GCM)), ServerConfig{})
	for i, send := range []func(p *Peer){
		func(p *Peer) { require.Equal(t, ErrExhausted, p.Send(testInput)) },
		func(p *Peer) { // the error names the peer, and the other one gets the batch
			other := a.mustJoin(8, testAddressOf(8))
			require.Equal(t, []string{"joined 8"}, a.happened())
			b := a.p.NewBatch()
			require.NoError(t, b.Add(testInput))
			a.queue = nil
			err := a.server.Broadcast(b)
			require.ErrorIs(t, err, ErrExhausted)
			require.Equal(t, strings.Replace(ErrExhausted.Error(), "packet: ", fmt.Sprintf("packet: broadcast to %v: ", p.Address()), 1), err.Error())
			i := slices.IndexFunc(a.queue, func(d sent) bool { return d.to == testAddressOf(8) })
			contents, err := other.Receive(a.queue[i].data, a.now)
			require.NoError(t, err)
			v, err := contents.Next()
			require.NoError(t, err)
			require.Equal(t, &testInput, v)
			require.NoError(t, a.server.Broadcast(b), "the exhausted peer is gone")
		},
		func(*Peer) {
			a.server.Tick(a.now.Add(time.Second))
			a.server.Tick(a.now.Add(5 * time.Second))
		},
	} {
		a.mustJoin(uint64(i), testAddressOf(i))
		a.happened()
		p := a.server.ByUser(uint64(i))
		p.Session().out.next, p.Session().out.spent = math.MaxUint64, true
		send(p)
		require.Equal(t, []string{fmt.Sprintf("left %d: packet: disconnected: the session has used all its sequence numbers", i)}, a.happened(), i)
	}
	c := a.mustJoin(9, testAddressOf(9))
	c.Session().out.spent = true
	c.Session().out.next = math.MaxUint64
	require.ErrorIs(t, c.Send(testInput), ErrExhausted)
	require.NoError(t, c.Tick(a.now.Add(time.Second)))
	require.Equal(t, ReasonExhausted, c.Tick(a.now.Add(4*time.Second)))
}

// TestClientWaits tries to join a server that does not answer, and gives up.
func TestClientWaits(t *testing.T) {
	a := newArena(t, testProtocol(t, testConfig(ChaCha20Poly1305)), ServerConfig{})
	c := a.client(1, testAddressOf(1))
	require.Equal(t, ErrNotJoined, c.Send(testInput))
	requests := 0
	a.wire = func(sent) []sent { requests++; return nil }
	for range 99 {
		a.step(100 * time.Millisecond)
		require.NoError(t, c.Err())
	}
	require.Equal(t, 50, requests)
	a.step(500 * time.Millisecond)
	require.Equal(t, ReasonTimeout, c.Err())
	_, err := c.Receive([]byte("bitpack, or something that looks like it"), a.now)
	require.Equal(t, ReasonTimeout, err)

	c = a.client(1, testAddressOf(1))
	_, err = c.Receive([]byte{1, 2, 3}, a.now)
	require.Equal(t, ErrStranger, err)
	require.Equal(t, uint64(1), c.Counters().Refused(ErrStranger))
	c.Disconnect(ReasonLeft) // tells nobody
	require.Empty(t, a.queue)
}
