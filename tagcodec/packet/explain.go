package packet

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// Explain takes a datagram of the other side apart: it returns its bits, and what
// they mean, up to the end or to where the datagram is refused. It refuses what
// [Session.Open] and [Contents.Next] refuse, but it changes neither the datagram
// nor the session. It counts, acknowledges and reports nothing. The datagram can
// still be opened. Once it has been opened, Explain refuses it with [ErrReplayed].
//
// The paths of the values begin with the name of the packet's type, as those of
// [tagcodec.Codec.Explain] do. The paths of the other parts are header, acks,
// control, messages, fragment and seal. The codes of an encrypted datagram are
// those of the plaintext. The bytes of a fragment are one part. If a fragment
// completes a packet that is not valid, the error is that of the packet. The bytes
// of a message that has been accepted before are one part too.
//
// The error is a [Refusal], an [*Error] about a packet, or nil. Links are shown by
// their id. Explain is for people who look into a wire. It takes much more time
// than Open, memory for each part, and a copy of the session's incomplete packets.
func (s *Session) Explain(datagram []byte) *tagcodec.Explanation {
	x := explainer{data: bytes.Clone(datagram)}
	x.refuse(s.explain(&x))
	return &x.e
}

// Explain takes a datagram apart, as [Session.Explain] does.
func (s *Stateless) Explain(datagram []byte) *tagcodec.Explanation {
	x := explainer{data: datagram}
	data, refusal := s.check(datagram)
	if size := prefixes[s.prefix].size; len(datagram) >= size {
		x.note(8*size, "seal", s.prefix.String(), nil)
	}
	if refusal == 0 {
		x.c = Contents{p: s.reading, counters: new(Counters), rest: data}
		if refusal = x.packets(); x.e.Err == nil && refusal == 0 {
			x.note(8*len(s.endCheck), "seal", "end check", nil)
		}
	}
	x.refuse(refusal)
	return &x.e
}

// explainer takes a datagram apart. All notes follow each other, so that the next
// is always about the bits after end.
type explainer struct {
	e    tagcodec.Explanation
	data []byte // with the plaintext
	end  int    // the parts so far end before this bit
	c    Contents
}

// refuse sets the error, unless there is one.
func (x *explainer) refuse(r Refusal) {
	if r != 0 && x.e.Err == nil {
		x.e.Err = r
	}
}

// note adds a part of n bits, but none beyond the datagram.
func (x *explainer) note(n int, path, what string, value any) {
	if n = min(n, 8*len(x.data)-x.end); n <= 0 {
		return
	}
	code := bitio.PeekWord(x.data, x.end)
	if n < 64 {
		code &= 1<<n - 1
	}
	x.e.Parts = append(x.e.Parts, tagcodec.Part{Bit: x.end, Bits: n, Path: path, What: what, Value: value, Code: code})
	x.end += n
}

// number notes a number that readUvarint reads at the start of data, and returns
// what follows it. It returns nil if there is no valid number.
func (x *explainer) number(data []byte, path, what string) []byte {
	v, rest, refusal := readUvarint(data, 1<<64-1)
	if refusal != 0 {
		return nil
	}
	x.note(8*(len(data)-len(rest)), path, what, v)
	return rest
}

// explain notes a datagram of a session.
func (s *Session) explain(x *explainer) Refusal {
	rest, _, kind, refusal := s.check(x.data, false)
	x.header(s.p)
	if refusal != 0 {
		return refusal
	}
	x.c = Contents{p: s.p, session: s.copyOf(), rest: rest}
	x.c.counters = x.c.session.counters
	var set numberSet
	if kind&kindAcks != 0 {
		if refusal = x.acks(&set); refusal != 0 {
			return refusal
		}
	}
	switch {
	case kind&kindControl != 0 && !x.control():
		return ErrGarbage
	case kind&kindControl == 0 && len(x.c.rest) == 0:
		return ErrTruncated
	case kind&kindAcks != 0 && set.newest >= s.Sent():
		return ErrAcks
	}
	if refusal = x.packets(); refusal != 0 || x.e.Err != nil {
		return refusal
	}
	x.note(8*len(s.p.endCheck), "seal", "end check", nil)
	if s.p.config.Protection.aead() {
		x.note(8*s.p.config.Protection.size(), "seal", "tag of "+s.p.config.Protection.String(), nil)
	}
	return 0
}

// copyOf returns a session that knows of fragments and messages what s does, and
// that forgets what it learns.
func (s *Session) copyOf() *session {
	other := &session{p: s.p}
	other.initStats()
	other.clock.Store(s.clock.Load())
	s.in.Lock()
	defer s.in.Unlock()
	other.in.inbox.expected = s.in.inbox.expected
	if a := s.in.assembler; a != nil {
		other.in.assembler = &assembler{partials: a.partials, finished: a.finished}
		for i := range other.in.assembler.partials {
			pt := &other.in.assembler.partials[i]
			pt.data = bytes.Clone(pt.data)
		}
	}
	return other
}

// header notes what precedes the data.
func (x *explainer) header(p *Protocol) {
	protection := p.config.Protection
	prefixLen := protection.prefixLen()
	if len(x.data) <= prefixLen {
		return
	}
	x.note(8*prefixLen, "seal", protection.String(), nil)
	kind := x.data[prefixLen] &^ lengthMask
	seq, n, refusal := readSequence(x.data[prefixLen:])
	if refusal != 0 || kind > p.maxKind {
		return
	}
	x.length("header", "sequence number", n-1)
	x.note(4, "header", kindNames[kind>>4], nil)
	x.note(8*(n-1), "header", "sequence number", seq)
}

