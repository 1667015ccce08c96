package bits

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/gobitpack/bitpack/internal/access"
)

// Reader unpacks values from a message. It keeps the first error, after which
// it reads nothing more and every value is the smallest its range allows;
// [Reader.Err] returns the error. It never looks past the end of the data.
type Reader struct {
	data []byte
	bit  int // bits read
	end  int // bits there are, or bit after an error
	err  error
	ctx  *access.Context

	intact bool // a mark for codecs, see package access
}

func init() {
	access.ReaderContext = func(r any) **access.Context { return &r.(*Reader).ctx }
	access.WriterContext = func(w any) **access.Context { return &w.(*Writer).ctx }
	access.Intact = func(rw any) *bool {
		if w, ok := rw.(*Writer); ok {
			return &w.intact
		}
		return &rw.(*Reader).intact
	}
	access.Grows = func(w any) bool { return w.(*Writer).mode == growing }
	access.Need = func(r any, n int) bool { return r.(*Reader).need(n) }
}

// NewReader returns a Reader of the message in data.
func NewReader(data []byte) *Reader {
	r := new(Reader)
	r.Reset(data, 0)
	return r
}

// Reset makes r a Reader of the message in data that has read bit bits of it.
// It panics if data has fewer.
func (r *Reader) Reset(data []byte, bit int) {
	*r = Reader{data: data, bit: bit, end: bitLen(len(data)), ctx: r.ctx}
	if bit < 0 || bit > r.end {
		panic("bits: Reset: more bits read than the data has")
	}
}

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Bit returns the number of bits read so far. After an error it is where the
// value starts that was refused.
func (r *Reader) Bit() int { return r.bit }

// Remaining returns the number of bits left, which are none after an error.
func (r *Reader) Remaining() int { return r.end - r.bit }

// need makes sure that n bits are left, and reports whether they are. It waits
// for them where the data still arrives.
func (r *Reader) need(n int) bool { return n <= r.end-r.bit || r.fill(n) }

// needAll is need for n values of some bits each.
func (r *Reader) needAll(n, width int) bool {
	return n <= (r.end-r.bit)/width || n <= math.MaxInt/width && r.fill(n*width)
}

// fill is need where the data has fewer bits.
//
//go:noinline
func (r *Reader) fill(n int) bool {
	if r.err != nil || r.ctx == nil || r.ctx.Fill == nil || n > mostBits-r.bit {
		return false
	}
	r.data = r.ctx.Fill((r.bit + n + 7) / 8)
	r.end = bitLen(len(r.data))
	return n <= r.end-r.bit
}

// Data returns the message that is read, from its first byte on.
func (r *Reader) Data() []byte { return r.data }

// Skip passes over n bits, which may hold anything. It panics if n is
// negative.
func (r *Reader) Skip(n int) {
	switch {
	case n < 0:
		panic("bits: Skip: a negative number of bits")
	case !r.need(n):
		r.overread(n)
	default:
		r.bit += n
	}
}

// Fail makes err the Reader's error unless it has one.
func (r *Reader) Fail(err error) {
	if r.err == nil && err != nil {
		r.err = err
		r.end = r.bit
	}
}

// refuse fails with what the package knows of the value that starts at bit.
//
//go:noinline
func (r *Reader) refuse(bit int, err error, value, min, max any) {
	if r.err == nil {
		r.bit = bit
		r.Fail(&Error{Op: "read", Bit: bit, Err: err, Value: value, Min: min, Max: max})
	}
}

// overread fails for want of n bits, and returns the zero to read then.
//
//go:noinline
func (r *Reader) overread(n int) uint64 {
	r.refuse(r.bit, ErrOverread, n, nil, r.Remaining())
	return 0
}

// overreadAll is overread for want of n values of some bits each, as far as an
// int can count them.
func (r *Reader) overreadAll(n, width int) {
	if n > math.MaxInt/width {
		r.overread(math.MaxInt)
		return
	}
	r.overread(n * width)
}

// Peek returns the bits of data from bit on, 57 or more of them in the low
// bits of the result, with zeros past the end. The bit must not be negative.
func Peek(data []byte, bit int) uint64 {
	// Of an index without a sign the compiler checks no more than this does.
	if i := uint(bit) >> 3; i+8 <= uint(len(data)) {
		return binary.LittleEndian.Uint64(data[i:i+8]) >> (uint(bit) & 7)
	}
	return peekTail(data, bit)
}

// peekTail is Peek where fewer than 8 bytes are left.
//
//go:noinline
func peekTail(data []byte, bit int) uint64 {
	if first := len(data) - 8; first >= 0 {
		return binary.LittleEndian.Uint64(data[first:]) >> uint(bit-8*first)
	}
	var word uint64
	for i := len(data) - 1; i >= bit>>3; i-- {
		word = word<<8 | uint64(data[i])
	}
	return word >> (uint(bit) & 7)
}

// PeekWord is Peek of all 64 bits.
func PeekWord(data []byte, bit int) uint64 {
	word := Peek(data, bit)
	if i := bit>>3 + 8; i < len(data) {
		word |= uint64(data[i]) << (64 - uint(bit)&7)
	}
	return word
}

