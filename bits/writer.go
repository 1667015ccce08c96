package bits

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/gobitpack/bitpack/internal/access"
)

// Writer packs values into a buffer. It keeps the first error, after which it
// writes nothing more; [Writer.Err] returns it. The zero Writer has no room.
type Writer struct {
	buf   []byte // where the message goes; of len(buf) bytes, those from start on are its own
	start int    // the message's first byte in buf
	bit   int    // bits written
	limit int    // bits that need no call of reserve, or -1
	word  uint64 // the bits written since the last multiple of 64
	mode  writerMode
	err   error
	ctx   *access.Context

	intact bool // a mark for codecs, see package access
}

type writerMode uint8

const (
	fixed     writerMode = iota // the buffer is all there is
	growing                     // the buffer is replaced by a larger one
	measuring                   // there is no buffer, bits are only counted
)

// NewWriter returns a Writer into buf, whose length is all the room it has.
// A write that needs more fails with [ErrOverflow].
func NewWriter(buf []byte) *Writer {
	return &Writer{buf: buf, limit: bitLen(len(buf))}
}

// NewAppendWriter returns a Writer whose message starts after dst, in its
// spare capacity as long as that lasts. [Writer.Bytes] returns dst extended.
func NewAppendWriter(dst []byte) *Writer {
	w := new(Writer)
	w.Resume(dst, len(dst), 0)
	return w
}

// NewMeasurer returns a Writer that checks and counts, and stores nothing.
func NewMeasurer() *Writer { return &Writer{limit: -1, mode: measuring} }

// Resume makes w a growing Writer that continues the message that starts at
// dst[start] and has bit bits. What dst holds behind them is overwritten, the
// rest of their last byte too. It panics if dst is too short to hold them.
func (w *Writer) Resume(dst []byte, start, bit int) {
	if start < 0 || bit < 0 || start > len(dst) || bit > bitLen(len(dst)-start) {
		panic("bits: Resume: the message is longer than the buffer that holds it")
	}
	*w = Writer{buf: dst[:cap(dst)], start: start, bit: bit, mode: growing, ctx: w.ctx}
	w.limit = bitLen(len(w.buf) - start)
	w.loadWord()
}

// Reset makes w a Writer into buf as [NewWriter] does.
func (w *Writer) Reset(buf []byte) {
	*w = Writer{buf: buf, limit: bitLen(len(buf)), ctx: w.ctx}
}

// mostBits is the most bits that a message has. An int counts one value more
// than these, so that no sum wraps around. On a machine of 32 bits a slice of
// bytes can hold more.
const mostBits = math.MaxInt - 7 - 64

// bitLen returns the bits in n bytes, or mostBits where they are more.
func bitLen(n int) int {
	if n > mostBits/8 {
		return mostBits
	}
	return 8 * n
}

// Err returns the first error, or nil.
func (w *Writer) Err() error { return w.err }

// Bit returns the number of bits written so far.
func (w *Writer) Bit() int { return w.bit }

// Len returns the number of bytes that the bits written so far take.
func (w *Writer) Len() int { return (w.bit + 7) / 8 }

// Bytes returns the message so far, its last byte filled with zero bits,
// behind whatever the buffer held before it. It shares the Writer's buffer and
// writing may go on. A measuring Writer returns nil.
func (w *Writer) Bytes() []byte {
	if w.mode == measuring {
		return nil
	}
	w.storeWord()
	return w.buf[:w.start+w.Len()]
}

// storeWord puts the bytes of the incomplete word into the buffer. What stands
// behind the message there is not the Writer's to change.
func (w *Writer) storeWord() {
	word := w.word
	for i := w.start + w.bit>>6<<3; i < w.start+w.Len(); i++ {
		w.buf[i] = byte(word)
		word >>= 8
	}
}

// loadWord is the reverse of storeWord. The next value is combined by OR, and
// so bits that are not the message's own must go.
func (w *Writer) loadWord() {
	w.word = Peek(w.buf, 8*w.start+w.bit>>6<<6) & (1<<(uint(w.bit)&63) - 1)
}

// Fail makes err the Writer's error unless it has one.
func (w *Writer) Fail(err error) {
	if w.err == nil && err != nil {
		w.err = err
		w.limit = -1
	}
}

