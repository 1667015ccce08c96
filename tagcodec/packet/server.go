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

// ServerConfig configures a [Server].
type ServerConfig struct {
	// Send sends a datagram to an address. The bytes are valid until it
	// returns. Send is required. It is called without any lock held, by any
	// goroutine that calls a method of the server or of its peers.
	Send func(to netip.AddrPort, datagram []byte)

	// Gate configures who may join.
	Gate GateConfig

	// MaxPeers is the maximum number of peers at a time, or 0 for
	// [DefaultMaxPeers]. Further joins are refused with [ErrFull].
	MaxPeers int
	// PerAddress is the maximum number of peers that share an IPv4 address or
	// an IPv6 /64 network. Players behind one NAT share its address. Further
	// joins are refused with [ErrFull]. 0 means no limit for protocols with
	// keys, whose users have one session each, and [DefaultPerAddress] for
	// others.
	PerAddress int
	// KeepOlder refuses with [ErrOccupied] the join of a user who already has a
	// session, unless both come from the same address and port. Without it the
	// later session replaces the older one. Protocols without keys ignore it,
	// because their users prove nothing.
	KeepOlder bool

	// Timeout is how long a peer may stay silent, or 0 for [DefaultTimeout].
	Timeout time.Duration
	// Keepalive is how long the server sends nothing to a peer before it sends
	// a keepalive, or 0 for a fifth of Timeout. It must be less than the
	// clients' Timeout.
	Keepalive time.Duration

	// Joined is called for each peer that joins, before the server sends the
	// welcome, receives any packet of the client, or returns the peer from any
	// method. It may set the peer's Value. Left is called once, with the
	// reason, for each peer for which Joined was called. Either may be nil.
	//
	// The calls are made one at a time, in the order in which peers joined and
	// left, and without any lock held. Both functions may call any method of
	// the server and of its peers. If such a call makes a peer join or leave,
	// Joined or Left is called for it after the current call returns.
	Joined func(p *Peer)
	Left   func(p *Peer, reason Reason)
	// Refused is called for each client that is turned away with a rejection,
	// for [ErrProtocol], [ErrDenied], [ErrFull], [ErrOccupied] or [ErrClosed].
	// It may be nil. It runs in the goroutine that called [Server.Receive], so
	// several calls may run at once.
	Refused func(from netip.AddrPort, reason Refusal)
	// Reported is called with a report of each datagram sent to a peer, as by
	// [Session.OnReport]. It may be nil, and must be if the protocol has no
	// [Config.Acks]. Datagrams that arrived are reported by [Server.Receive], and
	// those that are lost by [Server.Tick].
	Reported func(p *Peer, r Report)

	// Context is the parent of the peers' contexts, or nil for
	// [context.Background].
	Context context.Context
}

// The defaults of a [ServerConfig].
const (
	DefaultMaxPeers   = 256
	DefaultPerAddress = 8
	DefaultTimeout    = 10 * time.Second
)

// Server is a table of a server's clients, its [Peer]s, by address and by user.
// It lets clients in with a [Gate], opens their datagrams, sends keepalives,
// and removes peers that fall silent or leave. It has no socket, clock or
// goroutine: the program calls [Server.Receive] with each datagram that
// arrives, and [Server.Tick] several times a second.
//
// A Server is safe for concurrent use. A program usually has one goroutine that
// receives and another that ticks.
//
// ServerConfig.MaxPeers bounds the memory of a server. A datagram from a client
// that is not let in allocates nothing.
type Server struct {
	p       *Protocol
	config  ServerConfig
	gate    *Gate
	context context.Context

	mu          sync.RWMutex
	closed      bool
	byAddress   map[netip.AddrPort]*Peer
	byUser      map[uint64]*Peer // only if the protocol has keys
	byHost      map[netip.Prefix]int
	order       []*Peer // all peers
	orderShared bool    // an iteration reads the array of order
	gone        goneStats

	notices    []notice
	delivered  int  // number of notices already delivered
	delivering bool // a goroutine is delivering a notice
}

// NewServer returns a server of the protocol.
func (p *Protocol) NewServer(c ServerConfig) (*Server, error) {
	switch {
	case c.Send == nil:
		return nil, errors.New("packet: ServerConfig.Send is nil")
	case c.MaxPeers < 0 || c.PerAddress < 0 || c.Timeout < 0 || c.Keepalive < 0:
		return nil, fmt.Errorf("packet: ServerConfig.MaxPeers, PerAddress, Timeout and Keepalive are %d, %d, %v and %v; they must not be negative",
			c.MaxPeers, c.PerAddress, c.Timeout, c.Keepalive)
	case c.Reported != nil && !p.config.Acks:
		return nil, errors.New("packet: ServerConfig.Reported needs a protocol with Acks")
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

// intervals replaces zero durations with their defaults.
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

// Counters returns the counters of the server, its gate and its sessions.
func (s *Server) Counters() *Counters { return s.gate.Counters() }

// Len returns the number of peers, including those for which Joined has not
// returned yet.
func (s *Server) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.order)
}

// ByAddress returns the peer at an address and port, or nil.
func (s *Server) ByAddress(address netip.AddrPort) *Peer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return present(s.byAddress[unmapped(address)])
}

// ByUser returns the peer of a user, or nil. It always returns nil if the
// protocol has no keys, because its users prove nothing.
func (s *Server) ByUser(user uint64) *Peer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return present(s.byUser[user])
}

// All returns the peers, in no particular order. The loop body may remove
// peers; a peer removed before its turn is skipped. Peers that join during the
// iteration may be missing.
func (s *Server) All() iter.Seq[*Peer] {
	return func(yield func(*Peer) bool) {
		for _, p := range s.list() {
			if present(p) != nil && !yield(p) {
				return
			}
		}
	}
}

// list returns the current peers. The returned slice does not change
// afterwards.
func (s *Server) list() []*Peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orderShared = true
	return s.order[:len(s.order):len(s.order)]
}

// Broadcast sends the packets of a batch to all peers. They are encoded once,
// and sealed for each peer. It returns [ErrEmpty] if the batch has no packets. A
// failure for one peer does not affect the others: Broadcast returns all errors,
// joined, and each begins with the address of its peer.
func (s *Server) Broadcast(b *Batch) error {
	if b.Len() == 0 {
		return ErrEmpty
	}
	var errs []error
	for _, p := range s.list() {
		if present(p) == nil {
			continue
		}
		if err := p.sendBatch(b); err != nil {
			errs = append(errs, failed(fmt.Sprintf("broadcast to %v", p.address), err))
		}
	}
	return errors.Join(errs...)
}

// Shutdown disconnects all peers with [ReasonShutdown]. Later joins are refused
// with [ErrClosed] as long as the program keeps calling [Server.Receive].
func (s *Server) Shutdown() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	for _, p := range s.list() {
		s.end(p, ReasonShutdown, true)
	}
}
