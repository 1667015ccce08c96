package tagcodec_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// aim is a tagged struct that shot serializes by hand. grid contains a shot.
type (
	aim struct {
		Name string `bp:"maxlen=3"`
		X    int8   `bp:"int,min=-4,max=3"`
	}
	shot struct {
		Kind uint8
		At   aim
	}
	grid struct {
		Before bool
		Shot   shot
		After  bool
	}
)

func (v *shot) Serialize(s *bits.Stream) error {
	bits.Bits(s, &v.Kind, 2)
	if v.Kind == 1 {
		return tagcodec.Serialize(s, &v.At)
	}
	return s.Err()
}

func TestGoldenCustom(t *testing.T) {
	runGolden(t, []golden[grid]{
		{"without the tagged struct", grid{true, shot{Kind: 2}, true}, "1" + low(2, 2) + "1", nil},
		{"its text is aligned from the start of the message", grid{false, shot{1, aim{"ab", 3}}, true},
			"0" + low(1, 2) + low(2, 2) + "000" + low('a', 8) + low('b', 8) + low(7, 3) + "1", nil},
	})
	runRefused(t, []refused[grid]{
		{name: "a field of the tagged struct is cut off", bits: "0" + low(1, 2) + low(0, 2) + "000" + "", err: tagcodec.ErrOverread,
			text: "grid.Shot at bit 3: read past the end of the data: 6 more bits needed, 5 left"},
		{name: "bad padding in it", bits: "0" + low(1, 2) + low(0, 2) + "010 00000000", err: tagcodec.ErrPadding,
			text: "grid.Shot.Name at bit 5: padding is not zero: it is 0x2"},
		{name: "a field of it is out of range", value: grid{Shot: shot{1, aim{"", 4}}}, err: tagcodec.ErrRange,
			text: "grid.Shot.X at bit 8: value out of range: 4 is outside [-4, 3]"},
		{name: "what it writes itself", value: grid{Shot: shot{Kind: 4}}, err: tagcodec.ErrRange,
			text: "grid.Shot at bit 1: value out of range: 4 is outside [0, 3]"},
	})
}

// A Serialize method can code a tagged struct on any kind of Stream.
func TestSerialize(t *testing.T) {
	write := func(w *bits.Writer, serialize func(s *bits.Stream, v *aim) error) error {
		w.WriteBits(5, 3)
		return serialize(bits.NewWriteStream(w), &aim{"a", -4})
	}
	codec := tagcodec.MustFor[aim]()
	for name, serialize := range map[string]func(s *bits.Stream, v *aim) error{
		"function": func(s *bits.Stream, v *aim) error { return tagcodec.Serialize(s, v) }, "codec": codec.Serialize,
	} {
		t.Run(name, func(t *testing.T) {
			want := lows("101" + low(1, 2) + "000" + low('a', 8) + low(0, 3))
			w := bits.NewWriter(make([]byte, 3))
			require.NoError(t, write(w, serialize))
			require.Equal(t, 19, w.Bit())
			require.Equal(t, want, w.Bytes())

			after := bits.NewAppendWriter([]byte{0xEE})
			require.NoError(t, write(after, serialize))
			require.Equal(t, append([]byte{0xEE}, want...), after.Bytes())

			measure := bits.NewMeasurer()
			require.NoError(t, write(measure, serialize))
			require.Equal(t, 19, measure.Bit())

			short := bits.NewWriter(make([]byte, 2))
			require.ErrorIs(t, write(short, serialize), bits.ErrOverflow)

			r := bits.NewReader(want)
			r.Skip(3)
			var v aim
			require.NoError(t, serialize(bits.NewReadStream(r), &v))
			require.Equal(t, aim{"a", -4}, v)
			require.Equal(t, 19, r.Bit())

			// After an error the Stream does nothing and keeps the first error.
			first := errors.New("first")
			failed := bits.NewReader(want)
			failed.Fail(first)
			v = aim{"b", 1}
			require.Equal(t, first, serialize(bits.NewReadStream(failed), &v))
			require.Equal(t, aim{"b", 1}, v)
			require.EqualError(t, serialize(bits.NewWriteStream(bits.NewMeasurer()), nil),
				map[string]string{
					"function": "tagcodec: serialize aim: bad argument: the pointer is nil",
					"codec":    "tagcodec: serialize aim: bad argument: the pointer is nil",
				}[name])
		})
	}
	s := bits.NewWriteStream(bits.NewMeasurer())
	require.EqualError(t, tagcodec.Serialize(s, aim{}), "tagcodec: serialize aim: bad argument: pass a pointer to the variable to fill")
	s = bits.NewWriteStream(bits.NewMeasurer())
	require.ErrorIs(t, tagcodec.Serialize(s, new(struct{ C chan int })), typecache.ErrTag)
	require.Error(t, s.Err())
}

// byTags serializes itself by its tags, followed by a checksum over them.
type byTags struct {
	A, B uint8 `bp:"uint,bits=4"`
}

func (v *byTags) Serialize(s *bits.Stream) error {
	type tagged byTags
	if err := tagcodec.Serialize(s, (*tagged)(v)); err != nil {
		return err
	}
	s.Check(uint32(v.A) + uint32(v.B))
	return s.Err()
}

func TestSerializeOwnTags(t *testing.T) {
	runGolden(t, []golden[byTags]{{"the tags and a check", byTags{3, 9}, low(3, 4) + low(9, 4) + low(12, 32), nil}})
	runRefused(t, []refused[byTags]{
		{name: "another sum", bits: low(3, 4) + low(9, 4) + low(13, 32), err: tagcodec.ErrCheck, text: "byTags at bit 8: check failed: is 0xd, should be 0xc"},
	})
}

