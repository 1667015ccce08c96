//go:build !purego

package enginetest

import (
	"math"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/fast"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/stretchr/testify/require"
)

// A message of a plan that is one run. Every field but On may be refused.
type refusable struct {
	A    uint8 `bp:"int,min=1,max=9"`
	On   bool
	B    int32   `bp:"int,min=-5,max=100,if=On"`
	Text string  `bp:"maxlen=9"`
	C    float64 `bp:"float,min=0,max=1,res=0.1"`
	D    [3]byte `bp:"bytes"`
	E    uint16  `bp:"int,min=0,max=1000"`
}

// wholeRunPlan returns the plan of a refusable. Its list of runs is empty, so
// that a loop that takes the whole run from there panics.
func wholeRunPlan(t *testing.T) *plan.Plan {
	pl, err := engine.PlanOf(reflect.TypeFor[refusable]())
	require.NoError(t, err)
	require.NotNil(t, pl.Whole())
	require.NotZero(t, pl.Ops[0].Run)
	pl.Runs = nil // the plan keeps the whole run elsewhere
	return pl
}

// A reader that refuses the run of a whole plan does not try it again. It
// executes the ops one by one. The value and the error are those of the
// reference interpreter.
func TestRefusedRunIsReadOnce(t *testing.T) {
	pl := wholeRunPlan(t)
	v := refusable{3, true, -5, "text", 0.5, [3]byte{1, 2, 3}, 1000}
	data, err := tagcodec.Marshal(&v)
	require.NoError(t, err)
	refused := 0
	check := func(data []byte) {
		into, want := refusable{Text: "before"}, refusable{Text: "before"}
		got := engine.Unmarshal(standard, pl, engine.VariableOf(&into), data)
		wanted := referenceUnmarshal(standard, pl, reflect.ValueOf(&want).Elem(), data)
		require.Equal(t, wanted, got, "%x", data)
		require.Equal(t, want, into, "%x", data)
		bit, ok := fast.DecodeWhole(pl, engine.VariableOf(new(refusable)), data)
		if ok {
			require.True(t, withRuns)
			require.Positive(t, bit)
		} else {
			refused++
		}
		if !ok && withRuns {
			// Decode and DecodeAll would panic too if they tried it again.
			_, err := engine.Decode(standard, pl, engine.VariableOf(&into), data, 0)
			_, failed, allErr := engine.DecodeAll(standard, pl, engine.VariablesIn(reflect.ValueOf(make([]refusable, 2))), data, 0)
			require.Equal(t, err, allErr)
			require.Equal(t, wanted, err)
			require.Zero(t, failed)
		}
	}
	check(data)
	for bit := range 8 * len(data) {
		changed := append([]byte{}, data...)
		changed[bit/8] ^= 1 << (bit % 8)
		check(changed)
	}
	for n := range data {
		check(data[:n:n])
	}
	require.Greater(t, refused, len(data))
	if !withRuns {
		require.Equal(t, 1+9*len(data), refused, "a run was taken")
	}
}

// A writer that refuses the run of a whole plan does not try it again. It
// appends nothing, and the error is that of the reference interpreter.
func TestRefusedRunIsWrittenOnce(t *testing.T) {
	pl := wholeRunPlan(t)
	good := refusable{3, true, -5, "text", 0.5, [3]byte{1, 2, 3}, 1000}
	want, err := reference.Encode(standard, pl, reflect.ValueOf(&good).Elem(), []byte("dst"))
	require.NoError(t, err)
	got, err := engine.Encode(standard, pl, engine.VariableOf(&good), []byte("dst"))
	require.NoError(t, err)
	require.Equal(t, want, got)
	for _, bad := range []struct {
		path  string
		err   error
		spoil func(*refusable)
	}{
		{"A", bits.ErrRange, func(v *refusable) { v.A = 0 }},
		{"B", bits.ErrRange, func(v *refusable) { v.B = 101 }},
		{"Text", bits.ErrLength, func(v *refusable) { v.Text = "ten bytes!" }},
		{"Text", bits.ErrText, func(v *refusable) { v.Text = "\xFF" }},
		{"C", bits.ErrRange, func(v *refusable) { v.C = math.Inf(1) }},
		{"E", bits.ErrRange, func(v *refusable) { v.E++ }},
	} {
		v := good
		bad.spoil(&v)
		dst := append(make([]byte, 0, 100), "dst"...)
		got, err := engine.Encode(standard, pl, engine.VariableOf(&v), dst)
		require.Equal(t, "dst", string(got))
		require.ErrorIs(t, err, bad.err)
		require.ErrorContains(t, err, "refusable."+bad.path+" at bit ")
		_, want := reference.Encode(standard, pl, reflect.ValueOf(&v).Elem(), nil)
		require.Equal(t, want.Error(), err.Error())
		list := reflect.ValueOf([]refusable{good, v})
		_, _, failed, err := engine.EncodeAll(standard, pl, engine.VariablesIn(list), nil, 0, 0)
		require.ErrorIs(t, err, bad.err)
		require.Equal(t, 1, failed)
		if withRuns {
			// This writer has not tried the run, and does.
			w := bits.NewAppendWriter(nil)
			require.Panics(t, func() { _ = engine.EncodeInPlace(standard, pl, engine.VariableOf(&v), w) })
		}
	}
}
