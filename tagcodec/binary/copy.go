//go:build !purego

package binary

import (
	"encoding/binary"
	"math"
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// appendWord appends a word of width bytes to to. With swap, it reverses the
// bytes.
func appendWord(to []byte, from memory.Pointer, width uint8, swap bool) []byte {
	switch width {
	case 1:
		return append(to, *from.U8())
	case 2:
		v := *from.U16()
		if swap {
			v = mathbits.ReverseBytes16(v)
		}
		return binary.NativeEndian.AppendUint16(to, v)
	case 4:
		v := *from.U32()
		if swap {
			v = mathbits.ReverseBytes32(v)
		}
		return binary.NativeEndian.AppendUint32(to, v)
	}
	v := *from.U64()
	if swap {
		v = mathbits.ReverseBytes64(v)
	}
	return binary.NativeEndian.AppendUint64(to, v)
}

// copyWord copies a word of width bytes. With swap, it reverses the bytes.
func copyWord(to, from memory.Pointer, width uint8, swap bool) {
	switch width {
	case 1:
		*to.U8() = *from.U8()
	case 2:
		v := from.Load16()
		if swap {
			v = mathbits.ReverseBytes16(v)
		}
		to.Store16(v)
	case 4:
		v := from.Load32()
		if swap {
			v = mathbits.ReverseBytes32(v)
		}
		to.Store32(v)
	default:
		v := from.Load64()
		if swap {
			v = mathbits.ReverseBytes64(v)
		}
		to.Store64(v)
	}
}

// elements copies n elements. The caller ensures that both sides have room for
// them and do not overlap.
func (p *copier) elements(to, from memory.Pointer, n int) {
	if p.whole != repeat {
		p.order.values(p.whole, to, from, n*p.count)
		return
	}
	for i := range n {
		p.element(to.At(uintptr(i*p.toEach)), from.At(uintptr(i*p.fromEach)))
	}
}

// element copies one element.
func (p *copier) element(to, from memory.Pointer) {
	if p.order != neither {
		for _, m := range p.swap64 {
			to.At(uintptr(m.to)).Store64(mathbits.ReverseBytes64(from.At(uintptr(m.from)).Load64()))
		}
		for _, m := range p.swap32 {
			to.At(uintptr(m.to)).Store32(mathbits.ReverseBytes32(from.At(uintptr(m.from)).Load32()))
		}
		for _, m := range p.swap16 {
			to.At(uintptr(m.to)).Store16(mathbits.ReverseBytes16(from.At(uintptr(m.from)).Load16()))
		}
	}
	if p.wide {
		for _, m := range p.move64 {
			to.At(uintptr(m.to)).Store64(from.At(uintptr(m.from)).Load64())
		}
		for _, m := range p.move32 {
			to.At(uintptr(m.to)).Store32(from.At(uintptr(m.from)).Load32())
		}
		for _, m := range p.move16 {
			to.At(uintptr(m.to)).Store16(from.At(uintptr(m.from)).Load16())
		}
	}
	for _, m := range p.move8 {
		*to.At(uintptr(m.to)).U8() = *from.At(uintptr(m.from)).U8()
	}
	for _, m := range p.floats {
		to.At(uintptr(m.to)).Store32(p.order.to(quiet(p.order.from(from.At(uintptr(m.from)).Load32()))))
	}
	for _, m := range p.bools {
		*to.At(uintptr(m.to)).U8() = truth(*from.At(uintptr(m.from)).U8())
	}
	for i := range p.long {
		a := &p.long[i]
		if to, from := to.At(uintptr(a.to)), from.At(uintptr(a.from)); a.kind == repeat {
			a.elem.elements(to, from, a.n)
		} else {
			p.order.values(a.kind, to, from, a.n)
		}
	}
}

// values copies n values of kind k.
func (order reversal) values(k kind, to, from memory.Pointer, n int) {
	switch k {
	case word8:
		copy(to.Array(n), from.Array(n))
	case word16:
		swap16s(to, from, n)
	case word32:
		swap32s(to, from, n)
	case word64:
		for i := uintptr(0); i < 8*uintptr(n); i += 8 {
			to.At(i).Store64(mathbits.ReverseBytes64(from.At(i).Load64()))
		}
	case float:
		for i := uintptr(0); i < 4*uintptr(n); i += 4 {
			to.At(i).Store32(order.to(quiet(order.from(from.At(i).Load32()))))
		}
	case boolean:
		truths(to, from, n)
	case blank:
		clear(to.Array(n))
	}
}

// swap16s copies n 16-bit words with their bytes reversed, four words at a
// time.
func swap16s(to, from memory.Pointer, n int) {
	i, end := uintptr(0), 2*uintptr(n)
	for ; i+8 <= end; i += 8 {
		v := from.At(i).Load64()
		to.At(i).Store64(v>>8&0x00FF00FF00FF00FF | v&0x00FF00FF00FF00FF<<8)
	}
	for ; i < end; i += 2 {
		to.At(i).Store16(mathbits.ReverseBytes16(from.At(i).Load16()))
	}
}

// swap32s copies n 32-bit words with their bytes reversed, two words at a time.
func swap32s(to, from memory.Pointer, n int) {
	i, end := uintptr(0), 4*uintptr(n)
	for ; i+8 <= end; i += 8 {
		to.At(i).Store64(mathbits.RotateLeft64(mathbits.ReverseBytes64(from.At(i).Load64()), 32))
	}
	if i < end {
		to.At(i).Store32(mathbits.ReverseBytes32(from.At(i).Load32()))
	}
}

// truths copies n bytes as 0 or 1, eight at a time.
func truths(to, from memory.Pointer, n int) {
	i, end := uintptr(0), uintptr(n)
	for ; i+8 <= end; i += 8 {
		const low7, low1 = 0x7F7F7F7F7F7F7F7F, 0x0101010101010101
		v := from.At(i).Load64()
		// The addition carries into the top bit of each byte whose low bits are
		// not all zero.
		to.At(i).Store64((v&low7 + low7 | v) >> 7 & low1)
	}
	for ; i < end; i++ {
		*to.At(i).U8() = truth(*from.At(i).U8())
	}
}

func truth(b uint8) uint8 {
	if b != 0 {
		return 1
	}
	return 0
}

// from returns v with its bytes reversed if order reverses words at the source.
func (order reversal) from(v uint32) uint32 {
	if order == reverseFrom {
		return mathbits.ReverseBytes32(v)
	}
	return v
}

// to returns v with its bytes reversed if order reverses words at the
// destination.
func (order reversal) to(v uint32) uint32 {
	if order == reverseTo {
		return mathbits.ReverseBytes32(v)
	}
	return v
}

// quiet returns the bits of a float32 after it has passed through reflect,
// which holds floats as float64. On most machines this makes a signaling NaN
// quiet.
func quiet(v uint32) uint32 {
	if v&0x7FFFFFFF > 0x7F800000 {
		return throughFloat64(v)
	}
	return v
}

// throughFloat64 converts a float32 to float64 and back. It is not inlined, or
// the compiler would omit the conversions.
//
//go:noinline
func throughFloat64(v uint32) uint32 {
	return math.Float32bits(float32(float64(math.Float32frombits(v))))
}
