package bits_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/stretchr/testify/require"
)

func TestOverreadError(t *testing.T) {
	r := bits.NewReader([]byte{0xFF, 0xFF})
	require.Equal(t, uint64(0x1FFF), r.ReadBits(13))
	require.Equal(t, 3, r.Remaining())
	require.Equal(t, uint64(0), r.ReadBits(4), "no part of a value that is cut")
	require.Equal(t, &bits.Error{Op: "read", Bit: 13, Err: bits.ErrOverread, Value: 4, Max: 3}, r.Err())
	require.EqualError(t, r.Err(), "bits: read at bit 13: read past the end of the data: 4 more bits needed, 3 left")
	require.Equal(t, 13, r.Bit())
	require.Zero(t, r.Remaining(), "nothing is left after an error")
}

// PeekBits returns what ReadBits would, at every position and width, and reads
// nothing.
func TestPeekBits(t *testing.T) {
	data := []byte{0xC5, 0x3A, 0xFF, 0x00, 0x81, 0x7E, 0x12, 0xED, 0x5B, 0xA0, 0x9D}
	for bit := range 8*len(data) + 1 {
		r := new(bits.Reader)
		for n := 1; n <= 64; n++ {
			r.Reset(inside(data, 0xFF), bit)
			got, left := r.PeekBits(n), r.Remaining()
			require.NoError(t, r.Err())
			require.Equal(t, bit, r.Bit())
			var want uint64
			if k := min(n, left); k > 0 {
				want = r.ReadBits(k) // the rest is zero
			}
			require.Equal(t, want, got, "%d bits at bit %d", n, bit)
		}
	}
	r := bits.NewReader(data)
	r.Fail(errors.New("failed before"))
	require.Zero(t, r.PeekBits(64), "after an error")
}

// Skipped bits may have any value. Skipping past the last bit fails.
func TestSkip(t *testing.T) {
	r := bits.NewReader([]byte{0xFF, 0xA5})
	r.Skip(0)
	r.Skip(3)
	r.Skip(5)
	require.Equal(t, uint64(5), r.ReadBits(4))
	r.Skip(5)
	require.Equal(t, &bits.Error{Op: "read", Bit: 12, Err: bits.ErrOverread, Value: 5, Max: 4}, r.Err())
	require.Equal(t, 12, r.Bit())
	r.Skip(4)
	require.Equal(t, 12, r.Bit(), "nothing is left after an error")

	r = bits.NewReader([]byte{0xFF, 0xA5})
	r.Skip(16)
	require.NoError(t, r.Err())
	require.NoError(t, r.Finish())
	require.Equal(t, 16, r.Bit())
	r.Skip(math.MaxInt)
	require.Equal(t, &bits.Error{Op: "read", Bit: 16, Err: bits.ErrOverread, Value: math.MaxInt, Max: 0}, r.Err())
}

// A length greater than the rest of the packet allocates nothing: this one
// would panic.
func TestHugeLength(t *testing.T) {
	data, _ := write(t, []op{opCount(math.MaxInt-1, 0, math.MaxInt), opAlign(), opBytes("ab")})
	for name, read := range map[string]func(*bits.Reader) string{
		"string":  func(r *bits.Reader) string { return r.ReadString(math.MaxInt) },
		"wstring": func(r *bits.Reader) string { return r.ReadWString(math.MaxInt) },
	} {
		r := bits.NewReader(data)
		require.Empty(t, read(r), name)
		require.ErrorIs(t, r.Err(), bits.ErrOverread, name)
		var e *bits.Error
		require.ErrorAs(t, r.Err(), &e)
		require.Equal(t, math.MaxInt, e.Value, "the bits needed do not wrap around")
	}
}

func TestFinish(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		read int // bits
		ok   bool
	}{
		{"nothing", nil, 0, true},
		{"whole bytes", []byte{1, 2}, 16, true},
		{"7 zero bits left", []byte{1}, 1, true},
		{"1 zero bit left", []byte{0x7F}, 7, true},
		{"the highest bit", []byte{0x81}, 7, false},
		{"the next bit", []byte{0x02}, 1, false},
		{"a byte of zeros", []byte{1, 0}, 8, false},
		{"a bit and a byte of zeros", []byte{1, 0}, 7, false},
		{"a message unread", []byte{0}, 0, false},
		{"8 zero bytes", make([]byte, 9), 8, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := bits.NewReader(inside(tt.data, 0xFF))
			for range tt.read {
				r.ReadBool()
			}
			if tt.ok {
				require.NoError(t, r.Finish())
				return
			}
			require.Equal(t, &bits.Error{Op: "read", Bit: tt.read, Err: bits.ErrTrailing}, r.Finish())
			require.Same(t, r.Err(), r.Finish())
		})
	}
	r := bits.NewReader([]byte{1, 2, 3})
	mine := errors.New("mine")
	r.Fail(mine)
	require.Same(t, mine, r.Finish(), "the first error is the one that counts")
}

