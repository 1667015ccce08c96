package packet

import (
	"errors"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Contents are the packets of an opened datagram, in the order in which they
// were added. They refer to the memory of the datagram. A datagram without
// packets has a [Control] instead.
type Contents struct {
	p        *Protocol
	counters *Counters
	session  *session // nil for a Stateless datagram
	rest     []byte
	unit     []byte // the next packet if it is not at the start of rest: one of fragments, or a message
	seq      uint64
	packets  int32 // packets whose type has been read
	control  Control
	reason   Reason
	failed   bool    // a packet was refused
	message  bool    // unit is a message
	claimed  bool    // and is being handled
	messages int32   // at the start of rest
	number   uint64  // of the first of them
	preamble int32   // bytes before the messages that have not been counted
	pending  Refusal // why the rest is refused
}

// Open checks a datagram, cheapest checks first, and returns its packets. It
// allocates nothing, and a refusal is the [Refusal] itself. With an AEAD, Open
// overwrites the datagram with the plaintext, or with zeros if it is forged.
func (s *Session) Open(datagram []byte) (Contents, error) {
	var c Contents
	if refusal := s.open(&c, datagram); refusal != 0 {
		return Contents{}, refusal
	}
	return c, nil
}

// open sets c to the contents of a datagram, or counts and returns the refusal.
func (s *Session) open(c *Contents, datagram []byte) Refusal {
	rest, seq, kind, refusal := s.check(datagram, true)
	if refusal != 0 {
		s.refuse(refusal)
		return refusal
	}
	c.p, c.counters, c.session, c.rest, c.seq = s.p, s.counters, s.session, rest, seq
	if kind&kindAcks != 0 {
		refusal = c.openAcks(kind)
	} else if kind == kindControl && !c.readControl() {
		refusal = ErrGarbage
	}
	if refusal != 0 {
		s.refuse(refusal)
		return refusal
	}
	if c.control != NoControl {
		s.in.controls.Add(c.control.size())
		c.Accept()
	}
	return 0
}

// openAcks reads the ack section of an authentic datagram and what follows it,
// and records what is acknowledged.
func (c *Contents) openAcks(kind byte) Refusal {
	var set numberSet
	size := len(c.rest)
	rest, refusal := readAcks(c.rest, &set)
	c.rest = rest
	switch {
	case refusal != 0:
		return refusal
	case kind&kindControl != 0 && !c.readControl():
		return ErrGarbage
	case kind&kindControl == 0 && len(rest) == 0:
		return ErrTruncated
	}
	return c.session.learn(&set, size-len(rest))
}

// check authenticates a datagram and returns its data, sequence number and
// kind. If accept is set, it records the number.
func (s *Session) check(datagram []byte, accept bool) (rest []byte, seq uint64, kind byte, refusal Refusal) {
	p := s.p
	least := p.headerEnd + 1 + p.trailerLen // the size with a control of one byte
	switch {
	case len(datagram) < least:
		return nil, 0, 0, ErrTruncated
	case len(datagram) > p.room+p.Overhead():
		return nil, 0, 0, ErrTooLong
	}
	prefixLen := p.headerEnd - 1
	if kind = datagram[prefixLen] &^ lengthMask; kind > p.maxKind {
		return nil, 0, 0, ErrGarbage
	}
	seq, n, refusal := readSequence(datagram[prefixLen:])
	if refusal != 0 {
		return nil, 0, 0, refusal
	}
	if kind&kindControl == 0 {
		least = p.minLen
	}
	switch {
	case len(datagram) < least+n-1:
		return nil, 0, 0, ErrTruncated
	case seq > s.in.guard.last:
		return nil, 0, 0, ErrGarbage
	}
	rest, refusal = s.authenticate(datagram, seq, prefixLen+n, accept)
	return rest, seq, kind, refusal
}

// authenticate checks a datagram with an already parsed header and, if accept is
// set, records its sequence number. It looks the number up first, because the cryptography is
// the expensive part. It records the number only after everything else is
// valid, so that a forged datagram cannot block a genuine one.
func (s *Session) authenticate(datagram []byte, seq uint64, at int, accept bool) ([]byte, Refusal) {
	s.in.Lock()
	defer s.in.Unlock()
	if !s.in.window.fresh(seq) {
		return nil, ErrReplayed
	}
	rest, refusal := s.in.guard.open(datagram, seq, at)
	if refusal != 0 {
		return nil, refusal
	}
	if rest, refusal = cutEndCheck(rest, s.p.endCheck); refusal == 0 && accept {
		s.in.window.accept(seq)
		t := &s.in.counts
		t.datagrams++
		t.bytes += int64(len(datagram))
		t.headers += int64(at - s.p.config.Protection.prefixLen())
	}
	return rest, refusal
}

// cutEndCheck returns data without the end check that must be at its end. check
// is nil if there is none.
func cutEndCheck(data, check []byte) ([]byte, Refusal) {
	end := len(data) - len(check)
	if string(data[end:]) != string(check) {
		return nil, ErrEndCheck
	}
	return data[:end], 0
}

// Decode opens a datagram of one packet and returns the packet, a pointer to a
// value of one of the protocol's types. Decode reuses the first pointer in
// reuse that has the packet's type, or allocates a new value. A type switch
// tells the types apart:
//
//	v, err := session.Decode(datagram, &snapshot)
//	switch v := v.(type) {
//	case *Snapshot: // this is &snapshot
//	case *Chat:     // newly allocated
//	}
//
// A datagram of several packets is refused with [ErrSeveral]: use
// [Session.Open] or a [Mux] for those. A datagram without packets is not
// refused: its error is [ErrKeepalive], or the [Reason] of a disconnect. Nor is a
// datagram of a fragment that does not complete its packet: its error is
// [ErrIncomplete].
func (s *Session) Decode(datagram []byte, reuse ...any) (any, error) {
	c, err := s.Open(datagram)
	if err != nil {
		return nil, err
	}
	if c.control != NoControl {
		return nil, c.none()
	}
	return c.only(reuse)
}

// only returns the packet of a datagram that must have one packet.
func (c *Contents) only(reuse []any) (any, error) {
	if !c.More() {
		c.Accept()
		return nil, ErrIncomplete
	}
	v, err := c.Next(reuse...)
	if err == nil && c.More() {
		return nil, c.refuse(ErrSeveral)
	}
	if err == nil {
		c.Accept()
	}
	return v, err
}

// Accept acknowledges the datagram, unless packets are left or one was refused.
// [Mux.Serve] calls it after the handlers, [Session.Decode] after it has read the
// packet. A program that uses neither calls it after it has handled all packets:
// what it does not accept counts as lost for the sender. Accept does nothing
// without [Config.Acks].
func (c *Contents) Accept() {
	if c.session == nil || c.session.in.accepted == nil || c.failed || c.More() {
		return
	}
	c.session.in.Lock()
	defer c.session.in.Unlock()
	c.session.in.accepted.accept(c.seq, c.control == NoControl)
}

// Sequence returns the sequence number of the datagram, or 0 for a [Stateless]
// datagram, which has none.
func (c *Contents) Sequence() uint64 { return c.seq }

// More reports whether packets are left. It returns false after an error.
func (c *Contents) More() bool {
	if c.session != nil && (c.p.fragmentIndex >= 0 || c.p.messageIndex >= 0) {
		c.advance()
	}
	return len(c.rest) > 0 || c.unit != nil || c.pending != 0
}

// advance takes the fragments and messages before the next packet.
func (c *Contents) advance() {
	for c.unit == nil && c.pending == 0 {
		switch {
		case c.messages > 0:
			c.pending = c.takeMessage()
			continue
		case len(c.rest) == 0:
			return
		}
		switch c.p.typeIndex(c.rest) {
		case c.p.fragmentIndex:
			c.pending = c.takeFragment()
		case c.p.messageIndex:
			c.pending = c.takeMessages()
		default:
			return
		}
	}
}

// takeFragment takes the fragment at the start of the rest. If that completes its
// packet, the packet is next.
func (c *Contents) takeFragment() Refusal {
	if c.packets++; int(c.packets) > c.p.config.MaxPackets {
		return ErrTooMany
	}
	f, rest, refusal := c.p.readFragment(c.rest)
	if refusal != 0 {
		return refusal
	}
	in := &c.session.in
	in.Lock()
	defer in.Unlock()
	if c.unit, refusal = in.assembler.add(c.p.spec, &f, c.session.now()); refusal == 0 {
		t := &in.counts
		t.fragments++
		t.fragmentHeaders += int64(len(c.rest) - len(rest) - len(f.data))
		c.rest = rest
	}
	return refusal
}

// release ends the use of the packet in c.unit.
func (c *Contents) release() {
	if c.unit != nil && !c.message {
		in := &c.session.in
		in.Lock()
		defer in.Unlock()
		in.assembler.release(c.unit)
	}
	c.unit, c.message = nil, false
}

// Next returns the next packet, as [Session.Decode] does. It panics if no
// packet is left.
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
	data, exact := c.next()
	end, err := readPacket(data, codec, c.p.width, exact, v)
	if err != nil {
		return nil, c.fail(i, err)
	}
	c.done(i, end)
	return v, nil
}

