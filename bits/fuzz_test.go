package bits_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/stretchr/testify/require"
)

// A script is a byte sequence that determines the values of a message and their
// parameters. Any byte sequence is a valid script, and the message ends with
// it.
type script []byte

func (s *script) byte() byte {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return b
}

func (s *script) uint64() uint64 {
	var b [8]byte
	*s = (*s)[copy(b[:], *s):]
	// Use fewer bits in most cases, or short ranges would be rare.
	return binary.LittleEndian.Uint64(b[:]) >> (s.byte() & 63)
}

func (s *script) uint128() bits.Uint128 {
	v := bits.Uint128{Lo: s.uint64()}
	if s.byte()&1 != 0 {
		v.Hi = s.uint64()
	}
	return v
}

func (s *script) text() string {
	n := min(int(s.byte()), len(*s))
	t := strings.ReplaceAll(strings.ToValidUTF8(string((*s)[:n]), "é"), "\x00", "😀")
	*s = (*s)[n:]
	return t
}

// A scripted value is any value of a message with the parameters for all kinds.
// Each kind uses only its own.
type scripted struct {
	kind     byte
	width    int
	min, max bits.Uint128 // in Lo alone, for kinds of at most 64 bits
	previous int64
	maxLen   int

	u     bits.Uint128
	bytes []byte
	text  string
}

const kinds = 16

// next takes a value from the script. The value is always in its range.
func (s *script) next() *scripted {
	v := &scripted{kind: s.byte() % kinds, width: 1 + int(s.byte()&63)}
	less := func(a, b bits.Uint128) bool { return a.Cmp(b) < 0 }
	switch v.kind {
	case 2, 4:
		less = func(a, b bits.Uint128) bool { return a.Signed().Cmp(b.Signed()) < 0 }
		fallthrough
	case 3, 5:
		wide := func() bits.Uint128 {
			switch u := s.uint128(); v.kind {
			case 2:
				return bits.Int128{Lo: u.Lo, Hi: int64(u.Lo) >> 63}.Unsigned()
			case 3:
				return bits.Uint128{Lo: u.Lo}
			default:
				return u
			}
		}
		// Of three numbers, the middle one is in the range of the others.
		a, b, c := wide(), wide(), wide()
		if less(b, a) {
			a, b = b, a
		}
		if less(c, a) {
			a, c = c, a
		}
		if less(c, b) {
			b, c = c, b
		}
		v.min, v.u, v.max = a, b, c
	case 8: // an align has no value
	case 9:
		v.bytes = []byte(s.text())
	case 10:
		v.text = s.text()
		v.maxLen = len(v.text) + int(s.byte())
	case 11:
		v.text = s.text()
		v.maxLen = bitio.UTF16Len(v.text) + int(s.byte())
	case 12, 13:
		v.previous = int64(int32(s.uint64()))
		v.u.Lo = uint64(v.previous) + 1 + s.uint64()&(1<<17-1)
		if current := int64(v.u.Lo); v.kind == 12 && current > math.MaxInt32 || v.kind == 13 && current < 0 {
			v.previous, v.u.Lo = 0, 1
		}
	case 14:
		v.u.Lo = uint64(int64(s.uint64()<<(64-v.width)) >> (64 - v.width))
	case 6:
		v.u.Lo = s.uint64() & math.MaxUint32
	default:
		v.u.Lo = s.uint64() << (64 - v.width) >> (64 - v.width)
	}
	return v
}

