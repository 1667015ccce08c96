package packet

import (
	"errors"
	"slices"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Contents are the packets of a datagram that was opened, in the order they
// were added. They refer to the datagram's bytes. A datagram without packets
// has a [Control] instead.
type Contents struct {
	p        *Protocol
	counters *Counters
	rest     []byte
	seq      uint64
	packets  int32 // read, with the next
	control  Control
	reason   Reason
}

// Open checks a datagram, from the cheapest check to the most expensive, and
// returns its packets. Nothing is allocated, and a refusal is the [Refusal]
// itself. An AEAD overwrites the datagram with its plaintext, or, if it is
// forged, with zeros.
func (s *Session) Open(datagram []byte) (Contents, error) {
	c, kind, refusal := s.open(datagram)
	if refusal == 0 && kind == kindControl {
		refusal = c.readControl()
	}
	if refusal != 0 {
		s.counters.Refuse(refusal)
		return Contents{}, refusal
	}
	return c, nil
}

func (s *Session) open(datagram []byte) (c Contents, kind byte, refusal Refusal) {
	p := s.p
	least := p.header + 1 + p.behind // a control of one byte
	switch {
	case len(datagram) < least:
		return c, 0, ErrTruncated
	case len(datagram) > p.room+p.Overhead():
		return c, 0, ErrTooLong
	}
	front := p.header - 1
	kind, seq, n, refusal := readHeader(datagram[front:])
	if refusal != 0 {
		return c, 0, refusal
	}
	if kind == kindData {
		least = p.least
	}
	switch {
	case len(datagram) < least+n-1:
		return c, 0, ErrTruncated
	case seq > s.in.guard.last:
		return c, 0, ErrGarbage
	}
	rest, refusal := s.authenticate(datagram, seq, front+n)
	return Contents{p: p, counters: s.counters, rest: rest, seq: seq}, kind, refusal
}

// authenticate opens the guard of a datagram whose sequence number was not
// accepted before. The number is looked for before the guard is opened, which
// is what costs, and noted only after all is well: a forged one must not keep
// a true one out.
func (s *Session) authenticate(datagram []byte, seq uint64, at int) ([]byte, Refusal) {
	s.in.Lock()
	defer s.in.Unlock()
	if !s.in.window.fresh(seq) {
		return nil, ErrReplayed
	}
	rest, refusal := s.in.guard.open(datagram, seq, at)
	if refusal != 0 {
		return nil, refusal
	}
	if check := s.p.endCheck; check != nil {
		end := len(rest) - endCheckSize
		if string(rest[end:]) != string(check) {
			return nil, ErrEndCheck
		}
		rest = rest[:end]
	}
	s.in.window.accept(seq)
	return rest, 0
}

// Decode opens a datagram of one packet and returns the packet, a pointer to a
// value of one of the protocol's types. It is that of the pointers in reuse
// that is of the packet's type, or a fresh one. Packets of one type are told
// from those of another by a type switch:
//
//	v, err := session.Decode(datagram, &snapshot)
//	switch v := v.(type) {
//	case *Snapshot: // which is &snapshot
//	case *Chat:     // which is fresh
//	}
//
// A datagram of several packets is refused with [ErrSeveral]: they are read
// with [Session.Open], or by a [Mux]. A datagram without packets is no refusal:
// its error is [ErrKeepalive], or the [Reason] of a disconnect.
func (s *Session) Decode(datagram []byte, reuse ...any) (any, error) {
	c, err := s.Open(datagram)
	if err != nil {
		return nil, err
	}
	if c.control != NoControl {
		return nil, c.none()
	}
	v, err := c.Next(reuse...)
	if err == nil && c.More() {
		s.counters.Refuse(ErrSeveral)
		return nil, ErrSeveral
	}
	return v, err
}

// Sequence returns the sequence number of the datagram.
func (c *Contents) Sequence() uint64 { return c.seq }

// More reports whether there are packets left. There are none after an error.
func (c *Contents) More() bool { return len(c.rest) > 0 }

// Next returns the next packet, as [Session.Decode] does. It panics if there
// is none.
func (c *Contents) Next(reuse ...any) (any, error) {
	i, err := c.peek()
	if err != nil {
		return nil, err
	}
	codec := c.p.codecs[i]
	var v any
	if k := slices.IndexFunc(reuse, codec.holds); k >= 0 {
		v = reuse[k]
	} else {
		v = codec.fresh()
	}
	if err := c.read(i, v); err != nil {
		return nil, err
	}
	return v, nil
}

// peek returns the index of the next packet's type. It is called once for each
// packet.
func (c *Contents) peek() (int, error) {
	if !c.More() {
		panic("packet: Next: there is no packet left")
	}
	if c.packets++; int(c.packets) > c.p.config.MaxPackets {
		return 0, c.refuse(ErrTooMany)
	}
	i := bits.Peek(c.rest, 0) & (1<<c.p.width - 1)
	if i >= uint64(len(c.p.types)) {
		return 0, c.refuse(ErrUnknownType)
	}
	if info := &c.p.types[i]; len(c.rest) < info.MinSize {
		return 0, c.refuse(ErrTruncated)
	}
	return int(i), nil
}

// read reads the next packet, of the type of index i, into v.
func (c *Contents) read(i int, v any) error {
	n, err := readPacket(c.rest, c.p.codecs[i], c.p.width, v)
	if err == tagcodec.ErrOverread { // of a codec with brief errors
		return c.refuse(ErrTruncated)
	}
	if err != nil {
		reason := ErrInvalid
		if errors.Is(err, tagcodec.ErrOverread) {
			reason = ErrTruncated
		}
		return &Error{Op: "read", Type: c.p.types[i].Type, Reason: c.refuse(reason), Err: err}
	}
	c.rest = c.rest[n:]
	c.counters.accept()
	return nil
}

// refuse refuses the rest of the datagram: where the next packet starts is not
// known. It returns the reason.
func (c *Contents) refuse(reason Refusal) error {
	c.rest = nil
	c.counters.Refuse(reason)
	return reason
}
