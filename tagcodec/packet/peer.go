package packet

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"
)

// Peer is a client of a [Server]. Its methods are safe for concurrent use.
type Peer struct {
	// Value is for the program. It starts as nil, or with the Value of an older
	// peer of the same user that this one replaces. ServerConfig.Joined may set
	// it without locking; the program must synchronize later changes itself.
	Value any

	server  *Server
	session *Session
	address netip.AddrPort // as the socket wrote it
	key     netip.AddrPort // the address in the tables of the server
	user    uint64
	attempt nonce
	welcome []byte // the reply that let it in, until it is sent
	joined  time.Time
	context context.Context
	older   *Peer // the replaced peer of the same user, until Joined is called

	index  int           // in server.order; guarded by server.mu
	reason Reason        // why it was removed; guarded by server.mu
	tell   bool          // whether to send the reason to its client; guarded by server.mu
	state  atomic.Uint32 // changed under server.mu

	heard atomic.Int64  // when a datagram was last accepted, in nanoseconds after joined
	said  atomic.Int64  // when Tick last found that sent had changed, in nanoseconds after joined
	sent  atomic.Uint64 // number of datagrams sent by then
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

// Address returns the address and port that the peer's datagrams come from.
func (p *Peer) Address() netip.AddrPort { return p.address }

// User returns the user that the peer joined as. If the protocol has no keys,
// this is an unproven claim of the client.
func (p *Peer) User() uint64 { return p.user }

// Session returns the peer's session.
func (p *Peer) Session() *Session { return p.session }

// JoinedAt returns when the peer joined.
func (p *Peer) JoinedAt() time.Time { return p.joined }

// HeardAt returns the time of the last datagram accepted from the peer.
func (p *Peer) HeardAt() time.Time { return p.joined.Add(time.Duration(p.heard.Load())) }

// Gone reports whether the peer has been removed from the server.
func (p *Peer) Gone() bool { return p.state.Load() == gone }

// Context returns the peer's context, for [Mux.Serve]. Its parent is
// ServerConfig.Context, and [PeerFrom] returns the peer from it.
func (p *Peer) Context() context.Context { return p.context }

type peerKey struct{}

// PeerFrom returns the peer of a [Peer.Context], or nil.
func PeerFrom(ctx context.Context) *Peer {
	p, _ := ctx.Value(peerKey{}).(*Peer)
	return p
}

// Send sends a datagram of packets to the peer, built as by [Session.Append], or
// several if a packet is sent in fragments. It does nothing if the peer has been
// removed.
func (p *Peer) Send(packets ...any) error {
	if p.Gone() {
		return nil
	}
	b := p.session.p.borrowBatch()
	defer batches.Put(b)
	if err := b.addAll(packets); err != nil {
		return err
	}
	return p.sendBatch(b)
}

// Queue adds a message to those of the peer's session: see [Session.Queue]. If
// nothing else is sent, [Server.Tick] sends it. It does nothing if the peer has
// been removed.
func (p *Peer) Queue(v any) error {
	if p.Gone() {
		return nil
	}
	return p.session.Queue(v)
}

// sendBatch sends the datagrams of a batch. It removes the peer if its session is
// exhausted.
func (p *Peer) sendBatch(b *Batch) error {
	err := p.session.SealEach(b, func(datagram []byte) error {
		p.server.config.Send(p.address, datagram)
		return nil
	})
	if err == ErrExhausted {
		p.server.end(p, ReasonExhausted, true)
	}
	return err
}

// send sends the datagram that seal appends, if any. It removes the peer if its
// session is exhausted.
func (p *Peer) send(seal func(dst []byte) ([]byte, error)) error {
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	datagram, err := seal((*buf)[:0])
	if err == ErrExhausted {
		p.server.end(p, ReasonExhausted, true)
	}
	if err != nil || len(datagram) == 0 {
		return err
	}
	*buf = datagram
	p.server.config.Send(p.address, datagram)
	return nil
}

// Kick removes the peer from the server and sends the reason to the client:
// [ReasonKicked], or one that the program defines. It does nothing if the peer
// has already been removed. It panics if reason is 0.
func (p *Peer) Kick(reason Reason) {
	if reason == 0 {
		panic("packet: Kick: the reason must not be 0")
	}
	p.server.end(p, reason, true)
}

// dismiss sends a removed peer's client the reason, if it is to be told.
func (p *Peer) dismiss() {
	if p.tell {
		p.session.dismiss(p.reason, func(datagram []byte) { p.server.config.Send(p.address, datagram) })
	}
}
