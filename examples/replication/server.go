package main

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// server has a table of clients, and a Sender for the session of each.
type server struct {
	conn    *net.UDPConn
	clients *packet.Server
	mux     *packet.Mux

	message []byte
	buf     [1 << 16]byte
}

// newServer listens at an address. send takes what the server sends.
func newServer(at *net.UDPAddr, send func(to netip.AddrPort, datagram []byte)) (s *server, err error) {
	s = &server{mux: protocol.NewMux()}
	packet.Handle(s.mux, s.restart)
	s.clients, err = protocol.NewServer(packet.ServerConfig{
		Send:    send,
		Gate:    packet.GateConfig{Admit: func(user uint64) ([]byte, bool) { return secretOf(user), true }},
		Timeout: timeout,
		// A new session has a new Sender, also if the user had a session before.
		Joined:   func(p *packet.Peer) { p.Value = codec.NewSender() },
		Reported: s.acknowledge,
	})
	if err != nil {
		return nil, err
	}
	s.conn, err = net.ListenUDP("udp4", at)
	return s, err
}

// receive reads a datagram, of the handshake or of a session. Datagrams that are
// refused, such as those of an earlier session, are counted.
func (s *server) receive(now time.Time) error {
	datagram, from, err := read(s.conn, s.buf[:])
	if err != nil {
		return err
	}
	if p, contents, err := s.clients.Receive(from, datagram, now); err == nil && p != nil {
		s.mux.Serve(p.Context(), contents)
	}
	return nil
}

// acknowledge passes the ticks of delivered snapshots to the client's Sender.
func (s *server) acknowledge(p *packet.Peer, r packet.Report) {
	if !r.Delivered {
		return
	}
	for _, tick := range r.Values {
		p.Value.(*delta.Sender).Ack(tick.(uint64))
	}
}

// restart makes the next snapshot of a client complete.
func (s *server) restart(ctx context.Context, _ *Restart) {
	packet.PeerFrom(ctx).Value.(*delta.Sender).Reset()
}

// update sends a snapshot to a client, in fragments if it does not fit into a
// datagram, and returns the length of its message.
func (s *server) update(p *packet.Peer, tick uint64, image *delta.Image) (size int, err error) {
	if s.message, err = p.Value.(*delta.Sender).Append(s.message[:0], tick, image); err != nil || len(s.message) == 0 {
		return 0, err // nothing is sent while a complete snapshot is on its way
	}
	return len(s.message), p.Send(packet.Tracked{Packet: &Update{s.message}, Value: tick})
}
