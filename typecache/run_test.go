package typecache_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/stretchr/testify/require"
)

// kindsOf returns the kinds of the values of the run that starts at an op, and
// the op after the run.
func kindsOf(t *testing.T, p *plan.Plan, op int) (kinds []plan.RunKind, end int) {
	t.Helper()
	require.NotZero(t, p.Ops[op].Run, "no run starts here")
	run := p.Runs[p.Ops[op].Run-1]
	for _, v := range run.Values {
		kinds = append(kinds, v.Kind)
	}
	return kinds, int(run.End)
}

// TestConditionsOfRuns checks that a condition is part of a run only if all ops
// under it are.
func TestConditionsOfRuns(t *testing.T) {
	type inner struct {
		A int8 `bp:"min=0,max=3"`
		B bool `bp:"if=A!=2"`
		C bool `bp:"if=B"` // B itself may be absent
	}
	type outer struct {
		Flags uint8  `bp:"bits=8"`
		Wide  uint16 `bp:"bits=9"`
		X     uint8  `bp:"if=Flags&4"`
		Y     inner  `bp:"if=!X"`
		Z     bool   `bp:"if=Wide"`
		Text  string `bp:"maxlen=3,if=Flags==1"`
		Last  bool
	}
	pl := planOf(t, reflect.TypeFor[outer]())
	kinds, end := kindsOf(t, pl, 0)
	require.Equal(t, []plan.RunKind{
		plan.RunInt8, plan.RunInt16,
		plan.RunIsNot, plan.RunClear, plan.RunInt8,
		plan.RunIf, plan.RunClear, plan.RunInt8,
		plan.RunIsNot, plan.RunClear, plan.RunInt8, plan.RunIf, plan.RunClear, plan.RunInt8,
		plan.RunIf, plan.RunClear, plan.RunInt8,
		plan.RunEnd,
	}, kinds)
	require.Equal(t, plan.CodeIf, pl.Ops[end].Code, "the condition of the text")

	run := pl.Runs[0]
	require.Equal(t, 17, run.Bits, "what no condition may leave out")
	skips, bits := map[int]int{}, map[int]uint64{}
	for i, v := range run.Values {
		if v.Kind >= plan.RunIs && v.Kind <= plan.RunIf {
			skips[i], bits[i] = int(v.Skip), v.Span
			clear := run.Values[i+1]
			require.Equal(t, v.Skip-1, clear.Skip, "it is the first of what is skipped")
			op := pl.Ops[v.Op]
			require.Equal(t, []any{op.Off, uint64(op.Count)}, []any{clear.Off, clear.Span})
		}
	}
	require.Equal(t, map[int]int{2: 2, 5: 8, 8: 2, 11: 2, 14: 2}, skips)
	require.Equal(t, map[int]uint64{2: 8, 5: 2, 8: 1, 11: 1, 14: 1}, bits)
}

// TestRunsOfElements checks that a block has FlagWholeRun if each element is
// one run.
func TestRunsOfElements(t *testing.T) {
	type point struct {
		X uint8
		Y uint8 `bp:"bits=7"`
		Z uint8 `bp:"if=X"`
	}
	type padded struct {
		A uint32
		B uint8 `bp:"-"`
	}
	type other struct {
		P point
		S []bool `bp:"maxlen=3"`
	}
	pl := planOf(t, reflect.TypeFor[struct {
		Points [3]point
		Padded []padded `bp:"maxlen=3"`
		Words  []uint32 `bp:"maxlen=3"`
		Others []other  `bp:"maxlen=3"`
	}]())
	var packed []bool
	for i := 0; pl.Ops[i].Code != plan.CodeEnd; i = int(pl.Ops[i].End) {
		packed = append(packed, pl.Ops[i].Flags&plan.FlagWholeRun != 0)
	}
	require.Equal(t, []bool{true, true, true, false}, packed)

}

