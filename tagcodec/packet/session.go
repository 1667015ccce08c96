package packet

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// The failures of making and using a session.
var (
	// ErrSecret says that the secret or the salt is too short for the protocol's
	// protection, or is given to one that has no keys.
	ErrSecret = errors.New("packet: bad secret or salt")
	// ErrExhausted says that a session has sent as many datagrams as its keys are
	// good for: 2^23 with AES256GCM, which at 60 a second is 38 hours, and 2^64
	// otherwise. Join again.
	ErrExhausted = errors.New("packet: the session has no sequence number left: join again")
	// ErrEmpty says that there is no packet to send.
	ErrEmpty = errors.New("packet: a datagram must have a packet")
)

// Side is one of the two ends of a conversation. What one seals only the other
// can open.
type Side uint8

// The sides. Where neither is a server they may be given out in any way.
const (
	ClientSide Side = iota
	ServerSide
)

// The least bytes of a secret and of a salt.
const (
	MinSecret = 16
	MinSalt   = 16
)

// Session is one end of a conversation. It has the keys of the two directions,
// the sequence number of the next datagram, and the window of those that
// arrived. It is safe for concurrent use.
//
// There is no way to reset a session: its keys may see a sequence number once.
// Another conversation is another session, with another salt. The copies of a
// Session are one session. A process that is started again from an image of its
// memory, such as a snapshot of its virtual machine, must not use the sessions
// in it: two processes would send different datagrams under the same number.
type Session struct{ *session }

// session is behind a pointer so that the copies of a Session are one.
type session struct {
	p        *Protocol
	counters *Counters

	out struct {
		sync.Mutex
		guard *guard
		next  uint64
		spent bool // the last sequence number was sent

		control [maxControl + endCheckSize]byte // the last that was sealed
	}
	in struct {
		sync.Mutex
		guard  *guard
		window window
	}
}

// NewSession returns one end of a new conversation. For a keyed protocol, the
// secret is what the two sides have in common and nobody else has, of
// [MinSecret] bytes or more, and the salt is what they have in common for this
// conversation alone, of [MinSalt] bytes or more, such as random bytes of both
// sides. It need not be secret. Each side of a secret and a salt must be made
// once, by one program: of a second one, and of one made after a restart, the
// same keys would meet the same sequence numbers. Then datagrams can be
// repeated, and those that an AEAD encrypts can be read and forged. [Gate] and
// [Join] see to that. Other protocols take neither.
func (p *Protocol) NewSession(side Side, secret, salt []byte) (*Session, error) {
	protection := p.config.Protection
	switch {
	case side > ServerSide:
		return nil, fmt.Errorf("packet: there is no side %d", side)
	case !protection.keyed() && (len(secret) > 0 || len(salt) > 0):
		return nil, fmt.Errorf("%w: %v has no keys", ErrSecret, protection)
	case protection.keyed() && (len(secret) < MinSecret || len(salt) < MinSalt):
		return nil, fmt.Errorf("%w: a secret needs %d bytes and a salt %d, not %d and %d",
			ErrSecret, MinSecret, MinSalt, len(secret), len(salt))
	}
	up, err := newGuard(protection, p.id, "client to server", secret, salt)
	if err != nil {
		return nil, err
	}
	down, err := newGuard(protection, p.id, "server to client", secret, salt)
	if err != nil {
		return nil, err
	}
	s := &Session{&session{p: p, counters: new(Counters)}}
	s.out.guard, s.in.guard = up, down
	if side == ServerSide {
		s.out.guard, s.in.guard = down, up
	}
	return s, nil
}

// Protocol returns the session's protocol.
func (s *Session) Protocol() *Protocol { return s.p }

// Counters returns where the session counts what it accepts and refuses.
func (s *Session) Counters() *Counters { return s.counters }

// CountIn makes the session count in c, which it may share with others. It is
// called before the session is used.
func (s *Session) CountIn(c *Counters) { s.counters = c }

// Sent returns the number of datagrams that the session has sealed, which is
// the sequence number of the next.
func (s *Session) Sent() uint64 {
	s.out.Lock()
	defer s.out.Unlock()
	return s.out.next
}

// Append appends a datagram of packets to dst, each a value of a type of the
// protocol or a pointer to one. After an error it returns dst as it was.
func (s *Session) Append(dst []byte, packets ...any) ([]byte, error) {
	b := batches.Get().(*Batch)
	defer batches.Put(b)
	b.p = s.p
	b.Reset()
	for _, v := range packets {
		if err := b.Add(v); err != nil {
			return dst, err
		}
	}
	return s.Seal(dst, b)
}

// Seal appends the datagram of a batch to dst. After an error it returns dst
// as it was. It panics if the batch is of another protocol.
func (s *Session) Seal(dst []byte, b *Batch) ([]byte, error) {
	if b.p.agreed != s.p.agreed {
		panic("packet: Seal: the batch is of another protocol")
	}
	if b.packets == 0 {
		return dst, ErrEmpty
	}
	dst = slices.Grow(dst, s.p.Overhead()+b.end)
	s.out.Lock()
	defer s.out.Unlock()
	return s.seal(dst, kindData, b.data)
}

// seal appends the datagram of a kind. The caller holds s.out.
func (s *Session) seal(dst []byte, kind byte, plain []byte) ([]byte, error) {
	seq := s.out.next
	if s.out.spent || seq > s.out.guard.last {
		return dst, ErrExhausted
	}
	s.out.next++
	s.out.spent = s.out.next == 0
	return s.out.guard.seal(dst, kind, seq, plain), nil
}
