package packet

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"net/netip"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

const (
	soakClients = 16
	soakTick    = 20 * time.Millisecond
	soakRing    = 4096 // more than the datagrams of a session that are not settled

	soakMessages = 16
	// soakSlices is more than the datagrams of a session that are not settled: at
	// most some 40 of the last WindowSize are lost, and some 10 are on their way.
	soakSlices = 64
	// soakValues bounds the capacity of a slice of values. A datagram has at most
	// the values of all messages, of a packet and of a packet in fragments, and
	// append at most doubles.
	soakValues = 2 * (soakMessages + 2)
)

// soakPacket is a packet that is sent once. Those with Data take several
// datagrams.
type soakPacket struct {
	ID   uint32
	Data []byte `bp:"bytes,maxlen=3000"`
}

// soakMessage is a packet that is sent until it arrives.
type soakMessage struct{ ID uint32 }

// soakSet is a set of increasing numbers. It remembers the last soakRing of them.
type soakSet [soakRing]uint64

func (s *soakSet) has(n uint64) bool { return s[n%soakRing] == n+1 }

// add adds a number, and reports whether it is new. A number that is too old is
// not.
func (s *soakSet) add(n uint64) bool {
	isNew := s[n%soakRing] < n+1
	if isNew {
		s[n%soakRing] = n + 1
	}
	return isNew
}

// soakWay is one direction between the server and a client: what one end sends
// and the other handles, and the network between.
type soakWay struct {
	t       testing.TB
	random  *rand.Rand
	perfect bool
	flying  []soakDatagram

	session *Session // of the end that sends

	reports            uint64
	reported           soakSet // sequence numbers
	packets            uint32  // number sent
	settled, handled   soakSet // packets
	delivered, lost    int     // packets reported
	queued             uint32  // messages
	messages, assured  uint32  // messages handled, and reported as delivered
	replayed, received int     // datagrams
}

type soakDatagram struct {
	tick int
	data []byte
}

// send loses every tenth datagram, repeats every tenth, and delays each by up to
// 4 ticks.
func (w *soakWay) send(tick int, datagram []byte) {
	copies := 1
	if !w.perfect {
		switch w.random.IntN(10) {
		case 0:
			copies = 0
		case 1:
			copies = 2
		}
	}
	for range copies {
		d := soakDatagram{tick, slices.Clone(datagram)}
		if !w.perfect {
			d.tick += w.random.IntN(5)
		}
		w.flying = append(w.flying, d)
	}
}

// deliver passes the datagrams that arrive by a tick through sockets.
func (w *soakWay) deliver(tick int, buf []byte, from, to *net.UDPConn, receive func(datagram []byte) error) {
	var arrived []soakDatagram
	w.flying = slices.DeleteFunc(w.flying, func(d soakDatagram) bool {
		if d.tick <= tick {
			arrived = append(arrived, d)
		}
		return d.tick <= tick
	})
	for _, d := range arrived {
		_, err := from.WriteToUDPAddrPort(d.data, to.LocalAddr().(*net.UDPAddr).AddrPort())
		require.NoError(w.t, err)
		n, _, err := to.ReadFromUDPAddrPort(buf)
		require.NoError(w.t, err, "the loopback interface has lost a datagram")
		w.received++
		if err := receive(buf[:n]); err == ErrReplayed {
			w.replayed++
		} else if err != nil && !IsHandshake(d.data) {
			w.t.Fatalf("a datagram was refused: %v", err)
		}
	}
}

// report checks that each datagram and each value is reported once, and with
// what the other end did.
func (w *soakWay) report(r Report) {
	w.reports++
	if !w.reported.add(r.Sequence) {
		w.t.Fatalf("datagram %d is reported twice", r.Sequence)
	}
	for _, v := range r.Values {
		switch v := v.(type) {
		case soakMessage:
			if v.ID != w.assured || v.ID >= w.messages || !r.Delivered {
				w.t.Fatalf("message %d is reported after %d, delivered: %t, handled: %d", v.ID, w.assured, r.Delivered, w.messages)
			}
			w.assured++
		case uint32:
			if w.settled.has(uint64(v)) || r.Delivered && !w.handled.has(uint64(v)) {
				w.t.Fatalf("packet %d is reported as delivered: %t", v, r.Delivered)
			}
			w.settled[v%soakRing] = uint64(v) + 1
			if r.Delivered {
				w.delivered++
			} else {
				w.lost++
			}
		}
	}
}

