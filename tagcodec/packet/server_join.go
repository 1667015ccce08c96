package packet

import (
	"context"
	"net/netip"
	"slices"
	"time"
)

// admits decides whether a client that has proved its identity may join. The
// gate calls it before it makes the session.
func (s *Server) admits(from netip.AddrPort, user uint64, attempt nonce) Refusal {
	s.mu.RLock()
	defer s.mu.RUnlock()
	key := unmapped(from)
	if p := s.byAddress[key]; p != nil && p.attempt == attempt {
		return 0 // a repeated response, which the gate answers as before
	}
	_, refusal := s.place(key, user, attempt)
	return refusal
}

// place decides whether a client may join. It returns the peer that the client
// replaces, or nil. The caller holds s.mu.
func (s *Server) place(key netip.AddrPort, user uint64, attempt nonce) (old *Peer, refusal Refusal) {
	at := s.byAddress[key]
	if old = at; s.p.config.Protection.keyed() {
		old = s.byUser[user]
	}
	switch {
	case at != nil && at.attempt == attempt: // the gate has forgotten this attempt
		return nil, ErrOccupied
	case s.closed:
		return nil, ErrClosed
	case at != nil && at != old: // a client cannot replace another user's peer
		return nil, ErrOccupied
	case old != nil && old != at && s.config.KeepOlder:
		return nil, ErrOccupied
	}
	peers, host := len(s.order), hostOf(key)
	neighbours := s.byHost[host]
	if old != nil {
		peers--
		if hostOf(old.key) == host {
			neighbours--
		}
	}
	if peers >= s.config.MaxPeers || neighbours >= s.config.PerAddress || s.waiting() > 2*s.config.MaxPeers {
		return nil, ErrFull
	}
	return old, 0
}

// join adds the client that the gate has let in. The reply is sent after Joined
// has returned.
func (s *Server) join(from netip.AddrPort, client *Joined, reply []byte, now time.Time) error {
	p := &Peer{
		server: s, session: client.Session, user: client.User, attempt: client.Attempt,
		address: from, key: unmapped(from), welcome: slices.Clone(reply), joined: now,
	}
	p.context = context.WithValue(s.context, peerKey{}, p)
	p.session.setTime(now)
	if s.config.Reported != nil {
		p.session.OnReport(func(r Report) { s.config.Reported(p, r) })
	}

	s.mu.Lock()
	old, refusal := s.place(p.key, p.user, p.attempt)
	if refusal != 0 {
		s.mu.Unlock()
		s.reject(from, s.gate.Reject(reply[:0], client, refusal), refusal)
		return refusal
	}
	was := s.remove(old, ReasonReplaced, old != nil && old.key != p.key)
	s.add(p)
	if s.p.config.Protection.keyed() {
		p.older = old
	}
	s.mu.Unlock()
	s.removed(old, was)
	return nil
}

// reject sends a rejection and reports it to the program.
func (s *Server) reject(to netip.AddrPort, reply []byte, reason Refusal) {
	s.config.Send(to, reply)
	if s.config.Refused != nil {
		s.config.Refused(to, reason)
	}
}

// add adds a peer to the tables. The caller holds s.mu.
func (s *Server) add(p *Peer) {
	p.index = len(s.order)
	s.order = append(s.order, p)
	s.byAddress[p.key] = p
	s.byHost[hostOf(p.key)]++
	if s.p.config.Protection.keyed() {
		s.byUser[p.user] = p
	}
	s.notices = append(s.notices, notice{p, 0})
}

// remove removes a peer from the tables and returns its previous state. The
// peer may be nil or already removed. If tell is set, its client will be sent
// the reason. The caller holds s.mu, and calls removed after unlocking it.
func (s *Server) remove(p *Peer, reason Reason, tell bool) (was uint32) {
	if p == nil {
		return gone
	}
	if was = p.state.Swap(gone); was == gone {
		return gone
	}
	p.reason, p.tell = reason, tell
	s.gone = goneStats(Stats(s.gone).Add(p.session.Stats()))
	last := len(s.order) - 1
	if s.orderShared {
		s.order, s.orderShared = slices.Clone(s.order), false
	}
	s.order[p.index] = s.order[last]
	s.order[p.index].index = p.index
	s.order[last] = nil
	s.order = s.order[:last]
	delete(s.byAddress, p.key)
	if s.byUser[p.user] == p {
		delete(s.byUser, p.user)
	}
	host := hostOf(p.key)
	if s.byHost[host]--; s.byHost[host] == 0 {
		delete(s.byHost, host)
	}
	s.notices = append(s.notices, notice{p, reason})
	return was
}

// end removes a peer. If tell is set, it sends the client the reason.
func (s *Server) end(p *Peer, reason Reason, tell bool) {
	s.mu.Lock()
	was := s.remove(p, reason, tell)
	s.mu.Unlock()
	if was != gone {
		s.removed(p, was)
	}
}

// removed completes the work of remove, which returned was.
func (s *Server) removed(p *Peer, was uint32) {
	if was == here { // the client of an arriving peer is told after its welcome
		p.dismiss()
	}
	s.deliver()
}

// notice is a pending call of Left, or of Joined if reason is 0.
type notice struct {
	peer   *Peer
	reason Reason
}

// waiting returns the number of pending notices. The caller holds s.mu.
func (s *Server) waiting() int { return len(s.notices) - s.delivered }

// deliver calls Joined and Left for the pending notices, one at a time and in
// order, without holding a lock. If a goroutine is already delivering, possibly
// this one, deliver leaves the rest to it.
func (s *Server) deliver() {
	for {
		n, ok := s.due()
		if !ok {
			return
		}
		s.deliverOne(n)
	}
}

// due returns the next notice, unless a goroutine is already delivering one.
func (s *Server) due() (n notice, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.delivering || s.waiting() == 0 {
		return n, false
	}
	s.delivering = true
	n = s.notices[s.delivered]
	s.notices[s.delivered] = notice{}
	if s.delivered++; 2*s.delivered >= len(s.notices) {
		s.notices = append(s.notices[:0], s.notices[s.delivered:]...)
		s.delivered = 0
	}
	return n, true
}

func (s *Server) deliverOne(n notice) {
	defer func() { // runs even if the program's function panics
		s.mu.Lock()
		defer s.mu.Unlock()
		s.delivering = false
	}()
	p := n.peer
	if n.reason != 0 {
		if s.config.Left != nil {
			s.config.Left(p, n.reason)
		}
		return
	}
	if p.older != nil {
		p.Value, p.older = p.older.Value, nil
	}
	if s.config.Joined != nil {
		s.config.Joined(p)
	}
	s.mu.Lock()
	left := !p.state.CompareAndSwap(arriving, here)
	s.mu.Unlock()
	s.config.Send(p.address, p.welcome)
	p.welcome = nil
	if left {
		p.dismiss()
	}
}
