//go:build !purego

package fast

import "encoding/binary"

// This file copies values that have the same bits in memory and on the wire.

// verbatim appends the bytes of p at any bit.
func (o *output) verbatim(p []byte) {
	if o.wordBits&7 == 0 {
		o.raw(p)
		return
	}
	buf, pos, word, fill := o.roomFor(len(p), 8), uint(o.pos), o.word, o.wordBits
	i := 0
	for ; i+8 <= len(p); i += 8 {
		v := binary.LittleEndian.Uint64(p[i : i+8])
		binary.LittleEndian.PutUint64(buf[pos:pos+8], word|v<<(fill&63))
		pos, word = pos+8, v>>(-fill&63)
	}
	for _, b := range p[i:] {
		pos, word, fill = join(buf, pos, word, fill, uint64(b), 8)
	}
	o.pos, o.word, o.wordBits = int(pos), word, fill
}

// decodeVerbatim sets the bytes of p to those at the given bit of data, and
// returns the bit after them. It returns false if some are missing.
func decodeVerbatim(p []byte, data []byte, bit int) (next int, ok bool) {
	if len(p) > (8*len(data)-bit)/8 {
		return bit, false
	}
	next = bit + 8*len(p)
	data = data[bit>>3:]
	shift := uint(bit) & 7
	if shift == 0 {
		copy(p, data)
		return next, true
	}
	data = data[:len(p)+1]
	i := 0
	for ; i+8 < len(data); i += 8 {
		v := binary.LittleEndian.Uint64(data[i:i+8])>>(shift&63) | uint64(data[i+8])<<(-shift&63)
		binary.LittleEndian.PutUint64(p[i:i+8], v)
	}
	for ; i < len(p); i++ {
		p[i] = data[i]>>shift | data[i+1]<<(8-shift)
	}
	return next, true
}
