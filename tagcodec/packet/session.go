package packet

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The errors of making and using a session.
var (
	// ErrSecret says that the secret or salt is too short for the protocol's
	// protection, or was given to a protocol without keys.
	ErrSecret = errors.New("packet: invalid secret or salt")
	// ErrExhausted says that a session has sent as many datagrams as its keys
	// allow: 2^23 with AES256GCM, which is 38 hours at 60 per second, and 2^64
	// otherwise. Join again.
	ErrExhausted = errors.New("packet: the session has used all its sequence numbers; join again")
	// ErrEmpty says that there is no packet to send.
	ErrEmpty = errors.New("packet: no packet to send")
)

// Side is one of the two ends of a conversation. Only the other side can open
// what a side seals.
type Side uint8

// The sides. If neither end is a server, either may be ClientSide.
const (
	ClientSide Side = iota
	ServerSide
)

// The minimum lengths in bytes of a secret and of a salt.
const (
	MinSecret = 16
	MinSalt   = 16
)

// Session is one end of a conversation. It holds the keys of both directions,
// the next sequence number to send, and the window of received sequence
// numbers. It is safe for concurrent use.
//
// A session cannot be reset, because each of its keys may be used only once
// with a sequence number. Another conversation needs another session, with
// another salt. Copies of a Session share its state. A process restarted from
// an image of its memory, such as a virtual machine snapshot, must not use the
// sessions in it: two processes would send different datagrams under the same
// sequence number.
type Session struct{ *session }

// session is a pointer in Session, so that copies of a Session share their
// state.
type session struct {
	p        *Protocol
	counters *Counters // &own, or those of CountIn
	own      Counters  // the refusals of the session

	out struct {
		sync.Mutex
		guard *guard
		next  uint64
		spent bool // the last possible sequence number has been sent

		flights    *flights // nil without Config.Acks
		queue      *queue   // nil without Config.Messages
		fragmented uint64   // packets sent in fragments
		scratch    []byte   // the data of the datagram that is being sealed

		counts  counts
		types   []TypeStats // by type
		learned int64       // bytes of the acknowledgements that were received
	}
	// in may be locked while out is, but not the other way around.
	in struct {
		sync.Mutex
		guard  *guard
		window window

		accepted  *accepted  // nil without Config.Acks
		assembler *assembler // nil without fragments
		inbox     inbox

		counts   counts        // without acks and controls
		types    []typeCounter // by type; not guarded
		controls atomic.Int64  // bytes; not guarded
	}

	start atomic.Pointer[time.Time] // the time of the first setTime
	clock atomic.Int64              // nanoseconds since start
	spare atomic.Pointer[Arrival]   // nil or not in use
}

// NewSession returns one end of a new conversation. For a protocol with keys,
// secret is known only to the two sides and has at least [MinSecret] bytes. The
// salt is unique to the conversation, known to both sides, and has at least
// [MinSalt] bytes; random bytes from both sides will do. It need not be secret.
// For each secret and salt, each side must be made only once and by one
// program. A second one, for instance after a restart, would use the same keys
// with the same sequence numbers. Datagrams could then be replayed, and those
// encrypted by an AEAD could be read and forged. [Gate] and [Join] prevent
// this. A protocol without keys takes neither secret nor salt.
func (p *Protocol) NewSession(side Side, secret, salt []byte) (*Session, error) {
	protection := p.config.Protection
	switch {
	case side > ServerSide:
		return nil, fmt.Errorf("packet: invalid side %d", side)
	case !protection.keyed() && (len(secret) > 0 || len(salt) > 0):
		return nil, fmt.Errorf("%w: a protocol with protection %v takes neither", ErrSecret, protection)
	case protection.keyed() && (len(secret) < MinSecret || len(salt) < MinSalt):
		return nil, fmt.Errorf("%w: the secret has %d bytes and the salt %d; they must have at least %d and %d",
			ErrSecret, len(secret), len(salt), MinSecret, MinSalt)
	}
	up, err := newGuard(protection, p.id, "client to server", secret, salt)
	if err != nil {
		return nil, err
	}
	down, err := newGuard(protection, p.id, "server to client", secret, salt)
	if err != nil {
		return nil, err
	}
	s := &Session{&session{p: p}}
	s.initStats()
	s.out.guard, s.in.guard = up, down
	if side == ServerSide {
		s.out.guard, s.in.guard = down, up
	}
	if p.config.Acks {
		s.out.flights, s.in.accepted = new(flights), new(accepted)
	}
	if p.messageIndex >= 0 {
		s.out.queue = &queue{ring: make([]message, p.config.Messages)}
		s.out.flights.queue = s.out.queue
	}
	if p.fragmentLen > 0 {
		s.in.assembler = new(assembler)
	}
	return s, nil
}

