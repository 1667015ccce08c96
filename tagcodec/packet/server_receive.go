package packet

import (
	"net/netip"
	"time"
)

// Receive takes a datagram that arrived from an address. If it is from a peer
// it returns the peer and what the datagram contains, such as packets for
// [Mux.Serve]. Keepalives and disconnects are dealt with, and their contents
// have no packets.
//
// A datagram of the handshake is answered, and returns no peer. An error is why
// a datagram was refused; it is counted, and there is nothing else to do about
// it. Datagrams from an address that has no peer are refused with
// [ErrStranger]. Receive overwrites the datagram.
func (s *Server) Receive(from netip.AddrPort, datagram []byte, now time.Time) (*Peer, Contents, error) {
	if IsHandshake(datagram) {
		return nil, Contents{}, s.answer(from, datagram, now)
	}
	p := s.ByAddress(from)
	if p == nil {
		s.Counters().Refuse(ErrStranger)
		return nil, Contents{}, ErrStranger
	}
	c, err := p.session.Open(datagram)
	if err != nil {
		return nil, Contents{}, err
	}
	p.heard.Store(int64(now.Sub(p.joined)))
	if c.control == Disconnect {
		reason := c.reason
		if reason < ReasonProgram {
			reason = ReasonLeft // the others are the server's to give
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
	case isReply(reply, kindWelcome) && s.isJoining(from): // which sends it when Joined has returned
	case len(reply) > 0:
		s.config.Send(from, reply)
	}
	return err
}

func isReply(reply []byte, kind byte) bool {
	return IsHandshake(reply) && reply[len(head{})-1] == kind
}

// isJoining reports whether Joined has not returned for the peer of an address.
func (s *Server) isJoining(from netip.AddrPort) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p := s.byAddress[unmapped(from)]
	return p != nil && p.state.Load() == arriving
}

// Tick removes the peers that were silent for longer than the timeout, and
// sends a keepalive to those to which nothing else was sent. The program calls
// it several times a second, such as after each step of a simulation.
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

// unmapped returns an address as the table has it: that of IPv4 in one form,
// however the socket writes it.
func unmapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// hostOf returns what addresses of one host have in common, as far as anyone
// can tell.
func hostOf(a netip.AddrPort) netip.Prefix {
	ip, bits := a.Addr().Unmap(), 64
	if ip.Is4() {
		bits = 32
	}
	host, _ := ip.Prefix(bits) // which fails for no such length
	return host
}
