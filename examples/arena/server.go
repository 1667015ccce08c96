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

// silence is how long a player may stay silent before it is removed.
const silence = 5 * time.Second

// server simulates the world, broadcasts it, and receives datagrams from
// anyone. One goroutine receives and another one ticks.
type server struct {
	conn    *net.UDPConn
	clients *packet.Server
	mux     *packet.Mux
	log     io.Writer
	logged  time.Time // when a rejected client was last logged

	mu     sync.Mutex
	world  *world
	inputs uint64
	joins  map[uint64]int // number of joins by user
	left   map[packet.Reason]int
	most   int // players at once

	ticks, received, sent, sentBytes atomic.Uint64

	// Buffers that each tick reuses.
	snapshot Snapshot
	batch    *packet.Batch
}

// player is the Value of a packet.Peer.
type player struct {
	body int
	seen uint32 // the tick of the last input
}

func newServer(log io.Writer, bodies int, s *secrets) (*server, error) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	conn.SetReadBuffer(4 << 20) // limited by the system
	srv := &server{conn: conn, log: log, world: newWorld(bodies, 1), batch: protocol.NewBatch(),
		joins: map[uint64]int{}, left: map[packet.Reason]int{}}
	srv.clients, err = protocol.NewServer(packet.ServerConfig{
		Send: srv.send,
		Gate: packet.GateConfig{
			Describe: true,
			Rate:     100, // high because all players of this program share an address
			Burst:    200,
			Admit:    func(user uint64) ([]byte, bool) { return s.of(user), true },
		},
		Timeout: silence,
		Joined:  srv.join,
		Left:    srv.leave,
		Refused: srv.refuse,
	})
	if err != nil {
		return nil, err
	}
	srv.mux = protocol.NewMux()
	packet.Handle(srv.mux, srv.input)
	return srv, nil
}

func (s *server) address() netip.AddrPort { return s.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// send sends a datagram and ignores errors. A client that cannot be reached
// times out.
func (s *server) send(to netip.AddrPort, datagram []byte) {
	s.sent.Add(1)
	s.sentBytes.Add(uint64(len(datagram)))
	s.conn.WriteToUDPAddrPort(datagram, to)
}

// receive reads datagrams until ctx ends.
func (s *server) receive(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { s.conn.SetReadDeadline(time.Now()) })()
	var datagram [2048]byte
	for {
		n, from, err := s.conn.ReadFromUDPAddrPort(datagram[:])
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, net.ErrClosed):
			return err
		case err != nil:
			continue // an earlier datagram could not be delivered
		}
		s.received.Add(1)
		s.handle(from, datagram[:n])
	}
}

// handle processes one datagram. The packet.Server and the Mux count refusals.
func (s *server) handle(from netip.AddrPort, datagram []byte) {
	client, contents, err := s.clients.Receive(from, datagram, time.Now())
	if err == nil && client != nil {
		s.mux.Serve(client.Context(), contents)
	}
}

// join gives a client a body, unless it still has the one from its previous
// session.
func (s *server) join(p *packet.Peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Value == nil {
		p.Value = &player{body: len(s.joins) % len(s.world.bodies)}
	}
	s.joins[p.User()]++
	s.most = max(s.most, s.clients.Len())
}

func (s *server) leave(_ *packet.Peer, reason packet.Reason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left[reason]++
}

func (s *server) refuse(from netip.AddrPort, reason packet.Refusal) {
	if now := time.Now(); reason == packet.ErrProtocol && now.Sub(s.logged) > time.Second {
		s.logged = now
		fmt.Fprintf(s.log, "server: turned away %v: %v\n", from, reason)
	}
}

func (s *server) input(ctx context.Context, in *Input) {
	p := packet.PeerFrom(ctx).Value.(*player)
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.Tick > p.seen { // ignore older inputs
		p.seen, s.world.thrust[p.body] = in.Tick, in.Thrust
		s.inputs++
	}
}

// run ticks until ctx ends.
func (s *server) run(ctx context.Context) error {
	ticker := time.NewTicker(time.Second / tickRate)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			s.clients.Shutdown()
			return nil
		case now := <-ticker.C:
			if err := s.tick(now); err != nil {
				return err
			}
		}
	}
}

// tick simulates and broadcasts. It encodes the snapshot once for all clients.
func (s *server) tick(now time.Time) error {
	s.mu.Lock()
	s.world.step()
	s.world.fill(&s.snapshot)
	s.mu.Unlock()

	s.batch.Reset()
	if err := s.batch.Add(&s.snapshot); err != nil {
		return err
	}
	s.ticks.Add(1)
	s.clients.Tick(now)
	return s.clients.Broadcast(s.batch)
}
