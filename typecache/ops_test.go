package typecache_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/plan/tree"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// TestRest checks the bits that the ops after an op of the same block take at least.
// A reader refuses a count if it lacks these bits.
func TestRest(t *testing.T) {
	type message struct {
		A    uint8
		List []struct{ X, Y uint16 } `bp:"maxlen=3"`
		On   bool
		C    struct{ D, E uint8 } `bp:"if=On"`
		P    *struct{ Q, R int64 }
		B    uint32
	}
	p := planOf(t, reflect.TypeFor[message]())
	got := map[string]int32{}
	for x := range p.Tree().All() {
		if x.Kind != tree.KindIf {
			got[x.Path] = p.Ops[x.Op].Rest
		}
	}
	require.Equal(t, map[string]int32{
		"A": 2 + 1 + 1 + 32, "List": 1 + 1 + 32, "List[].X": 16, "List[].Y": 0, "On": 1 + 32, "C.D": 8 + 1 + 32, "C.E": 1 + 32,
		"P": 32, "P.Q": 64, "P.R": 0, "B": 0,
	}, got)
}

// TestEmptyArrays checks that an op for an array without elements has Count 0,
// or that there is no op. A loop must not access the memory after the array,
// which belongs to another field.
func TestEmptyArrays(t *testing.T) {
	tests := []struct {
		name  string
		typ   reflect.Type
		code  plan.Code // the code of the first op
		count int
		bits  int
	}{
		{"scalars", reflect.TypeFor[struct{ A [0]int32 }](), plan.CodeEnd, 1, 0},
		{"scalars in an array", reflect.TypeFor[struct{ A [0][3]int32 }](), plan.CodeEnd, 1, 0},
		{"structs", reflect.TypeFor[struct{ A [0]Health }](), plan.CodeArray, 0, 0},
		{"bytes", fieldOf[[0]byte]("bytes"), plan.CodeBytes, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := typecache.Of(tt.typ)
			require.NoError(t, err)
			require.Equal(t, tt.code, sealed.PlanOf(plan).Ops[0].Code)
			require.Equal(t, tt.count, sealed.PlanOf(plan).Ops[0].Count)
			require.Equal(t, tt.bits, plan.MinBits())
			require.Equal(t, tt.bits, plan.MaxBits())
		})
	}
}

// TestGuards checks which references have a Guard that is tested first. An
// absent value counts as zero. A reference that is reached only if the value is
// present has no Guard.
func TestGuards(t *testing.T) {
	pl, err := typecache.Of(reflect.TypeFor[Conditions]())
	require.NoError(t, err)
	path := func(op int32) string { return sealed.PlanOf(pl).Fields[sealed.PlanOf(pl).Ops[op].Field].Path }
	of := func(field string) (cond plan.Cond) {
		for _, op := range sealed.PlanOf(pl).Ops {
			if op.Code == plan.CodeIf && sealed.PlanOf(pl).Fields[op.Field].Path == field {
				return sealed.PlanOf(pl).Conds[op.Aux]
			}
		}
		t.Fatalf("no condition on %s", field)
		return cond
	}
	require.Equal(t, "Kind", path(of("A").Op))
	require.Equal(t, int32(-1), of("A").Guard, "Kind is always there")
	require.Equal(t, "A", path(of("B").Op))
	require.Equal(t, of("A"), sealed.PlanOf(pl).Conds[of("B").Guard], "A is there if Kind is 1")
	require.Equal(t, "G.On", path(of("G.Sub").Op))
	require.Equal(t, int32(-1), of("G.Sub").Guard, "both are in G")
	require.Equal(t, of("G"), sealed.PlanOf(pl).Conds[of("G.Sub").Within])
	require.Equal(t, of("C"), sealed.PlanOf(pl).Conds[sealed.PlanOf(pl).Relatives[0].To.Guard], "H is relative to C, which may not be there")

	// The values of the fields in memory, whether they are present or absent.
	memory := map[string]uint64{"Kind": 2, "A": 1, "C": 9}
	load := func(r *plan.Ref) uint64 { return memory[path(r.Op)] }
	condition := func(field string) int32 {
		for i := range sealed.PlanOf(pl).Conds {
			if sealed.PlanOf(pl).Conds[i] == of(field) {
				return int32(i)
			}
		}
		return -1
	}
	require.False(t, sealed.PlanOf(pl).Holds(condition("B"), load), "A is true in memory, and not there")
	require.Zero(t, sealed.PlanOf(pl).Value(&sealed.PlanOf(pl).Relatives[0].To, load), "C is 9 in memory, and not there")
	require.True(t, sealed.PlanOf(pl).Holds(condition("I"), load), "C is not there and counts as 0")
	memory["Kind"] = 1
	require.True(t, sealed.PlanOf(pl).Holds(condition("B"), load))
	require.Equal(t, uint64(9), sealed.PlanOf(pl).Value(&sealed.PlanOf(pl).Relatives[0].To, load))
	require.False(t, sealed.PlanOf(pl).Holds(condition("I"), load))
}
