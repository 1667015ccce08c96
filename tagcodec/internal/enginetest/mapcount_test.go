package enginetest

import (
	"errors"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/typecache"
)

// A count above the number of possible keys fails before any memory is
// allocated for the entries, however many bits follow.
func TestMapCountsAreBoundedByKeys(t *testing.T) {
	type flags struct {
		A map[bool][1000]uint64 `bp:"maxlen=20000"`
	}
	plan, err := typecache.Of(reflect.TypeFor[flags]())
	require.NoError(t, err)
	c := settingsWith()
	for _, n := range []int{3, 9584, 20000, 32767} {
		w := bits.NewAppendWriter(nil)
		w.WriteBits(uint64(n), 15)
		data := append(w.Bytes(), make([]byte, n*(64*1000+8)/64)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var v flags
		err := engine.Unmarshal(&c, plan.Data(), engine.VariableOf(&v), data)
		runtime.ReadMemStats(&after)
		require.ErrorIs(t, err, tagcodec.ErrLength)
		var e *bits.Error
		require.True(t, errors.As(err, &e))
		require.Equal(t, []any{n, 0, 2}, []any{e.Value, e.Min, e.Max})
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<16))
	}
	w := bits.NewAppendWriter(nil)
	w.WriteBits(2, 15)
	for i := range 2 {
		w.WriteBool(i == 1)
		for range 1000 {
			w.WriteBits(7, 64)
		}
	}
	data := w.Bytes()
	var v flags
	require.NoError(t, engine.Unmarshal(&c, plan.Data(), engine.VariableOf(&v), data))
	require.Len(t, v.A, 2)
	again, err := engine.Encode(&c, plan.Data(), engine.VariableOf(&v), nil)
	require.NoError(t, err)
	require.Equal(t, data, again)
}

// A Go map may have more keys than its tag allows.
func TestMapOfMoreKeysThanAllowed(t *testing.T) {
	type table struct {
		A map[uint8]bool `bp:"maxlen=100,key.min=1,key.max=2"`
	}
	_, err := tagcodec.Marshal(&table{A: map[uint8]bool{1: true, 2: true, 3: true}})
	require.ErrorIs(t, err, tagcodec.ErrLength)
	require.ErrorContains(t, err, "3 is outside [0, 2]")
	_, err = tagcodec.Marshal(&table{A: map[uint8]bool{1: true, 3: true}})
	require.ErrorIs(t, err, tagcodec.ErrRange)
}
