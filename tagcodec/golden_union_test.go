package tagcodec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The members of the union happening, in order of their names: bang is 1, chat
// is 2, move is 3 and tick is 4. An index takes 3 bits.
type (
	happening any
	chat      struct {
		Text string `bp:"maxlen=3"`
	}
	bang struct {
		Damage uint8 `bp:"int,min=0,max=100"`
	}
	move struct{ X, Y int8 }
	tick uint8
)

var happenings = tagcodec.WithUnion[happening](tick(0), &bang{}, chat{}, move{})

func TestGoldenUnion(t *testing.T) {
	type packet struct {
		Before bool
		E      happening `bp:"union"`
	}
	runGolden(t, []golden[packet]{
		{"nil", packet{true, nil}, "1 000", nil},
		{"a pointer", packet{false, &bang{100}}, "0" + low(1, 3) + low(100, 7), nil},
		{"the same type again", packet{false, &bang{3}}, "0" + low(1, 3) + low(3, 7), nil},
		{"a struct", packet{false, chat{"a"}}, "0" + low(2, 3) + low(1, 2) + "00" + low('a', 8), nil},
		{"a struct of two", packet{false, move{1, -1}}, "0" + low(3, 3) + low(1, 8) + low(255, 8), nil},
		{"a number", packet{false, tick(7)}, "0" + low(4, 3) + low(7, 8), nil},
		{"nothing of it stays", packet{false, nil}, "0 000", nil},
	}, happenings)
	const unknown = "packet.E at bit 1: not a member of the union: "
	runRefused(t, []refused[packet]{
		{name: "the first index without a type", bits: "0" + low(5, 3), err: tagcodec.ErrUnion, text: unknown + "5 is outside [0, 4]"},
		{name: "the last", bits: "0" + low(7, 3), err: tagcodec.ErrUnion, text: unknown + "7 is outside [0, 4]"},
		{name: "a member is cut off", bits: "0" + low(3, 3) + low(0, 8) + "0000", err: tagcodec.ErrOverread,
			text: "packet.E at bit 1: read past the end of the data: 16 more bits needed, 12 left"},
		{name: "a member that is refused", bits: "0" + low(1, 3) + low(101, 7), err: tagcodec.ErrRange,
			text: "packet.E.Damage at bit 4: value out of range: 101 is outside [0, 100]"},
		{name: "a type that is not registered", value: packet{E: "text"}, err: tagcodec.ErrUnion, text: unknown + "string"},
		{name: "the value of a registered pointer", value: packet{E: bang{}}, err: tagcodec.ErrUnion, text: unknown + "tagcodec_test.bang, where *tagcodec_test.bang is one: use a pointer to the value"},
		{name: "the pointer to a registered value", value: packet{E: &move{}}, err: tagcodec.ErrUnion, text: unknown + "*tagcodec_test.move, where tagcodec_test.move is one: use the value in place of a pointer to it"},
		{name: "a nil pointer", value: packet{E: (*bang)(nil)}, err: tagcodec.ErrUnion, text: unknown + "nil *tagcodec_test.bang"},
		{name: "a member that cannot be written", value: packet{E: &bang{101}}, err: tagcodec.ErrRange,
			text: "packet.E.Damage at bit 4: value out of range: 101 is outside [0, 100]"},
	}, happenings)
	type late struct {
		Full uint8     `bp:"uint,bits=6"`
		E    happening `bp:"union"`
	}
	runRefused(t, []refused[late]{
		{name: "the index is cut off", bits: low(0, 8), err: tagcodec.ErrOverread,
			text: "late.E at bit 6: read past the end of the data: 3 more bits needed, 2 left"},
	}, happenings)
}