// Protocol returns the session's protocol.
func (s *Session) Protocol() *Protocol { return s.p }

// Counters returns the counters of the session.
func (s *Session) Counters() *Counters { return s.counters }

// CountIn makes the session count in c, which several sessions may share. It
// must be called before the session is used. [Session.Stats] has the refusals of
// the session alone.
func (s *Session) CountIn(c *Counters) { s.counters = c }

// Sent returns the number of datagrams that the session has sealed, which is
// also the next sequence number.
func (s *Session) Sent() uint64 {
	s.out.Lock()
	defer s.out.Unlock()
	return s.out.next
}

// Append appends a datagram of packets to dst. Each packet is a value of one of
// the protocol's types, or a pointer to one. On error Append returns dst
// unchanged.
func (s *Session) Append(dst []byte, packets ...any) ([]byte, error) {
	b := s.p.borrowBatch()
	defer batches.Put(b)
	if err := b.addAll(packets); err != nil {
		return dst, err
	}
	return s.Seal(dst, b)
}

// Seal appends the datagram of a batch to dst. On error it returns dst
// unchanged. It panics if the batch is of another protocol. With [Config.Acks] it
// adds the acknowledgements that the other side needs, and fails with
// [ErrUnreported] if the program does not call [Session.Tick].
func (s *Session) Seal(dst []byte, b *Batch) ([]byte, error) {
	if err := b.sealable(s.p); err != nil {
		return dst, err
	}
	o := b.outgoing()
	return s.seal(dst, &o)
}

// outgoing is what a datagram is made of.
type outgoing struct {
	kind    byte
	body    []byte // the packets, followed by the end check
	end     int    // length of the packets
	packets int
	values  []any       // of Tracked packets
	totals  []typeTotal // of the packets, by type

	messages uint64 // set by compose: the number after the last message in the datagram, or 0
	flush    bool   // send messages only, or a keepalive if there are none

	fragment  fragment   // after the packets; its total is 0 if there is no fragment
	whole     *whole     // the value of the fragment's packet, or nil
	completed *typeTotal // the fragment's packet, if the fragment is its last
}

func (b *Batch) outgoing() outgoing {
	return outgoing{kind: b.kind, body: b.data, end: b.end, packets: b.packets, values: b.values, totals: b.totals}
}

// seal appends a datagram to dst. On error it returns dst unchanged.
func (s *session) seal(dst []byte, o *outgoing) ([]byte, error) {
	dst = slices.Grow(dst, s.p.Overhead()+o.end+len(o.fragment.data))
	s.out.Lock()
	defer s.out.Unlock()
	seq := s.out.next
	if s.out.spent || seq > s.out.guard.last {
		return dst, ErrExhausted
	}
	f := s.out.flights
	if f != nil && !f.makeRoom(seq) {
		return dst, ErrUnreported
	}
	kind, data := o.kind, o.body
	if f != nil || o.fragment.total > 0 {
		kind, data = s.compose(o, seq)
	}
	s.out.next++
	s.out.spent = s.out.next == 0
	start := len(dst)
	dst = s.out.guard.seal(dst, kind, seq, data)
	s.countSealed(o, len(dst)-start, len(data))
	if f != nil {
		f.depart(seq, len(dst)-start, o, s.now())
	}
	return dst, nil
}

// compose returns the kind and the data of a datagram with what the session
// adds to its packets. The caller holds s.out.
func (s *session) compose(o *outgoing, seq uint64) (kind byte, data []byte) {
	kind, data = o.kind, s.out.scratch[:0]
	if f := s.out.flights; f != nil {
		s.in.Lock()
		data = s.in.accepted.append(data, seq, f.known)
		s.in.Unlock()
		s.out.counts.acks += int64(len(data))
		if len(data) > 0 {
			kind |= kindAcks
		}
	}
	if q := s.out.queue; q != nil && o.kind == kindData {
		fresh, at := q.sent, len(data)
		data, o.messages = q.append(data, s.p.spec, o, s.now(), s.out.flights.estimates.resendAfter())
		s.countMessages(fresh, o.messages, len(data)-at)
	}
	if o.flush && o.messages == 0 {
		kind |= kindControl
		data = append(data, byte(Keepalive))
		s.out.counts.controls++
	}
	if len(data) == 0 && o.fragment.total == 0 {
		return kind, o.body
	}
	data = append(data, o.body[:o.end]...)
	if fr := &o.fragment; fr.total > 0 {
		at := len(data)
		data = s.p.appendFragment(data, fr.number, fr.total, fr.index)
		s.out.counts.fragments++
		s.out.counts.fragmentHeaders += int64(len(data) - at)
		data = append(data, fr.data...)
	}
	data = append(data, s.p.endCheck...)
	s.out.scratch = data
	return kind, data
}
