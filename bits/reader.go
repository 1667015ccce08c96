package bits

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// Reader unpacks values from a message. It keeps the first error, returned by
// [Reader.Err], and reads nothing after it. Every value read after an error is
// the smallest in its range. A Reader never accesses memory past the end of the
// data.
type Reader struct {
	data []byte
	bit  int // bits read
	end  int // bits in data, or bit after an error
	err  error
	ctx  *access.Context

	intact bool // mark for codecs, see package access
}

func init() {
	access.ReaderContext = func(r any) **access.Context { return &r.(*Reader).ctx }
	access.WriterContext = func(w any) **access.Context { return &w.(*Writer).ctx }
	access.Untouched = func(rw any) *bool {
		if w, ok := rw.(*Writer); ok {
			return &w.intact
		}
		return &rw.(*Reader).intact
	}
	access.Grows = func(w any) bool { return w.(*Writer).mode == growing }
	access.Data = func(r any) []byte { return r.(*Reader).data }
	access.Ensure = func(r any, n int) bool { return r.(*Reader).need(n) }
}

// NewReader returns a Reader of the message in data.
func NewReader(data []byte) *Reader {
	r := new(Reader)
	r.Reset(data, 0)
	return r
}

// Reset makes r a Reader of the message in data, positioned at the given bit.
// It panics if data has fewer bits.
func (r *Reader) Reset(data []byte, bit int) {
	*r = Reader{data: data, bit: bit, end: bitLen(len(data)), ctx: r.ctx}
	if bit < 0 || bit > r.end {
		panic("bits: Reset: bit is outside the data") // constant, so that Reset inlines
	}
}

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Bit returns the number of bits read. After an error it is the position of the
// value that failed.
func (r *Reader) Bit() int { return r.bit }

// Remaining returns the number of bits left, or 0 after an error.
func (r *Reader) Remaining() int { return r.end - r.bit }

// need reports whether n bits are left. If data is still arriving, it first
// waits for them.
func (r *Reader) need(n int) bool { return n <= r.end-r.bit || r.fill(n) }

// needAll is need for n values of width bits each.
func (r *Reader) needAll(n, width int) bool {
	return n <= (r.end-r.bit)/width || n <= math.MaxInt/width && r.fill(n*width)
}

// fill loads more data if it is still arriving, and reports whether n bits are
// then left.
//
//go:noinline
func (r *Reader) fill(n int) bool {
	if r.err != nil || r.ctx == nil || r.ctx.Fill == nil || n > mostBits-r.bit {
		return false
	}
	all := r.bit + n
	if r.ctx.Ahead != nil {
		all = min(saturate.Add(all, *r.ctx.Ahead), mostBits)
	}
	r.data = r.ctx.Fill((all + 7) / 8)
	r.end = bitLen(len(r.data))
	return n <= r.end-r.bit
}

// Skip skips n bits without checking them. It panics if n is negative.
func (r *Reader) Skip(n int) {
	switch {
	case n < 0:
		panic(fmt.Sprintf("bits: Skip: n is %d; it must not be negative", n))
	case !r.need(n):
		r.overread(n)
	default:
		r.bit += n
	}
}

// Fail makes err the Reader's error if it has none.
func (r *Reader) Fail(err error) {
	if r.err == nil && err != nil {
		r.err = err
		r.end = r.bit
	}
}

// refuse fails with an [Error] about the value at bit, and moves back there.
//
//go:noinline
func (r *Reader) refuse(bit int, err error, value, min, max any) {
	if r.err == nil {
		r.bit = bit
		r.Fail(&Error{Op: "read", Bit: bit, Err: err, Value: value, Min: min, Max: max})
	}
}

// overread fails because fewer than n bits are left, and returns 0 as the value
// read.
//
//go:noinline
func (r *Reader) overread(n int) uint64 {
	r.refuse(r.bit, ErrOverread, n, nil, r.Remaining())
	return 0
}

// overreadAll is overread for n values of width bits each. It reports
// math.MaxInt bits if their number overflows an int.
func (r *Reader) overreadAll(n, width int) {
	if n > math.MaxInt/width {
		r.overread(math.MaxInt)
		return
	}
	r.overread(n * width)
}

// PeekBits returns the next n bits without reading them. Bits past the end of
// the data are zero, and so are all bits after an error. PeekBits is for prefix
// codes, whose first bits tell how many to read or [Reader.Skip]. If data is
// still arriving, PeekBits waits for all n bits. It panics unless n is in
// [1, 64].
func (r *Reader) PeekBits(n int) uint64 {
	if uint(n-1) > 63 {
		panicWidth(n)
	}
	r.need(n)
	if r.err != nil {
		return 0
	}
	return bitio.PeekWord(r.data, r.bit) & largest(n)
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
	// This is bitio.PeekWord, which is too large to inline.
	var word uint64
	shift := uint(bit) & 7
	if i := uint(bit) >> 3; i+8 <= uint(len(r.data)) {
		word = binary.LittleEndian.Uint64(r.data[i:i+8]) >> shift
		if shift+uint(n) > 64 {
			word |= uint64(r.data[i+8]) << (64 - shift)
		}
	} else {
		word = bitio.PeekTail(r.data, bit)
	}
	return word & largest(n)
}

// readBeyond is ReadBits when fewer than n bits are left. It is not inlined, so
// that ReadBits has no values to preserve across calls.
//
//go:noinline
func (r *Reader) readBeyond(n int) uint64 {
	if r.fill(n) {
		return r.ReadBits(n)
	}
	return r.overread(n)
}

// readSigned reads an integer of n bits in two's complement. After an error it
// returns the smallest one.
func (r *Reader) readSigned(n int) int64 {
	v := r.ReadBits(n)
	if r.err != nil {
		return smallest(n)
	}
	return int64(v<<(-uint(n)&63)) >> (-uint(n) & 63)
}