func (w *soakWay) packet(p *soakPacket) {
	if w.handled.has(uint64(p.ID)) {
		w.t.Fatalf("packet %d is handled twice", p.ID)
	}
	w.handled[p.ID%soakRing] = uint64(p.ID) + 1
}

func (w *soakWay) message(m *soakMessage) {
	if m.ID != w.messages {
		w.t.Fatalf("message %d follows %d", m.ID, w.messages)
	}
	w.messages++
}

// play sends a packet, and now and then a large one or a message.
func (w *soakWay) play(send func(packets ...any) error, queue func(v any) error) {
	p := &soakPacket{ID: w.packets}
	if w.random.IntN(32) == 0 {
		p.Data = make([]byte, 1500+w.random.IntN(1500))
	}
	w.packets++
	require.NoError(w.t, send(Tracked{p, p.ID}))
	if m := (soakMessage{w.queued}); w.random.IntN(4) == 0 {
		switch err := queue(Tracked{&m, m}); err {
		case nil:
			w.queued++
		case ErrQueueFull:
		default:
			require.NoError(w.t, err)
		}
	}
}

// check requires that every message has arrived, and that every datagram that is
// not among the last has been reported.
func (w *soakWay) check() {
	require.NotZero(w.t, w.queued)
	require.Equal(w.t, w.queued, w.messages)
	require.Equal(w.t, w.queued, w.assured)
	sent := w.session.Sent()
	recent := uint64(0)
	for seq := outdated(sent); seq < sent; seq++ {
		if w.reported.has(seq) {
			recent++
		}
	}
	require.Equal(w.t, outdated(sent), w.reports-recent, "datagrams reported of %d", sent)
	require.Greater(w.t, w.delivered, 3*w.lost)
	require.NotZero(w.t, w.lost)
	require.NotZero(w.t, w.replayed)
	require.Zero(w.t, w.session.Queued())
}

// soakClient is a client and its two directions.
type soakClient struct {
	*Client
	conn     *net.UDPConn
	mux      *Mux
	up, down *soakWay
}

type soakGame struct {
	t       testing.TB
	p       *Protocol
	conn    *net.UDPConn
	server  *Server
	mux     *Mux
	clients []*soakClient
	byAddr  map[netip.AddrPort]*soakClient
	tick    int
	now     time.Time
	buf     [MaxDatagram]byte
}

