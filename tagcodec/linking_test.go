package tagcodec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// linked is decoded into repeatedly. Its links are in its own memory, in the
// memory of a slice and of pointers, and in copies in a map and interfaces.
type linked struct {
	Home   *homeBase   `bp:"link,bits=4"`
	Slice  []*homeBase `bp:"link,bits=4,maxlen=3"`
	Behind *harboured
	Map    map[uint8]harboured `bp:"maxlen=3"`
	Value  anything            `bp:"union"`
	Held   map[uint8]anything  `bp:"union,maxlen=3"`
}

type (
	anything  any
	harboured struct {
		N    uint8
		Home *homeBase `bp:"link,bits=4"`
	}
)

// linkedTo returns a value whose links all refer to home.
func linkedTo(n uint8, home *homeBase) linked {
	h := harboured{n, home}
	return linked{
		Home: home, Slice: []*homeBase{home, home}, Behind: &h, Map: map[uint8]harboured{1: h, 2: h},
		Value: h, Held: map[uint8]anything{1: h, 2: h},
	}
}

// linkers lists the ways to use a context: directly, or embedded in a Linker.
func linkers() map[string]func(*tagcodec.LinkingContext) tagcodec.Linker {
	return map[string]func(*tagcodec.LinkingContext) tagcodec.Linker{
		"a context":         func(c *tagcodec.LinkingContext) tagcodec.Linker { return c },
		"one that is in it": func(c *tagcodec.LinkingContext) tagcodec.Linker { return struct{ *tagcodec.LinkingContext }{c} },
	}
}

// After repeated decoding, a variable has the links of the last message,
// whatever objects are added later.
func TestLinksReadAgain(t *testing.T) {
	h5, h6, h7 := &homeBase{5}, &homeBase{6}, &homeBase{7}
	server := tagcodec.NewLinkingContext()
	for id, h := range map[uint64]*homeBase{5: h5, 6: h6, 7: h7} {
		require.NoError(t, server.Add(id, h))
	}
	codec := tagcodec.MustFor[linked](tagcodec.WithUnion[anything](harboured{}))
	message := func(home *homeBase) []byte {
		v := linkedTo(9, home)
		data, err := codec.With(tagcodec.WithLinker(server)).Append(nil, &v)
		require.NoError(t, err)
		return data
	}
	const links = 9
	for name, linker := range linkers() {
		t.Run(name, func(t *testing.T) {
			start := func() (*tagcodec.LinkingContext, *tagcodec.Codec[linked], *linked) {
				c := tagcodec.NewLinkingContext()
				require.NoError(t, c.Add(7, h7))
				receiver, v := codec.With(tagcodec.WithLinker(linker(c))), new(linked)
				require.NoError(t, receiver.Unmarshal(message(h5), v))
				require.Len(t, c.Waiting(), links)
				return c, receiver, v
			}
			t.Run("a known object", func(t *testing.T) {
				c, receiver, v := start()
				require.NoError(t, receiver.Unmarshal(message(h7), v))
				require.Empty(t, c.Waiting())
				require.NoError(t, c.Add(5, h5))
				require.Equal(t, linkedTo(9, h7), *v)
			})
			t.Run("nil", func(t *testing.T) {
				c, receiver, v := start()
				require.NoError(t, receiver.Unmarshal(message(nil), v))
				require.Empty(t, c.Waiting())
				require.NoError(t, c.Add(5, h5))
				require.Equal(t, linkedTo(9, nil), *v)
			})
			for _, first := range []struct {
				name    string
				ids     []uint64
				objects []any
			}{
				{"another that is not known", []uint64{6, 5}, []any{h6, h5}},
				{"and is added last", []uint64{5, 6}, []any{h5, h6}},
			} {
				t.Run(first.name, func(t *testing.T) {
					c, receiver, v := start()
					require.NoError(t, receiver.Unmarshal(message(h6), v))
					require.Len(t, c.Waiting(), links)
					for i, id := range first.ids {
						require.NoError(t, c.Add(id, first.objects[i]))
					}
					require.Equal(t, linkedTo(9, h6), *v)
					require.Empty(t, c.Waiting())
				})
			}
			t.Run("a message that is refused", func(t *testing.T) {
				c, receiver, v := start()
				data := append(message(nil), 0)
				require.ErrorIs(t, receiver.Unmarshal(data, new(linked)), tagcodec.ErrTrailing)
				require.ErrorIs(t, receiver.Unmarshal(data, v), tagcodec.ErrTrailing)
				require.Len(t, c.Waiting(), links, "it takes nothing from those that wait")
			})
			t.Run("another variable", func(t *testing.T) {
				c, receiver, v := start()
				require.NoError(t, receiver.Unmarshal(message(nil), new(linked)))
				require.Len(t, c.Waiting(), links)
				require.NoError(t, c.Add(5, h5))
				require.Equal(t, linkedTo(9, h5), *v)
			})
			t.Run("a part of the variable", func(t *testing.T) {
				c, _, v := start()
				part := tagcodec.MustFor[harboured](tagcodec.WithLinker(linker(c)))
				require.NoError(t, part.Unmarshal([]byte{9, 6}, v.Behind))
				require.Len(t, c.Waiting(), links)
				require.NoError(t, c.Add(5, h5))
				require.NoError(t, c.Add(6, h6))
				want := linkedTo(9, h5)
				want.Behind = &harboured{9, h6}
				require.Equal(t, want, *v)
			})
		})
	}
}

