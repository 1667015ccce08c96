package delta

import (
	"encoding/binary"
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// bitWriter appends bits to a buffer, least-significant first.
type bitWriter struct {
	buf []byte
	acc uint64
	n   uint // bits in acc
}

// put writes the low n bits of v, at most 64. The higher ones must be zero.
func (w *bitWriter) put(v uint64, n uint) {
	w.acc |= v << w.n
	w.n += n
	if w.n >= 64 {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, w.acc)
		w.n -= 64
		w.acc = v >> (n - w.n)
	}
}

// bits returns the number of bits since the buffer had length start.
func (w *bitWriter) bits(start int) int { return (len(w.buf)-start)*8 + int(w.n) }

// finish pads to a whole byte.
func (w *bitWriter) finish() []byte {
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.buf = append(w.buf, byte(w.acc))
		w.acc >>= 8
	}
	return w.buf
}

// golomb writes v as Exp-Golomb code of order k.
func (w *bitWriter) golomb(v uint64, k uint) {
	x := v>>k + 1
	n := uint(mathbits.Len64(x)) - 1
	w.put(1<<n, n+1)
	w.put(x&^(1<<n), n)
	w.put(v&(1<<k-1), k)
}

// rice writes v>>k in unary if it is below q, and then the low k bits. Larger
// values continue as Exp-Golomb codes of order k+1.
func (w *bitWriter) rice(v uint64, k, q uint) {
	if h := v >> k; h < uint64(q) {
		w.put(1<<h, uint(h)+1)
		w.put(v&(1<<k-1), k)
		return
	}
	w.put(0, q)
	w.golomb(v-uint64(q)<<k, k+1)
}

// golombBits returns the length of a code of golomb.
func golombBits(v uint64, k uint) int {
	return 2*(mathbits.Len64(v>>k+1)-1) + 1 + int(k)
}

// riceBits returns the length of a code of rice.
func riceBits(v uint64, k, q uint) int {
	if h := v >> k; h < uint64(q) {
		return int(h) + 1 + int(k)
	}
	return int(q) + golombBits(v-uint64(q)<<k, k+1)
}

// bitReader reads what a bitWriter wrote. After an error it returns zeros.
type bitReader struct {
	data []byte
	pos  int // in bits
	bad  error
	at   int // where the first error occurred
}

// left returns the number of bits that remain.
func (r *bitReader) left() int { return len(r.data)*8 - r.pos }

// fail keeps the first error, and moves to the end of the data.
func (r *bitReader) fail(err error) {
	if r.bad == nil {
		r.bad, r.at = err, r.pos
	}
	r.pos = len(r.data) * 8
}

// failAt fails with the error of the value at a bit, unless err is nil.
func (r *bitReader) failAt(bit int, err error) {
	if err != nil {
		core.SetPosition(err, "unmarshal", bit)
		r.pos = bit
		r.fail(err)
	}
}

// peek returns at least 57 bits, zero-padded at the end of the data.
func (r *bitReader) peek() uint64 {
	at := r.pos >> 3
	if at+8 <= len(r.data) {
		return binary.LittleEndian.Uint64(r.data[at:]) >> (r.pos & 7)
	}
	var v uint64
	for i, b := range r.data[at:] {
		v |= uint64(b) << (8 * i)
	}
	return v >> (r.pos & 7)
}

// skip moves n bits forward. It reports whether they are there.
func (r *bitReader) skip(n int) bool {
	if n > r.left() {
		r.fail(ErrOverread)
		return false
	}
	r.pos += n
	return true
}

// get reads n bits, at most 64.
func (r *bitReader) get(n uint) uint64 {
	if n > 56 {
		low := r.get(32)
		return low | r.get(n-32)<<32
	}
	v := r.peek() & (1<<n - 1)
	if !r.skip(int(n)) {
		return 0
	}
	return v
}

// unary reads zeros up to a one, but at most most of them. A one that follows
// the last of them is not read.
func (r *bitReader) unary(most uint) uint {
	z := uint(mathbits.TrailingZeros64(r.peek() | 1<<56))
	if z >= 56 && most > 56 {
		r.skip(56)
		return 56 + r.unary(most-56)
	}
	if z >= most {
		r.skip(int(most))
		return most
	}
	r.skip(int(z) + 1)
	return z
}

// golomb reads an Exp-Golomb code of order k.
func (r *bitReader) golomb(k uint) uint64 {
	n := r.unary(65)
	if n+k > 64 {
		r.fail(ErrRange)
		return 0
	}
	high := (uint64(1)<<n | r.get(n)) - 1 // the shift is 0 for n = 64, and the code out of range
	if n == 64 || k > 0 && high>>(64-k) != 0 {
		r.fail(ErrRange)
		return 0
	}
	return high<<k | r.get(k)
}

// rice reads a code of bitWriter.rice.
func (r *bitReader) rice(k, q uint) uint64 {
	word := r.peek()
	if h := uint(mathbits.TrailingZeros64(word | 1<<56)); h < q && h+1+k <= 56 {
		if !r.skip(int(h + 1 + k)) {
			return 0
		}
		return uint64(h)<<k | word>>(h+1)&(1<<k-1)
	}
	h := r.unary(q)
	if h < q {
		return uint64(h)<<k | r.get(k)
	}
	v := r.golomb(k + 1)
	if v+uint64(q)<<k < v {
		r.fail(ErrRange)
		return 0
	}
	return v + uint64(q)<<k
}
