package bits

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"
	"slices"

	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/bitio"
)

// Writer packs values into a buffer. It keeps the first error, returned by
// [Writer.Err], and writes nothing after it. The zero Writer has a buffer of
// length 0.
type Writer struct {
	buf   []byte // the buffer; the message starts at buf[start]
	start int    // index of the message's first byte in buf
	bit   int    // bits written
	limit int    // bits that fit without calling reserve, or -1
	word  uint64 // bits written since the last multiple of 64
	mode  writerMode
	err   error
	ctx   *access.Context

	intact bool // mark for codecs, see package access
}

type writerMode uint8

const (
	fixed     writerMode = iota // the buffer has a fixed size
	growing                     // a full buffer is replaced by a larger one
	measuring                   // bits are counted but not stored
)

// NewWriter returns a Writer into buf. A write that does not fit in len(buf)
// bytes fails with [ErrOverflow].
//
// The Writer collects bits and stores them 8 bytes at a time. Before
// [Writer.Flush] or [Writer.Bytes], up to 8 bytes at the end of the message still
// have their old contents in buf. The bytes of buf after the message never
// change.
func NewWriter(buf []byte) *Writer {
	return &Writer{buf: buf, limit: bitLen(len(buf))}
}

// NewAppendWriter returns a Writer that appends a message to dst. It uses the
// spare capacity of dst before it allocates. [Writer.Bytes] returns the
// extended slice.
func NewAppendWriter(dst []byte) *Writer {
	w := new(Writer)
	w.Resume(dst, len(dst), 0)
	return w
}

// NewMeasurer returns a Writer that checks values and counts bits but stores
// nothing.
func NewMeasurer() *Writer { return &Writer{limit: -1, mode: measuring} }

// Resume makes w a growing Writer that continues the message at dst[start],
// which has bit bits so far. Writing overwrites everything in dst after those
// bits, including the rest of their last byte. Resume panics if dst is too short
// to hold them.
func (w *Writer) Resume(dst []byte, start, bit int) {
	if start < 0 || bit < 0 || start > len(dst) || bit > bitLen(len(dst)-start) {
		panicResume(len(dst), start, bit)
	}
	*w = Writer{buf: dst[:cap(dst)], start: start, bit: bit, mode: growing, ctx: w.ctx}
	w.limit = bitLen(len(w.buf) - start)
	w.loadWord()
}

//go:noinline
func panicResume(n, start, bit int) {
	panic(fmt.Sprintf("bits: Resume: start %d and bit %d are outside dst, which has %d bytes", start, bit, n))
}

// Reset makes w a Writer into buf, as [NewWriter] does.
func (w *Writer) Reset(buf []byte) {
	*w = Writer{buf: buf, limit: bitLen(len(buf)), ctx: w.ctx}
}

// mostBits is the largest number of bits in a message. Adding a 64-bit value to
// it and rounding up to a byte does not overflow an int. On 32-bit machines a
// byte slice can hold more bits than this.
const mostBits = math.MaxInt - 7 - 64

// bitLen returns the number of bits in n bytes, or mostBits if that is smaller.
func bitLen(n int) int {
	if n > mostBits/8 {
		return mostBits
	}
	return 8 * n
}

// Err returns the first error, or nil.
func (w *Writer) Err() error { return w.err }

// Bit returns the number of bits written.
func (w *Writer) Bit() int { return w.bit }

// Len returns the length of the message in bytes, counting a partial byte as
// one. The last of these bytes are in the buffer only after [Writer.Flush] or
// [Writer.Bytes]: without one, buf[:w.Len()] may end in old bytes.
func (w *Writer) Len() int { return (w.bit + 7) / 8 }

// Flush stores the end of the message in the buffer and returns the first error.
// After it, buf[:w.Len()] of a Writer from NewWriter(buf) is the message. The
// unused bits of its last byte are zero. Writing may continue, and then needs
// another Flush.
func (w *Writer) Flush() error {
	if w.mode != measuring {
		w.storeWord()
	}
	return w.err
}

// Bytes flushes and returns the buffer up to the end of the message, including
// the bytes that preceded the message. The unused bits of the last byte are
// zero. The result shares the Writer's buffer, and writing may continue. For a
// measuring Writer, Bytes returns nil.
func (w *Writer) Bytes() []byte {
	if w.mode == measuring {
		return nil
	}
	w.storeWord()
	return w.buf[:w.start+w.Len()]
}

