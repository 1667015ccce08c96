package typecache_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// kindsOf returns the kinds of the values of the run that starts at an op, and
// the op after the run.
func kindsOf(t *testing.T, plan *typecache.Data, op int) (kinds []typecache.RunKind, end int) {
	t.Helper()
	require.NotZero(t, plan.Ops[op].Run, "no run starts here")
	run := plan.Runs[plan.Ops[op].Run-1]
	for _, v := range run.Values {
		kinds = append(kinds, v.Kind)
	}
	return kinds, int(run.End)
}

// A condition is part of a run only if all ops under it are.
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
	plan := planOf(t, reflect.TypeFor[outer]())
	kinds, end := kindsOf(t, plan, 0)
	require.Equal(t, []typecache.RunKind{
		typecache.RunUint8, typecache.RunUint16,
		typecache.RunIsNot, typecache.RunClear, typecache.RunUint8,
		typecache.RunIf, typecache.RunClear, typecache.RunInt8,
		typecache.RunIsNot, typecache.RunClear, typecache.RunUint8, typecache.RunIf, typecache.RunClear, typecache.RunUint8,
		typecache.RunIf, typecache.RunClear, typecache.RunUint8,
		typecache.RunEnd,
	}, kinds)
	require.Equal(t, typecache.CodeIf, plan.Ops[end].Code, "the condition of the text")

	run := plan.Runs[0]
	require.Equal(t, 17, run.Bits, "what no condition may leave out")
	skips, bits := map[int]int{}, map[int]uint64{}
	for i, v := range run.Values {
		if v.Kind >= typecache.RunIs && v.Kind <= typecache.RunIf {
			skips[i], bits[i] = int(v.Skip), v.Span
			clear := run.Values[i+1]
			require.Equal(t, v.Skip-1, clear.Skip, "it is the first of what is skipped")
			op := plan.Ops[v.Op]
			require.Equal(t, []any{op.Off, uint64(op.Count)}, []any{clear.Off, clear.Span})
		}
	}
	require.Equal(t, map[int]int{2: 2, 5: 8, 8: 2, 11: 2, 14: 2}, skips)
	require.Equal(t, map[int]uint64{2: 8, 5: 2, 8: 1, 11: 1, 14: 1}, bits)
}

// A block has FlagWholeRun if each element is one run.
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
	plan := planOf(t, reflect.TypeFor[struct {
		Points [3]point
		Padded []padded `bp:"maxlen=3"`
		Words  []uint32 `bp:"maxlen=3"`
		Others []other  `bp:"maxlen=3"`
	}]())
	var packed []bool
	for i := 0; plan.Ops[i].Code != typecache.CodeEnd; i = int(plan.Ops[i].End) {
		packed = append(packed, plan.Ops[i].Flags&typecache.FlagWholeRun != 0)
	}
	require.Equal(t, []bool{true, true, true, false}, packed)

	kinds, end := kindsOf(t, plan, 1)
	require.Equal(t, []typecache.RunKind{typecache.RunUint8, typecache.RunUint8, typecache.RunIsNot, typecache.RunClear, typecache.RunUint8, typecache.RunEnd}, kinds)
	require.Equal(t, typecache.CodeNext, plan.Ops[end].Code)
	padding := int(plan.Ops[0].End)
	kinds, _ = kindsOf(t, plan, padding+1)
	require.Equal(t, []typecache.RunKind{typecache.RunUint32, typecache.RunEnd}, kinds, "one value with a gap behind it")
	require.Zero(t, plan.Ops[int(plan.Ops[padding].End)+1].Run, "one value without a gap needs no run")
}