// A type without a name is sorted by its definition.
func TestGoldenUnionWithoutNames(t *testing.T) {
	type packet struct {
		E happening `bp:"union"`
	}
	runGolden(t, []golden[packet]{
		{"an array", packet{[2]int8{1, -1}}, low(1, 3) + low(1, 8) + low(255, 8), nil},
		{"a pointer to a struct", packet{&struct{ A bool }{true}}, low(3, 3) + "1", nil},
		{"a struct", packet{struct{ B bool }{true}}, low(4, 3) + "1", nil},
		{"a name in the middle", packet{chat{"a"}}, low(2, 3) + low(1, 2) + "000" + low('a', 8), nil},
		{"and one at the end", packet{tick(1)}, low(5, 3) + low(1, 8), nil},
	}, tagcodec.WithUnion[happening](tick(0), struct{ B bool }{}, chat{}, &struct{ A bool }{}, [2]int8{}))
	require.PanicsWithValue(t, "typecache: struct { A bool } and *struct { A bool } have the same name in the union of tagcodec_test.happening: rename one", func() {
		tagcodec.MustFor[packet](tagcodec.WithUnion[happening](struct{ A bool }{}, &struct{ A bool }{}))
	})
}

func TestGoldenUnionEverywhere(t *testing.T) {
	type inner struct {
		On bool
		E  happening `bp:"union,if=On"`
	}
	type packet struct {
		A [2]happening             `bp:"union"`
		S []happening              `bp:"union,maxlen=3"`
		M map[uint8]happening      `bp:"union,maxlen=3"`
		P *happening               `bp:"union"`
		N [2]inner                 // conditional
		U struct{ E, F happening } `bp:"union"` // the tag applies to both fields
		O inner                    `bp:"optional"`
	}
	var e happening = tick(255)
	one := low(4, 3) + low(255, 8)
	v := packet{A: [2]happening{e, nil}, S: []happening{nil, e}, M: map[uint8]happening{9: e, 2: nil}, P: &e, N: [2]inner{{true, e}, {false, nil}}, O: inner{true, nil}}
	v.U.F = e
	runGolden(t, []golden[packet]{
		{"everywhere", v, one + "000" + low(2, 2) + "000" + one + low(2, 2) + low(2, 8) + "000" + low(9, 8) + one +
			"1" + one + "1" + one + "0" + "000" + one + "1 1 000", nil},
	}, happenings)
	runRefused(t, []refused[packet]{
		{name: "in an array", bits: "000 101", err: tagcodec.ErrUnion, text: "packet.A[1] at bit 3: not a member of the union: 5 is outside [0, 4]"},
		{name: "in a slice", bits: "000 000 10 101" + low(0, 16), err: tagcodec.ErrUnion, text: "packet.S[0] at bit 8: not a member of the union: 5 is outside [0, 4]"},
		{name: "in a map", bits: "000 000 00 10" + low(77, 8) + "101" + low(0, 16), err: tagcodec.ErrUnion,
			text: "packet.M[77] at bit 18: not a member of the union: 5 is outside [0, 4]"},
		{name: "in the target of a pointer", bits: "000 000 00 00 1 101" + low(0, 16), err: tagcodec.ErrUnion, text: "packet.P at bit 11: not a member of the union: 5 is outside [0, 4]"},
		{name: "under a condition", bits: "000 000 00 00 0 0 1 101", err: tagcodec.ErrUnion, text: "packet.N[1].E at bit 13: not a member of the union: 5 is outside [0, 4]"},
		{name: "in a struct without tags", bits: "000 000 00 00 0 0 0 000 101", err: tagcodec.ErrUnion, text: "packet.U.F at bit 16: not a member of the union: 5 is outside [0, 4]"},
	}, happenings)
}

// A pointer that is already in the variable is reused.
func TestUnionReuse(t *testing.T) {
	type packet struct {
		E happening `bp:"union"`
	}
	codec := tagcodec.MustFor[packet](happenings)
	old := &bang{5}
	v := packet{old}
	require.NoError(t, codec.Unmarshal(lows(low(1, 3)+low(6, 7)), &v))
	require.Same(t, old, v.E)
	require.Equal(t, &bang{6}, v.E)
	require.NoError(t, codec.Unmarshal(lows(low(4, 3)+low(6, 8)), &v))
	require.Equal(t, tick(6), v.E)
	require.NoError(t, codec.Unmarshal(lows(low(1, 3)+low(7, 7)), &v))
	require.NotSame(t, old, v.E)
}