// ReadBits reads n bits. It panics unless n is in [1, 64].
func (r *Reader) ReadBits(n int) uint64 {
	if uint(n-1) > 63 {
		panicWidth(n)
	}
	bit := r.bit
	if n > r.end-bit {
		return r.readBeyond(n)
	}
	r.bit = bit + n
	// This is PeekWord, which does not inline.
	var word uint64
	shift := uint(bit) & 7
	if i := uint(bit) >> 3; i+8 <= uint(len(r.data)) {
		word = binary.LittleEndian.Uint64(r.data[i:i+8]) >> shift
		if shift+uint(n) > 64 {
			word |= uint64(r.data[i+8]) << (64 - shift)
		}
	} else {
		word = peekTail(r.data, bit)
	}
	return word & (math.MaxUint64 >> (-uint(n) & 63))
}

// readBeyond is ReadBits where the data has fewer bits. It stays a call, so that
// nothing of ReadBits has to outlive it.
//
//go:noinline
func (r *Reader) readBeyond(n int) uint64 {
	if r.fill(n) {
		return r.ReadBits(n)
	}
	return r.overread(n)
}

// ReadBool reads one bit.
func (r *Reader) ReadBool() bool { return r.ReadBits(1) != 0 }

// readOffset reads a number in the bits that span takes. The caller refuses
// one above span.
func (r *Reader) readOffset(span uint64) (v uint64) {
	if n := bits.Len64(span); n > 0 {
		v = r.ReadBits(n)
	}
	return v
}

// ReadInt reads an integer in [min, max] and fails with [ErrRange] if it is
// above max. It panics if min > max.
func (r *Reader) ReadInt(min, max int64) int64 {
	span := intSpan(min, max)
	v := r.readOffset(span)
	if v > span {
		return r.refuseInt(v, min, max)
	}
	return int64(uint64(min) + v)
}

// refuseInt fails for min+v, just read, which int64 may be too small for.
//
//go:noinline
func (r *Reader) refuseInt(v uint64, min, max int64) int64 {
	x := Uint128{Lo: v}.Add(Int128{uint64(min), min >> 63}.Unsigned()).Signed()
	var value any = int64(x.Lo)
	if x.Hi != int64(x.Lo)>>63 {
		value = x
	}
	r.refuse(r.bit-BitsRequired(min, max), ErrRange, value, min, max)
	return min
}

// ReadUint is ReadInt over unsigned integers.
func (r *Reader) ReadUint(min, max uint64) uint64 {
	span := uintSpan(min, max)
	v := r.readOffset(span)
	if v > span {
		return r.refuseUint(v, min, max)
	}
	return min + v
}

// refuseUint fails for min+v, just read, which uint64 may be too small for.
//
//go:noinline
func (r *Reader) refuseUint(v, min, max uint64) uint64 {
	var value any = min + v
	if min+v < min {
		value = Uint128{Lo: min + v, Hi: 1}
	}
	r.refuse(r.bit-BitsRequiredUint(min, max), ErrRange, value, min, max)
	return min
}

// ReadInt128 is ReadInt over signed 128-bit integers.
func (r *Reader) ReadInt128(min, max Int128) Int128 {
	v, ok := r.readOffset128(min.Unsigned(), int128Span(min, max))
	switch {
	case ok:
		return v.Signed()
	case v.Signed().Cmp(min) < 0: // an integer above max that has no sign bit left
		r.refuse(r.bit, ErrRange, v, min, max)
	default:
		r.refuse(r.bit, ErrRange, v.Signed(), min, max)
	}
	return min
}

// ReadUint128 is ReadInt over unsigned 128-bit integers.
func (r *Reader) ReadUint128(min, max Uint128) Uint128 {
	v, ok := r.readOffset128(min, uint128Span(min, max))
	switch {
	case ok:
		return v
	case v.Cmp(min) < 0: // an integer of 129 bits
		sum := v.Big()
		r.refuse(r.bit, ErrRange, sum.SetBit(sum, 128, 1), min, max)
	default:
		r.refuse(r.bit, ErrRange, v, min, max)
	}
	return min
}

// readOffset128 is readOffset with min added. Where that is not ok, the Reader
// stands before the number.
func (r *Reader) readOffset128(min, span Uint128) (Uint128, bool) {
	var v Uint128
	bit, n := r.bit, span.Len()
	if !r.need(n) {
		r.overread(n)
		return min, true
	}
	if n > 64 {
		v.Lo, v.Hi = r.ReadBits(64), r.ReadBits(n-64)
	} else if n > 0 {
		v.Lo = r.ReadBits(n)
	}
	if v.Cmp(span) > 0 {
		r.bit = bit
		return v.Add(min), false
	}
	return v.Add(min), true
}

// ReadFloat32 reads 32 bits as a float32, every pattern preserved.
func (r *Reader) ReadFloat32() float32 { return math.Float32frombits(uint32(r.ReadBits(32))) }

// ReadFloat64 reads 64 bits as a float64, every pattern preserved.
func (r *Reader) ReadFloat64() float64 { return math.Float64frombits(r.ReadBits(64)) }

