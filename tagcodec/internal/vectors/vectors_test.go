package vectors_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/vectors"
	"github.com/stretchr/testify/require"
)

// Both sets have every op and every reason, so a test of all vectors covers the
// whole format.
func TestSetsAreComplete(t *testing.T) {
	vectors.Each(t, func(t *testing.T, s *vectors.Set) {
		kinds, rejects, accepts := map[string]int{}, map[string]int{}, map[string]int{}
		for _, m := range s.Messages {
			for _, o := range m.Ops {
				kinds[o.Kind]++
				require.Equal(t, o.Kind != "align", o.HasValue(), o)
			}
		}
		for _, r := range s.Rejects {
			rejects[r.Reason]++
		}
		for _, a := range s.Accepts {
			accepts[a.Reason]++
		}
		for _, kind := range []string{"bool", "bits", "int", "int64", "int128", "uint8", "uint16", "uint32", "uint64", "uint128",
			"float", "double", "compressed_float", "align", "bytes", "string", "wstring", "int_relative", "fixed"} {
			require.NotZero(t, kinds[kind], kind)
			delete(kinds, kind)
		}
		require.Empty(t, kinds)
		for _, reason := range []string{vectors.OutOfRange, vectors.NonzeroPadding, vectors.Overread, vectors.BadUTF8,
			vectors.InteriorNUL, vectors.RelativeNotIncreasing, vectors.UnpairedSurrogate} {
			require.NotZero(t, rejects[reason], reason)
			delete(rejects, reason)
		}
		require.Empty(t, rejects)
		for _, reason := range []string{vectors.TrailingBits, vectors.TrailingBytes, vectors.RelativeNonMinimal} {
			require.NotZero(t, accepts[reason], reason)
			delete(accepts, reason)
		}
		require.Empty(t, accepts)
		for _, name := range []string{"PacketA", "PacketB", "PacketC", "RigidBody"} {
			require.GreaterOrEqual(t, len(s.Struct(t, name).Instances), 2, name)
			require.NotEmpty(t, s.Struct(t, name).Layout)
		}
		t.Logf("%d messages, %d rejects, %d accepts, %d structs", len(s.Messages), len(s.Rejects), len(s.Accepts), len(s.Structs))
	})
}

// op returns the op at index i of a message of the small set.
func op(t *testing.T, message string, i int) vectors.Op {
	t.Helper()
	for _, m := range vectors.Small(t).Messages {
		if m.Name == message {
			return m.Ops[i]
		}
	}
	require.Fail(t, "no message "+message)
	return vectors.Op{}
}

// The accessors return the members without loss, including the widest integers,
// NaN patterns and text.
func TestOpAccessors(t *testing.T) {
	o := op(t, "int128/whole", 1)
	require.Equal(t, bits.Int128{Hi: math.MinInt64}, o.Min())
	require.Equal(t, bits.Int128{Lo: math.MaxUint64, Hi: math.MaxInt64}, o.Max())
	require.Equal(t, bits.Int128{Lo: math.MaxUint64 - 2, Hi: -1}, o.Int())

	o = op(t, "uint/64 and 128", 0)
	require.Equal(t, 3, o.Width())
	require.Equal(t, bits.Uint128{Lo: math.MaxUint64 - 4}, op(t, "uint/64 and 128", 1).Uint())
	require.Equal(t, bits.Uint128{Lo: 1, Hi: 1<<63 + 1}, op(t, "uint/64 and 128", 2).Uint())

	require.True(t, op(t, "bool/three", 0).Bool())
	require.False(t, op(t, "bool/three", 1).Bool())
	require.Equal(t, uint32(0x7F800001), op(t, "float/patterns", 2).Pattern32())
	require.Equal(t, uint64(0xFFF0000000000001), op(t, "double/patterns", 2).Pattern64())

	o = op(t, "compressed_float/the digits that float64 gets wrong", 0)
	require.Equal(t, [3]float32{0, 10, 0.01}, [3]float32{o.MinFloat(), o.MaxFloat(), o.Res()})
	require.Equal(t, math.Float32bits(0.005), o.Pattern32())
	require.Equal(t, uint32(1), o.Wire())
	require.Equal(t, uint32(0x3C23D70B), o.Decoded32(), "not 0.01 but the float32 above it")

	o = op(t, "bytes/some", 1)
	require.Equal(t, 11, o.Count())
	require.Equal(t, []byte{240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250}, o.Bytes())

	o = op(t, "wstring/astral", 0)
	require.Equal(t, 4, o.BufferSize())
	require.Equal(t, "🚀", o.Text())
	require.Equal(t, []uint16{0xD83D, 0xDE80}, o.Units())

	o = op(t, "int_relative/uint32", 0)
	require.Equal(t, "uint32", o.Type())
	require.Equal(t, int64(3), o.Previous())
	require.Equal(t, int64(1<<31+3), o.Current())

	o = op(t, "fixed/128 and one value", 0)
	require.Equal(t, "int128", o.Storage())
	require.Equal(t, 96, o.IntegerBits())
	require.Equal(t, 32, o.FractionBits())
	require.Equal(t, "-100000000000000000000", o.Min().String())
	require.Equal(t, "-429496729600000000000000000000", o.RawMin().String())
	require.Equal(t, "429496729600000000000000000000", o.RawMax().String())
	require.Equal(t, o.RawMin(), o.Int())
}

// An accessor panics if its member is missing or has another form, and names the
// place in the file.
func TestAccessorsPanic(t *testing.T) {
	o := op(t, "bits/one", 0)
	require.PanicsWithValue(t, "vectors: messages.json.vectors[2].ops[0]: map[bits:1 op:bits value:1] is not an object with a member min",
		func() { o.Min() })
	in := vectors.Small(t).Struct(t, "PacketC").Instances[0]
	require.PanicsWithValue(t, "vectors: structs.json.structs[2].instances[0] PacketC.fields.x: true is not a string or a number",
		func() { in.Fields.Get("x").Int() })
	require.Panics(t, func() { in.Fields.List() })
	require.Panics(t, func() { in.Fields.Get("y").Bool() })
	require.Panics(t, func() { in.Fields.Get("y").Uint64() }, "it is negative")
	require.Panics(t, func() { in.Fields.Get("y").Pattern32() })
	require.Panics(t, func() { in.Fields.Fill(&struct{ Y int8 }{}, false) }, "it has 16 bits")
}

func TestFill(t *testing.T) {
	type body struct {
		Position    [4]float32 // the list has three
		Orientation []float32
		AtRest      *bool
		Unknown     int
	}
	b := body{Position: [4]float32{3: 9}, Unknown: 7}
	vectors.Small(t).Struct(t, "RigidBody").Instances[0].Fields.Fill(&b, false)
	require.True(t, *b.AtRest)
	b.AtRest = nil
	require.Equal(t, body{Position: [4]float32{10.5, -0.25, 3e5}, Orientation: []float32{0, 0.6, 0, 0.8}}, b)
}

func TestDump(t *testing.T) {
	type inner struct {
		F float32
		D float64
	}
	signaling := math.Float32frombits(0x7F800001)
	require.Equal(t, `{ A:[ { F:0x80000000 D:0x7ff8000000000001 } { F:0x7f800001 D:0x0000000000000000 } ] B:"x" C:nil }`,
		vectors.Dump(&struct {
			A []inner
			B string
			C *int
		}{[]inner{{float32(math.Copysign(0, -1)), math.NaN()}, {signaling, 0}}, "x", nil}))
}