// TestVerbatim checks which values are copied from and to memory together, and
// which plans are copied as a whole.
func TestVerbatim(t *testing.T) {
	if !plan.Unaligned {
		t.Skip("this machine copies only longer stretches, or none")
	}
	type element struct {
		ID   uint32
		X, Y float32
	}
	type all struct { // 2 bytes of a hole follow Small
		On     bool
		Small  [7]uint8
		A      uint16 `bp:"bits=15"`
		B, C   uint16
		Wide   bits.Int128
		Matrix [2][3]element
		Alone  uint64
		Below  int32  `bp:"min=-2147483648,max=2147483647"` // the wire has the value plus 2^31
		Above  uint32 `bp:"min=0,max=4294967295"`
		Same   uint64 `bp:"if=On"`
		Flags  [4]bool
		Left   [3]uint8  `bp:"-"`
		Last   complex64 `bp:"if=On"`
	}
	pl := planOf(t, reflect.TypeFor[all]())
	require.False(t, pl.Verbatim())
	var got []any
	for _, x := range pl.Runs[len(pl.Runs)-1].Values {
		got = append(got, x.Kind)
		if x.Kind == plan.RunVerbatim {
			got = append(got, x.Off, x.Bias)
		}
	}
	var v all
	require.Equal(t, []any{
		plan.RunInt8,
		plan.RunInt32, plan.RunInt16, plan.RunInt8, // Small
		plan.RunInt16,
		plan.RunInt32, // from B on
		plan.RunVerbatim, unsafe.Offsetof(v.Wide), uint64(16 + 6*12 + 8),
		plan.RunInt32,
		plan.RunInt32,
		plan.RunIsNot, plan.RunClear, plan.RunLongInt64,
		plan.RunPair8, plan.RunPair8, plan.RunPair8, plan.RunInt8,
		plan.RunIsNot, plan.RunClear, plan.RunLongInt64, // Last
		plan.RunEnd,
	}, got)

	require.False(t, planOf(t, reflect.TypeFor[[0]uint32]()).Verbatim(), "nothing is copied")
	for _, row := range []struct {
		typ      reflect.Type
		verbatim bool
		reason   string
	}{
		{reflect.TypeFor[element](), true, ""},
		{reflect.TypeFor[[2]element](), true, ""},
		{reflect.TypeFor[[3]complex128](), true, ""},
		{reflect.TypeFor[bits.Uint128](), true, ""},
		{reflect.TypeFor[bool](), false, "a bool has 1 bit on the wire"},
		{record(f[uint8]("A"), f[uint16]("B")), false, "there is a hole after A"},
		{record(f[uint16]("A"), f[uint8]("B")), false, "there is a hole after B"},
		{record(f[uint32]("A"), f[uint32]("B"), f[[0]uint8]("C bytes")), false, "C pads to a byte"},
		{record(f[uint32]("A"), f[uint32]("B"), f[uint32]("C -")), false, "C is not sent"},
		{fieldOf[uint32]("varint"), false, "a varint"},
	} {
		require.Equal(t, row.verbatim, planOf(t, row.typ).Verbatim(), "%v: %s", row.typ, row.reason)
		pl := planOf(t, reflect.StructOf([]reflect.StructField{{Name: "V", Type: reflect.SliceOf(row.typ), Tag: `bp:"maxlen=5"`}}))
		require.Equal(t, row.verbatim, pl.Ops[0].Flags&plan.FlagVerbatim != 0, "elements %v: %s", row.typ, row.reason)
	}
}

// TestIntegersOfRuns checks how a run codes integers: the second of a pair, if the
// codes of both fit in one load, and those in two's complement, whose bias is the
// smallest value and whose sign bit is inverted.
func TestIntegersOfRuns(t *testing.T) {
	pl := planOf(t, reflect.TypeFor[struct {
		A, B int8   `bp:"int,bits=5"`
		C    uint8  `bp:"int,min=3,max=9"`
		D    uint16 `bp:"bits=9"`
		E, F int32  `bp:"int,bits=28"`
		G    int32  `bp:"int,min=-7,max=1000000000"`
		H    int64  `bp:"int,bits=57"`
		I    int64  `bp:"int,bits=58"`
	}]())
	require.Len(t, pl.Runs, 1)
	var got [][4]any
	for _, x := range pl.Runs[0].Values {
		got = append(got, [4]any{x.Kind, int64(x.Bias), x.Flip, x.Span})
	}
	require.Equal(t, [][4]any{
		{plan.RunPair8, int64(-16), uint64(16), uint64(31)},
		{plan.RunPair8, int64(-16), uint64(16), uint64(31)}, // with C
		{plan.RunInt8, int64(3), uint64(0), uint64(6)},
		{plan.RunInt16, int64(0), uint64(0), uint64(511)},
		{plan.RunPair32, int64(-1 << 27), uint64(1 << 27), uint64(1<<28 - 1)},
		{plan.RunInt32, int64(-1 << 27), uint64(1 << 27), uint64(1<<28 - 1)}, // 58 bits with G
		{plan.RunInt32, int64(-7), uint64(0), uint64(1000000007)},
		{plan.RunInt64, int64(-1 << 56), uint64(1 << 56), uint64(1<<57 - 1)},
		{plan.RunLongInt64, int64(-1 << 57), uint64(1 << 57), uint64(1<<58 - 1)},
		{plan.RunEnd, int64(0), uint64(0), uint64(0)},
	}, got)
}
