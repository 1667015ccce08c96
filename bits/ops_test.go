package bits_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// An op is one value of a message: how to write it, how to read it, and the
// result of reading it. Floats are compared by their bits.
type op struct {
	name  string
	write func(*bits.Writer)
	read  func(*bits.Reader) any
	want  any
}

func opBits(v uint64, n int) op {
	return op{fmt.Sprintf("bits(%#x,%d)", v, n),
		func(w *bits.Writer) { w.WriteBits(v, n) },
		func(r *bits.Reader) any { return r.ReadBits(n) },
		v}
}

func opBool(v bool) op {
	return op{fmt.Sprintf("bool(%v)", v),
		func(w *bits.Writer) { w.WriteBool(v) },
		func(r *bits.Reader) any { return r.ReadBool() }, v}
}

func opInt(v, min, max int64) op {
	return op{fmt.Sprintf("int(%d,%d)=%d", min, max, v),
		func(w *bits.Writer) { w.WriteInt(v, min, max) },
		func(r *bits.Reader) any { return r.ReadInt(min, max) }, v}
}

func opUint(v, min, max uint64) op {
	return op{fmt.Sprintf("uint(%d,%d)=%d", min, max, v),
		func(w *bits.Writer) { w.WriteUint(v, min, max) },
		func(r *bits.Reader) any { return r.ReadUint(min, max) }, v}
}

func opInt128(v, min, max bits.Int128) op {
	return op{fmt.Sprintf("int128(%v,%v)=%v", min, max, v),
		func(w *bits.Writer) { w.WriteInt128(v, min, max) },
		func(r *bits.Reader) any { return r.ReadInt128(min, max) }, v}
}

func opUint128(v, min, max bits.Uint128) op {
	return op{fmt.Sprintf("uint128(%v,%v)=%v", min, max, v),
		func(w *bits.Writer) { w.WriteUint128(v, min, max) },
		func(r *bits.Reader) any { return r.ReadUint128(min, max) }, v}
}

func opFloat32(pattern uint32) op {
	return op{fmt.Sprintf("float(%#08x)", pattern),
		func(w *bits.Writer) { w.WriteFloat32(math.Float32frombits(pattern)) },
		func(r *bits.Reader) any { return math.Float32bits(r.ReadFloat32()) }, pattern}
}

func opFloat64(pattern uint64) op {
	return op{fmt.Sprintf("double(%#016x)", pattern),
		func(w *bits.Writer) { w.WriteFloat64(math.Float64frombits(pattern)) },
		func(r *bits.Reader) any { return math.Float64bits(r.ReadFloat64()) }, pattern}
}

func opAlign() op {
	return op{"align",
		func(w *bits.Writer) { w.WriteAlign() },
		func(r *bits.Reader) any { r.ReadAlign(); return nil }, nil}
}

func opBytes(p string) op {
	return op{fmt.Sprintf("bytes(%x)", p),
		func(w *bits.Writer) { w.WriteBytes([]byte(p)) },
		func(r *bits.Reader) any {
			b := make([]byte, len(p))
			r.ReadBytes(b)
			return string(b)
		}, p}
}

func opString(s string, maxLen int) op {
	return op{fmt.Sprintf("string(%q,%d)", s, maxLen),
		func(w *bits.Writer) { w.WriteString(s, maxLen) },
		func(r *bits.Reader) any { return r.ReadString(maxLen) }, s}
}

func opWString(s string, maxLen int) op {
	return op{fmt.Sprintf("wstring(%q,%d)", s, maxLen),
		func(w *bits.Writer) { w.WriteWString(s, maxLen) },
		func(r *bits.Reader) any { return r.ReadWString(maxLen) }, s}
}

func opCount(n, min, max int) op {
	return op{fmt.Sprintf("count(%d,%d)=%d", min, max, n),
		func(w *bits.Writer) { w.WriteCount(n, min, max) },
		func(r *bits.Reader) any { return r.ReadCount(min, max) }, n}
}

func opExpGolomb(v, max uint64, k int) op {
	return op{fmt.Sprintf("expgolomb(%d,%d)=%d", max, k, v),
		func(w *bits.Writer) { w.WriteExpGolomb(v, max, k) },
		func(r *bits.Reader) any { return r.ReadExpGolomb(max, k) }, v}
}

func opVarint(v uint64) op {
	return op{fmt.Sprintf("varint=%d", v),
		func(w *bits.Writer) { w.WriteVarint(v) },
		func(r *bits.Reader) any { return r.ReadVarint() }, v}
}

func opRelative(previous, current, min, max int64) op {
	return op{fmt.Sprintf("relative(%d)=%d", previous, current),
		func(w *bits.Writer) { w.WriteRelative(previous, current, min, max) },
		func(r *bits.Reader) any { return r.ReadRelative(previous, min, max) }, current}
}

// write returns the message made by ops and its number of bits.
func write(t testing.TB, ops []op) ([]byte, int) {
	t.Helper()
	w := bits.NewAppendWriter(nil)
	for _, o := range ops {
		o.write(w)
		require.NoError(t, w.Err(), o.name)
	}
	return w.Bytes(), w.Bit()
}

// inside returns a copy of data without spare capacity, inside a larger array
// filled with fill. Reading past the end of the slice then changes the result.
func inside(data []byte, fill byte) []byte {
	array := make([]byte, len(data)+32)
	for i := copy(array, data); i < len(array); i++ {
		array[i] = fill
	}
	return array[:len(data):len(data)]
}