// length notes the length in bytes of a number that begins with its length.
func (x *explainer) length(path, number string, n int) {
	if n == 0 {
		x.note(4, path, number+" 0, in no bytes", nil)
	} else {
		x.note(4, path, "bytes of the "+number, n)
	}
}

var kindNames = [4]string{"packets", "a control", "acks and packets", "acks and a control"}

// acks reads the ack section into set and notes it.
func (x *explainer) acks(set *numberSet) Refusal {
	rest, refusal := readAcks(x.c.rest, set)
	if refusal != 0 {
		return refusal
	}
	n, length := int(x.c.rest[0]&lengthMask), len(x.c.rest)-len(rest)
	x.length("acks", "newest accepted number", n)
	if length == 1+n {
		x.note(4, "acks", "no other accepted numbers", nil)
	} else {
		x.note(4, "acks", "code for the length of the set", int(x.c.rest[0]>>4))
	}
	x.note(8*n, "acks", "newest accepted number", set.newest)
	var others []uint64
	for i := 1; i < WindowSize; i++ {
		if set.bits[i/64]>>(i%64)&1 == 1 {
			others = append(others, set.newest-uint64(i))
		}
	}
	x.note(8*(length-1-n), "acks", "other accepted numbers", others)
	x.c.rest = rest
	return 0
}

// control notes a control. It reports whether it is valid.
func (x *explainer) control() bool {
	if !x.c.readControl() {
		return false
	}
	x.note(8, "control", "", x.c.control)
	if x.c.control == Disconnect {
		x.note(8, "control", "reason", x.c.reason)
	}
	return true
}

// packets notes the messages, fragments and packets that are left. It returns the
// refusal of what is not a packet.
func (x *explainer) packets() Refusal {
	c := &x.c
	for x.e.Err == nil && (c.messages > 0 || len(c.rest) > 0) {
		var refusal Refusal
		switch {
		case c.messages > 0:
			refusal = x.message()
		case c.session != nil && c.p.typeIndex(c.rest) == c.p.fragmentIndex:
			refusal = x.fragment()
		case c.session != nil && c.p.typeIndex(c.rest) == c.p.messageIndex:
			refusal = x.messages()
		default:
			x.packet(true)
		}
		if refusal != 0 {
			return refusal
		}
	}
	return 0
}

// indexOf notes a type index that is padded to whole bytes, and returns what
// follows it, or nil if the datagram ends before.
func (x *explainer) indexOf(index int, path string) []byte {
	rest, refusal := x.c.p.readIndex(x.c.rest, index)
	if refusal != 0 {
		return nil
	}
	x.note(8*(len(x.c.rest)-len(rest)), path, "index", index)
	return rest
}

// messages notes what precedes the messages.
func (x *explainer) messages() Refusal {
	rest := x.indexOf(x.c.p.messageIndex, "messages")
	rest = x.number(rest, "messages", "number of the first")
	x.number(rest, "messages", "count")
	return x.c.takeMessages()
}

// message notes a message.
func (x *explainer) message() Refusal {
	c := &x.c
	number := fmt.Sprintf("message %d", c.number)
	content := x.number(c.rest, "messages", "bytes of "+number+":")
	if refusal := c.takeMessage(); refusal != 0 {
		return refusal
	}
	if c.unit == nil {
		x.note(8*(len(content)-len(c.rest)), "messages", number+" was accepted before", nil)
	} else {
		x.packet(true)
	}
	return 0
}

// fragment notes a fragment.
func (x *explainer) fragment() Refusal {
	c := &x.c
	rest := x.indexOf(c.p.fragmentIndex, "fragment")
	for _, what := range []string{"number of the packet", "bytes of the packet", "index"} {
		rest = x.number(rest, "fragment", what)
	}
	if refusal := c.takeFragment(); refusal != 0 {
		return refusal
	}
	what := "bytes"
	if c.unit != nil {
		what = "bytes, the last missing ones of " + x.typeOf(c.unit)
	}
	x.note(8*(len(rest)-len(c.rest)), "fragment", what, nil)
	if c.unit != nil {
		x.packet(false)
	}
	return 0
}

// typeOf returns the name of the type of the packet at the start of data.
func (x *explainer) typeOf(data []byte) string {
	if i := x.c.p.typeIndex(data); i < len(x.c.p.types) {
		return typename.Of(x.c.p.types[i].Type)
	}
	return "packet"
}

// packet reads the next packet, and notes it if it is in the datagram.
func (x *explainer) packet(here bool) {
	c := &x.c
	note := func(int, string, string, any) {}
	if here {
		note = x.note
	}
	data, exact := c.next()
	name := x.typeOf(data)
	note(min(c.p.width, 8*len(data)), name, "type", c.p.typeIndex(data))
	i, err := c.peek()
	if err != nil {
		x.e.Err = err
		return
	}
	bit, err := c.p.codecs[i].explain(data, c.p.width, func(p reference.Part) { note(p.Bits, p.Path, p.What, p.Value) })
	if err == nil {
		bit, err = packetEnd(data, bit, exact)
	}
	if err != nil {
		x.e.Err = c.fail(i, err)
		return
	}
	note(8*packetLen(bit)-bit, name, "padding", nil)
	c.done(i, bit)
}

// explain explains the message that begins at a bit of data.
func (t *typed[T]) explain(data []byte, bit int, part func(reference.Part)) (int, error) {
	settings := core.Settings{MaxDepth: core.DefaultMaxDepth}
	core.Apply(&settings, t.options)
	var v T
	return reference.Explain(&settings, t.plan(), reflect.ValueOf(&v).Elem(), data, bit, part)
}
