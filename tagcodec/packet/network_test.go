package packet

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// testArena is a server, its clients and the network between them, with its own
// clock. Datagrams wait in a queue until run delivers them.
type testArena struct {
	t       testing.TB
	p       *Protocol
	server  *Server
	now     time.Time
	clients map[netip.AddrPort]*Client
	queue   []sent
	log     []string // calls of the server's functions
	inputs  []string // packets that the server received

	// wire returns the datagrams to deliver in place of one, or is nil.
	wire func(d sent) []sent
	// onJoin and onLeave are called by the server. Either may be nil.
	onJoin  func(p *Peer)
	onLeave func(p *Peer, reason Reason)
	mux     *Mux
}

// sent is a datagram in transit. One of its two addresses is zero, which is the
// server's.
type sent struct {
	from, to netip.AddrPort
	data     []byte
}

func newArena(t testing.TB, p *Protocol, c ServerConfig) *testArena {
	a := &testArena{t: t, p: p, now: testNow, clients: map[netip.AddrPort]*Client{}, mux: p.NewMux()}
	Handle(a.mux, func(ctx context.Context, v *input) {
		a.inputs = append(a.inputs, fmt.Sprint(PeerFrom(ctx).User(), " ", v.Tick))
	})
	c.Send = func(to netip.AddrPort, datagram []byte) {
		a.queue = append(a.queue, sent{to: to, data: slices.Clone(datagram)})
	}
	if c.Gate.Admit == nil {
		c.Gate.Admit = func(user uint64) ([]byte, bool) { return a.secret(user), user < 1<<32 }
	}
	if c.Gate.Rate == 0 {
		c.Gate.Rate, c.Gate.Burst = 1e6, 1e6
	}
	c.Joined = func(p *Peer) {
		a.note("joined %d", p.User())
		if a.onJoin != nil {
			a.onJoin(p)
		}
	}
	c.Left = func(p *Peer, reason Reason) {
		a.note("left %d: %v", p.User(), reason)
		if a.onLeave != nil {
			a.onLeave(p, reason)
		}
	}
	c.Refused = func(_ netip.AddrPort, reason Refusal) { a.note("refused: %v", reason) }
	s, err := p.NewServer(c)
	require.NoError(t, err)
	a.server = s
	return a
}

func (a *testArena) note(format string, args ...any) {
	a.log = append(a.log, fmt.Sprintf(format, args...))
}

// happened returns the log and empties it.
func (a *testArena) happened() []string {
	log := a.log
	a.log = nil
	return log
}

// secret returns the secret of a user.
func (a *testArena) secret(user uint64) []byte {
	if !a.p.config.Protection.keyed() {
		return nil
	}
	return binary.LittleEndian.AppendUint64(slices.Clone(testSecret), user)
}

func testAddressOf(n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}), 4000)
}

// client adds a client at an address, replacing the one there.
func (a *testArena) client(user uint64, at netip.AddrPort) *Client {
	c, err := a.p.NewClient(ClientConfig{User: user, Secret: a.secret(user), Send: func(datagram []byte) {
		a.queue = append(a.queue, sent{from: at, data: slices.Clone(datagram)})
	}})
	require.NoError(a.t, err)
	a.clients[at] = c
	return c
}

// run delivers all datagrams in transit, and those sent in reply.
func (a *testArena) run() {
	for range 100000 {
		if len(a.queue) == 0 {
			return
		}
		d := a.queue[0]
		a.queue = a.queue[1:]
		arriving := []sent{d}
		if a.wire != nil {
			arriving = a.wire(d)
		}
		for _, d := range arriving {
			a.deliver(d)
		}
	}
	a.t.Fatal("the network never falls silent")
}

func (a *testArena) deliver(d sent) {
	data := slices.Clone(d.data)
	if d.to.IsValid() {
		if c := a.clients[d.to]; c != nil {
			c.Receive(data, a.now)
		}
		return
	}
	peer, contents, err := a.server.Receive(d.from, data, a.now)
	if !IsHandshake(d.data) {
		require.Equal(a.t, err != nil, peer == nil, "%v", err)
	}
	if peer != nil {
		a.mux.Serve(peer.Context(), contents)
	}
}

// step advances the clock and delivers everything.
func (a *testArena) step(d time.Duration) {
	a.now = a.now.Add(d)
	a.server.Tick(a.now)
	for _, c := range a.clients {
		c.Tick(a.now)
	}
	a.run()
}

// join adds a client and lets it join.
func (a *testArena) join(user uint64, at netip.AddrPort) *Client {
	c := a.client(user, at)
	a.step(0)
	return c
}

// mustJoin requires that the client is let in.
func (a *testArena) mustJoin(user uint64, at netip.AddrPort) *Client {
	a.t.Helper()
	c := a.join(user, at)
	require.NoError(a.t, c.Err())
	require.NotNil(a.t, c.Session())
	require.NotNil(a.t, a.server.ByAddress(at))
	require.Equal(a.t, user, a.server.ByAddress(at).User())
	return c
}

// check requires that the tables of the server agree and are within their
// limits.
func (a *testArena) check() {
	s := a.server
	s.mu.Lock()
	defer s.mu.Unlock()
	require.LessOrEqual(a.t, len(s.order), s.config.MaxPeers)
	require.Len(a.t, s.byAddress, len(s.order))
	hosts := map[netip.Prefix]int{}
	for i, p := range s.order {
		require.Equal(a.t, i, p.index)
		require.Same(a.t, p, s.byAddress[p.key])
		require.NotEqual(a.t, gone, p.state.Load())
		hosts[hostOf(p.key)]++
		if a.p.config.Protection.keyed() {
			require.Same(a.t, p, s.byUser[p.user])
		}
	}
	require.Equal(a.t, hosts, s.byHost)
	for _, n := range hosts {
		require.LessOrEqual(a.t, n, s.config.PerAddress)
	}
	want := 0
	if a.p.config.Protection.keyed() {
		want = len(s.order)
	}
	require.Len(a.t, s.byUser, want)
	require.LessOrEqual(a.t, len(s.notices), 2*s.config.MaxPeers+2)
}

// badWire loses, repeats, delays and damages datagrams. A delayed one is
// delivered together with a later one.
func badWire(random *rand.Rand) func(d sent) []sent {
	var late []sent
	return func(d sent) (list []sent) {
		switch random.IntN(10) {
		case 0, 1: // lost
		case 2:
			list = append(list, d, d)
		case 3:
			late = append(late, d)
		case 4:
			bad := sent{d.from, d.to, slices.Clone(d.data)}
			bad.data[random.IntN(len(bad.data))] ^= 1 << random.IntN(8)
			list = append(list, bad, d)
		default:
			list = append(list, d)
		}
		if len(late) > 0 && random.IntN(4) == 0 {
			list = append(list, late...)
			late = nil
		}
		return list
	}
}
