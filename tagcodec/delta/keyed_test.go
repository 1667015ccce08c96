package delta_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

type entity struct {
	ID       uint32   `bp:"key"`
	Position [3]int32 `bp:"int,min=-1000000,max=1000000,pred=lin"`
	Health   uint8
	Items    []uint8 `bp:"maxlen=4"`
}

type world struct {
	Entities []entity `bp:"maxlen=4000"`
	Time     uint32
}

func newWorld(n int) (w world) {
	for i := range n {
		w.Entities = append(w.Entities, entity{ID: uint32(10 * (i + 1)), Position: [3]int32{int32(i * 7919 % 1000000), 5, 6}, Health: 100, Items: []uint8{uint8(i), 2}})
	}
	return w
}

// deltaSize returns the size of the delta between two worlds, after checking
// that it restores the second.
func deltaSize(t *testing.T, c *delta.Codec[world], from, to world) int {
	base, err := c.Quantize(&from, nil)
	require.NoError(t, err)
	image, err := c.Quantize(&to, nil)
	require.NoError(t, err)
	refs := delta.Refs{Tick: 1, Base: delta.Ref{Tick: 0, Image: base}}
	data, err := c.Append(nil, image, refs)
	require.NoError(t, err)
	back, err := c.Read(data, refs, nil)
	require.NoError(t, err)
	var state world
	require.NoError(t, c.Restore(back, &state))
	want := slices.Clone(to.Entities)
	slices.SortFunc(want, func(a, b entity) int { return int(a.ID) - int(b.ID) })
	require.Equal(t, want, state.Entities)
	require.Equal(t, to.Time, state.Time)
	return len(data)
}

// TestKeyed checks that elements that come, go and move cost only what they are.
func TestKeyed(t *testing.T) {
	c := delta.MustFor[world]()
	before := newWorld(1000)
	for _, row := range []struct {
		name   string
		change func(w *world)
		most   int // bytes
	}{
		{"nothing", func(*world) {}, 3},
		{"reversed", func(w *world) { slices.Reverse(w.Entities) }, 3},
		{"first removed", func(w *world) { w.Entities = w.Entities[1:] }, 5},
		{"three removed", func(w *world) { w.Entities = slices.Delete(w.Entities, 500, 503) }, 7},
		{"one changed and moved", func(w *world) {
			w.Entities[7].Health = 3
			w.Entities[7], w.Entities[900] = w.Entities[900], w.Entities[7]
		}, 8},
		{"one new, with an id after all others", func(w *world) {
			w.Entities = append(w.Entities, entity{ID: 10001, Position: [3]int32{1, 2, 3}, Health: 100})
		}, 12},
		{"one new, between others", func(w *world) {
			w.Entities = append(w.Entities, entity{ID: 15, Health: 100})
		}, 12},
		{"a child changed", func(w *world) { w.Entities[3].Items = []uint8{3, 9} }, 8},
	} {
		t.Run(row.name, func(t *testing.T) {
			after := newWorld(1000)
			row.change(&after)
			require.LessOrEqual(t, deltaSize(t, c, before, after), row.most)
		})
	}
}

func TestKeysMustBeUnique(t *testing.T) {
	c := delta.MustFor[world]()
	w := newWorld(5)
	w.Entities[4].ID = w.Entities[1].ID
	_, err := c.Quantize(&w, nil)
	require.ErrorIs(t, err, delta.ErrKey)
	require.EqualError(t, err, fmt.Sprintf("delta: quantize: Entities: the keys of a keyed slice repeat, or are not sorted: elements 1 and 4 have the key %d: give each its own", w.Entities[1].ID))
	_, err = tagcodec.Marshal(&w) // key does not concern it
	require.NoError(t, err)
}

func TestQuantizeRefusesWhatMarshalRefuses(t *testing.T) {
	c := delta.MustFor[world]()
	w := newWorld(5)
	w.Entities[2].Position[1] = 1000001
	_, want := tagcodec.Marshal(&w)
	_, err := c.Quantize(&w, nil)
	require.ErrorIs(t, err, tagcodec.ErrRange)
	require.Equal(t, want, errors.Unwrap(err))
	require.EqualError(t, err, strings.Replace(want.Error(), "tagcodec: ", "delta: quantize: ", 1))
}

// TestSelect checks that an image of some of the elements is that of a world
// that has only them.
func TestSelect(t *testing.T) {
	c := delta.MustFor[world]()
	w := newWorld(100)
	w.Time = 77
	image, err := c.Quantize(&w, nil)
	require.NoError(t, err)
	some, err := image.Select("Entities", []int64{990, 30, 31, -5, 30, 500, 5_000_000_000}, nil)
	require.NoError(t, err)
	var state world
	require.NoError(t, c.Restore(some, &state))
	require.Equal(t, world{[]entity{w.Entities[2], w.Entities[49], w.Entities[98]}, 77}, state)

	reduced := world{[]entity{w.Entities[2], w.Entities[49], w.Entities[98]}, 77}
	direct, err := c.Quantize(&reduced, nil)
	require.NoError(t, err)
	refs := delta.Refs{Tick: 1, Base: delta.Ref{Tick: 0, Image: image}}
	one, err := c.Append(nil, some, refs)
	require.NoError(t, err)
	two, err := c.Append(nil, direct, refs)
	require.NoError(t, err)
	require.Equal(t, two, one)

	_, err = image.Select("Time", []int64{1}, nil)
	require.ErrorIs(t, err, delta.ErrSelect)
	none, err := image.Select("Entities", nil, some)
	require.NoError(t, err)
	require.NoError(t, c.Restore(none, &state))
	require.Empty(t, state.Entities)
}