// refuse fails with what the package knows of a value that cannot be written.
//
//go:noinline
func (w *Writer) refuse(err error, value, min, max any) {
	if w.err == nil {
		w.Fail(&Error{Op: "write", Bit: w.bit, Err: err, Value: value, Min: min, Max: max})
	}
}

// reserve is asked when n more bits pass the limit, and says whether they can
// be stored.
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
	// A whole word more than is needed lets the Writer end anywhere in it.
	stored := w.start + w.bit>>6<<3
	w.buf = slices.Grow(w.buf[:stored], (n+7)/8+16)
	w.buf = w.buf[:cap(w.buf)]
	w.limit = bitLen(len(w.buf) - w.start)
	return true
}

// WriteBits writes the low n bits of v. It panics unless n is in [1, 64].
func (w *Writer) WriteBits(v uint64, n int) {
	if uint(n-1) > 63 {
		panicWidth(n)
	}
	if w.bit+n > w.limit && !w.reserve(n) {
		return
	}
	v &= math.MaxUint64 >> (-uint(n) & 63)
	fill := uint(w.bit) & 63
	w.word |= v << fill
	if fill+uint(n) >= 64 {
		binary.LittleEndian.PutUint64(w.buf[w.start+w.bit>>6<<3:], w.word)
		w.word = v >> (64 - fill)
	}
	w.bit += n
}

// panicWidth stays a call so that its text does not weigh on the hot paths.
//
//go:noinline
func panicWidth(n int) { panic(fmt.Sprintf("bits: width must be in [1,64], not %d", n)) }

// WriteBool writes one bit.
func (w *Writer) WriteBool(v bool) {
	var b uint64
	if v {
		b = 1
	}
	w.WriteBits(b, 1)
}

// writeOffset writes a number in [0, span] in the bits that span takes.
func (w *Writer) writeOffset(v, span uint64) {
	if n := bits.Len64(span); n > 0 {
		w.WriteBits(v, n)
	}
}

// WriteInt writes v in the bits that max-min takes, which are none if they are
// equal. It fails with [ErrRange] unless v is in [min, max], and panics if
// min > max.
func (w *Writer) WriteInt(v, min, max int64) {
	span := intSpan(min, max)
	if v < min || v > max {
		w.refuse(ErrRange, v, min, max)
		return
	}
	w.writeOffset(uint64(v)-uint64(min), span)
}

// WriteUint is WriteInt over unsigned integers.
func (w *Writer) WriteUint(v, min, max uint64) {
	span := uintSpan(min, max)
	if v < min || v > max {
		w.refuse(ErrRange, v, min, max)
		return
	}
	w.writeOffset(v-min, span)
}

// WriteInt128 is WriteInt over signed 128-bit integers.
func (w *Writer) WriteInt128(v, min, max Int128) {
	span := int128Span(min, max)
	if v.Cmp(min) < 0 || v.Cmp(max) > 0 {
		w.refuse(ErrRange, v, min, max)
		return
	}
	w.writeOffset128(v.Unsigned().Sub(min.Unsigned()), span)
}

// WriteUint128 is WriteInt over unsigned 128-bit integers.
func (w *Writer) WriteUint128(v, min, max Uint128) {
	span := uint128Span(min, max)
	if v.Cmp(min) < 0 || v.Cmp(max) > 0 {
		w.refuse(ErrRange, v, min, max)
		return
	}
	w.writeOffset128(v.Sub(min), span)
}

func (w *Writer) writeOffset128(v, span Uint128) {
	n := span.Len()
	if n > 64 {
		w.WriteBits(v.Lo, 64)
		w.WriteBits(v.Hi, n-64)
	} else if n > 0 {
		w.WriteBits(v.Lo, n)
	}
}

// WriteFloat32 writes the 32 bits of v, whatever they are.
func (w *Writer) WriteFloat32(v float32) { w.WriteBits(uint64(math.Float32bits(v)), 32) }

// WriteFloat64 writes the 64 bits of v, whatever they are.
func (w *Writer) WriteFloat64(v float64) { w.WriteBits(math.Float64bits(v), 64) }

