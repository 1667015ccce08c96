package packet

import (
	"encoding/binary"
	mathbits "math/bits"
)

// An ack section says which datagrams of the other side have been accepted. It
// is the first thing in the data of a datagram whose kind has the bit kindAcks:
//
//	bits 0 to 3    n, the bytes of the newest accepted sequence number, 0 to 8
//	bits 4 to 7    m, for the length of the set: m bytes if m is at most 8,
//	               otherwise 4(m-6)
//	n bytes        the newest accepted number, as in the header
//	the set        bit i says whether the number newest-1-i has been accepted
//
// The number and the set are as short as possible.

// maxAcks is the length in bytes of the longest ack section.
const maxAcks = 1 + 8 + WindowSize/8

// numberSet is a set of sequence numbers: newest, whose bit is 0, and newest-i
// for each other bit i.
type numberSet struct {
	newest uint64
	bits   [WindowSize / 64]uint64
}

// before returns the highest bit below i that is set, or -1.
func (s *numberSet) before(i int) int {
	for i > 0 {
		word := (i - 1) / 64
		if w := s.bits[word] << (63 - (i-1)%64); w != 0 {
			return i - 1 - mathbits.LeadingZeros64(w)
		}
		i = word * 64
	}
	return -1
}

// setLen returns the length in bytes that m stands for.
func setLen(m int) int {
	if m <= 8 {
		return m
	}
	return 4 * (m - 6)
}

// setCode returns the smallest m whose length is at least n bytes.
func setCode(n int) int {
	if n <= 8 {
		return n
	}
	return (n+3)/4 + 6
}

// appendAcks appends an ack section. Bit 0 of the set, that of newest, must be
// set.
func appendAcks(dst []byte, s *numberSet) []byte {
	last := s.before(WindowSize)
	m := setCode((last + 7) / 8)
	dst = appendHeader(dst, byte(m)<<4, s.newest)
	var set [WindowSize / 8]byte
	for i, w := range s.bits {
		w >>= 1 // newest itself is not sent
		if i+1 < len(s.bits) {
			w |= s.bits[i+1] << 63
		}
		binary.LittleEndian.PutUint64(set[8*i:], w)
	}
	return append(dst, set[:setLen(m)]...)
}

// readAcks reads the ack section at the start of data into s and returns the
// rest. It refuses a section that is longer than necessary.
func readAcks(data []byte, s *numberSet) (rest []byte, refusal Refusal) {
	if len(data) == 0 {
		return nil, ErrTruncated
	}
	newest, at, refusal := readSequence(data)
	if refusal != 0 {
		return nil, refusal
	}
	m := int(data[0] >> 4)
	n := setLen(m)
	switch {
	case n > WindowSize/8:
		return nil, ErrGarbage
	case len(data) < at+n:
		return nil, ErrTruncated
	}
	var set [WindowSize / 8]byte
	copy(set[:], data[at:at+n])
	*s = numberSet{newest: newest}
	carry := uint64(1)
	for i := range s.bits {
		w := binary.LittleEndian.Uint64(set[8*i:])
		s.bits[i] = w<<1 | carry
		carry = w >> 63
	}
	last := s.before(WindowSize)
	if carry != 0 || setCode((last+7)/8) != m || uint64(last) > newest {
		return nil, ErrGarbage
	}
	return data[at+n:], 0
}

// accepted records which datagrams of the other side have been accepted, and
// which of these the other side may not know of yet.
type accepted struct {
	window window
	// told holds, for each number in the window, the first datagram of this side
	// that acknowledges it. Later datagrams acknowledge it too, until the other
	// side has acknowledged one of them.
	told  [WindowSize]uint64
	next  uint64 // the next datagram of this side
	floor uint64 // the other side knows of all accepted numbers below this one
	owes  uint8  // 0 after an ack, 1 after a datagram of packets, and 1 more for each tick since then
}

// accept records that a datagram has been accepted. One that is too old for the
// window, or was accepted before, changes nothing.
func (a *accepted) accept(seq uint64, packets bool) {
	if !a.window.fresh(seq) {
		return
	}
	a.window.accept(seq)
	a.told[seq%WindowSize] = a.next
	a.floor = min(a.floor, seq)
	if packets {
		a.owes = max(a.owes, 1)
	}
}

// append appends the ack section of the datagram with the number seq, or
// nothing if the other side knows all. known is 1 more than the highest number
// of this side that the other side has acknowledged, or 0.
func (a *accepted) append(dst []byte, seq, known uint64) []byte {
	a.next, a.owes = seq+1, 0
	w := &a.window
	if w.seen[0]&1 == 0 { // nothing has been accepted
		return dst
	}
	if w.top-a.floor >= WindowSize {
		a.floor = w.top - (WindowSize - 1)
	}
	for w.fresh(a.floor) || a.told[a.floor%WindowSize] < known {
		if a.floor == w.top {
			return dst
		}
		a.floor++
	}
	set := numberSet{w.top, w.seen}
	set.keep(int(w.top-a.floor) + 1)
	return appendAcks(dst, &set)
}

// keep removes all bits from n on.
func (s *numberSet) keep(n int) {
	for i := range s.bits {
		if left := n - 64*i; left < 64 {
			s.bits[i] &= 1<<max(left, 0) - 1
		}
	}
}
