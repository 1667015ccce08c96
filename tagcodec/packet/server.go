package packet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/netip"
	"sync"
	"time"
)

// ServerConfig is what a [Server] is made with.
type ServerConfig struct {
	// Send sends a datagram to an address. The bytes are valid until it returns.
	// It must be set. It is called without any lock, by any goroutine that calls
	// a method of the server or of its peers.
	Send func(to netip.AddrPort, datagram []byte)

	// Gate says who may join.
	Gate GateConfig

	// MaxPeers is the most peers that the server has at a time, or 0 for
	// [DefaultMaxPeers]. Joins beyond it are refused with [ErrFull].
	MaxPeers int
	// PerAddress is the most peers that have an IPv4 address, or a /64 network of
	// IPv6 addresses, in common. Players behind one NAT share its address. Joins
	// beyond it are refused with [ErrFull]. 0 means no limit for protocols with
	// keys, whose users have one session each, and [DefaultPerAddress] for others.
	PerAddress int
	// KeepOlder refuses the join of a user who has a session with [ErrOccupied],
	// unless both come from the same address and port. Without it the later
	// session replaces the older one. Protocols without keys ignore it: their
	// users prove nothing.
	KeepOlder bool

	// Timeout is how long a peer may be silent, or 0 for [DefaultTimeout].
	Timeout time.Duration
	// Keepalive is how long the server is silent to a peer before it sends a
	// keepalive, or 0 for a fifth of the timeout. It must be less than the timeout
	// of the clients.
	Keepalive time.Duration

	// Joined is called with each peer that joins, before the client is let in:
	// before any packet of it is received, and before anything finds the peer.
	// It may set the peer's Value. Left is called once with each peer that was
	// joined, and the reason. Each may be nil.
	//
	// The two are called one at a time, in the order in which the peers joined
	// and left, and without any lock. They may call every method of the server and
	// of its peers. What these cause to be called is called after they return.
	Joined func(p *Peer)
	Left   func(p *Peer, reason Reason)
	// Refused is called with each client that is turned away with a rejection:
	// for [ErrProtocol], [ErrDenied], [ErrFull], [ErrOccupied] or [ErrClosed]. It
	// may be nil. It is called by the goroutine that called [Server.Receive], so
	// that several calls may run at once.
	Refused func(from netip.AddrPort, reason Refusal)

	// Context is the parent of the contexts of the peers, or nil.
	Context context.Context
}

// What a [ServerConfig] means with 0.
const (
	DefaultMaxPeers   = 256
	DefaultPerAddress = 8
	DefaultTimeout    = 10 * time.Second
)

// Server is the table of a server's clients, its [Peer]s, by their addresses
// and users. It lets clients in with a [Gate], opens their datagrams, sends
// keepalives, and removes those that are silent or leave. It has no socket, no
// clock and no goroutine: the program calls [Server.Receive] with each datagram
// that arrives and [Server.Tick] several times a second.
//
// A Server is safe for concurrent use. A program usually has a goroutine that
// receives and another that ticks.
//
// The memory that a server takes is bounded by ServerConfig.MaxPeers. A
// datagram of a client that is not let in takes none.
type Server struct {
	p       *Protocol
	config  ServerConfig
	gate    *Gate
	context context.Context

	mu        sync.RWMutex
	closed    bool
	byAddress map[netip.AddrPort]*Peer
	byUser    map[uint64]*Peer // of a protocol with keys
	byHost    map[netip.Prefix]int
	order     []*Peer // all peers
	lent      bool    // an iteration reads the array of order

	notices    []notice
	delivered  int  // how many of them are
	delivering bool // a goroutine delivers one
}

// NewServer returns a server of the protocol.
func (p *Protocol) NewServer(c ServerConfig) (*Server, error) {
	switch {
	case c.Send == nil:
		return nil, errors.New("packet: a server needs a function that sends")
	case c.MaxPeers < 0 || c.PerAddress < 0 || c.Timeout < 0 || c.Keepalive < 0:
		return nil, fmt.Errorf("packet: a server cannot have limits below 0: %d peers, %d of an address, timeout %v, keepalive %v",
			c.MaxPeers, c.PerAddress, c.Timeout, c.Keepalive)
	}
	if c.MaxPeers == 0 {
		c.MaxPeers = DefaultMaxPeers
	}
	if c.PerAddress == 0 {
		c.PerAddress = c.MaxPeers
		if !p.config.Protection.keyed() {
			c.PerAddress = DefaultPerAddress
		}
	}
	c.Timeout, c.Keepalive = intervals(c.Timeout, c.Keepalive)
	if c.Gate.Attempts == 0 {
		c.Gate.Attempts = max(DefaultAttempts, 4*c.MaxPeers)
	}
	s := &Server{
		p: p, config: c, context: c.Context,
		gate:      p.NewGate(c.Gate),
		byAddress: map[netip.AddrPort]*Peer{},
		byUser:    map[uint64]*Peer{},
		byHost:    map[netip.Prefix]int{},
	}
	s.gate.admits = s.admits
	if s.context == nil {
		s.context = context.Background()
	}
	return s, nil
}

// intervals returns a timeout and a keepalive with their defaults.
func intervals(timeout, keepalive time.Duration) (time.Duration, time.Duration) {
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	if keepalive == 0 {
		keepalive = timeout / 5
	}
	return timeout, keepalive
}

// Gate returns the server's gate.
func (s *Server) Gate() *Gate { return s.gate }

// Counters returns where the server, its gate and its sessions count.
func (s *Server) Counters() *Counters { return s.gate.Counters() }

// Len returns the number of peers, with those for which Joined has not
// returned.
func (s *Server) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.order)
}

// ByAddress returns the peer of an address, or nil.
func (s *Server) ByAddress(address netip.AddrPort) *Peer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return present(s.byAddress[unmapped(address)])
}

// ByUser returns the peer of a user, or nil. It finds nobody where the protocol
// has no keys: what its users say of themselves is unproven.
func (s *Server) ByUser(user uint64) *Peer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return present(s.byUser[user])
}

// All returns the peers, in no order. The loop may remove peers, of which those
// that are still to come are left out. Peers that join meanwhile may be left
// out.
func (s *Server) All() iter.Seq[*Peer] {
	return func(yield func(*Peer) bool) {
		for _, p := range s.list() {
			if present(p) != nil && !yield(p) {
				return
			}
		}
	}
}

// list returns the peers there are. Its elements do not change.
func (s *Server) list() []*Peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lent = true
	return s.order[:len(s.order):len(s.order)]
}

// Broadcast sends the packets of a batch to all peers. They are sealed for each,
// and encoded only once. It fails with [ErrEmpty] if there are no packets.
func (s *Server) Broadcast(b *Batch) error {
	if b.packets == 0 {
		return ErrEmpty
	}
	for _, p := range s.list() {
		if present(p) != nil {
			p.send(func(dst []byte) ([]byte, error) { return p.session.Seal(dst, b) })
		}
	}
	return nil
}

// Shutdown disconnects all peers with [ReasonShutdown]. From now on joins are
// refused with [ErrClosed], as long as the program calls [Server.Receive].
func (s *Server) Shutdown() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	for _, p := range s.list() {
		s.end(p, ReasonShutdown, true)
	}
}