// next returns the next packet and what follows it. If exact is set, nothing may
// follow.
func (c *Contents) next() (data []byte, exact bool) {
	if c.unit != nil {
		return c.unit, true
	}
	return c.rest, false
}

// peek returns the type index of the next packet. It must be called once for
// each packet.
func (c *Contents) peek() (int, error) {
	if !c.More() {
		panic("packet: Next: no packet is left")
	}
	data, exact := c.next()
	if c.pending != 0 {
		return 0, c.refuse(c.pending)
	}
	if !exact { // fragments and messages have been counted
		c.packets++
	}
	if c.message && !c.claim() { // another goroutine handles it
		return 0, c.refuse(ErrRepeated)
	}
	if int(c.packets) > c.p.config.MaxPackets {
		return 0, c.refuse(ErrTooMany)
	}
	i := c.p.typeIndex(data)
	if i >= len(c.p.types) {
		return 0, c.refuse(ErrUnknownType)
	}
	if info := &c.p.types[i]; len(data) < info.MinSize {
		return 0, c.refuse(ErrTruncated)
	}
	return i, nil
}

// done counts the next packet, of the type with index i and end bits, and goes on
// to the one after it.
func (c *Contents) done(i, end int) {
	c.unclaim(true)
	n := packetLen(end)
	c.skip(n)
	c.countPacket(i, n, end-c.p.width)
}

func (c *Contents) skip(n int) {
	if c.unit != nil {
		c.release()
		return
	}
	c.rest = c.rest[n:]
}

// decline goes on to the packet after the next, of end bits, which its handler
// has declined.
func (c *Contents) decline(end int) {
	c.unclaim(false)
	c.skip(packetLen(end))
	c.failed = true
	c.countRefusal(ErrDeclined)
}

// fail refuses the next packet, whose type has index i, because of the error of
// readPacket.
func (c *Contents) fail(i int, err error) error {
	if err == tagcodec.ErrOverread { // only with WithSentinelErrors
		return c.refuse(ErrTruncated)
	}
	reason := ErrInvalid
	if errors.Is(err, tagcodec.ErrOverread) {
		reason = ErrTruncated
	}
	return &Error{Op: "read", Type: c.p.types[i].Type, Reason: c.refuse(reason), Err: err}
}

// refuse refuses the rest of the datagram, since the start of the next packet
// is unknown. It returns the reason.
func (c *Contents) refuse(reason Refusal) error {
	c.unclaim(false)
	c.release()
	c.rest, c.messages, c.pending, c.failed = nil, 0, 0, true
	c.countRefusal(reason)
	return reason
}
