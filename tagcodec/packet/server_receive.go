package packet

import (
	"net/netip"
	"time"
)

// Receive handles a datagram that arrived from an address. If the datagram is
// from a peer, Receive returns the peer and the contents, which [Mux.Serve] can
// dispatch. Receive handles keepalives and disconnects itself; their contents
// have no packets.
//
// Receive answers a datagram of the handshake and returns no peer for it. An
// error says why a datagram was refused. The refusal has been counted, and the
// caller need not do anything about it. A datagram from an address without a
// peer is refused with [ErrStranger]. Receive overwrites the datagram.
func (s *Server) Receive(from netip.AddrPort, datagram []byte, now time.Time) (*Peer, Contents, error) {
	if IsHandshake(datagram) {
		return nil, Contents{}, s.answer(from, datagram, now)
	}
	p := s.ByAddress(from)
	if p == nil {
		s.Counters().Refuse(ErrStranger)
		return nil, Contents{}, ErrStranger
	}
	p.session.setTime(now)
	c, err := p.session.Open(datagram)
	if err != nil {
		return nil, Contents{}, err
	}
	p.heard.Store(int64(now.Sub(p.joined)))
	if c.control == Disconnect {
		reason := c.reason
		if reason < ReasonApplication {
			reason = ReasonLeft // only the server may give the other reasons
		}
		s.end(p, reason, false)
	}
	return p, c, nil
}

// answer answers a datagram of the handshake.
func (s *Server) answer(from netip.AddrPort, datagram []byte, now time.Time) error {
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	reply, client, err := s.gate.Answer((*buf)[:0], from, datagram, now)
	*buf = reply[:0]
	reason, _ := err.(Refusal)
	switch {
	case client != nil:
		return s.join(from, client, reply, now)
	case isReply(reply, kindRejection):
		s.reject(from, reply, reason)
	case isReply(reply, kindWelcome) && s.isJoining(from): // join sends it once Joined has returned
	case len(reply) > 0:
		s.config.Send(from, reply)
	}
	return err
}

func isReply(reply []byte, kind byte) bool {
	return IsHandshake(reply) && reply[len(head{})-1] == kind
}

// isJoining reports whether Joined has not yet returned for the peer at an
// address.
func (s *Server) isJoining(from netip.AddrPort) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p := s.byAddress[unmapped(from)]
	return p != nil && p.state.Load() == arriving
}

// Tick removes peers that have been silent for longer than the timeout, and
// sends a keepalive to peers that were sent nothing else. With [Config.Acks] it
// also reports what is lost, and acknowledges what has waited since the last
// tick. The program calls it several times a second, for example in each step of
// a simulation before it sends.
func (s *Server) Tick(now time.Time) {
	for _, p := range s.list() {
		if present(p) == nil {
			continue
		}
		age := now.Sub(p.joined)
		if age-time.Duration(p.heard.Load()) > s.config.Timeout {
			s.end(p, ReasonTimeout, true)
			continue
		}
		p.session.Tick(now)
		p.send(p.session.Flush)
		sent := p.session.Sent()
		if quiet := age - time.Duration(p.said.Load()); sent == p.sent.Load() {
			if quiet < s.config.Keepalive {
				continue
			}
			p.send(p.session.AppendKeepalive)
			sent++
		}
		p.sent.Store(sent)
		p.said.Store(int64(age))
	}
}

// unmapped returns an address in the form used by the tables, where an
// IPv4-mapped IPv6 address is an IPv4 address.
func unmapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// hostOf returns the network that the addresses of one host are taken to share:
// a whole IPv4 address, or an IPv6 /64 network.
func hostOf(a netip.AddrPort) netip.Prefix {
	ip, bits := a.Addr().Unmap(), 64
	if ip.Is4() {
		bits = 32
	}
	host, _ := ip.Prefix(bits) // never fails for these lengths
	return host
}
