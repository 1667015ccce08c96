package tagcodec_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// homeBase and cat are from the book: each cat has a link to its home base.
type (
	homeBase struct{ Fish uint8 }
	cat      struct {
		Lives uint8     `bp:"int,min=0,max=9"`
		Home  *homeBase `bp:"link,bits=8"`
	}
)

func TestGoldenLink(t *testing.T) {
	type packet struct {
		Home *homeBase `bp:"link"`
		Any  any       `bp:"link,bits=3"`
	}
	home, other := &homeBase{1}, &cat{}
	context := tagcodec.NewLinkingContext()
	require.NoError(t, context.Add(0x80000001, home))
	require.NoError(t, context.Add(6, other))
	eighth := new(uint8)
	require.NoError(t, context.Add(8, eighth))
	linked := tagcodec.WithLinker(context)
	runGolden(t, []golden[packet]{
		{"nil is 0", packet{}, low(0, 32) + "000", nil},
		{"the id alone is sent", packet{home, other}, low(0x80000001, 32) + low(6, 3), nil},
		{"nothing stays", packet{nil, other}, low(0, 32) + low(6, 3), nil},
	}, linked)
	runRefused(t, []refused[packet]{
		{name: "an object without an id", value: packet{Home: &homeBase{}}, err: tagcodec.ErrLink,
			text: "packet.Home at bit 0: no such link: the Linker has no id for the *tagcodec_test.homeBase"},
		{name: "a nil pointer in an interface", value: packet{Any: (*cat)(nil)}, err: tagcodec.ErrLink,
			text: "packet.Any at bit 32: no such link: the Linker has no id for the interface {}"},
		{name: "a value that nothing can be the id of", value: packet{Any: []int{1}}, err: tagcodec.ErrLink,
			text: "packet.Any at bit 32: no such link: the Linker has no id for the interface {}"},
		{name: "an id of too many bits", value: packet{Any: home}, err: tagcodec.ErrRange,
			text: "packet.Any at bit 32: value out of range: 2147483649 is outside [1, 7]"},
		{name: "an id of one bit too many", value: packet{Any: eighth}, err: tagcodec.ErrRange,
			text: "packet.Any at bit 32: value out of range: 8 is outside [1, 7]"},
		{name: "the id of an object of another type", bits: low(6, 32) + "000", err: tagcodec.ErrLink,
			text: "packet.Home at bit 0: no such link: object 6 is a *tagcodec_test.cat, not a *tagcodec_test.homeBase"},
		{name: "the id is cut off", bits: low(0, 32), err: tagcodec.ErrOverread,
			text: "packet.Any at bit 32: read past the end of the data: 3 more bits needed, 0 left"},
	}, linked)
	runGolden(t, []golden[packet]{{"nil needs no Linker", packet{}, low(0, 32) + "000", nil}})
	runRefused(t, []refused[packet]{
		{name: "a link needs one", value: packet{Home: home}, err: tagcodec.ErrLink, text: "packet.Home at bit 0: no such link: give the codec a Linker"},
		{name: "an id too", bits: low(1, 32) + "000", err: tagcodec.ErrLink, text: "packet.Home at bit 0: no such link: give the codec a Linker"},
	})
}

// handedBack is a Linker that knows no objects and stores the patches. It sends
// an object by its Fish, and refuses one of 255.
type handedBack struct{ patches []tagcodec.Patch }

func (*handedBack) ID(object any) (uint64, bool) {
	fish := object.(*homeBase).Fish
	return uint64(fish), fish != 255
}
func (*handedBack) Object(uint64) (any, bool)     { return nil, false }
func (h *handedBack) Unresolved(p tagcodec.Patch) { h.patches = append(h.patches, p) }

// A Linker sends nil in place of an object by giving it the id 0. The receiver
// gets nil and is asked for nothing. Without an id, nothing is sent.
func TestLinkerSays0(t *testing.T) {
	type packet struct {
		Home *homeBase   `bp:"link,bits=8"`
		All  []*homeBase `bp:"link,bits=8,maxlen=3"`
	}
	hidden := &homeBase{0}
	linker := new(handedBack)
	runGolden(t, []golden[packet]{
		{"an object of the id 0", packet{Home: hidden}, low(0, 8) + low(0, 2), &packet{}},
		{"elements", packet{All: []*homeBase{hidden, nil}}, low(0, 8) + low(2, 2) + low(0, 16), &packet{All: []*homeBase{nil, nil}}},
	}, tagcodec.WithLinker(linker))
	require.Empty(t, linker.patches, "nil is resolved")

	// A field that was set before becomes nil.
	codec := tagcodec.MustFor[packet](tagcodec.WithLinker(linker))
	data, err := codec.Append(nil, &packet{Home: hidden})
	require.NoError(t, err)
	v := packet{Home: &homeBase{9}}
	require.NoError(t, codec.Unmarshal(data, &v))
	require.Nil(t, v.Home)

	// An optional struct with such a link is present, and its link is nil.
	type owner struct {
		Home *homeBase `bp:"link,bits=8"`
	}
	type house struct {
		Owner owner `bp:"optional"`
	}
	optional := tagcodec.MustFor[house](tagcodec.WithLinker(linker))
	data, err = optional.Append(nil, &house{owner{hidden}})
	require.NoError(t, err)
	require.Equal(t, lows("1"+low(0, 8)), data)
	full := house{owner{&homeBase{9}}}
	require.NoError(t, optional.Unmarshal(data, &full))
	require.Equal(t, house{}, full)
	require.Empty(t, linker.patches)

	runRefused(t, []refused[packet]{
		{name: "an object without an id", value: packet{Home: &homeBase{255}}, err: tagcodec.ErrLink,
			text: "packet.Home at bit 0: no such link: the Linker has no id for the *tagcodec_test.homeBase"},
	}, tagcodec.WithLinker(linker))
}

