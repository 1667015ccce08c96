package enginetest

import (
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/typecache"
)

// TestGeneratedElements checks that the elements of a slice use generated code if
// all of them start at byte boundaries, and that the engine repeats what the code
// refuses.
func TestGeneratedElements(t *testing.T) {
	type whole struct {
		A uint16 `bp:"int,min=0,max=40000"` // 16 bits
	}
	type partial struct {
		A uint16 `bp:"int,min=0,max=20000"` // 15 bits
	}
	view, err := typecache.Of(reflect.TypeFor[whole]())
	require.NoError(t, err)
	calls := 0
	code := &engine.Code[whole]{
		Append: func(_ *core.Settings, v *whole, dst []byte) ([]byte, uint, bool) {
			calls++
			return binary.LittleEndian.AppendUint16(dst, v.A), 0, v.A <= 40000
		},
		Read: func(_ *core.Settings, v *whole, data []byte, _ int) (int, bool) {
			if calls++; len(data) < 2 {
				return 0, false
			}
			v.A = binary.LittleEndian.Uint16(data)
			return 16, v.A <= 40000
		},
	}
	pl := sealed.PlanOf(view)
	plan.Register(pl.Type, &plan.Generated{Fingerprint: pl.Fingerprint(), Untyped: code.Untyped()})

	list, got := []whole{{1}, {256}, {40000}}, make([]whole, 3)
	data, bit, _, err := engine.EncodeAll(standard, pl, engine.VariablesIn(reflect.ValueOf(list)), []byte{9}, 1, 0)
	require.NoError(t, err)
	require.Equal(t, []byte{9, 1, 0, 0, 1, 0x40, 0x9C}, data)
	require.Equal(t, 48, bit)
	require.Equal(t, 3, calls)
	end, _, err := engine.DecodeAll(standard, pl, engine.VariablesIn(reflect.ValueOf(got)), data, 8)
	require.NoError(t, err)
	require.Equal(t, 56, end)
	require.Equal(t, list, got)
	require.Equal(t, 6, calls)

	// Elements within a byte do not use the code.
	data, bit, _, err = engine.EncodeAll(standard, pl, engine.VariablesIn(reflect.ValueOf(list)), []byte{1}, 0, 1)
	require.NoError(t, err)
	require.Equal(t, 49, bit)
	end, _, err = engine.DecodeAll(standard, pl, engine.VariablesIn(reflect.ValueOf(got)), data, 1)
	require.NoError(t, err)
	require.Equal(t, 49, end)
	require.Equal(t, list, got)
	require.Equal(t, 6, calls)

	list[1].A = 40001
	_, bit, failed, err := engine.EncodeAll(standard, pl, engine.VariablesIn(reflect.ValueOf(list)), nil, 0, 0)
	require.EqualError(t, err, "tagcodec: marshal whole.A at bit 16: value out of range: 40001 is outside [0, 40000]")
	require.Equal(t, []int{16, 1}, []int{bit, failed})
	_, failed, err = engine.DecodeAll(standard, pl, engine.VariablesIn(reflect.ValueOf(got)), []byte{1, 0, 2, 0, 3}, 0)
	require.ErrorIs(t, err, tagcodec.ErrOverread)
	require.Equal(t, 2, failed)

	// Elements of other sizes do not use it either: after the first one they are not
	// at byte boundaries.
	view, err = typecache.Of(reflect.TypeFor[partial]())
	require.NoError(t, err)
	pl = sealed.PlanOf(view)
	plan.Register(pl.Type, &plan.Generated{Fingerprint: pl.Fingerprint(), Untyped: code.Untyped()})
	calls = 0
	_, bit, _, err = engine.EncodeAll(standard, pl, engine.VariablesIn(reflect.ValueOf(make([]partial, 3))), nil, 0, 0)
	require.NoError(t, err)
	require.Equal(t, []int{45, 0}, []int{bit, calls})
}