// A slice that was reallocated has its own links. The links in its old memory
// still wait for whoever holds that memory.
func TestLinksOfMovedSlice(t *testing.T) {
	type packet struct {
		Homes []*homeBase `bp:"link,bits=4,maxlen=15"`
	}
	c := tagcodec.NewLinkingContext()
	codec := tagcodec.MustFor[packet](tagcodec.WithLinker(c))
	var v packet
	require.NoError(t, codec.Unmarshal([]byte{0x51}, &v))
	before := v.Homes
	require.NoError(t, codec.Unmarshal([]byte{0x66, 0x66, 0x66, 0x06}, &v))
	require.NotSame(t, &before[0], &v.Homes[0])
	h5, h6 := &homeBase{5}, &homeBase{6}
	require.NoError(t, c.Add(5, h5))
	require.NoError(t, c.Add(6, h6))
	require.Equal(t, []*homeBase{h5}, before)
	require.Equal(t, []*homeBase{h6, h6, h6, h6, h6, h6}, v.Homes)
}

// A patch does not change a field that the program has set.
func TestPatchLeavesWhatIsSet(t *testing.T) {
	c := tagcodec.NewLinkingContext()
	codec := tagcodec.MustFor[cat](tagcodec.WithLinker(c))
	var v cat
	require.NoError(t, codec.Unmarshal(lows(low(9, 4)+low(5, 8)), &v))
	patches := c.Waiting()
	own := &homeBase{1}
	v.Home = own
	require.NoError(t, patches[0].Set(&homeBase{5}))
	require.Same(t, own, v.Home)
	require.NoError(t, c.Add(5, &homeBase{5}))
	require.Same(t, own, v.Home)
	require.Empty(t, c.Waiting())
}

// handingOn is a Linker that forwards its calls to a context.
type handingOn struct{ c *tagcodec.LinkingContext }

func (h handingOn) ID(object any) (uint64, bool) { return h.c.ID(object) }
func (h handingOn) Object(id uint64) (any, bool) { return h.c.Object(id) }
func (h handingOn) Unresolved(p tagcodec.Patch)  { h.c.Unresolved(p) }

// A context that is only told of unresolved links keeps the last patch of a
// field.
func TestUnresolvedReplaces(t *testing.T) {
	c := tagcodec.NewLinkingContext()
	codec := tagcodec.MustFor[cat](tagcodec.WithLinker(handingOn{c}))
	var v cat
	for _, id := range []uint64{5, 6} {
		require.NoError(t, codec.Unmarshal(lows(low(9, 4)+low(id, 8)), &v))
	}
	require.Len(t, c.Waiting(), 1)
	require.NoError(t, c.Add(5, &homeBase{5}))
	require.Nil(t, v.Home)
	require.NoError(t, c.Add(6, &homeBase{6}))
	require.Equal(t, &homeBase{6}, v.Home)
}

// The oldest links are dropped, and their fields stay nil.
func TestSetMaxWaiting(t *testing.T) {
	var c tagcodec.LinkingContext // the zero value is ready to use
	c.SetMaxWaiting(3)
	codec := tagcodec.MustFor[cat](tagcodec.WithLinker(&c))
	var cats [5]cat
	ids := func() (ids []uint64) {
		for _, p := range c.Waiting() {
			ids = append(ids, p.ID)
		}
		return ids
	}
	for i := range cats {
		require.NoError(t, codec.Unmarshal(lows(low(9, 4)+low(uint64(i+1), 8)), &cats[i]))
	}
	require.Equal(t, []uint64{3, 4, 5}, ids())
	require.Equal(t, uint64(2), c.Dropped())
	c.SetMaxWaiting(2)
	require.Equal(t, []uint64{4, 5}, ids())
	require.Equal(t, uint64(3), c.Dropped())
	c.SetMaxWaiting(9)
	require.Equal(t, []uint64{4, 5}, ids())

	// A link that is decoded again becomes the newest.
	require.NoError(t, codec.Unmarshal(lows(low(9, 4)+low(6, 8)), &cats[3]))
	require.Equal(t, []uint64{5, 6}, ids())
	for id := range uint64(8) {
		require.NoError(t, c.Add(id+1, &homeBase{uint8(id + 1)}))
	}
	require.Empty(t, c.Waiting())
	for i, want := range []*homeBase{nil, nil, nil, {6}, {5}} {
		require.Equal(t, want, cats[i].Home, "cat %d", i)
	}
	require.PanicsWithValue(t, "tagcodec: SetMaxWaiting: at least 1 link must be able to wait, not 0", func() { c.SetMaxWaiting(0) })
}

// Only pointers are accepted as objects.
func TestAddTakesPointers(t *testing.T) {
	c := tagcodec.NewLinkingContext()
	home := &homeBase{1}
	require.NoError(t, c.Add(3, home))
	for _, row := range []struct {
		object any
		text   string
	}{
		{nil, "bad argument: object 3 must be a pointer, not <nil>"},
		{homeBase{1}, "bad argument: object 3 must be a pointer, not tagcodec_test.homeBase"},
		{[]int{}, "bad argument: object 3 must be a pointer, not []int"},
		{(*homeBase)(nil), "bad argument: object 3 is a nil *tagcodec_test.homeBase"},
	} {
		err := c.Add(3, row.object)
		require.ErrorIs(t, err, tagcodec.ErrArgument)
		require.EqualError(t, err, row.text)
	}
	object, ok := c.Object(3)
	require.True(t, ok)
	require.Same(t, home, object, "what is refused changes nothing")
}