// Patches reach links in every kind of place.
func TestPatchEverywhere(t *testing.T) {
	type pet any
	type house struct {
		Home *homeBase `bp:"link,bits=4"`
	}
	type seat struct {
		On   bool
		Home *homeBase `bp:"link,bits=4"`
	}
	type packet struct {
		Field   *homeBase           `bp:"link,bits=4"`
		Array   [1]*homeBase        `bp:"link,bits=4"`
		Slice   []*homeBase         `bp:"link,bits=4,maxlen=3"`
		Map     map[uint8]*homeBase `bp:"link,bits=4,maxlen=3"`
		Behind  *house
		Nested  [1]house
		Pairs   map[uint8][1]house        `bp:"maxlen=3"`
		Shared  map[uint8]*house          `bp:"maxlen=3"`
		Maps    map[uint8]map[uint8]house `bp:"maxlen=3,elem.maxlen=3"`
		Value   pet                       `bp:"union"`
		Pointer pet                       `bp:"union"`
		Held    map[uint8]pet             `bp:"union,maxlen=3"`
		Some    [2]*house                 `bp:"subset=index"`
		Pushed  struct{ Home *homeBase }  `bp:"link,bits=4"`
		Seats   map[uint8][2]seat         `bp:"maxlen=3,subset=index,by=On"`
		If      bool
		Maybe   *homeBase `bp:"link,bits=5,if=If"`
	}
	type stray struct {
		Home *homeBase `bp:"link,bits=4"`
	}
	homes := make([]*homeBase, 17)
	for i := range homes {
		homes[i] = &homeBase{uint8(i)}
	}
	v := packet{
		Field: homes[1], Array: [1]*homeBase{homes[2]}, Slice: []*homeBase{nil, homes[3]}, Map: map[uint8]*homeBase{8: homes[4]},
		Behind: &house{homes[5]}, Nested: [1]house{{homes[6]}}, Pairs: map[uint8][1]house{7: {{homes[7]}}}, Shared: map[uint8]*house{6: {homes[8]}},
		Maps: map[uint8]map[uint8]house{5: {4: {homes[9]}}}, Value: house{homes[10]}, Pointer: &stray{homes[11]}, Held: map[uint8]pet{3: house{homes[12]}},
		Some: [2]*house{1: {homes[13]}}, If: true, Maybe: homes[16],
	}
	v.Pushed.Home = homes[14]
	v.Seats = map[uint8][2]seat{2: {1: {true, homes[15]}}}
	linker := new(handedBack)
	codec := tagcodec.MustFor[packet](tagcodec.WithUnion[pet](house{}, &stray{}), tagcodec.WithLinker(linker))
	data, err := codec.Append(nil, &v)
	require.NoError(t, err)

	var read packet
	require.NoError(t, codec.Unmarshal(data, &read))
	again, err := codec.Append(nil, &read)
	require.NoError(t, err)
	require.NotEqual(t, data, again, "the links are nil")
	var paths []string
	for i, p := range linker.patches {
		require.Equal(t, uint64(i+1), p.ID)
		paths = append(paths, p.Path)
		require.NoError(t, p.Set(homes[p.ID]))
	}
	require.Equal(t, []string{
		"packet.Field", "packet.Array[0]", "packet.Slice[1]", "packet.Map[8]", "packet.Behind.Home", "packet.Nested[0].Home",
		"packet.Pairs[7][0].Home", "packet.Shared[6].Home", "packet.Maps[5][4].Home", "packet.Value.Home", "packet.Pointer.Home",
		"packet.Held[3].Home", "packet.Some[1].Home", "packet.Pushed.Home", "packet.Seats[2][1].Home", "packet.Maybe",
	}, paths)
	require.Equal(t, v, read)
	again, err = codec.Append(nil, &read)
	require.NoError(t, err)
	require.Equal(t, data, again)
}

