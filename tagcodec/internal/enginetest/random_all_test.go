package enginetest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// TestRandomSlices compares both engines on the elements of slices, which start at
// any bit: their bytes, values and errors, and which element is refused.
func TestRandomSlices(t *testing.T) {
	for seed := range seeds(t) {
		g, s, _ := randomType(t, seed)
		c := newChecker(t, fmt.Sprintf("seed %d: %v", seed, s.typ), s.typ)
		for stray := range 3 {
			phase, all := g.IntN(8), reflect.MakeSlice(reflect.SliceOf(s.typ), g.IntN(5), 5)
			for i := range all.Len() {
				g.stray = 9 * stray * g.IntN(2)
				s.fill(g, all.Index(i))
			}
			data, ok := c.encodeAll(all, phase)
			if !ok {
				continue
			}
			g.stray = 3
			for i := range 5 {
				used := [2]reflect.Value{}
				for k := range used {
					used[k] = reflect.MakeSlice(all.Type(), all.Len(), all.Len())
				}
				if c.decodeAll(data, phase, used[0], used[1]); i == 0 {
					require.Empty(t, difference(used[0], used[1]), c.name)
					_, failed, err := engine.DecodeAll(&c.loop, c.plan, engine.VariablesIn(used[0]), data, phase)
					require.NoError(t, err, "%s: element %d of its own message", c.name, failed)
					require.Empty(t, difference(used[0], used[1]), "%s: a used variable shows old values", c.name)
				}
				head := min(1, len(data)) // with the bits before the elements
				data = append(slices.Clone(data[:head]), g.mutated(data[head:])...)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// encodeAll compares the elements of a slice, written from a bit of a byte on. It
// returns the bytes, and false if an element cannot be encoded.
func (c *checker) encodeAll(all reflect.Value, phase int) (data []byte, ok bool) {
	t := c.t
	t.Helper()
	start := []byte{0xA5, 0x55 & (1<<phase - 1)}[:1+(phase+7)/8]
	var w bits.Writer
	w.Resume(slices.Clone(start), 1, phase)
	want, wantBit, wantErr := reference.WriteAll(&c.slow, c.plan, all, &w, nil)
	got, bit, failed, err := engine.EncodeAll(&c.loop, c.plan, engine.VariablesIn(all), slices.Clone(start), 1, phase)
	sameError(t, wantErr, err, c.name)
	require.Equal(t, want, failed, c.name)
	require.Equal(t, wantBit, bit, c.name)
	if err != nil {
		return nil, false
	}
	require.Equal(t, w.Bytes(), got, c.name)
	return got[1:], true
}

// decodeAll compares what the engines read from a bit of data's first byte on into
// a and b.
func (c *checker) decodeAll(data []byte, phase int, a, b reflect.Value) {
	t := c.t
	t.Helper()
	c.relink()
	wantEnd, want, wantErr := reference.DecodeAll(&c.slow, c.plan, b, data, phase)
	end, failed, err := engine.DecodeAll(&c.loop, c.plan, engine.VariablesIn(a), data, phase)
	sameError(t, wantErr, err, c.name)
	require.Equal(t, want, failed, c.name)
	if err == nil {
		require.Equal(t, wantEnd, end, c.name)
		require.Empty(t, difference(b, a), c.name)
	}
	for i := range failed { // those before the one that is refused
		require.Empty(t, difference(b.Index(i), a.Index(i)), c.name)
	}
}