// storeWord stores the incomplete word. It leaves the bytes after the message
// alone because they do not belong to the Writer.
func (w *Writer) storeWord() {
	word := w.word
	for i := w.start + w.bit>>6<<3; i < w.start+w.Len(); i++ {
		w.buf[i] = byte(word)
		word >>= 8
	}
}

// loadWord is the inverse of storeWord. It clears the bits after the message
// because the next value is ORed in.
func (w *Writer) loadWord() {
	w.word = bitio.Peek(w.buf[w.start+w.bit>>6<<3:], 0) & (1<<(uint(w.bit)&63) - 1)
}

// Fail makes err the Writer's error if it has none.
func (w *Writer) Fail(err error) {
	if w.err == nil && err != nil {
		w.err = err
		w.limit = -1
	}
}

// refuse fails with an [Error] about a value that cannot be written.
//
//go:noinline
func (w *Writer) refuse(err error, value, min, max any) {
	if w.err == nil {
		w.Fail(&Error{Op: "write", Bit: w.bit, Err: err, Value: value, Min: min, Max: max})
	}
}

// reserve makes room for n more bits and reports whether they can be stored. It
// is called when they do not fit below limit.
func (w *Writer) reserve(n int) bool {
	switch {
	case w.err != nil:
		return false
	case n > mostBits-w.bit:
		w.refuse(ErrOverflow, nil, nil, nil)
		return false
	case w.mode == measuring:
		w.bit += n
		return false
	case w.mode == fixed:
		w.refuse(ErrOverflow, nil, nil, nil)
		return false
	}
	// The extra word lets the message end anywhere within it.
	stored := w.start + w.bit>>6<<3
	w.buf = slices.Grow(w.buf[:stored], (n+7)/8+16)
	w.buf = w.buf[:cap(w.buf)]
	w.limit = bitLen(len(w.buf) - w.start)
	return true
}

// WriteBits writes v in n bits. It fails with [ErrRange] if v has more than n
// bits, and panics unless n is in [1, 64].
func (w *Writer) WriteBits(v uint64, n int) {
	if uint(n-1) > 63 {
		panicWidth(n)
	}
	if v > largest(n) {
		w.refuseBits(v, n)
		return
	}
	if w.bit+n > w.limit && !w.reserve(n) {
		return
	}
	fill := uint(w.bit) & 63
	w.word |= v << fill
	if fill+uint(n) >= 64 {
		binary.LittleEndian.PutUint64(w.buf[w.start+w.bit>>6<<3:], w.word)
		w.word = v >> (64 - fill)
	}
	w.bit += n
}

// refuseBits is refuse for a value of more than n bits. It keeps the
// conversions to interfaces out of WriteBits.
//
//go:noinline
func (w *Writer) refuseBits(v uint64, n int) {
	w.refuse(ErrRange, v, uint64(0), largest(n))
}

// writeSigned writes v in n bits, in two's complement. It fails with [ErrRange]
// if v does not fit.
func (w *Writer) writeSigned(v int64, n int) {
	if least := smallest(n); v < least || v > ^least {
		w.refuse(ErrRange, v, least, ^least)
		return
	}
	w.WriteBits(uint64(v)&largest(n), n)
}

// WriteBool writes one bit.
func (w *Writer) WriteBool(v bool) {
	var b uint64
	if v {
		b = 1
	}
	w.WriteBits(b, 1)
}

// writeOffset writes v, which is in [0, span], in the number of bits that span
// needs.
func (w *Writer) writeOffset(v, span uint64) {
	if n := mathbits.Len64(span); n > 0 {
		w.WriteBits(v, n)
	}
}

// WriteInt writes v in [BitsRequired](min, max) bits. It fails with [ErrRange]
// unless v is in [min, max], and panics if min > max.
func (w *Writer) WriteInt(v, min, max int64) {
	span := intSpan(min, max)
	if v < min || v > max {
		w.refuse(ErrRange, v, min, max)
		return
	}
	w.writeOffset(uint64(v)-uint64(min), span)
}

