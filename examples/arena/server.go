package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// silence is how many ticks a player may say nothing before it is forgotten.
const silence = 5 * tickRate

// server simulates the world, broadcasts it, and takes datagrams from anyone.
// One goroutine receives and one ticks.
type server struct {
	conn     *net.UDPConn
	gate     *packet.Gate
	mux      *packet.Mux
	counters packet.Counters
	log      io.Writer
	logged   time.Time // when a client was turned away, for the last line about one

	worldMu sync.Mutex
	world   *world
	inputs  uint64

	mu       sync.RWMutex
	players  map[netip.AddrPort]*player
	order    []*player         // the same players
	sessions []*packet.Session // of order
	joined   int
	left     int

	ticks, received, sent, sentBytes atomic.Uint64

	// What a tick needs, used again.
	snapshot Snapshot
	batch    *packet.Batch
	send     func(i int, datagram []byte) error
}

// player is a client that was let in.
type player struct {
	address netip.AddrPort
	session *packet.Session
	attempt [16]byte
	welcome []byte // the reply that let it in
	body    int
	ctx     context.Context // what its packets are handled with
	heard   atomic.Uint64   // the tick of the last
	seen    uint32          // the tick of the last input, under worldMu
}

type playerKey struct{}

func newServer(log io.Writer, bodies int, s *secrets) (*server, error) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	conn.SetReadBuffer(4 << 20) // as far as the system allows it
	srv := &server{conn: conn, log: log, world: newWorld(bodies, 1), players: map[netip.AddrPort]*player{}, batch: protocol.NewBatch()}
	srv.gate = protocol.NewGate(packet.GateConfig{
		Describe: true,
		Rate:     1000, // all players of this program have one address
		Burst:    1000,
		Counters: &srv.counters,
		Admit:    func(user uint64) ([]byte, bool) { return s.of(user), true },
	})
	srv.mux = packet.NewMux(protocol)
	packet.Handle(srv.mux, srv.input)
	packet.Handle(srv.mux, srv.leave)
	srv.send = func(i int, datagram []byte) error {
		srv.sent.Add(1)
		srv.sentBytes.Add(uint64(len(datagram)))
		_, err := conn.WriteToUDPAddrPort(datagram, srv.order[i].address)
		return err
	}
	return srv, nil
}

func (s *server) address() netip.AddrPort { return s.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// receive reads datagrams until ctx ends.
func (s *server) receive(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { s.conn.SetReadDeadline(time.Now()) })()
	var datagram, reply [2048]byte
	for {
		n, from, err := s.conn.ReadFromUDPAddrPort(datagram[:])
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, net.ErrClosed):
			return err
		case err != nil:
			continue // an answer of ours did not arrive, which is not about this datagram
		}
		s.received.Add(1)
		s.handle(ctx, from, datagram[:n], reply[:0])
	}
}

// handle deals with one datagram. What it is refused for is counted by the
// gate, the session, or here.
func (s *server) handle(ctx context.Context, from netip.AddrPort, datagram, reply []byte) {
	if packet.IsHandshake(datagram) {
		s.knock(ctx, from, datagram, reply)
		return
	}
	s.mu.RLock()
	p := s.players[from]
	s.mu.RUnlock()
	if p == nil {
		s.counters.Refuse(packet.ErrStranger)
		return
	}
	if s.mux.Dispatch(p.ctx, p.session, datagram) == nil {
		p.heard.Store(s.ticks.Load())
	}
}

// knock answers a datagram of the handshake.
func (s *server) knock(ctx context.Context, from netip.AddrPort, datagram, reply []byte) {
	now := time.Now()
	reply, client, err := s.gate.Answer(reply, from, datagram, now)
	if err == packet.ErrProtocol && now.Sub(s.logged) > time.Second {
		s.logged = now
		fmt.Fprintf(s.log, "server: turned away %v: %v\n", from, err)
	}
	if client != nil {
		reply = s.admit(ctx, from, client, reply)
	}
	if len(reply) > 0 {
		s.conn.WriteToUDPAddrPort(reply, from)
	}
}

// admit adds a player and returns the reply that lets it in: that of its
// attempt if it has joined already, and did not hear it.
func (s *server) admit(ctx context.Context, from netip.AddrPort, client *packet.Joined, reply []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.players[from]; p != nil {
		if p.attempt == client.Attempt {
			return p.welcome
		}
		s.remove(p)
	}
	p := &player{
		address: from,
		session: client.Session,
		attempt: client.Attempt,
		welcome: append([]byte{}, reply...),
		body:    s.joined % len(s.world.bodies),
	}
	p.ctx = context.WithValue(ctx, playerKey{}, p)
	p.heard.Store(s.ticks.Load())
	s.players[from] = p
	s.order = append(s.order, p)
	s.sessions = append(s.sessions, p.session)
	s.joined++
	return p.welcome
}

// remove forgets a player. The caller holds s.mu.
func (s *server) remove(p *player) {
	if s.players[p.address] != p {
		return
	}
	delete(s.players, p.address)
	for i := range s.order {
		if s.order[i] == p {
			last := len(s.order) - 1
			s.order[i], s.sessions[i] = s.order[last], s.sessions[last]
			s.order, s.sessions = s.order[:last], s.sessions[:last]
			break
		}
	}
	s.left++
}

func (s *server) input(ctx context.Context, in *Input) {
	p := ctx.Value(playerKey{}).(*player)
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	if in.Tick > p.seen { // and not one that came before
		p.seen, s.world.thrust[p.body] = in.Tick, in.Thrust
		s.inputs++
	}
}

func (s *server) leave(ctx context.Context, _ *Leave) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(ctx.Value(playerKey{}).(*player))
}

// run ticks until ctx ends.
func (s *server) run(ctx context.Context) error {
	ticker := time.NewTicker(time.Second / tickRate)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := s.tick(); err != nil {
			return err
		}
	}
}

// tick simulates and broadcasts. The snapshot is encoded once for all.
func (s *server) tick() error {
	s.worldMu.Lock()
	s.world.step()
	s.world.fill(&s.snapshot)
	s.worldMu.Unlock()

	s.batch.Reset()
	if err := s.batch.Add(&s.snapshot); err != nil {
		return err
	}
	s.mu.RLock()
	packet.Broadcast(s.batch, s.sessions, s.send) // a player that cannot be reached falls silent
	s.mu.RUnlock()
	if now := s.ticks.Add(1); now%tickRate == 0 {
		s.forgetSilent(now)
	}
	return nil
}

// forgetSilent removes the players that have said nothing for long.
func (s *server) forgetSilent(now uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.order) - 1; i >= 0; i-- {
		if p := s.order[i]; now-p.heard.Load() > silence {
			s.remove(p)
		}
	}
}

// online returns the number of players.
func (s *server) online() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.order)
}