// serialize writes the value, or replaces it by the value read with the same
// parameters.
func (v *scripted) serialize(s *bits.Stream) {
	switch v.kind {
	case 0:
		bits.Bits(s, &v.u.Lo, v.width)
	case 1:
		b := v.u.Lo&1 != 0
		s.Bool(&b)
		v.u.Lo = map[bool]uint64{true: 1}[b]
	case 2:
		i := int64(v.u.Lo)
		bits.Int(s, &i, int64(v.min.Lo), int64(v.max.Lo))
		v.u = bits.Int128{Lo: uint64(i), Hi: i >> 63}.Unsigned()
	case 3:
		bits.Int(s, &v.u.Lo, v.min.Lo, v.max.Lo)
	case 4, 5, 11, 15:
		v.serializeWithoutStream(s)
	case 6:
		f := math.Float32frombits(uint32(v.u.Lo))
		s.Float32(&f)
		v.u.Lo = uint64(math.Float32bits(f))
	case 7:
		f := math.Float64frombits(v.u.Lo)
		s.Float64(&f)
		v.u.Lo = math.Float64bits(f)
	case 8:
		s.Align()
	case 9:
		s.Bytes(v.bytes)
	case 10:
		s.String(&v.text, v.maxLen)
	case 12:
		i := int32(v.u.Lo)
		bits.Relative(s, v.previous, &i)
		v.u.Lo = uint64(i)
	case 13:
		u := uint32(v.u.Lo)
		bits.Relative(s, v.previous, &u)
		v.u.Lo = uint64(u)
	case 14:
		i := int64(v.u.Lo)
		bits.Bits(s, &i, v.width)
		v.u.Lo = uint64(i)
	}
}

// serializeWithoutStream is serialize for the kinds that have methods of Writer and
// Reader alone.
func (v *scripted) serializeWithoutStream(s *bits.Stream) {
	r, w := s.Reader(), s.Writer()
	switch reading := s.Reading(); {
	case v.kind == 4 && reading:
		v.u = r.ReadInt128(v.min.Signed(), v.max.Signed()).Unsigned()
	case v.kind == 4:
		w.WriteInt128(v.u.Signed(), v.min.Signed(), v.max.Signed())
	case v.kind == 5 && reading:
		v.u = r.ReadUint128(v.min, v.max)
	case v.kind == 5:
		w.WriteUint128(v.u, v.min, v.max)
	case v.kind == 11 && reading:
		v.text = r.ReadWString(v.maxLen)
	case v.kind == 11:
		w.WriteWString(v.text, v.maxLen)
	case reading:
		v.u.Lo = r.ReadExpGolomb(math.MaxUint64, v.width-1)
	default:
		w.WriteExpGolomb(v.u.Lo, math.MaxUint64, v.width-1)
	}
}

// read returns the value that a reader gets with the parameters of v.
func (v *scripted) read(s *bits.Stream) scripted {
	got := *v
	got.u, got.text, got.bytes = bits.Uint128{}, "", slices.Repeat([]byte{0xEE}, len(v.bytes))
	got.serialize(s)
	return got
}

// inRange reports whether the parameters allow the value.
func (v *scripted) inRange() bool {
	switch v.kind {
	case 0:
		return v.u.Len() <= v.width
	case 14:
		return int64(v.u.Lo)<<(64-v.width)>>(64-v.width) == int64(v.u.Lo)
	case 2, 4:
		return v.u.Signed().Cmp(v.min.Signed()) >= 0 && v.u.Signed().Cmp(v.max.Signed()) <= 0
	case 3, 5:
		return v.u.Cmp(v.min) >= 0 && v.u.Cmp(v.max) <= 0
	case 10:
		return len(v.text) <= v.maxLen && bitio.ValidText(v.text)
	case 11:
		return bitio.UTF16Len(v.text) <= v.maxLen && bitio.ValidText(v.text)
	}
	return true
}

// seeds adds pairs of a script and data. For half of them the data is the
// script's own message, so that reading gets far.
func seeds(f *testing.F) {
	for seed := range uint64(80) {
		rng := rand.New(rand.NewPCG(seed, 2))
		program := make([]byte, rng.IntN(400))
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		data := make([]byte, rng.IntN(100))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		if seed%2 == 0 {
			w := bits.NewAppendWriter(nil)
			for s := script(program); len(s) > 0; {
				s.next().serialize(bits.NewWriteStream(w))
			}
			data = w.Bytes()
		}
		f.Add(program, data)
	}
}

