//go:build !purego

package fast

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// output is a message that is being written.
type output struct {
	buf      []byte // message and spare capacity, in full length
	start    int    // index of the message's first byte in buf
	pos      int    // index of the next whole word
	word     uint64 // bits that do not yet fill a word
	wordBits uint   // number of bits in word

	first []byte // the initial buf, if buf has since been replaced
}

// bit returns the number of bits written. It is at most math.MaxInt.
func (o *output) bit() int { return saturate.MulAdd(o.pos-o.start, 8, int(o.wordBits)) }

// tooLong reports whether the message is longer than a reader accepts.
func (o *output) tooLong() bool { return tooLong(o.end() - o.start) }

// tooLong is for a message of n bytes. Memory of 64-bit machines holds none that is
// too long.
func tooLong(n int) bool { return strconv.IntSize == 32 && n > mostBytes }

// end returns the index after the message's last byte.
func (o *output) end() int { return o.pos + int((o.wordBits+7)/8) }

// grow makes room for n bytes at pos.
func (o *output) grow(n int) {
	o.move(slices.Grow(o.buf[:o.pos], n))
}

// move makes buf the current buffer, which may be in other memory.
func (o *output) move(buf []byte) {
	buf = buf[:cap(buf)]
	if o.first == nil && len(o.buf) > 0 && &buf[0] != &o.buf[0] {
		o.first = o.buf
	}
	o.buf = buf
}

// shares reports whether the n bytes at p are in the initial buffer, where the
// message may have overwritten them.
func (o *output) shares(p memory.Pointer, n int) bool {
	room := o.buf
	if o.first != nil {
		room = o.first
	}
	return n > 0 && p.Overlaps(n, room[o.start:])
}

// roomFor returns the buffer after making room for n codes of width bits each.
func (o *output) roomFor(n int, width uint) []byte {
	if need := int((uint64(o.wordBits) + uint64(n)*uint64(width)) >> 6 << 3); o.pos+need > len(o.buf) {
		o.grow(need)
	}
	return o.buf
}

// close stores the incomplete word and returns the buffer up to the end of the
// message.
func (o *output) close() []byte {
	end := o.end()
	if end > len(o.buf) {
		o.grow(end - o.pos)
	}
	o.flush(end)
	return o.buf[:end]
}

// flush stores the incomplete word. Bytes from end on do not change.
func (o *output) flush(end int) { bitio.StoreTail(o.buf, o.pos, end, o.word) }

// put appends the low n bits of v. Bits of v above n must be zero. n may be 0.
func (o *output) put(v uint64, n uint) {
	if o.wordBits+n >= 64 && o.pos+8 > len(o.buf) {
		o.grow(16)
	}
	var pos uint
	pos, o.word, o.wordBits = join(o.buf, uint(o.pos), o.word, o.wordBits, v, n)
	o.pos = int(pos)
}

// join appends the low width bits of code to the incomplete word, and stores
// the word in buf once it is full. Loops that keep the fields of an output in
// local variables use it.
func join(buf []byte, pos uint, word uint64, fill uint, code uint64, width uint) (uint, uint64, uint) {
	word |= code << (fill & 63)
	end := fill + width
	if end < 64 {
		return pos, word, end
	}
	binary.LittleEndian.PutUint64(buf[pos:pos+8], word)
	return pos + 8, code >> 1 >> (^fill & 63), end - 64
}

// align appends zero bits up to the next byte.
func (o *output) align() {
	if n := -o.wordBits & 7; n > 0 {
		o.put(0, n)
	}
}

// raw aligns and appends p.
func (o *output) raw(p []byte) { o.counted(0, 0, p) }

// counted appends the low width bits of n, aligns, and appends p.
func (o *output) counted(n uint64, width uint, p []byte) {
	end := o.pos + int((o.wordBits+width+7)/8)
	if need := end + len(p); need > len(o.buf) {
		o.grow(need - o.pos + 8)
	}
	if pos := uint(o.pos); pos+16 <= uint(end+len(p)) {
		binary.LittleEndian.PutUint64(o.buf[pos:pos+8], o.word|n<<(o.wordBits&63))
		binary.LittleEndian.PutUint64(o.buf[pos+8:pos+16], n>>1>>(^o.wordBits&63))
	} else {
		o.put(n, width)
		o.flush(end)
	}
	copy(o.buf[end:], p)
	o.pos, o.word, o.wordBits = end+len(p), 0, 0
}

// resume continues at the given bit of the message, after other code has
// written to buf.
func (o *output) resume(buf []byte, bit int) {
	o.move(buf)
	o.pos = o.start + bit>>6<<3
	o.wordBits = uint(bit & 63)
	o.word = 0
	for i := o.end() - 1; i >= o.pos; i-- {
		o.word = o.word<<8 | uint64(buf[i])
	}
}
