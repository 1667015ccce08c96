package packet

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// TestBadNetworkOfPlayers has players come and go over a network that loses,
// repeats, delays and damages datagrams, and checks the invariants after each
// step.
func TestBadNetworkOfPlayers(t *testing.T) {
	for seed := range uint64(effort.Rounds(t, 1)) {
		eachServer(t, func(t *testing.T, p *Protocol) {
			if p.config.Protection == None {
				t.Skip("nothing finds what is damaged")
			}
			random := rand.New(rand.NewPCG(seed, 8))
			a := newArena(t, p, ServerConfig{MaxPeers: 6, PerAddress: 6, KeepOlder: seed%2 == 1, Timeout: 2 * time.Second})
			a.wire = badWire(random)
			online := map[*Peer]bool{}
			joined := 0
			a.onJoin = func(p *Peer) {
				require.False(t, online[p])
				online[p] = true
				joined++
			}
			a.onLeave = func(p *Peer, reason Reason) {
				require.True(t, online[p], "a peer leaves once, after it has joined")
				require.True(t, p.Gone())
				delete(online, p)
			}
			for range 600 {
				at := testAddressOf(random.IntN(8))
				switch c := a.clients[at]; {
				case c == nil || c.Err() != nil:
					a.client(uint64(random.IntN(6)), at)
				case random.IntN(40) == 0:
					c.Disconnect(ReasonLeft)
				case random.IntN(40) == 0:
					delete(a.clients, at) // its program crashes
				case random.IntN(40) == 0:
					if p := a.server.ByAddress(at); p != nil {
						p.Kick(ReasonKicked)
					}
				default:
					c.Send(&input{Tick: 1}) // fails if it has not joined
				}
				a.step(50 * time.Millisecond)
				a.check()
				require.Equal(t, a.server.Len(), len(online))
			}
			require.Greater(t, joined, 10)
			require.NotEmpty(t, a.inputs)
			a.wire = nil
			clear(a.clients)
			for range 50 {
				a.step(50 * time.Millisecond)
			}
			require.Zero(t, a.server.Len())
			require.Empty(t, online)
			require.Empty(t, a.server.notices)
			a.check()
		})
	}
}

// TestServerConcurrent calls the server's methods from several goroutines at
// once.
func TestServerConcurrent(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	const players, rounds = 8, 40
	var clients [players]atomic.Pointer[Client]
	var server *Server
	var online atomic.Int64
	inCallback := false // unsynchronized, so that the race detector watches it
	c := ServerConfig{
		Gate: GateConfig{Rate: 1e6, Burst: 1e6, Admit: func(uint64) ([]byte, bool) { return testSecret, true }},
		Send: func(to netip.AddrPort, datagram []byte) {
			if c := clients[to.Addr().As4()[3]].Load(); c != nil {
				c.Receive(slices.Clone(datagram), testNow)
			}
		},
		Joined: func(p *Peer) {
			inCallback = !inCallback
			p.Value = p.User()
			online.Add(1)
			if p.User()%5 == 4 {
				p.Kick(ReasonKicked)
			}
		},
		Left: func(p *Peer, _ Reason) {
			inCallback = !inCallback
			online.Add(-1)
			server.ByUser(p.User() ^ 1)
		},
		Refused: func(netip.AddrPort, Refusal) {},
	}
	server, err := p.NewServer(c)
	require.NoError(t, err)

	var playing, others sync.WaitGroup
	done := make(chan struct{})
	for i := range players {
		playing.Go(func() {
			at := testAddressOf(i)
			for n := range rounds {
				c, err := p.NewClient(ClientConfig{User: uint64(i / 2 * 2), Secret: testSecret, Send: func(datagram []byte) {
					if peer, contents, err := server.Receive(at, slices.Clone(datagram), testNow); err == nil && peer != nil {
						if contents.More() && peer.Value != peer.User() {
							t.Error("a packet was received before Joined returned")
						}
					}
				}})
				if err != nil {
					t.Error(err)
					return
				}
				clients[i].Store(c)
				now := testNow
				for range 10 {
					now = now.Add(joinInterval)
					c.Tick(now)
					c.Send(&testInput)
				}
				if n%2 == 0 {
					c.Disconnect(ReasonLeft)
				}
			}
		})
	}
	b := p.NewBatch()
	require.NoError(t, b.Add(testInput))
	for range 2 {
		others.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				server.Tick(testNow)
				server.Broadcast(b)
				for p := range server.All() {
					if n%50 == 0 {
						p.Kick(ReasonApplication)
					}
					p.HeardAt()
				}
			}
		})
	}
	playing.Wait()
	close(done)
	others.Wait()
	require.Equal(t, server.Len(), int(online.Load()))
	server.Shutdown()
	require.Zero(t, online.Load())
	require.Zero(t, server.Len())
}
