package packet

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"
)

// Peer is a client of a [Server]. Its methods are safe for concurrent use.
type Peer struct {
	// Value is the program's. A peer that replaces another of the same user
	// starts with its Value, and all others with nil. It is set by
	// ServerConfig.Joined, and the program guards it if it changes it later.
	Value any

	server  *Server
	session *Session
	address netip.AddrPort // as the socket wrote it
	key     netip.AddrPort // as the table has it
	user    uint64
	attempt nonce
	welcome []byte // the reply that let it in
	joined  time.Time
	context context.Context
	older   *Peer // of the same user, until Joined is called

	index  int           // in server.order; under server.mu
	reason Reason        // why it is gone; under server.mu
	state  atomic.Uint32 // changes under server.mu

	heard atomic.Int64  // when it was heard last, in nanoseconds after joined
	said  atomic.Int64  // when the server was last seen to have sent it something
	sent  atomic.Uint64 // how many datagrams it had sent then
}

// The states of a peer.
const (
	arriving uint32 = iota // Joined has not returned
	here
	gone
)

// present returns p, or nil if p is nil, not yet let in, or removed.
func present(p *Peer) *Peer {
	if p != nil && p.state.Load() == here {
		return p
	}
	return nil
}

// Address returns the address that the peer's datagrams come from.
func (p *Peer) Address() netip.AddrPort { return p.address }

// User returns the user as whom the peer joined. Where the protocol has no keys
// it is what the client says.
func (p *Peer) User() uint64 { return p.user }

// Session returns the peer's session.
func (p *Peer) Session() *Session { return p.session }

// JoinedAt returns when the peer joined.
func (p *Peer) JoinedAt() time.Time { return p.joined }

// HeardAt returns when the last datagram of the peer was accepted.
func (p *Peer) HeardAt() time.Time { return p.joined.Add(time.Duration(p.heard.Load())) }

// Gone reports whether the peer is removed from the server.
func (p *Peer) Gone() bool { return p.state.Load() == gone }

// Context returns a context of the peer, for [Mux.Serve]. Its parent is that of
// the [ServerConfig], and [PeerFrom] finds the peer in it.
func (p *Peer) Context() context.Context { return p.context }

type peerKey struct{}

// PeerFrom returns the peer of a context, or nil.
func PeerFrom(ctx context.Context) *Peer {
	p, _ := ctx.Value(peerKey{}).(*Peer)
	return p
}

// Send sends a datagram of packets to the peer, as [Session.Append] makes it. It
// does nothing if the peer is removed.
func (p *Peer) Send(packets ...any) error {
	if p.Gone() {
		return nil
	}
	return p.send(func(dst []byte) ([]byte, error) { return p.session.Append(dst, packets...) })
}

// send sends the datagram that seal makes. A session that can seal no more is
// at its end.
func (p *Peer) send(seal func(dst []byte) ([]byte, error)) error {
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	datagram, err := seal((*buf)[:0])
	if err == ErrExhausted {
		p.server.end(p, ReasonExhausted, true)
	}
	if err != nil {
		return err
	}
	*buf = datagram
	p.server.config.Send(p.address, datagram)
	return nil
}

// Kick removes the peer from the server and tells the client, for a reason that
// must not be 0: [ReasonKicked], or one of the program. It does nothing if the
// peer is removed.
func (p *Peer) Kick(reason Reason) {
	if reason == 0 {
		panic("packet: Kick: there is no reason 0")
	}
	p.server.end(p, reason, true)
}

// dismiss tells the client that the server has removed it.
func (p *Peer) dismiss(reason Reason) {
	p.session.dismiss(reason, func(datagram []byte) { p.server.config.Send(p.address, datagram) })
}