// FuzzReader checks that reading arbitrary data stays within it, keeps the
// first error and returns values in their ranges. Writing the values read
// before an error must give the same bits.
func FuzzReader(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, program, data []byte) {
		r, twin := bits.NewReader(inside(data, 0x00)), bits.NewReader(inside(data, 0xFF))
		s := bits.NewReadStream(r)
		w := bits.NewAppendWriter(nil)
		minimal := true
		for sc := script(program); len(sc) > 0; {
			v := sc.next()
			before, failed := r.Bit(), r.Err()
			v.serialize(s)
			require.True(t, v.inRange(), "%+v", v)
			require.LessOrEqual(t, r.Bit(), 8*len(data))
			require.GreaterOrEqual(t, r.Bit(), before)
			if failed != nil {
				require.Same(t, failed, r.Err())
				require.Equal(t, before, r.Bit())
			}

			other := *v
			other.bytes = bytes.Clone(v.bytes)
			other.serialize(bits.NewReadStream(twin))
			require.Equal(t, *v, other, "bytes after the data matter")
			require.Equal(t, r.Err(), twin.Err(), "bytes after the data matter")
			require.Equal(t, r.Bit(), twin.Bit())

			if r.Err() == nil && minimal {
				v.serialize(bits.NewWriteStream(w))
				require.NoError(t, w.Err(), "%+v", v)
				// int_relative also accepts codes longer than the one it
				// writes.
				minimal = w.Bit() == r.Bit()
				require.True(t, minimal || v.kind == 12 || v.kind == 13, "%+v", v)
			}
		}
		if r.Err() == nil && minimal {
			for bit := range r.Bit() {
				require.Equal(t, bitio.Peek(data, bit)&1, bitio.Peek(w.Bytes(), bit)&1, "bit %d", bit)
			}
		}
	})
}

// FuzzRoundTrip checks that a message can be read, fits a buffer of exactly its
// size, has the measured size, and is refused without its last byte. A buffer
// without the last byte is too small, and the bytes after it stay unchanged.
func FuzzRoundTrip(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, program, prefix []byte) {
		w, m := bits.NewAppendWriter(bytes.Clone(prefix)), bits.NewMeasurer()
		for sc := script(program); len(sc) > 0; {
			v := sc.next()
			v.serialize(bits.NewWriteStream(w))
			require.NoError(t, w.Err(), "%+v", v)
			v.serialize(bits.NewWriteStream(m))
			require.Equal(t, w.Bit(), m.Bit(), "%+v", v)
		}
		require.NoError(t, m.Err())
		require.True(t, bytes.HasPrefix(w.Bytes(), prefix))
		data := w.Bytes()[len(prefix):]
		require.Len(t, data, (w.Bit()+7)/8)

		fixed := bits.NewWriter(make([]byte, len(data)))
		r := bits.NewReader(inside(data, 0xFF))
		for sc := script(program); len(sc) > 0; {
			want := sc.next()
			want.serialize(bits.NewWriteStream(fixed))
			got := want.read(bits.NewReadStream(r))
			require.NoError(t, r.Err(), "%+v", want)
			require.True(t, bytes.Equal(want.bytes, got.bytes), "%+v", want)
			got.bytes = want.bytes
			require.Equal(t, *want, got)
		}
		require.NoError(t, r.Finish())
		require.True(t, bytes.Equal(data, fixed.Bytes()))

		if len(data) > 0 {
			r := bits.NewReader(inside(data[:len(data)-1], 0xFF))
			for sc := script(program); len(sc) > 0; {
				sc.next().serialize(bits.NewReadStream(r))
			}
			require.ErrorIs(t, r.Err(), bits.ErrOverread)

			array := bytes.Repeat([]byte{0xEE}, len(data)+16)
			short := bits.NewWriter(array[:len(data)-1])
			for sc := script(program); len(sc) > 0; {
				sc.next().serialize(bits.NewWriteStream(short))
			}
			require.ErrorIs(t, short.Flush(), bits.ErrOverflow)
			require.Equal(t, data[:short.Bit()/8], array[:short.Bit()/8], "the message before the error")
			require.Equal(t, bytes.Repeat([]byte{0xEE}, 17), array[len(data)-1:], "bytes after the buffer")
		}
	})
}