// WriteRelative writes current after previous as int_relative does, in 1 to 38
// bits. It fails with [ErrRange] unless current is above previous and within
// [min, max], the bounds of its type, which are those of int32 or of uint32 at
// most: the longest form carries 32 bits.
func (w *Writer) WriteRelative(previous, current, min, max int64) {
	checkRelative(min, max)
	code, n := EncodeRelative(previous, current)
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

// WriteBytes aligns, even if p is empty, and writes p.
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

// WriteString writes the length of s, in the bits that [0, maxLen] takes, and
// then its bytes as WriteBytes does. It is "string" of the wire with a
// buffer_size of maxLen+1. It fails with [ErrLength] if s has more than maxLen
// bytes and with [ErrText] if it is not UTF-8 or holds a zero byte.
func (w *Writer) WriteString(s string, maxLen int) {
	if w.writeText(s, len(s), maxLen) {
		writeBytes(w, s)
	}
}

// WriteWString writes the number of UTF-16 units of s, in the bits that
// [0, maxLen] takes, and then each unit in 32 bits without aligning. It is
// "wstring" of the wire with a buffer_size of maxLen+1. It fails as
// WriteString does.
func (w *Writer) WriteWString(s string, maxLen int) {
	if !w.writeText(s, UTF16Len(s), maxLen) {
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

// writeText checks text of n units and writes n.
func (w *Writer) writeText(s string, n, maxLen int) bool {
	checkMaxLen(maxLen)
	switch {
	case n > maxLen:
		w.refuse(ErrLength, n, 0, maxLen)
	case !ValidText(s):
		w.refuse(ErrText, nil, nil, nil)
	default:
		w.writeOffset(uint64(n), uint64(maxLen))
	}
	return w.err == nil
}

// WriteCount writes the length n of what follows in the bits that [min, max]
// takes, and fails with [ErrLength] if it is outside. It panics if min is
// negative or above max.
func (w *Writer) WriteCount(n, min, max int) {
	span := countSpan(min, max)
	if n < min || n > max {
		w.refuse(ErrLength, n, min, max)
		return
	}
	w.writeOffset(uint64(n-min), span)
}

func checkMaxLen(maxLen int) {
	if maxLen < 0 {
		panic(fmt.Sprintf("bits: the longest length must not be negative, as %d is", maxLen))
	}
}

func countSpan(min, max int) uint64 {
	if min < 0 || min > max {
		panic(fmt.Sprintf("bits: the bounds of a length must be in order and not negative, not [%d, %d]", min, max))
	}
	return uint64(max - min)
}

func intSpan(min, max int64) uint64 {
	if min > max {
		panicInt(min, max)
	}
	return uint64(max) - uint64(min)
}

//go:noinline
func panicInt(min, max int64) {
	panic(fmt.Sprintf("bits: min must not be above max, as in [%d, %d]", min, max))
}

func uintSpan(min, max uint64) uint64 {
	if min > max {
		panicUint(min, max)
	}
	return max - min
}

//go:noinline
func panicUint(min, max uint64) {
	panic(fmt.Sprintf("bits: min must not be above max, as in [%d, %d]", min, max))
}

func int128Span(min, max Int128) Uint128 {
	if min.Cmp(max) > 0 {
		panic(fmt.Sprintf("bits: min must not be above max, as in [%v, %v]", min, max))
	}
	return max.Unsigned().Sub(min.Unsigned())
}

func uint128Span(min, max Uint128) Uint128 {
	if min.Cmp(max) > 0 {
		panic(fmt.Sprintf("bits: min must not be above max, as in [%v, %v]", min, max))
	}
	return max.Sub(min)
}

func checkRelative(min, max int64) {
	if min > max || min < math.MinInt32 || max > math.MaxUint32 || min < 0 && max > math.MaxInt32 {
		panic(fmt.Sprintf("bits: the bounds of int_relative must be within int32 or uint32, not [%d, %d]", min, max))
	}
}

// relativeMin returns the smallest integer that may follow previous.
func relativeMin(previous, min int64) int64 {
	if previous >= min && previous < math.MaxInt64 {
		return previous + 1
	}
	return min
}

// BitsRequired returns the number of bits that a range takes, which is 0 if
// min and max are equal. It panics if min > max.
func BitsRequired(min, max int64) int { return bits.Len64(intSpan(min, max)) }

// BitsRequiredUint is BitsRequired over unsigned integers.
func BitsRequiredUint(min, max uint64) int { return bits.Len64(uintSpan(min, max)) }