// A patch applies to the current value of a map or interface.
func TestPatchLater(t *testing.T) {
	type pet any
	type packet struct {
		Cats map[uint8]cat `bp:"maxlen=3"`
		Pet  pet           `bp:"union"`
		Held map[uint8]pet `bp:"union,maxlen=3"`
	}
	client := tagcodec.NewLinkingContext()
	codec := tagcodec.MustFor[packet](tagcodec.WithUnion[pet](cat{}), tagcodec.WithLinker(client))
	var v packet
	one := low(9, 4) + low(5, 8)
	require.NoError(t, codec.Unmarshal(lows(low(2, 2)+low(1, 8)+one+low(2, 8)+one+"1"+one+
		low(3, 2)+low(1, 8)+"1"+one+low(2, 8)+"1"+one+low(3, 8)+"1"+one), &v))
	require.Len(t, client.Waiting(), 6)
	v.Cats[1] = cat{Lives: 3}
	delete(v.Cats, 2)
	v.Pet = "gone"
	v.Held[1] = "gone"
	delete(v.Held, 2)
	v.Held[3] = cat{Lives: 4}
	home := &homeBase{1}
	require.NoError(t, client.Add(5, home))
	require.Equal(t, packet{map[uint8]cat{1: {3, home}}, "gone", map[uint8]pet{1: "gone", 3: cat{4, home}}}, v)
}

// A patch sets a link in the target of a pointer, wherever that pointer has
// been copied.
func TestPatchBehindPointers(t *testing.T) {
	type packet struct {
		Cats  map[uint8]*cat    `bp:"maxlen=3"`
		Pairs map[uint8][2]*cat `bp:"maxlen=3,subset=bitmap"`
	}
	client := tagcodec.NewLinkingContext()
	codec := tagcodec.MustFor[packet](tagcodec.WithLinker(client))
	var v packet
	one := low(9, 4) + low(5, 8)
	require.NoError(t, codec.Unmarshal(lows(low(1, 2)+low(7, 8)+"1"+one+low(1, 2)+low(8, 8)+"0 1"+one), &v))
	first, second := v.Cats[7], v.Pairs[8][1]
	delete(v.Cats, 7)
	delete(v.Pairs, 8)
	home := &homeBase{1}
	require.NoError(t, client.Add(5, home))
	require.Same(t, home, first.Home)
	require.Same(t, home, second.Home)
}

func TestLinkingContext(t *testing.T) {
	c := tagcodec.NewLinkingContext()
	a, b := &homeBase{}, &homeBase{}
	require.NoError(t, c.Add(1, a))
	require.NoError(t, c.Add(2, a), "an object has one id")
	_, ok := c.Object(1)
	require.False(t, ok)
	id, ok := c.ID(a)
	require.True(t, ok)
	require.Equal(t, uint64(2), id)
	require.NoError(t, c.Add(2, b), "an id has one object")
	_, ok = c.ID(a)
	require.False(t, ok)
	object, ok := c.Object(2)
	require.True(t, ok)
	require.Same(t, b, object)
	c.Remove(2)
	_, ok = c.ID(b)
	require.False(t, ok)
	c.Remove(2)
	require.PanicsWithValue(t, "tagcodec: the id 0 is nil and cannot be an object's", func() { c.Add(0, a) })

	type packet struct {
		A *cat      `bp:"link,bits=4"`
		B *homeBase `bp:"link,bits=4"`
	}
	codec := tagcodec.MustFor[packet](tagcodec.WithLinker(c))
	var v packet
	require.NoError(t, codec.Unmarshal(lows(low(5, 4)+low(5, 4)), &v))
	err := c.Add(5, b)
	require.EqualError(t, err, "no such link: object 5 is a *tagcodec_test.homeBase, not a *tagcodec_test.cat")
	require.True(t, errors.Is(err, tagcodec.ErrLink))
	require.Equal(t, packet{B: b}, v, "the other is set all the same")
	require.Empty(t, c.Waiting())

	v = packet{}
	require.NoError(t, codec.Unmarshal(lows(low(0, 4)+low(6, 4)), &v))
	c.Forget()
	require.NoError(t, c.Add(6, a))
	require.Nil(t, v.B)
}

// A refused message leaves no waiting links, wherever it is refused.
func TestRefusedLeavesNoLinks(t *testing.T) {
	type cat struct {
		Home  *struct{ N int } `bp:"link,bits=8"`
		Lives int              `bp:"int,min=0,max=9"`
	}
	links := tagcodec.NewLinkingContext()
	codec := tagcodec.MustFor[cat](tagcodec.WithLinker(links))
	var c cat
	require.ErrorIs(t, codec.Unmarshal([]byte{7, 10}, &c), tagcodec.ErrRange)
	require.ErrorIs(t, codec.Unmarshal([]byte{7, 9, 0}, &c), tagcodec.ErrTrailing)
	require.Empty(t, links.Waiting())
	require.NoError(t, codec.Unmarshal([]byte{7, 9}, &c))
	require.Len(t, links.Waiting(), 1)
}