// The parts that Serialize methods pass on are named like fields, at any depth.
type (
	outerPart struct{ Inner innerPart }
	innerPart struct {
		On   bool
		List [2]struct {
			N uint8 `bp:"int,min=1,max=5"`
		}
		Other []byte // contains another message
	}
)

func (v *outerPart) Serialize(s *bits.Stream) error {
	var pad uint32
	bits.Bits(s, &pad, 9)
	type tagged outerPart
	return tagcodec.Serialize(s, (*tagged)(v))
}

func (v *innerPart) Serialize(s *bits.Stream) error {
	if s.Bool(&v.On); v.On {
		return tagcodec.Unmarshal([]byte{0xFF}, &v.List[0])
	}
	return tagcodec.Serialize(s, &v.List)
}

func TestSerializeErrorsJoin(t *testing.T) {
	type packet struct {
		N     uint8       `bp:"uint,bits=3"`
		Parts []outerPart `bp:"maxlen=3"`
	}
	good := packet{Parts: make([]outerPart, 2)}
	for i := range good.Parts {
		for k := range good.Parts[i].Inner.List {
			good.Parts[i].Inner.List[k].N = 5
		}
	}
	bad := good
	bad.Parts = slices.Clone(good.Parts)
	bad.Parts[1].Inner.List[1].N = 6
	foreign := good
	foreign.Parts = []outerPart{{Inner: innerPart{On: true}}}
	part := low(0, 9) + "0" + low(4, 3)
	const other = "tagcodec: unmarshal struct { N uint8 \"bp:\\\"int,min=1,max=5\\\"\" }.N at bit 0: value out of range: 8 is outside [1, 5]"
	const where, what = "packet.Parts[1].Inner[1].N at bit 34: value out of range: ", " is outside [1, 5]"
	runRefused(t, []refused[packet]{
		{name: "written", value: bad, err: tagcodec.ErrRange, text: where + "6" + what},
		{name: "read", bits: low(0, 3) + "01" + part + low(4, 3) + part + low(5, 3), err: tagcodec.ErrRange, text: where + "6" + what},
		{name: "an error of another message", value: foreign, err: tagcodec.ErrRange,
			text: "packet.Parts[0].Inner at bit 14: " + other},
		{name: "of another message when reading", bits: low(0, 3) + "10" + low(0, 9) + "1", err: tagcodec.ErrRange,
			text: "packet.Parts[0].Inner at bit 15: " + other},
	})

	// errors.As finds an Error whose path names the parts as fields.
	_, err := tagcodec.Marshal(&bad)
	var whole *tagcodec.Error
	require.ErrorAs(t, err, &whole)
	require.Equal(t, reflect.TypeFor[packet](), whole.Type)
	require.Equal(t, "packet.Parts[1].Inner[1].N", whole.Path)
	require.Equal(t, 34, whole.Bit)
	require.Equal(t, &bits.Error{Op: "write", Bit: 34, Err: tagcodec.ErrRange, Value: uint64(6), Min: uint64(1), Max: uint64(5)}, whole.Err)
}

// silent writes nothing, so any number of them would be free.
type silent struct{}

func (*silent) Serialize(*bits.Stream) error { return nil }

// picky returns its own error.
type picky struct{ On bool }

var errPicky = errors.New("not today")

func (v *picky) Serialize(s *bits.Stream) error {
	s.Bool(&v.On)
	if v.On {
		return errPicky
	}
	return nil
}

func TestCustomRefusals(t *testing.T) {
	type packet struct {
		Alone silent
		Many  []silent `bp:"maxlen=3"`
		Picky picky
	}
	free := fmt.Sprintf("packet.Many[0] at bit 2: length out of bounds: 0 is outside [1, %d]", math.MaxInt)
	runGolden(t, []golden[packet]{{"a value that takes no bits", packet{}, "00 0", nil}})
	runRefused(t, []refused[packet]{
		{name: "many that take none", bits: "11 0", err: tagcodec.ErrLength, text: free},
		{name: "written", value: packet{Many: make([]silent, 2)}, err: tagcodec.ErrLength, text: free},
		{name: "an error of its own", bits: "00 1", err: errPicky, text: "packet.Picky at bit 3: not today"},
		{name: "when writing", value: packet{Picky: picky{true}}, err: errPicky, text: "packet.Picky at bit 2: not today"},
	})
}

// The options of a codec apply to links and depths inside a Serialize method.
func TestSerializeOptions(t *testing.T) {
	context := tagcodec.NewLinkingContext()
	home := &homeBase{}
	require.NoError(t, context.Add(3, home))
	codec := tagcodec.MustFor[cat](tagcodec.WithLinker(context))
	w := bits.NewWriter(make([]byte, 2))
	require.NoError(t, codec.Serialize(bits.NewWriteStream(w), &cat{1, home}))
	require.Equal(t, lows(low(1, 4)+low(3, 8)), w.Bytes())
	require.ErrorIs(t, tagcodec.Serialize(bits.NewWriteStream(bits.NewMeasurer()), &cat{1, home}), tagcodec.ErrLink)
	require.ErrorIs(t, tagcodec.MustFor[wagon](tagcodec.WithMaxDepth(1)).Serialize(bits.NewReadStream(bits.NewReader([]byte{0xFF, 0xFF})), new(wagon)), tagcodec.ErrDepth)
}
