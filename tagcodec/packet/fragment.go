package packet

import (
	"encoding/binary"
	"fmt"
	mathbits "math/bits"
	"time"

	"github.com/gobitpack/bitpack/internal/bitio"
)

// A packet that is too large for a datagram is sent in fragments. A fragment
// takes the place of a packet. Its type index is the one after those of the
// types, padded to whole bytes. Three numbers follow, each in groups of 7 bits,
// lowest first, with the highest bit of a byte set if another follows, and as
// short as possible:
//
//	the number of the packet, counted in each direction of a session from 0
//	the length of the packet in bytes
//	i, the index of the fragment
//
// Then come the bytes of the packet from i*c on: c of them, or all that are left
// in the last fragment. c depends only on the protocol, so fragments cannot
// overlap.

// MaxFragments is the maximum number of fragments of a packet.
const MaxFragments = 128

// PartialTimeout is how long a session waits for the missing fragments of a
// packet after the first has arrived.
const PartialTimeout = 5 * time.Second

// MaxPartial is the number of packets that a session can put together at a time.
// A fragment of another packet takes the place of the packet that was sent
// first.
const MaxPartial = 4

// maxFragmentHeader is the length of the longest header after the type index: a
// number, a length and an index.
const maxFragmentHeader = 10 + 4 + 1

// fragment is a part of a packet.
type fragment struct {
	number uint64
	total  int
	index  int
	data   []byte
}

// readUvarint reads a number that binary.AppendUvarint has written, of at most
// limit. It refuses one that is longer than necessary.
func readUvarint(data []byte, limit uint64) (v uint64, rest []byte, refusal Refusal) {
	v, n := binary.Uvarint(data)
	switch {
	case n == 0:
		return 0, nil, ErrTruncated
	case n < 0 || n > 1 && data[n-1] == 0 || v > limit:
		return 0, nil, ErrGarbage
	}
	return v, data[n:], 0
}

// typeIndex returns the type index at the start of data.
func (p *spec) typeIndex(data []byte) int { return int(bitio.Peek(data, 0) & (1<<p.width - 1)) }

// appendIndex appends a type index, padded to whole bytes.
func (p *spec) appendIndex(dst []byte, index int) []byte {
	for n := p.width; n > 0; n -= 8 {
		dst = append(dst, byte(index))
		index >>= 8
	}
	return dst
}

// readIndex skips a type index that is padded to whole bytes.
func (p *spec) readIndex(data []byte, index int) (rest []byte, refusal Refusal) {
	n := (p.width + 7) / 8
	if len(data) < n {
		return nil, ErrTruncated
	}
	for i, b := range data[:n] {
		if b != byte(index>>(8*i)) {
			return nil, ErrGarbage
		}
	}
	return data[n:], 0
}

// appendFragment appends the header of a fragment.
func (p *spec) appendFragment(dst []byte, number uint64, total, index int) []byte {
	dst = p.appendIndex(dst, p.fragmentIndex)
	dst = binary.AppendUvarint(dst, number)
	dst = binary.AppendUvarint(dst, uint64(total))
	return binary.AppendUvarint(dst, uint64(index))
}

// readFragment reads the fragment at the start of data.
func (p *spec) readFragment(data []byte) (f fragment, rest []byte, refusal Refusal) {
	if rest, refusal = p.readIndex(data, p.fragmentIndex); refusal != 0 {
		return f, nil, refusal
	}
	var total, index uint64
	if f.number, rest, refusal = readUvarint(rest, 1<<64-1); refusal != 0 {
		return f, nil, refusal
	}
	if total, rest, refusal = readUvarint(rest, 1<<63-1); refusal != 0 {
		return f, nil, refusal
	}
	if index, rest, refusal = readUvarint(rest, MaxFragments-1); refusal != 0 {
		return f, nil, refusal
	}
	switch {
	case total > uint64(p.maxPacket):
		return f, nil, ErrTooLarge
	case total <= uint64(p.room) || index*uint64(p.fragmentLen) >= total:
		return f, nil, ErrGarbage
	}
	f.total, f.index = int(total), int(index)
	n := min(p.fragmentLen, f.total-f.index*p.fragmentLen)
	if len(rest) < n {
		return f, nil, ErrTruncated
	}
	f.data = rest[:n]
	if f.index == 0 {
		if i := p.typeIndex(f.data); i >= len(p.types) {
			return f, nil, ErrUnknownType
		} else if f.total > p.limits[i] {
			return f, nil, ErrTooLarge
		}
	}
	return f, rest[n:], 0
}

// partial is a packet with fragments that are missing. Its memory grows with the
// fragments that arrive, whatever length they claim for the packet.
type partial struct {
	total   int                 // the length of the packet; 0 if the partial is not in use
	data    []byte              // the fragments in the order of their arrival
	offsets [MaxFragments]int32 // of the fragments in data
	number  uint64
	since   time.Duration
	got     [MaxFragments / 64]uint64
	left    int // fragments
}

// assembler puts fragments together. It is guarded by session.in. It holds the
// fragments of at most MaxPartial packets and one buffer more, whatever arrives.
type assembler struct {
	partials [MaxPartial]partial
	finished window // the packets that are complete or given up
	spare    []byte // a buffer to reuse
}

