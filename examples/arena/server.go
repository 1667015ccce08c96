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

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// silence is how long a player may stay silent before it is removed.
const silence = 5 * time.Second

// reasonSlow is why a player is removed who does not acknowledge its messages.
const reasonSlow = packet.ReasonApplication

// server simulates the world, sends each player what it sees, and receives
// datagrams from anyone. One goroutine receives and another one ticks.
type server struct {
	conn    *net.UDPConn
	write   func(to netip.AddrPort, datagram []byte)
	clients *packet.Server
	mux     *packet.Mux
	log     io.Writer
	logged  time.Time // when a rejected client was last logged

	mu     sync.Mutex // of the following, but the tick alone changes the bodies
	world  *world
	inputs uint64
	bombs  map[uint64]int // number of bombs by user
	joins  map[uint64]int // number of joins by user
	left   map[packet.Reason]int
	most   int // players at once

	ticks, received, sent, messages atomic.Uint64

	// Memory that each tick reuses.
	image  *delta.Image
	ids    []int64
	update Update
	packet packet.Tracked // the update and its tick
}

// player is the Value of a packet.Peer.
type player struct {
	body int
	next uint64       // no input in an earlier datagram counts; guarded by server.mu
	view *delta.Image // what it was last sent

	mu      sync.Mutex // of the following: the tick sends while acknowledgements arrive
	sender  *delta.Sender
	updates updates
}

// updates counts those of a player.
type updates struct{ sent, bytes, complete, delivered, lost int }

func newServer(log io.Writer, bodies int, s *secrets) (*server, error) {
	srv := &server{log: log, world: newWorld(bodies, 1), bombs: map[uint64]int{}, joins: map[uint64]int{}, left: map[packet.Reason]int{}}
	var err error
	srv.clients, err = protocol.NewServer(packet.ServerConfig{
		Send: srv.send,
		Gate: packet.GateConfig{
			Describe: true,
			Rate:     100, // high because all players of this program share an address
			Burst:    200,
			Admit:    func(user uint64) ([]byte, bool) { return s.of(user), true },
		},
		Timeout:  silence,
		Joined:   srv.join,
		Left:     srv.leave,
		Refused:  srv.refuse,
		Reported: srv.report,
	})
	if err != nil {
		return nil, err
	}
	srv.mux = protocol.NewMux()
	packet.Handle(srv.mux, srv.input)
	packet.Handle(srv.mux, srv.bomb)
	return srv, nil
}

// listen opens the server's socket.
func (s *server) listen() (err error) {
	if s.conn, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}); err != nil {
		return err
	}
	s.conn.SetReadBuffer(4 << 20) // limited by the system
	s.write = func(to netip.AddrPort, datagram []byte) { s.conn.WriteToUDPAddrPort(datagram, to) }
	return nil
}

func (s *server) address() netip.AddrPort { return s.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// send sends a datagram and ignores errors. A client that cannot be reached
// times out.
func (s *server) send(to netip.AddrPort, datagram []byte) {
	s.sent.Add(1)
	s.write(to, datagram)
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
		s.handle(from, datagram[:n], time.Now())
	}
}

// handle processes one datagram. The packet.Server and the Mux count refusals.
func (s *server) handle(from netip.AddrPort, datagram []byte, now time.Time) {
	s.received.Add(1)
	client, contents, err := s.clients.Receive(from, datagram, now)
	if err == nil && client != nil {
		s.mux.Serve(client.Context(), contents)
	}
}

// join gives a client a body, unless it still has the one from its previous
// session. A new session has a new Sender.
func (s *server) join(p *packet.Peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pl := &player{body: len(s.joins) % len(s.world.Bodies), sender: codec.NewSender()}
	if older, ok := p.Value.(*player); ok {
		pl.body = older.body
	}
	p.Value = pl
	s.joins[p.User()]++
	s.most = max(s.most, s.clients.Len())
	s.queue(p, &Welcome{uint16(pl.body)})
}

// queue queues a message. A player who does not acknowledge messages must go,
// because none may be missing.
func (s *server) queue(p *packet.Peer, message any) error {
	err := p.Queue(message)
	if errors.Is(err, packet.ErrQueueFull) {
		p.Kick(reasonSlow)
		return nil
	}
	s.messages.Add(1)
	return err
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

// report passes the ticks of delivered updates to the player's Sender.
func (s *server) report(p *packet.Peer, r packet.Report) {
	pl := p.Value.(*player)
	pl.mu.Lock()
	defer pl.mu.Unlock()
	for _, tick := range r.Values {
		if !r.Delivered {
			pl.updates.lost++
			continue
		}
		pl.updates.delivered++
		pl.sender.Ack(tick.(uint64))
	}
}

// input handles an input. It ignores one that was sent before the newest.
func (s *server) input(ctx context.Context, in *Input) {
	pl, seq := packet.PeerFrom(ctx).Value.(*player), packet.ArrivalFrom(ctx).Sequence()
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq >= pl.next {
		pl.next, s.world.thrust[pl.body] = seq+1, in.Thrust
		s.inputs++
	}
}

func (s *server) bomb(ctx context.Context, _ *Bomb) {
	p := packet.PeerFrom(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.bombs = append(s.world.bombs, p.Value.(*player).body)
	s.bombs[p.User()]++
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

// tick simulates, and sends each player what has changed. It quantizes the world
// once for all players.
func (s *server) tick(now time.Time) (err error) {
	s.mu.Lock()
	s.world.step()
	s.mu.Unlock()
	if s.image, err = codec.Quantize(&s.world.World, s.image); err != nil {
		return err
	}
	s.ticks.Add(1)
	s.packet = packet.Tracked{Packet: &s.update, Value: s.world.tick}
	s.clients.Tick(now)
	for p := range s.clients.All() {
		for i := range s.world.blasts {
			if err := s.queue(p, &s.world.blasts[i]); err != nil {
				return err
			}
		}
		if err := s.show(p); err != nil {
			return err
		}
	}
	return nil
}

// show sends a player what it sees. Messages of the session travel in the same
// datagram if there is room.
func (s *server) show(p *packet.Peer) (err error) {
	pl := p.Value.(*player)
	s.ids = s.world.seen(s.ids[:0], pl.body)
	if pl.view, err = s.image.Select("Bodies", s.ids, pl.view); err != nil {
		return err
	}
	pl.mu.Lock()
	s.update.Message, err = pl.sender.Append(s.update.Message[:0], s.world.tick, pl.view)
	waits := err == nil && len(s.update.Message) == 0 // for the ack of a complete snapshot
	if !waits {
		pl.updates.sent++
		pl.updates.bytes += len(s.update.Message)
		pl.updates.complete = int(pl.sender.Completes())
	}
	pl.mu.Unlock()
	if err != nil || waits {
		return err
	}
	return p.Send(&s.packet)
}
