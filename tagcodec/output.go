//go:build !purego

package tagcodec

import (
	"encoding/binary"
	"slices"
)

// output is a message under way.
type output struct {
	buf   []byte // all the room there is
	start int    // the message's first byte in buf
	pos   int    // where the next whole word goes
	word  uint64 // the bits since the last whole word
	fill  uint   // how many
}

// bit returns the number of bits written.
func (o *output) bit() int { return 8*(o.pos-o.start) + int(o.fill) }

// end returns the index behind the message's last byte.
func (o *output) end() int { return o.pos + int(o.fill+7)/8 }

// room returns a buffer that has n bytes from pos on, and the bytes before.
func room(buf []byte, pos, n int) []byte {
	buf = slices.Grow(buf[:pos], n)
	return buf[:cap(buf)]
}

// roomFor returns the buffer with room for the whole words of n more codes of
// some bits each.
func (o *output) roomFor(n int, width uint) []byte {
	if need := int((uint64(o.fill) + uint64(n)*uint64(width)) >> 6 << 3); o.pos+need > len(o.buf) {
		o.buf = room(o.buf, o.pos, need)
	}
	return o.buf
}

// close stores the incomplete word and returns the buffer up to the end of the
// message.
func (o *output) close() []byte {
	end := o.end()
	if end > len(o.buf) {
		o.buf = room(o.buf, o.pos, end-o.pos)
	}
	for i, word := o.pos, o.word; i < end; i++ {
		o.buf[i] = byte(word)
		word >>= 8
	}
	return o.buf[:end]
}

// put appends the low n bits of v, above which v is zero. The count of a
// field without bits is 0.
func (o *output) put(v uint64, n uint) {
	o.word |= v << (o.fill & 63)
	o.fill += n
	if o.fill >= 64 {
		if o.pos+8 > len(o.buf) {
			o.buf = room(o.buf, o.pos, 16)
		}
		binary.LittleEndian.PutUint64(o.buf[o.pos:], o.word)
		o.pos += 8
		o.fill -= 64
		o.word = v >> (n - o.fill)
	}
}

// align appends zero bits up to the next byte.
func (o *output) align() {
	if n := -o.fill & 7; n > 0 {
		o.put(0, n)
	}
}

// raw aligns and appends bytes.
func (o *output) raw(p []byte) {
	o.align()
	if len(p) == 0 {
		return
	}
	held := int(o.fill / 8) // bytes of the incomplete word
	if o.pos+held+len(p)+8 > len(o.buf) {
		o.tightRaw(p)
		return
	}
	// With room for a whole word before and behind them, the bytes of the
	// incomplete one go out and come back without a loop.
	binary.LittleEndian.PutUint64(o.buf[o.pos:], o.word)
	copy(o.buf[o.pos+held:], p)
	total := held + len(p)
	o.pos += total &^ 7
	o.fill = uint(8 * (total & 7))
	o.word = binary.LittleEndian.Uint64(o.buf[o.pos:]) & (1<<o.fill - 1)
}

// tightRaw is raw of aligned bytes where the buffer may have to grow.
func (o *output) tightRaw(p []byte) {
	end := o.end() + len(p)
	if end > len(o.buf) {
		o.buf = room(o.buf, o.pos, end-o.pos+8)
	}
	tail := o.close()
	copy(o.buf[len(tail):], p)
	o.resume(o.buf, 8*(end-o.start))
}

// resume continues at a bit of the message, of which buf has those before it.
func (o *output) resume(buf []byte, bit int) {
	o.buf = buf[:cap(buf)]
	o.pos = o.start + bit>>6<<3
	o.fill = uint(bit & 63)
	o.word = 0
	for i := o.end() - 1; i >= o.pos; i-- {
		o.word = o.word<<8 | uint64(buf[i])
	}
}