// add adds a fragment. It returns the packet if that is complete. The caller
// must release its memory.
func (a *assembler) add(p *spec, f *fragment, now time.Duration) (packet []byte, refusal Refusal) {
	a.expire(now)
	pt := a.find(f.number)
	if pt == nil {
		if !a.finished.fresh(f.number) {
			return nil, ErrLate
		}
		if pt = a.place(f.number); pt == nil {
			a.finish(f.number)
			return nil, ErrLate
		}
		data := pt.data
		if data == nil {
			data, a.spare = a.spare, nil
		}
		*pt = partial{total: f.total, data: data[:0], number: f.number, since: now,
			left: (f.total + p.fragmentLen - 1) / p.fragmentLen}
	}
	bit := uint64(1) << (f.index % 64)
	switch word := &pt.got[f.index/64]; {
	case f.total != pt.total:
		return nil, ErrFragment
	case *word&bit != 0:
		return nil, ErrRepeated
	default:
		*word |= bit
	}
	pt.offsets[f.index] = int32(len(pt.data))
	pt.data = append(pt.data, f.data...)
	if pt.left--; pt.left > 0 {
		return nil, 0
	}
	packet = a.order(pt, p.fragmentLen)
	pt.data, pt.total = nil, 0
	a.finish(f.number)
	return packet, 0
}

// order returns the packet of a partial that has all fragments, each of n bytes but
// the last.
func (a *assembler) order(pt *partial, n int) []byte {
	inOrder := true
	for start := 0; start < pt.total; start += n {
		inOrder = inOrder && int(pt.offsets[start/n]) == start
	}
	if inOrder {
		return pt.data
	}
	packet := a.spare[:0]
	a.spare = nil
	for start := 0; start < pt.total; start += n {
		at := int(pt.offsets[start/n])
		packet = append(packet, pt.data[at:at+min(n, pt.total-start)]...)
	}
	a.release(pt.data)
	return packet
}

// find returns the partial of a packet, or nil.
func (a *assembler) find(number uint64) *partial {
	for i := range a.partials {
		if pt := &a.partials[i]; pt.total > 0 && pt.number == number {
			return pt
		}
	}
	return nil
}

// place returns a partial for a new packet. If all are in use it gives up the
// packet that was sent first, and returns nil if that is the new one.
func (a *assembler) place(number uint64) *partial {
	first := &a.partials[0]
	for i := range a.partials {
		pt := &a.partials[i]
		if pt.total == 0 {
			return pt
		}
		if pt.number < first.number {
			first = pt
		}
	}
	if number < first.number {
		return nil
	}
	a.finish(first.number)
	return first
}

// finish makes sure that no further fragment of a packet is accepted. Otherwise
// all fragments of a packet could be acknowledged that is never complete.
func (a *assembler) finish(number uint64) {
	if a.finished.fresh(number) {
		a.finished.accept(number)
	}
}

// release takes back the memory of a packet.
func (a *assembler) release(packet []byte) {
	if cap(packet) > cap(a.spare) {
		a.spare = packet
	}
}

// expire gives up the packets whose fragments have been missing for too long,
// and their memory.
func (a *assembler) expire(now time.Duration) {
	for i := range a.partials {
		if pt := &a.partials[i]; pt.total > 0 && now-pt.since > PartialTimeout {
			a.finish(pt.number)
			pt.data, pt.total = nil, 0
		}
	}
}

// setLimits sets the limits of the types' packets and what follows from them.
func (p *Protocol) setLimits(types []Type) error {
	p.fragmentIndex, p.messageIndex = -1, -1
	p.limits = make([]int, len(types))
	for i, t := range types {
		p.limits[i] = max(p.room, p.config.MaxPacket)
		if t.maxPacket > 0 {
			p.limits[i] = max(p.room, t.maxPacket)
		}
		if p.limits[i] > p.room {
			p.maxPacket = max(p.maxPacket, p.limits[i])
		}
	}
	indices := len(types)
	if p.maxPacket > 0 {
		p.fragmentIndex = indices
		indices++
	}
	if p.config.Messages > 0 {
		p.messageIndex = indices
		indices++
	}
	p.width = mathbits.Len(uint(indices - 1))
	if p.maxMessage = p.room - (p.width+7)/8 - maxMessageHeader; p.messageIndex >= 0 && (p.maxMessage < 1 || p.config.MaxPackets < 2) {
		return fmt.Errorf("packet: Config.MTU and MaxPackets leave %d bytes for messages", max(p.maxMessage, 0))
	}
	if p.maxPacket == 0 {
		return nil
	}
	p.timed = true
	p.fragmentLen = p.room - (p.width+7)/8 - maxFragmentHeader
	if p.fragmentLen < 1 || (p.maxPacket+p.fragmentLen-1)/p.fragmentLen > MaxFragments {
		return fmt.Errorf("packet: the maximum size of a packet is %d bytes; it must be at most %d, which is %d fragments of %d bytes",
			p.maxPacket, MaxFragments*max(p.fragmentLen, 0), MaxFragments, max(p.fragmentLen, 0))
	}
	return nil
}
