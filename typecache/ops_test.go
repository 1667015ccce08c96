package typecache_test

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// TestPlanIsData shows one plan in full: the ops that a loop runs, and the
// fields that errors name.
func TestPlanIsData(t *testing.T) {
	type shot struct {
		Kind  uint8     `bp:"enum,max=3"`
		Pos   [3]uint32 `bp:"bits=30"`
		Speed int16     `bp:"min=-5,max=5,if=Kind==2"`
		Hits  []uint16  `bp:"bits=15,maxlen=4"`
	}
	pl, err := typecache.Of(reflect.TypeFor[shot]())
	require.NoError(t, err)
	require.Equal(t, []plan.Op{
		{Code: plan.CodeUint8, Size: 1, Bits: 2, Field: 0, Count: 1, Span: 3, Run: 1, Rest: 93},
		{Code: plan.CodeUint32, Size: 4, Bits: 30, Flags: plan.FlagFullRange, Field: 1, Count: 3, Rest: 3,
			Off: unsafe.Offsetof(shot{}.Pos), Span: 1<<30 - 1},
		{Code: plan.CodeIf, Field: 2, Aux: 0, End: 4, Count: 2, Rest: 3, Off: unsafe.Offsetof(shot{}.Speed)},
		{Code: plan.CodeInt16, Size: 2, Bits: 4, Flags: plan.FlagSigned, Field: 2, Count: 1, Rest: 3,
			Off: unsafe.Offsetof(shot{}.Speed), Bias: math.MaxUint64 - 4, Span: 10},
		{Code: plan.CodeSlice, Bits: 3, Flags: plan.FlagWholeRun, Field: 3, Aux: 0, End: 7, KeepCapacity: 1 << 15, Count: 1,
			Off: unsafe.Offsetof(shot{}.Hits), Span: 4},
		{Code: plan.CodeUint16, Size: 2, Bits: 15, Flags: plan.FlagFullRange, Field: 4, Count: 1, Span: 1<<15 - 1},
		{Code: plan.CodeNext, Field: 5, Count: 1},
		{Code: plan.CodeEnd, Field: 5, Count: 1},
	}, pl.Data().Ops)
	require.Equal(t, []plan.Field{
		{Path: "Kind", Type: reflect.TypeFor[uint8](), Index: []int{0}, Tag: "enum,max=3"},
		{Path: "Pos", Type: reflect.TypeFor[[3]uint32](), Index: []int{1}, Tag: "bits=30"},
		{Path: "Speed", Type: reflect.TypeFor[int16](), Index: []int{2}, Tag: "min=-5,max=5,if=Kind==2"},
		{Path: "Hits", Type: reflect.TypeFor[[]uint16](), Index: []int{3}, Tag: "bits=15,maxlen=4"},
		{Path: "", Type: reflect.TypeFor[uint16](), Tag: "bits=15,maxlen=4"},
		{}, // for ops without a value
	}, pl.Data().Fields)
	require.Equal(t, []plan.Cond{
		{Ref: plan.Ref{Size: 1, Op: 0, Guard: -1}, Test: plan.Equal, Value: 2, Within: -1},
	}, pl.Data().Conds)
	require.Equal(t, []plan.Elem{{Type: reflect.TypeFor[uint16](), Size: 2, MinBits: 15}}, pl.Data().Elems)
	require.Len(t, pl.Data().Runs, 1)
	require.Equal(t, []int{7, 95, 9}, []int{int(pl.Data().Runs[0].End), pl.Data().Runs[0].Bits, len(pl.Data().Runs[0].Values)})
	require.Equal(t, plan.RunValue{
		Off: unsafe.Offsetof(shot{}.Pos) + 8, Span: 1<<30 - 1, Mask: 1<<30 - 1, Op: 1, Width: 30, Kind: plan.RunInt32,
	}, pl.Data().Runs[0].Values[3])
	require.Equal(t, plan.RunValue{
		Op: 2, Span: 4, Mask: 0xFF, Bias: 2, Skip: 2, Kind: plan.RunIs,
	}, pl.Data().Runs[0].Values[4], "the condition")
	require.Equal(t, plan.RunValue{
		Off: unsafe.Offsetof(shot{}.Speed), Span: 2, Op: 2, Skip: 1, Kind: plan.RunClear,
	}, pl.Data().Runs[0].Values[5], "what a reader clears where it does not hold")
	require.Equal(t, plan.RunValue{
		Off: unsafe.Offsetof(shot{}.Hits), Span: 4, Mask: 7, Op: 4, Width: 3, Kind: plan.RunSlice,
	}, pl.Data().Runs[0].Values[7], "the slice: its count alone is certain")
	require.Equal(t, plan.RunValue{Op: 7, Kind: plan.RunEnd}, pl.Data().Runs[0].Values[8])
	require.Equal(t, reflect.TypeFor[shot](), pl.Type())
	require.Equal(t, 2+90+0+3, pl.MinBits())
	require.Equal(t, 2+90+4+3+60, pl.MaxBits())
}

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
	p.Walk(func(at plan.Step) {
		if code := p.Ops[at.Op].Code; !code.Ends() && code != plan.CodeIf {
			got[at.Path] = p.Ops[at.Op].Rest
		}
	})
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
			require.Equal(t, tt.code, plan.Data().Ops[0].Code)
			require.Equal(t, tt.count, plan.Data().Ops[0].Count)
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
	path := func(op int32) string { return pl.Data().Fields[pl.Data().Ops[op].Field].Path }
	of := func(field string) (cond plan.Cond) {
		for _, op := range pl.Data().Ops {
			if op.Code == plan.CodeIf && pl.Data().Fields[op.Field].Path == field {
				return pl.Data().Conds[op.Aux]
			}
		}
		t.Fatalf("no condition on %s", field)
		return cond
	}
	require.Equal(t, "Kind", path(of("A").Op))
	require.Equal(t, int32(-1), of("A").Guard, "Kind is always there")
	require.Equal(t, "A", path(of("B").Op))
	require.Equal(t, of("A"), pl.Data().Conds[of("B").Guard], "A is there if Kind is 1")
	require.Equal(t, "G.On", path(of("G.Sub").Op))
	require.Equal(t, int32(-1), of("G.Sub").Guard, "both are in G")
	require.Equal(t, of("G"), pl.Data().Conds[of("G.Sub").Within])
	require.Equal(t, of("C"), pl.Data().Conds[pl.Data().Relatives[0].To.Guard], "H is relative to C, which may not be there")

	// The values of the fields in memory, whether they are present or absent.
	memory := map[string]uint64{"Kind": 2, "A": 1, "C": 9}
	load := func(r *plan.Ref) uint64 { return memory[path(r.Op)] }
	condition := func(field string) int32 {
		for i := range pl.Data().Conds {
			if pl.Data().Conds[i] == of(field) {
				return int32(i)
			}
		}
		return -1
	}
	require.False(t, pl.Data().Holds(condition("B"), load), "A is true in memory, and not there")
	require.Zero(t, pl.Data().Value(&pl.Data().Relatives[0].To, load), "C is 9 in memory, and not there")
	require.True(t, pl.Data().Holds(condition("I"), load), "C is not there and counts as 0")
	memory["Kind"] = 1
	require.True(t, pl.Data().Holds(condition("B"), load))
	require.Equal(t, uint64(9), pl.Data().Value(&pl.Data().Relatives[0].To, load))
	require.False(t, pl.Data().Holds(condition("I"), load))
}