// WriteUint is WriteInt for unsigned integers.
func (w *Writer) WriteUint(v, min, max uint64) {
	span := uintSpan(min, max)
	if v < min || v > max {
		w.refuse(ErrRange, v, min, max)
		return
	}
	w.writeOffset(v-min, span)
}

// WriteFloat32 writes the 32 bits of v, preserving every bit pattern.
func (w *Writer) WriteFloat32(v float32) { w.WriteBits(uint64(math.Float32bits(v)), 32) }

// WriteFloat64 writes the 64 bits of v, preserving every bit pattern.
func (w *Writer) WriteFloat64(v float64) { w.WriteBits(math.Float64bits(v), 64) }

// WriteRelative writes current in the int_relative encoding, which takes 1 to
// 38 bits depending on the difference from previous. It fails with [ErrRange]
// unless current is greater than previous and in [min, max]. These are the
// bounds of the integer's type. WriteRelative panics unless they fit in int32
// or in uint32, because the longest form has only 32 bits.
func (w *Writer) WriteRelative(previous, current, min, max int64) {
	checkRelative(min, max)
	code, n := bitio.EncodeRelative(previous, current)
	if n == 0 || current < min || current > max {
		w.refuse(ErrRange, current, relativeMin(previous, min), max)
		return
	}
	w.WriteBits(code, n)
}

// WriteAlign writes zero bits up to the next multiple of 8.
func (w *Writer) WriteAlign() {
	if n := -w.bit & 7; n > 0 {
		w.WriteBits(0, n)
	}
}

// WriteBytes aligns to a byte and writes p. It aligns even if p is empty.
func (w *Writer) WriteBytes(p []byte) { writeBytes(w, p) }

func writeBytes[T string | []byte](w *Writer, p T) {
	w.WriteAlign()
	n := 8 * len(p)
	if len(p) > mostBits/8 {
		n = math.MaxInt
	}
	if n == 0 || n > w.limit-w.bit && !w.reserve(n) {
		return
	}
	if len(p) < 8 {
		w.storeWord()
	} else { // p overwrites the rest of the word
		binary.LittleEndian.PutUint64(w.buf[w.start+w.bit>>6<<3:], w.word)
	}
	copy(w.buf[w.start+w.bit>>3:], p)
	w.bit += n
	w.loadWord()
}

// WriteString writes the length of s as an integer in [0, maxLen], and then its
// bytes as WriteBytes does. It is the "string" of the wire format with a
// buffer_size of maxLen+1. It fails with [ErrLength] if s is longer than maxLen
// bytes, and with [ErrText] if s is not valid UTF-8 or contains a zero byte.
func (w *Writer) WriteString(s string, maxLen int) {
	if w.writeText(s, len(s), maxLen) {
		writeBytes(w, s)
	}
}

// WriteWString writes the number of UTF-16 units of s, an integer in
// [0, maxLen], and then each unit in 32 bits without aligning. It is the
// "wstring" of the wire format with a buffer_size of maxLen+1. It fails with
// [ErrLength] if s has more than maxLen units, and with [ErrText] if s is not
// valid UTF-8 or contains a zero byte.
func (w *Writer) WriteWString(s string, maxLen int) {
	if !w.writeText(s, bitio.UTF16Len(s), maxLen) {
		return
	}
	for _, r := range s {
		if r >= 0x10000 {
			r -= 0x10000
			w.WriteBits(uint64(0xD800+r>>10), 32)
			r = 0xDC00 + r&0x3FF
		}
		w.WriteBits(uint64(r), 32)
	}
}

// writeText checks s, whose length is n units, and writes n.
func (w *Writer) writeText(s string, n, maxLen int) bool {
	checkMaxLen(maxLen)
	switch {
	case n > maxLen:
		w.refuse(ErrLength, n, 0, maxLen)
	case !bitio.ValidText(s):
		w.refuse(ErrText, badBytes(s), nil, nil)
	default:
		w.writeOffset(uint64(n), uint64(maxLen))
	}
	return w.err == nil
}

// WriteCount writes a length n in [min, max] in the bits that the range needs.
// It fails with [ErrLength] if n is outside. It panics if min is negative or
// greater than max.
func (w *Writer) WriteCount(n, min, max int) {
	span := countSpan(min, max)
	if n < min || n > max {
		w.refuse(ErrLength, n, min, max)
		return
	}
	w.writeOffset(uint64(n-min), span)
}
