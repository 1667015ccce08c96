package vectors_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/vectors"
	"github.com/stretchr/testify/require"
)

// serialize runs one op through a Stream and returns the value that was written
// or read, floats as their bits. For an unknown op, done is false.
func serialize(s *bits.Stream, o vectors.Op) (value any, done bool) {
	switch o.Kind {
	case "bool":
		v := given(s, o.Bool)
		s.Bool(&v)
		return v, true
	case "bits":
		v := given(s, func() uint64 { return o.Uint().Lo })
		bits.Bits(s, &v, o.Width())
		return v, true
	case "int":
		return ranged(s, o, int32(o.Min().Lo), int32(o.Max().Lo)), true
	case "int64":
		return ranged(s, o, int64(o.Min().Lo), int64(o.Max().Lo)), true
	case "int128":
		v := given(s, o.Int)
		tagcodec.Field(s, &v, fmt.Sprintf("int,min=%v,max=%v", o.Min(), o.Max()))
		return v, true
	case "uint8":
		return unsigned[uint8](s, o, 8), true
	case "uint16":
		return unsigned[uint16](s, o, 16), true
	case "uint32":
		return unsigned[uint32](s, o, 32), true
	case "uint64":
		return unsigned[uint64](s, o, 64), true
	case "uint128":
		v := given(s, o.Uint)
		tagcodec.Field(s, &v, "")
		return v, true
	case "float":
		v := given(s, func() float32 { return math.Float32frombits(o.Pattern32()) })
		s.Float32(&v)
		return math.Float32bits(v), true
	case "double":
		v := given(s, func() float64 { return math.Float64frombits(o.Pattern64()) })
		s.Float64(&v)
		return math.Float64bits(v), true
	case "compressed_float":
		q, err := compress.NewFloat32(o.MinFloat(), o.MaxFloat(), o.Res())
		s.Fail(err)
		v := given(s, func() float32 { return math.Float32frombits(o.Pattern32()) })
		q.Serialize(s, &v)
		return math.Float32bits(v), true
	case "align":
		s.Align()
		return nil, true
	case "bytes":
		v := make([]byte, o.Count())
		copy(v, given(s, o.Bytes))
		s.Bytes(v)
		return string(v), true
	case "string":
		v := given(s, o.Text)
		s.String(&v, o.BufferSize()-1)
		return v, true
	case "wstring":
		v := given(s, o.Text)
		tagcodec.Field(s, &v, fmt.Sprintf("wstring,maxlen=%d", o.BufferSize()-1))
		return v, true
	case "int_relative":
		if o.Type() == "uint32" {
			v := given(s, func() uint32 { return uint32(o.Current()) })
			bits.Relative(s, o.Previous(), &v)
			return int64(v), true
		}
		v := given(s, func() int32 { return int32(o.Current()) })
		bits.Relative(s, o.Previous(), &v)
		return int64(v), true
	case "fixed":
		return fixed(s, o)
	}
	return nil, false
}

// given returns the value of an op if the Stream writes, and zero if it reads.
func given[T any](s *bits.Stream, value func() T) (v T) {
	if !s.Reading() {
		v = value()
	}
	return v
}

func ranged[T bits.Integer](s *bits.Stream, o vectors.Op, min, max T) T {
	v := given(s, func() T { return T(o.Int().Lo) })
	bits.Int(s, &v, min, max)
	return v
}

func unsigned[T bits.Unsigned](s *bits.Stream, o vectors.Op, n int) T {
	v := given(s, func() T { return T(o.Uint().Lo) })
	bits.Bits(s, &v, n)
	return v
}