// After an error, every value is the smallest in its range, nothing is read,
// and no later error replaces the first.
func TestReadAfterError(t *testing.T) {
	tests := []struct {
		name string
		read func(*bits.Reader) any
		want any
	}{
		{"bits", func(r *bits.Reader) any { return r.ReadBits(9) }, uint64(0)},
		{"bool", func(r *bits.Reader) any { return r.ReadBool() }, false},
		{"int", func(r *bits.Reader) any { return r.ReadInt(-7, 100) }, int64(-7)},
		{"int of one value", func(r *bits.Reader) any { return r.ReadInt(-7, -7) }, int64(-7)},
		{"uint", func(r *bits.Reader) any { return r.ReadUint(7, 100) }, uint64(7)},
		{"int128", func(r *bits.Reader) any { return r.ReadInt128(bits.Int128{Hi: -1}, bits.Int128{Hi: 5}) }, bits.Int128{Hi: -1}},
		{"uint128", func(r *bits.Reader) any { return r.ReadUint128(bits.Uint128{Hi: 1}, bits.Uint128{Hi: 5}) }, bits.Uint128{Hi: 1}},
		{"float", func(r *bits.Reader) any { return r.ReadFloat32() }, float32(0)},
		{"double", func(r *bits.Reader) any { return r.ReadFloat64() }, float64(0)},
		{"align", func(r *bits.Reader) any { r.ReadAlign(); return nil }, nil},
		{"bytes", func(r *bits.Reader) any { p := []byte("old"); r.ReadBytes(p); return string(p) }, "\x00\x00\x00"},
		{"string", func(r *bits.Reader) any { return r.ReadString(3) }, ""},
		{"wstring", func(r *bits.Reader) any { return r.ReadWString(3) }, ""},
		{"count", func(r *bits.Reader) any { return r.ReadCount(2, 9) }, 2},
		{"expgolomb", func(r *bits.Reader) any { return r.ReadExpGolomb(100, 3) }, uint64(0)},
		{"relative", func(r *bits.Reader) any { return r.ReadRelative(50, -8, 100) }, int64(-8)},
		{"finish", func(r *bits.Reader) any { return r.Finish() != nil }, true},
	}
	mine := errors.New("mine")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := bits.NewReader([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
			r.ReadBits(5)
			r.Fail(nil)
			require.NoError(t, r.Err(), "no error is none")
			r.Fail(mine)
			r.Fail(errors.New("another"))
			got := tt.read(r)
			require.True(t, reflect.DeepEqual(tt.want, got), "got %v", got)
			require.Same(t, mine, r.Err())
			require.Equal(t, 5, r.Bit())
		})
	}
}

func TestWriteAfterError(t *testing.T) {
	mine := errors.New("mine")
	for _, w := range []*bits.Writer{bits.NewWriter(make([]byte, 99)), bits.NewAppendWriter(nil), bits.NewMeasurer()} {
		w.WriteBits(5, 3)
		w.Fail(nil)
		require.NoError(t, w.Err())
		w.Fail(mine)
		w.Fail(errors.New("another"))
		for _, tt := range golden {
			for _, o := range tt.ops {
				o.write(w)
			}
		}
		w.WriteInt(5, 0, 4)
		w.WriteString("\xFF", 10)
		require.Same(t, mine, w.Err(), "the first error stays")
		require.Equal(t, 3, w.Bit())
		if got := w.Bytes(); got != nil {
			require.Equal(t, []byte{5}, got, "what was written before the error")
		}
	}
}

// arriving returns a Reader of data of which only as many bytes arrive as reads ask
// for.
func arriving(data []byte) *bits.Reader {
	r := bits.NewReader(nil)
	*access.ReaderContext(r) = &access.Context{Fill: func(n int) []byte { return inside(data[:min(n, len(data))], 0xFF) }}
	return r
}

// A read waits for the bytes that it needs, and no others.
func TestArriving(t *testing.T) {
	ops := []op{opBits(5, 3), opInt(-3, -9, 9), opUint128(bits.Uint128{Hi: 1}, bits.Uint128{}, maxUint128), opRelative(5, 9, 0, 100),
		opExpGolomb(1000, 2000, 0), opVarint(300), opString("text", 31), opWString("é", 31), opBytes("ab")}
	data, n := write(t, ops)
	r := arriving(data)
	for _, o := range ops {
		require.Equal(t, o.want, o.read(r), o.name)
		require.Less(t, r.Bit()+r.Remaining()-8, r.Bit(), "%s: a byte that nothing asked for", o.name)
	}
	require.Equal(t, n, r.Bit())
	require.Zero(t, r.ReadBits(64))
	require.ErrorIs(t, r.Err(), bits.ErrOverread)

	for _, width := range []func(*bits.Reader) string{
		func(r *bits.Reader) string { return r.ReadString(math.MaxInt) },
		func(r *bits.Reader) string { return r.ReadWString(math.MaxInt) },
	} {
		huge, _ := write(t, []op{opCount(math.MaxInt/8+2, 0, math.MaxInt), opAlign()})
		r := arriving(huge)
		require.Empty(t, width(r))
		require.ErrorIs(t, r.Err(), bits.ErrOverread, "a length whose bits overflow an int")
	}
}