// ReadRelative reads an integer above previous as int_relative codes it. It
// fails with [ErrRange] unless it is within [min, max], the bounds of its
// type, and returns min then. A negative min makes the longest form two's
// complement.
func (r *Reader) ReadRelative(previous, min, max int64) int64 {
	checkRelative(min, max)
	if r.end-r.bit < MaxRelativeBits {
		r.fillRelative()
	}
	current, n, ok := DecodeRelative(Peek(r.data, r.bit), previous, min, max)
	switch {
	case r.err != nil:
	case n > r.Remaining():
		r.overread(n)
	case !ok:
		r.refuse(r.bit, ErrRange, current, relativeMin(previous, min), max)
	default:
		r.bit += n
		return current
	}
	return min
}

// fillRelative makes sure that the bits of a code of int_relative are there:
// those up to the first one, six at most, tell how many it has.
//
//go:noinline
func (r *Reader) fillRelative() {
	for k := 1; k <= len(relativeTiers) && r.need(k) && Peek(r.data, r.bit)&(1<<k-1) == 0; k++ {
	}
	_, n, _ := DecodeRelative(Peek(r.data, r.bit), 0, 0, 0)
	r.need(n)
}

// ReadAlign skips to the next multiple of 8 and fails with [ErrPadding] if a
// bit on the way is not zero.
func (r *Reader) ReadAlign() {
	bit := r.bit
	if n := -r.bit & 7; n > 0 && r.ReadBits(n) != 0 {
		r.refuse(bit, ErrPadding, nil, nil, nil)
	}
}

// take aligns and returns the next n bytes of the data itself, or nil after an
// error.
func (r *Reader) take(n int) []byte {
	r.ReadAlign()
	if r.err != nil {
		return nil
	}
	if !r.needAll(n, 8) {
		r.overreadAll(n, 8)
		return nil
	}
	first := r.bit >> 3
	r.bit += 8 * n
	return r.data[first : first+n : first+n]
}

// ReadBytes aligns, even if p is empty, and fills p.
func (r *Reader) ReadBytes(p []byte) {
	if b := r.take(len(p)); b != nil {
		copy(p, b)
		return
	}
	clear(p)
}

// ReadString reads what [Writer.WriteString] wrote. It fails with [ErrLength]
// if the length is above maxLen, and with [ErrText] if the bytes are not UTF-8
// or hold a zero. The bytes are known to be there before memory is taken.
func (r *Reader) ReadString(maxLen int) string {
	checkMaxLen(maxLen)
	n := r.ReadCount(0, maxLen)
	bit := r.bit
	s := string(r.take(n))
	if !ValidText(s) {
		r.refuse(bit, ErrText, nil, nil, nil)
		return ""
	}
	return s
}

// ReadWString reads what [Writer.WriteWString] wrote, as ReadString does.
func (r *Reader) ReadWString(maxLen int) string {
	checkMaxLen(maxLen)
	n := r.ReadCount(0, maxLen)
	if !r.needAll(n, 32) {
		r.overreadAll(n, 32)
		return ""
	}
	s, bad := AppendWString(make([]byte, 0, n), r.data, r.bit, n)
	if bad != r.bit+32*n {
		r.refuse(bad, ErrText, nil, nil, nil)
		return ""
	}
	r.bit = bad
	return string(s)
}

// AppendWString appends, as UTF-8, the n UTF-16 units of 32 bits each that
// stand in data from bit on, which must hold them. It returns the bit at which
// it stopped: behind the last unit, or at the one that is no part of
// well-formed text.
func AppendWString(dst, data []byte, bit, n int) ([]byte, int) {
	high := rune(0)
	for ; n > 0; n-- {
		out, wait, ok := appendUTF16(dst, high, Peek(data, bit)&math.MaxUint32)
		if !ok || wait != 0 && n == 1 {
			return dst, bit
		}
		dst, high = out, wait
		bit += 32
	}
	return dst, bit
}

// ReadCount reads a length written by [Writer.WriteCount], and returns min
// after an error. It fails with [ErrLength] if the length is above max, and
// panics if min is negative or above max. The caller makes sure that what the
// length counts is there before it takes memory: [Reader.Remaining] says how
// many bits are.
func (r *Reader) ReadCount(min, max int) int {
	span := countSpan(min, max)
	v := r.readOffset(span)
	if v > span {
		// No length has 64 bits and so their sum is exact.
		var value any = uint64(min) + v
		if n := int(v) + min; n >= 0 && uint64(n) == value {
			value = n
		}
		r.refuse(r.bit-bits.Len64(span), ErrLength, value, min, max)
		return min
	}
	return min + int(v)
}

// Finish fails with [ErrTrailing] if whole bytes are left, or if the unused
// bits of the last byte are not zero, and returns the first error.
func (r *Reader) Finish() error {
	if r.err == nil && (r.Remaining() >= 8 || Peek(r.data, r.bit) != 0) {
		r.refuse(r.bit, ErrTrailing, nil, nil, nil)
	}
	return r.err
}