// fixed serializes a fixed op: an integer between the scaled bounds, in its
// storage type.
func fixed(s *bits.Stream, o vectors.Op) (any, bool) {
	min, max := o.RawMin().Lo, o.RawMax().Lo
	switch o.Storage() {
	case "int8":
		return ranged(s, o, int8(min), int8(max)), true
	case "uint8":
		return ranged(s, o, uint8(min), uint8(max)), true
	case "int16":
		return ranged(s, o, int16(min), int16(max)), true
	case "uint16":
		return ranged(s, o, uint16(min), uint16(max)), true
	case "int32":
		return ranged(s, o, int32(min), int32(max)), true
	case "uint32":
		return ranged(s, o, uint32(min), uint32(max)), true
	case "int64":
		return ranged(s, o, int64(min), int64(max)), true
	case "int128":
		v := given(s, o.Int)
		tagcodec.Field(s, &v, fmt.Sprintf("int,min=%v,max=%v", o.RawMin(), o.RawMax()))
		return v, true
	}
	return nil, false
}

// values returns the values that reading the ops must give, nil for an op without
// one. It returns false if an op is unknown.
func values(t *testing.T, ops []vectors.Op) ([]any, bool) {
	t.Helper()
	want := make([]any, len(ops))
	for i, o := range ops {
		if !o.HasValue() && o.Kind != "align" {
			continue
		}
		s := bits.NewWriteStream(bits.NewMeasurer())
		v, done := serialize(s, o)
		require.NoError(t, s.Err(), o)
		if !done {
			return nil, false
		}
		if want[i] = v; o.Kind == "compressed_float" {
			want[i] = o.Decoded32()
		}
	}
	return want, true
}

// report logs the number of tested cases and the skipped ones. It requires that
// none was skipped.
func report(t *testing.T, tested int, skipped []string) {
	t.Helper()
	t.Logf("%d tested, %d skipped: %s", tested, len(skipped), strings.Join(skipped, ", "))
	require.Empty(t, skipped)
	require.NotZero(t, tested)
}

// cut returns a copy of the first n bytes without spare capacity. One bits follow
// in memory, so that reading past the end shows.
func cut(data []byte, n int) []byte {
	array := make([]byte, n+16)
	for i := copy(array, data[:n]); i < len(array); i++ {
		array[i] = 0xFF
	}
	return array[:n:n]
}

func TestMessages(t *testing.T) {
	vectors.Each(t, func(t *testing.T, set *vectors.Set) {
		var skipped []string
		for _, m := range set.Messages {
			want, ok := values(t, m.Ops)
			if !ok {
				skipped = append(skipped, m.Name)
				continue
			}

			w := bits.NewAppendWriter(nil)
			measurer := bits.NewMeasurer()
			for _, o := range m.Ops {
				serialize(bits.NewWriteStream(w), o)
				serialize(bits.NewWriteStream(measurer), o)
				require.NoError(t, w.Err(), o)
			}
			require.Equal(t, m.Bytes, append([]byte{}, w.Bytes()...), m.Name)
			require.Equal(t, m.Bits, w.Bit(), m.Name)
			require.Equal(t, m.Bits, measurer.Bit(), "%s: measured", m.Name)
			require.LessOrEqual(t, measurer.Bit(), m.MeasureBits, m.Name)

			r := bits.NewReader(cut(m.Bytes, len(m.Bytes)))
			for i, o := range m.Ops {
				v, _ := serialize(bits.NewReadStream(r), o)
				require.Equal(t, want[i], v, "%s: %v", m.Name, o)
			}
			require.NoError(t, r.Finish(), m.Name)
			require.Equal(t, m.Bits, r.Bit(), m.Name)

			for n := range m.Bytes {
				r := bits.NewReader(cut(m.Bytes, n))
				for _, o := range m.Ops {
					serialize(bits.NewReadStream(r), o)
				}
				require.ErrorIs(t, r.Err(), bits.ErrOverread, "%s: %d of %d bytes", m.Name, n, len(m.Bytes))
			}
		}
		report(t, len(set.Messages)-len(skipped), skipped)
	})
}

