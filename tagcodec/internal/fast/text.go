//go:build !purego

package fast

import (
	"bytes"
	"unicode/utf16"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// encodeText writes a string, a []byte, or the text in a byte array.
func encodeText(op *plan.Op, p memory.Pointer, out *output) error {
	var text string
	switch {
	case op.Code == plan.CodeWString:
		return encodeWString(op, *p.Str(), out)
	case op.Code == plan.CodeCString:
		array := p.Array(op.Count)
		n := bytes.IndexByte(array, 0)
		if n < 0 {
			return core.NewRefusal(bits.ErrLength, op.Count, 0, op.Count-1)
		}
		text = memory.String(array[:n])
	case op.Flags&plan.FlagSlice != 0:
		raw := *p.Bytes()
		if out.shares(memory.Start(raw), len(raw)) {
			return core.ErrShared
		}
		text = memory.String(raw)
	default:
		text = *p.Str()
	}
	n := uint64(len(text)) - op.Bias
	if n > op.Span {
		return core.LengthError(op, len(text))
	}
	if (op.Flags&plan.FlagText != 0 || op.Code == plan.CodeCString) && !bitio.ValidText(text) {
		return core.BadText(text)
	}
	out.counted(n, uint(op.Bits), memory.StringBytes(text))
	return nil
}

// encodeWString writes a string as UTF-16 units.
func encodeWString(op *plan.Op, s string, out *output) error {
	n := bitio.UTF16Len(s)
	if uint64(n) > op.Span {
		return core.LengthError(op, n)
	}
	if !bitio.ValidText(s) {
		return core.BadText(s)
	}
	out.put(uint64(n), uint(op.Bits))
	for _, r := range s {
		if high, low := utf16.EncodeRune(r); r >= 0x10000 {
			out.put(uint64(high), 32)
			r = low
		}
		out.put(uint64(r), 32)
	}
	return nil
}

// decodeText reads a value that is encoded as a count and bytes.
func decodeText(pl *plan.Plan, op *plan.Op, p memory.Pointer, data []byte, bit int) (int, error) {
	n, err := decodeCount(op, data, bit)
	if err != nil {
		return bit, err
	}
	bit += int(op.Bits)
	if op.Code == plan.CodeWString {
		return decodeWString(n, p, data, bit)
	}
	raw, next, err := take(data, bit, n)
	if err != nil {
		return next, err
	}
	if (op.Flags&plan.FlagText != 0 || op.Code == plan.CodeCString) && !bitio.ValidText(memory.String(raw)) {
		return bit, core.BadText(memory.String(raw))
	}
	switch {
	case op.Code == plan.CodeCString:
		array := p.Array(op.Count)
		clear(array[copy(array, raw):])
	case op.Code == plan.CodeBinary:
		if err := decodeBinary(p.Value(pl.Fields[op.Field].Type), raw); err != nil {
			return bit, err
		}
	case op.Flags&plan.FlagSlice != 0:
		core.SetBytes(p.Bytes(), raw, int(op.KeepCapacity))
	default:
		setString(p.Str(), raw)
	}
	return next, nil
}

// text writes a string of a run. It returns false if the string is invalid.
func (o *output) text(x *plan.RunValue, s string) (ok bool) {
	n := uint64(len(s)) - x.Bias
	if n > x.Span || !bitio.ValidText(s) {
		return false
	}
	o.counted(n, uint(x.Width), memory.StringBytes(s))
	return true
}

// shortText is the longest text that a run writes without calls.
const shortText = 128

// decodeRunText reads a string of a run. Its bytes beyond the minimum length
// may take at most left bits. It returns the bit after the string and the
// remaining left bits, which are negative if the string is invalid or missing.
func decodeRunText(x *plan.RunValue, bit, left int, s *string, data []byte) (int, int) {
	code := peekCode(data, bit) // a count has at most 31 bits, so code includes the padding after it
	bit += int(x.Width)
	pad := -bit & 7
	zeros := code >> (x.Width & 63) & (1<<pad - 1)
	code &= x.Mask
	n := int(code + x.Bias)
	if left -= pad; code > x.Span || int(code) > left>>3 || zeros != 0 {
		return bit, -1
	}
	left -= 8 * int(code) // left already excludes the minimum length
	start := uint(bit+pad) >> 3
	end := start + uint(n)
	raw := data[start:end]
	if n >= 8 && n <= 16 {
		if first, last := bitio.EndWords(raw); bitio.ASCII(first, last) {
			if old := memory.StringBytes(*s); len(old) == n {
				if f, l := bitio.EndWords(old); f == first && l == last {
					return 8 * int(end), left // unchanged
				}
			}
			*s = string(raw)
			return 8 * int(end), left
		}
	} else if n < 8 {
		if text := peekCode(data, 8*int(start)) & (1<<(8*n&63) - 1); bitio.ShortASCII(text, n) {
			if old := memory.StringBytes(*s); len(old) != n || bitio.Short(old) != text {
				*s = string(raw)
			}
			return 8 * int(end), left
		}
	}
	if !bitio.ValidText(memory.String(raw)) {
		return bit, -1
	}
	setString(s, raw)
	return 8 * int(end), left
}

// setString sets a string. It allocates nothing if the string is unchanged.
func setString(s *string, raw []byte) {
	if *s != string(raw) {
		*s = string(raw)
	}
}

// decodeWString reads n UTF-16 units.
func decodeWString(n int, p memory.Pointer, data []byte, bit int) (int, error) {
	if left := 8*len(data) - bit; n > left/32 {
		return bit, overread(saturate.MulAdd(n, 32, 0), left)
	}
	var short [64]byte
	s, next := bitio.AppendWString(short[:0], data, bit, n)
	if next != bit+32*n {
		bad := bits.BadText{Index: (next - bit) / 32, Unit: uint32(bitio.Peek(data, next)), UTF16: true}
		return next, core.NewRefusal(bits.ErrText, bad, nil, nil)
	}
	setString(p.Str(), s)
	return next, nil
}
