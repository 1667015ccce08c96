package tagcodec_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// steps serializes itself in 3 to 59 bits.
type steps struct{ Turns []uint8 }

func (v *steps) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &v.Turns, "uint,bits=8,maxlen=7")
	return s.Err()
}

// route is steps that declares to have 2 turns at most, and trek one that
// declares 3.
type (
	route struct{ steps }
	trek  struct{ steps }
)

func (*route) MaxBits() int { return 3 + 2*8 }
func (*trek) MaxBits() int  { return 3 + 3*8 }

// march holds a route at a bit that is not the start of a byte.
type march struct {
	On    bool
	Route route
	After uint8
}

// marches may hold several routes, each of which may be absent.
type marches struct {
	All []*route `bp:"maxlen=3"`
}

func turns(n int) steps { return steps{make([]uint8, n)} }

// MaxBits bounds the messages of every type that holds one that serializes
// itself, and a value of more bits is refused on both sides.
func TestMaxBits(t *testing.T) {
	require.Equal(t, typecache.Unbounded, tagcodec.MustFor[steps]().MaxBits())
	require.Equal(t, 19, tagcodec.MustFor[route]().MaxBits())
	require.Equal(t, 1+19+8, tagcodec.MustFor[march]().MaxBits())
	require.Equal(t, 4, tagcodec.MustFor[march]().MaxSize())
	require.Equal(t, 2+3*(1+19), tagcodec.MustFor[marches]().MaxBits())

	longest := low(2, 3) + low(0, 16)
	runGolden(t, []golden[march]{
		{"the most bits", march{true, route{turns(2)}, 3}, "1" + longest + low(3, 8), nil},
		{"fewer", march{true, route{turns(1)}, 3}, "1" + low(1, 3) + low(0, 8) + low(3, 8), nil},
	})
	tooLong := low(3, 3) + low(0, 24)
	runRefused(t, []refused[march]{
		{name: "written", value: march{Route: route{turns(3)}}, err: tagcodec.ErrLength,
			text: "march.Route at bit 1: length out of bounds: 27 is outside [0, 19]"},
		{name: "read", bits: "1" + tooLong + low(3, 8), err: tagcodec.ErrLength,
			text: "march.Route at bit 1: length out of bounds: 27 is outside [0, 19]"},
	})
	runRefused(t, []refused[marches]{
		{name: "an element, written", value: marches{[]*route{nil, {turns(7)}}}, err: tagcodec.ErrLength,
			text: "marches.All[1] at bit 4: length out of bounds: 59 is outside [0, 19]"},
		{name: "an element, read", bits: low(2, 2) + "0" + "1" + tooLong, err: tagcodec.ErrLength,
			text: "marches.All[1] at bit 4: length out of bounds: 27 is outside [0, 19]"},
	})
}

// A part that a Serialize method hands back keeps its bounds on any Stream.
func TestMaxBitsOfAPart(t *testing.T) {
	w := bits.NewAppendWriter(nil)
	w.WriteBits(1, 5)
	s := bits.NewWriteStream(w)
	require.ErrorIs(t, tagcodec.Serialize(s, &march{Route: route{turns(3)}}), tagcodec.ErrLength)

	var v march
	r := bits.NewReader([]byte{0x06, 0, 0, 0, 0}) // a false bool, and three turns
	require.ErrorIs(t, tagcodec.Serialize(bits.NewReadStream(r), &v), tagcodec.ErrLength)
}

// The hash includes the maximum, which readers enforce.
func TestMaxBitsInHash(t *testing.T) {
	text := func(plan *typecache.Plan) string { return plan.Text() }
	require.Contains(t, text(tagcodec.MustFor[route]().Plan()), "custom tagcodec_test.route, at most 19 bits\n")
	require.Contains(t, text(tagcodec.MustFor[trek]().Plan()), "custom tagcodec_test.trek, at most 27 bits\n")
	require.Contains(t, text(tagcodec.MustFor[steps]().Plan()), "custom tagcodec_test.steps\n")
	require.Contains(t, text(tagcodec.MustFor[struct {
		V []trek `bp:"maxlen=3"`
	}]().Plan()), "custom tagcodec_test.trek, not empty, at most 27 bits\n")
}

// Types whose MaxBits is of no use.
type (
	negative struct{ steps }
	empty    struct{ steps }
	endless  struct{ steps }
	absent   struct {
		steps
		*trekker
	}
	trekker struct{ Bits int }
)

func (*negative) MaxBits() int  { return -1 }
func (*empty) MaxBits() int     { return 0 }
func (*endless) MaxBits() int   { return math.MaxInt }
func (v *trekker) MaxBits() int { return v.Bits }

func TestMaxBitsRefused(t *testing.T) {
	_, err := tagcodec.For[struct{ V negative }]()
	require.ErrorContains(t, err, "MaxBits of tagcodec_test.negative is -1, and must be at least 0")
	_, err = tagcodec.For[struct {
		V []empty `bp:"maxlen=3"`
	}]()
	require.ErrorContains(t, err, "MaxBits of tagcodec_test.empty is 0, and must be at least 1")
	_, err = tagcodec.For[absent]()
	require.ErrorContains(t, err, "MaxBits of a zero tagcodec_test.absent panics: ")

	require.Zero(t, tagcodec.MustFor[struct{ V empty }]().MaxBits())
	require.Equal(t, typecache.Unbounded, tagcodec.MustFor[endless]().MaxBits())
	require.NotContains(t, tagcodec.MustFor[endless]().Plan().Text(), "at most")
}