// ReadBool reads one bit.
func (r *Reader) ReadBool() bool { return r.ReadBits(1) != 0 }

// readOffset reads an integer in the number of bits that span needs. The caller
// must check that it is not above span.
func (r *Reader) readOffset(span uint64) (v uint64) {
	if n := mathbits.Len64(span); n > 0 {
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

// refuseInt fails with [ErrRange] for min+v, which may overflow int64. v has
// just been read.
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

// ReadUint is ReadInt for unsigned integers.
func (r *Reader) ReadUint(min, max uint64) uint64 {
	span := uintSpan(min, max)
	v := r.readOffset(span)
	if v > span {
		return r.refuseUint(v, min, max)
	}
	return min + v
}

// refuseUint fails with [ErrRange] for min+v, which may overflow uint64. v has
// just been read.
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

// ReadFloat32 reads a float32, preserving every bit pattern.
func (r *Reader) ReadFloat32() float32 { return math.Float32frombits(uint32(r.ReadBits(32))) }

// ReadFloat64 reads a float64, preserving every bit pattern.
func (r *Reader) ReadFloat64() float64 { return math.Float64frombits(r.ReadBits(64)) }

// ReadRelative reads an integer in the int_relative encoding. It fails with
// [ErrRange], and returns min, unless the integer is greater than previous and
// in [min, max]. These are the bounds of the integer's type, as in
// [Writer.WriteRelative]. If min is negative, the 32 bits of the longest form
// are two's complement.
func (r *Reader) ReadRelative(previous, min, max int64) int64 {
	checkRelative(min, max)
	if r.end-r.bit < bitio.MaxRelativeBits {
		r.fillRelative()
	}
	current, n, ok := bitio.DecodeRelative(bitio.Peek(r.data, r.bit), previous, min, max)
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

// fillRelative waits until a whole int_relative code is in the data. The bits
// up to the first 1, at most six, tell the length of the code.
//
//go:noinline
func (r *Reader) fillRelative() {
	for k := 1; k <= bitio.RelativePrefix && r.need(k) && bitio.Peek(r.data, r.bit)&(1<<k-1) == 0; k++ {
	}
	_, n, _ := bitio.DecodeRelative(bitio.Peek(r.data, r.bit), 0, 0, 0)
	r.need(n)
}

// ReadAlign skips to the next multiple of 8 bits. It fails with [ErrPadding] if
// a skipped bit is not zero.
func (r *Reader) ReadAlign() {
	bit := r.bit
	if n := -r.bit & 7; n > 0 && r.ReadBits(n) != 0 {
		r.refuse(bit, ErrPadding, nil, nil, nil)
	}
}

// take aligns and returns the next n bytes, which alias the data. It returns
// nil after an error.
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

// ReadBytes aligns to a byte and fills p. It aligns even if p is empty.
func (r *Reader) ReadBytes(p []byte) {
	if b := r.take(len(p)); b != nil {
		copy(p, b)
		return
	}
	clear(p)
}

// ReadString reads a string written by [Writer.WriteString]. It fails with
// [ErrLength] if the length is above maxLen, and with [ErrText] if the bytes
// are not valid UTF-8 or contain a zero. It checks that all bytes are present
// before it allocates.
func (r *Reader) ReadString(maxLen int) string {
	checkMaxLen(maxLen)
	n := r.ReadCount(0, maxLen)
	bit := r.bit
	s := string(r.take(n))
	if !bitio.ValidText(s) {
		r.refuse(bit, ErrText, badBytes(s), nil, nil)
		return ""
	}
	return s
}

// ReadWString reads a string written by [Writer.WriteWString]. It fails with
// [ErrLength] if the length is above maxLen, and with [ErrText] if the units
// are not valid UTF-16 or contain a zero. It checks that all units are present
// before it allocates.
func (r *Reader) ReadWString(maxLen int) string {
	checkMaxLen(maxLen)
	n := r.ReadCount(0, maxLen)
	if !r.needAll(n, 32) {
		r.overreadAll(n, 32)
		return ""
	}
	s, bad := bitio.AppendWString(make([]byte, 0, n), r.data, r.bit, n)
	if bad != r.bit+32*n {
		unit := uint32(bitio.Peek(r.data, bad))
		r.refuse(bad, ErrText, BadText{Index: (bad - r.bit) / 32, Unit: unit, UTF16: true}, nil, nil)
		return ""
	}
	r.bit = bad
	return string(s)
}

// ReadCount reads a length written by [Writer.WriteCount], and returns min
// after an error. It fails with [ErrLength] if the length is above max, and
// panics if min is negative or greater than max. Before allocating memory for
// the elements, the caller should check that [Reader.Remaining] covers them.
func (r *Reader) ReadCount(min, max int) int {
	span := countSpan(min, max)
	v := r.readOffset(span)
	if v > span {
		// A length has fewer than 64 bits, so the sum is exact.
		var value any = uint64(min) + v
		if n := int(v) + min; n >= 0 && uint64(n) == value {
			value = n
		}
		r.refuse(r.bit-mathbits.Len64(span), ErrLength, value, min, max)
		return min
	}
	return min + int(v)
}

// Finish reports the end of the message. It fails with [ErrTrailing] if whole
// bytes are left or if the unused bits of the last byte are not zero. It
// returns the first error.
func (r *Reader) Finish() error {
	if r.err == nil && (r.Remaining() >= 8 || bitio.Peek(r.data, r.bit) != 0) {
		r.refuse(r.bit, ErrTrailing, nil, nil, nil)
	}
	return r.err
}