func soakSocket(t testing.TB) *net.UDPConn {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

func newSoakGame(t testing.TB) *soakGame {
	p, err := New(Config{Application: "soak", Protection: ChaCha20Poly1305, MTU: DefaultMTU, MaxPacket: 4000, Acks: true, Messages: soakMessages},
		Of[soakPacket](), Of[soakMessage]())
	require.NoError(t, err)
	g := &soakGame{t: t, p: p, conn: soakSocket(t), mux: p.NewMux(), byAddr: map[netip.AddrPort]*soakClient{}, now: testNow}
	of := func(ctx context.Context) *soakClient { return g.clients[PeerFrom(ctx).User()] }
	Handle(g.mux, func(ctx context.Context, p *soakPacket) { of(ctx).up.packet(p) })
	Handle(g.mux, func(ctx context.Context, m *soakMessage) { of(ctx).up.message(m) })
	secret := func(user uint64) []byte { return binary.LittleEndian.AppendUint64(slices.Clone(testSecret), user) }
	g.server, err = p.NewServer(ServerConfig{
		Send:     func(to netip.AddrPort, datagram []byte) { g.byAddr[to].down.send(g.tick, datagram) },
		Gate:     GateConfig{Admit: func(user uint64) ([]byte, bool) { return secret(user), true }, Rate: 1e6, Burst: 1e6},
		Joined:   func(p *Peer) { g.clients[p.User()].down.session = p.Session() },
		Reported: func(p *Peer, r Report) { g.clients[p.User()].down.report(r) },
	})
	require.NoError(t, err)
	for user := range uint64(soakClients) {
		random := rand.New(rand.NewPCG(user, 64))
		c := &soakClient{conn: soakSocket(t), mux: p.NewMux(), up: &soakWay{t: t, random: random}, down: &soakWay{t: t, random: random}}
		Handle(c.mux, func(_ context.Context, p *soakPacket) { c.down.packet(p) })
		Handle(c.mux, func(_ context.Context, m *soakMessage) { c.down.message(m) })
		c.Client, err = p.NewClient(ClientConfig{
			Send: func(datagram []byte) { c.up.send(g.tick, datagram) },
			User: user, Secret: secret(user), Reported: c.up.report,
		})
		require.NoError(t, err)
		g.clients = append(g.clients, c)
		g.byAddr[c.conn.LocalAddr().(*net.UDPAddr).AddrPort()] = c
	}
	return g
}

// step runs a tick of everything.
func (g *soakGame) step(play bool) {
	g.tick++
	g.now = g.now.Add(soakTick)
	patience := time.Now().Add(10 * time.Second)
	require.NoError(g.t, g.conn.SetReadDeadline(patience))
	g.server.Tick(g.now)
	for _, c := range g.clients {
		require.NoError(g.t, c.conn.SetReadDeadline(patience))
		require.NoError(g.t, c.Tick(g.now))
		from := c.conn.LocalAddr().(*net.UDPAddr).AddrPort()
		if peer := g.server.ByAddress(from); play && peer != nil && c.Session() != nil {
			c.up.session = c.Session()
			c.up.play(c.Send, c.Queue)
			c.down.play(peer.Send, peer.Queue)
		}
		c.up.deliver(g.tick, g.buf[:], c.conn, g.conn, func(datagram []byte) error {
			peer, contents, err := g.server.Receive(from, datagram, g.now)
			if err != nil || peer == nil {
				return err
			}
			return g.mux.Serve(peer.Context(), contents)
		})
		c.down.deliver(g.tick, g.buf[:], g.conn, c.conn, func(datagram []byte) error {
			contents, err := c.Receive(datagram, g.now)
			if err != nil || contents.p == nil {
				return err
			}
			return c.mux.Serve(context.Background(), contents)
		})
	}
}

// values returns the bytes of the slices in which the sessions keep the values of
// tracked packets. They grow for as long as one has not yet had the most values
// at a time, up to soakSlices of soakValues for each session.
func (g *soakGame) values() (bytes uint64) {
	for _, c := range g.clients {
		for _, w := range []*soakWay{c.up, c.down} {
			if w.session == nil {
				continue
			}
			f, slices := w.session.out.flights, 0
			add := func(values []any) {
				if n := cap(values); n > 0 {
					slices++
					bytes += uint64(n) * uint64(reflect.TypeFor[any]().Size())
					require.LessOrEqual(g.t, n, soakValues)
				}
			}
			for i := range f.ring {
				add(f.ring[i].values)
			}
			for _, values := range f.spare {
				add(values)
			}
			require.LessOrEqual(g.t, slices, soakSlices)
		}
	}
	return bytes
}

// heap returns the bytes of live objects.
func (g *soakGame) heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestSoak lets 16 clients and a server send packets, fragments and messages over
// loopback sockets and a network that loses, repeats and reorders datagrams. No
// message is lost, each datagram is reported once, and memory stays flat, but for
// the slices of values, which have a bound. What the network does depends on
// nothing but its seeds.
func TestSoak(t *testing.T) {
	g := newSoakGame(t)
	ticks := effort.Rounds(t, 400)
	var early, earlyValues uint64
	for i := range ticks {
		if i == ticks*3/4 {
			early, earlyValues = g.heap(), g.values()
		}
		g.step(true)
	}
	late, lateValues := g.heap(), g.values()
	for _, c := range g.clients {
		c.up.perfect, c.down.perfect = true, true
	}
	for range 200 {
		g.step(false)
	}
	datagrams := 0
	for user, c := range g.clients {
		require.Equal(t, uint64(user), g.server.ByUser(uint64(user)).User())
		c.up.check()
		c.down.check()
		datagrams += c.up.received + c.down.received
	}
	t.Logf("%d ticks, %d datagrams received; %d KB of memory, then %d KB; slices of values take %d and %d KB of them",
		ticks, datagrams, early>>10, late>>10, earlyValues>>10, lateValues>>10)
	require.Less(t, late-lateValues, early-earlyValues+64<<10, "memory grows")
}
