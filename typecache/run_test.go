package typecache_test

import (
	"reflect"
	"testing"

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
		plan.RunUint8, plan.RunUint16,
		plan.RunIsNot, plan.RunClear, plan.RunUint8,
		plan.RunIf, plan.RunClear, plan.RunInt8,
		plan.RunIsNot, plan.RunClear, plan.RunUint8, plan.RunIf, plan.RunClear, plan.RunUint8,
		plan.RunIf, plan.RunClear, plan.RunUint8,
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
		X, Y uint8
		Z    uint8 `bp:"if=X"`
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

	kinds, end := kindsOf(t, pl, 1)
	require.Equal(t, []plan.RunKind{plan.RunUint8, plan.RunUint8, plan.RunIsNot, plan.RunClear, plan.RunUint8, plan.RunEnd}, kinds)
	require.Equal(t, plan.CodeNext, pl.Ops[end].Code)
	padding := int(pl.Ops[0].End)
	kinds, _ = kindsOf(t, pl, padding+1)
	require.Equal(t, []plan.RunKind{plan.RunUint32, plan.RunEnd}, kinds, "one value with a gap after it")
	require.Zero(t, pl.Ops[int(pl.Ops[padding].End)+1].Run, "one value without a gap needs no run")
}