// The code of each quantized float and the units of each text equal those in the
// vectors. Comparing the bytes of messages alone would not check them one by one.
func TestCodes(t *testing.T) {
	vectors.Each(t, func(t *testing.T, set *vectors.Set) {
		floats, texts := 0, 0
		for _, m := range set.Messages {
			for _, o := range m.Ops {
				switch o.Kind {
				case "compressed_float":
					q, err := compress.NewFloat32(o.MinFloat(), o.MaxFloat(), o.Res())
					require.NoError(t, err, o)
					require.Equal(t, o.Wire(), q.Encode(math.Float32frombits(o.Pattern32())), o)
					require.Equal(t, o.Decoded32(), math.Float32bits(q.Decode(o.Wire())), o)
					floats++
				case "wstring":
					require.Equal(t, o.Units(), append([]uint16{}, utf16.Encode([]rune(o.Text()))...), o)
					require.Equal(t, len(o.Units()), bitio.UTF16Len(o.Text()), o)
					texts++
				}
			}
		}
		require.NotZero(t, floats)
		require.NotZero(t, texts)
	})
}

func TestRejects(t *testing.T) {
	vectors.Each(t, func(t *testing.T, set *vectors.Set) {
		var skipped []string
		for _, v := range set.Rejects {
			want, ok := values(t, v.Ops[:v.FailOp])
			if !ok || v.Sentinel() == nil {
				skipped = append(skipped, v.Name)
				continue
			}
			r := bits.NewReader(cut(v.Bytes, len(v.Bytes)))
			s := bits.NewReadStream(r)
			for i, o := range v.Ops[:v.FailOp] {
				got, _ := serialize(s, o)
				require.NoError(t, r.Err(), "%s: %v", v.Name, o)
				require.Equal(t, want[i], got, "%s: %v", v.Name, o)
			}
			start := r.Bit()
			failing := v.Ops[v.FailOp]
			_, done := serialize(s, failing)
			require.True(t, done)
			require.ErrorIs(t, r.Err(), v.Sentinel(), "%s: %v (%s)", v.Name, failing, failing.Note)
			first := r.Err()
			var e *bits.Error
			require.ErrorAs(t, first, &e)
			require.Equal(t, "read", e.Op)
			require.GreaterOrEqual(t, e.Bit, start, v.Name)
			require.LessOrEqual(t, e.Bit, 8*len(v.Bytes), v.Name)
			require.Equal(t, e.Bit, r.Bit())

			for _, o := range v.Ops[v.FailOp+1:] {
				serialize(s, o)
				require.Same(t, first, r.Err(), "%s: the first error stays", v.Name)
			}
		}
		report(t, len(set.Rejects)-len(skipped), skipped)
	})
}

func TestAccepts(t *testing.T) {
	vectors.Each(t, func(t *testing.T, set *vectors.Set) {
		var skipped []string
		for _, v := range set.Accepts {
			want, ok := values(t, v.Ops)
			if !ok {
				skipped = append(skipped, v.Name)
				continue
			}
			r := bits.NewReader(cut(v.Bytes, len(v.Bytes)))
			w := bits.NewAppendWriter(nil)
			for i, o := range v.Ops {
				got, _ := serialize(bits.NewReadStream(r), o)
				require.NoError(t, r.Err(), "%s: %v", v.Name, o)
				require.Equal(t, want[i], got, "%s: %v", v.Name, o)
				serialize(bits.NewWriteStream(w), o)
			}
			require.Equal(t, v.Bits, r.Bit(), v.Name)
			require.NoError(t, w.Err())
			require.NotEqual(t, v.Bytes, w.Bytes(), "%s: written again", v.Name)
			if v.Reason == vectors.RelativeNonMinimal {
				require.NoError(t, r.Finish(), v.Name)
			} else {
				require.ErrorIs(t, r.Finish(), bits.ErrTrailing, "%s: the whole of the data", v.Name)
			}
		}
		report(t, len(set.Accepts)-len(skipped), skipped)
	})
}
