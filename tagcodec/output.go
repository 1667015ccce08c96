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
	if o.pos+8 <= len(o.buf) {
		binary.LittleEndian.PutUint64(o.buf[o.pos:], o.word)
		return o.buf[:end]
	}
	tail, word := o.buf[o.pos:end], o.word
	if len(tail) >= 4 {
		binary.LittleEndian.PutUint32(tail, uint32(word))
		tail, word = tail[4:], word>>32
	}
	for i := range tail {
		tail[i] = byte(word)
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

// shortRaw is how many bytes are appended in words rather than by a copy.
const shortRaw = 32

// raw aligns and appends bytes.
func (o *output) raw(p []byte) {
	buf, pos, word, fill := o.buf, o.pos, o.word, (o.fill+7)&^7
	end := pos + int(fill/8) + len(p)
	switch {
	case len(p) <= shortRaw && (end-pos)&^7 <= len(buf)-pos:
		o.pos, o.word, o.fill, _ = putBytes(buf, pos, word, fill, p)
	case end+8 <= len(buf):
		// The bytes of the incomplete word go out and come back with theirs.
		binary.LittleEndian.PutUint64(buf[pos:], word)
		copy(buf[end-len(p):], p)
		o.pos += (end - pos) &^ 7
		o.fill = uint(8 * (end - o.pos))
		o.word = binary.LittleEndian.Uint64(buf[o.pos:]) & (1<<o.fill - 1)
	default:
		o.tightRaw(p)
	}
}

const (
	eachByte = 0x0101010101010101
	highBits = 0x8080808080808080
)

// putBytes appends bytes to an aligned word that may be full, where there is
// room for the words. They are ASCII without a zero byte if the last result has
// no high bit of a byte.
func putBytes(buf []byte, pos int, word uint64, fill uint, p []byte) (int, uint64, uint, uint64) {
	if fill == 64 {
		binary.LittleEndian.PutUint64(buf[pos:], word)
		pos, word, fill = pos+8, 0, 0
	}
	var bad uint64
	i := 0
	for ; i+8 <= len(p); i += 8 {
		v := binary.LittleEndian.Uint64(p[i:])
		bad |= v | (v - eachByte)
		binary.LittleEndian.PutUint64(buf[pos:], word|v<<(fill&63))
		pos += 8
		word = v >> 1 >> (63 - fill&63)
	}
	if n := 8 * uint(len(p)-i); n > 0 {
		v := lastBytes(p)
		bad |= v | (v + eachByte<<(n&63) - eachByte) // ones fill up the word
		word |= v << (fill & 63)
		if fill += n; fill >= 64 {
			binary.LittleEndian.PutUint64(buf[pos:], word)
			pos += 8
			fill -= 64
			word = v >> ((n - fill) & 63)
		}
	}
	return pos, word, fill, bad
}

// lastBytes returns the last len(p)%8 bytes of p, of which there are some.
func lastBytes(p []byte) uint64 {
	n := len(p)
	switch {
	case n >= 8:
		return binary.LittleEndian.Uint64(p[n-8:]) >> (64 - 8*uint(n&7))
	case n >= 4: // loads that overlap agree
		return uint64(binary.LittleEndian.Uint32(p)) | uint64(binary.LittleEndian.Uint32(p[n-4:]))<<(8*uint(n-4)&63)
	}
	return uint64(p[0]) | uint64(p[n>>1])<<(8*uint(n>>1)&63) | uint64(p[n-1])<<(8*uint(n-1)&63)
}

// tightRaw is raw where the buffer may have to grow.
func (o *output) tightRaw(p []byte) {
	o.align()
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