// The order of registration does not matter.
func TestUnionOrder(t *testing.T) {
	type packet struct {
		E [2]happening `bp:"union"`
	}
	again := tagcodec.MustFor[packet](tagcodec.WithUnion[happening](move{}), tagcodec.WithUnion[happening](chat{}, tick(0), move{}), tagcodec.WithUnion[happening](&bang{}))
	codec := tagcodec.MustFor[packet](happenings)
	require.Equal(t, codec.Hash(), again.Hash())
	v := packet{[2]happening{chat{"x"}, &bang{1}}}
	data, err := codec.Append(nil, &v)
	require.NoError(t, err)
	same, err := again.Append(nil, &v)
	require.NoError(t, err)
	require.Equal(t, data, same)

	fewer := tagcodec.MustFor[packet](tagcodec.WithUnion[happening](chat{}, tick(0), move{}))
	require.NotEqual(t, codec.Hash(), fewer.Hash(), "the indices are others")
	_, err = fewer.Append(nil, &v)
	require.ErrorIs(t, err, tagcodec.ErrUnion)
	byValue := tagcodec.MustFor[packet](tagcodec.WithUnion[happening](chat{}, tick(0), move{}, bang{}))
	require.Equal(t, codec.Hash(), byValue.Hash(), "pointers are no part of the wire")
}

// announcement gets its members from RegisterUnion.
type announcement interface{ announce() string }

type (
	opening struct{ Door uint8 }
	closing struct{ Hour uint8 }
)

func (opening) announce() string  { return "open" }
func (*closing) announce() string { return "closed" }

func init() {
	tagcodec.RegisterUnion[announcement](opening{})
	tagcodec.RegisterUnion[announcement](&closing{}, opening{}) // registering a member again has no effect
}

func TestRegisterUnion(t *testing.T) {
	type packet struct {
		A announcement `bp:"union"`
	}
	runGolden(t, []golden[packet]{
		{"closing goes before opening", packet{&closing{9}}, low(1, 2) + low(9, 8), nil},
		{"opening", packet{opening{1}}, low(2, 2) + low(1, 8), nil},
	})
	runGolden(t, []golden[packet]{
		{"a codec's own members take their place", packet{opening{1}}, low(1, 1) + low(1, 8), nil},
	}, tagcodec.WithUnion[announcement](opening{}))
	data, err := tagcodec.Marshal(packet{opening{1}})
	require.NoError(t, err)
	require.Equal(t, lows(low(2, 2)+low(1, 8)), data)

	panics := func(text string, f func()) {
		t.Helper()
		require.PanicsWithValue(t, text, f)
	}
	panics("typecache: the union of tagcodec_test.announcement is in use: register all of its types first", func() {
		tagcodec.RegisterUnion[announcement](&closing{})
	})
	type opening struct{}
	first := happening(opening{})
	func() {
		type opening struct{}
		panics("typecache: tagcodec_test.opening and tagcodec_test.opening have the same name in the union of tagcodec_test.happening: rename one", func() {
			tagcodec.MustFor[packet](tagcodec.WithUnion(first, happening(opening{})))
		})
	}()
	panics("typecache: tagcodec_test.bang and *tagcodec_test.bang have the same name in the union of tagcodec_test.happening: rename one", func() {
		tagcodec.MustFor[packet](tagcodec.WithUnion[happening](bang{}, &bang{}))
	})
	panics("typecache: <nil> does not implement tagcodec_test.happening", func() {
		tagcodec.MustFor[packet](tagcodec.WithUnion[happening](nil))
	})
	panics("typecache: int is not an interface", func() { tagcodec.RegisterUnion[int](1) })
	panics("tagcodec: With: the unions and checks of a codec cannot be changed: give them to For", func() {
		tagcodec.MustFor[packet]().With(happenings)
	})
}
