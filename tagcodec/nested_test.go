package tagcodec_test

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// chain serializes itself by its tags, as the documentation of Serialize shows.
type chain struct {
	V    bool
	Next *chain
}

var chainCalls int

func (c *chain) Serialize(s *bits.Stream) error {
	chainCalls++
	type tagged chain
	return tagcodec.Serialize(s, (*tagged)(c))
}

// rewrapped passes on a new stream over the same Reader or Writer.
type rewrapped struct {
	V    bool
	Next *rewrapped
}

func (c *rewrapped) Serialize(s *bits.Stream) error {
	type tagged rewrapped
	if s.Reading() {
		return tagcodec.Serialize(bits.NewReadStream(s.Reader()), (*tagged)(c))
	}
	return tagcodec.Serialize(bits.NewWriteStream(s.Writer()), (*tagged)(c))
}

// fielded gives its parts to Field.
type fielded struct {
	V    bool
	Next *fielded
}

func (c *fielded) Serialize(s *bits.Stream) error {
	s.Bool(&c.V)
	tagcodec.Field(s, &c.Next, "")
	return s.Err()
}

// twig serializes itself with a codec and wraps the error.
type twig struct {
	Name string `bp:"maxlen=3"`
	Next *twig
}

type taggedTwig twig

var twigs = tagcodec.MustFor[taggedTwig]()

func (c *twig) Serialize(s *bits.Stream) error {
	if err := twigs.Serialize(s, (*taggedTwig)(c)); err != nil {
		return errors.Join(errors.New("a twig"), err)
	}
	return nil
}

// form has binary methods that use its own tags.
type form struct {
	Next *form `bp:"binary,maxlen=0xffff"`
	Last uint8 `bp:"int,min=0,max=1"`
}

func (f *form) MarshalBinary() ([]byte, error) { return tagcodec.Marshal((*taggedForm)(f)) }

func (f *form) UnmarshalBinary(data []byte) error {
	return tagcodec.Unmarshal(data, (*taggedForm)(f))
}

type taggedForm form

// took returns the number of bytes that f allocates.
func took(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// needsDepth skips a test of the default depth where the stack has fewer levels.
func needsDepth(t *testing.T) {
	if core.MaxStackLevels < tagcodec.DefaultMaxDepth {
		t.Skip("the stack of WebAssembly has fewer levels")
	}
}

// TestSerializeKeepsTheDepth decodes messages that nest without end. The limit
// of the codec holds, whichever function is called, and the cost of a refusal
// does not grow with the message.
func TestSerializeKeepsTheDepth(t *testing.T) {
	needsDepth(t)
	rows := []struct {
		name string
		read func(data []byte, opts ...tagcodec.Option) error
		bit  int // bits per level
		last int // bits of the last level before the error
	}{
		{"by its tags", func(data []byte, opts ...tagcodec.Option) error {
			return tagcodec.MustFor[chain](opts...).Unmarshal(data, new(chain))
		}, 2, 0},
		{"by a stream of its own", func(data []byte, opts ...tagcodec.Option) error {
			return tagcodec.MustFor[rewrapped](opts...).Unmarshal(data, new(rewrapped))
		}, 2, 0},
		{"by Field", func(data []byte, opts ...tagcodec.Option) error {
			return tagcodec.MustFor[fielded](opts...).Unmarshal(data, new(fielded))
		}, 2, 1},
		{"in another value", func(data []byte, opts ...tagcodec.Option) error {
			return tagcodec.MustFor[struct{ C chain }](opts...).Unmarshal(data, new(struct{ C chain }))
		}, 2, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for _, n := range []int{1200, 30000, 65507} {
				data := bytes.Repeat([]byte{0xFF}, n)
				var err error
				bytes := took(func() { err = row.read(data) })
				require.ErrorIs(t, err, tagcodec.ErrDepth)
				var e *tagcodec.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, row.bit*tagcodec.DefaultMaxDepth+row.last, e.Bit)
				require.LessOrEqual(t, len(e.Path), 512)
				require.Contains(t, e.Path, ".Next.Next[...].Next.Next")
				require.LessOrEqual(t, len(err.Error()), 700)
				require.Equal(t, &bits.Error{Op: "read", Bit: e.Bit, Err: tagcodec.ErrDepth, Value: tagcodec.DefaultMaxDepth + 1, Min: 0, Max: tagcodec.DefaultMaxDepth}, e.Err)
				require.LessOrEqual(t, bytes, uint64(4<<20), "%d bytes", n)

				err = row.read(data, tagcodec.WithMaxDepth(3))
				require.ErrorAs(t, err, &e)
				require.Equal(t, row.bit*3+row.last, e.Bit)
				require.True(t, strings.HasSuffix(e.Path, ".Next.Next.Next"), e.Path)

				require.Equal(t, tagcodec.ErrDepth, row.read(data, tagcodec.WithSentinelErrors()), "brief, through every level")
			}
		})
	}
}

// TestSerializeIsCalledOnce counts the method calls when values are written,
// read, refused, and read from a stream.
func TestSerializeIsCalledOnce(t *testing.T) {
	needsDepth(t)
	v := &chain{V: true}
	for range 99 {
		v = &chain{Next: v}
	}
	chainCalls = 0
	data, err := tagcodec.Marshal(v)
	require.NoError(t, err)
	require.Equal(t, 100, chainCalls)

	chainCalls = 0
	require.NoError(t, tagcodec.Unmarshal(data, new(chain)))
	require.Equal(t, 100, chainCalls)

	chainCalls = 0
	require.ErrorIs(t, tagcodec.Unmarshal(data[:len(data)-1], new(chain)), tagcodec.ErrOverread)
	require.LessOrEqual(t, chainCalls, 100)

	chainCalls = 0
	require.ErrorIs(t, tagcodec.Unmarshal(bytes.Repeat([]byte{0xFF}, 9000), new(chain)), tagcodec.ErrDepth)
	require.Equal(t, tagcodec.DefaultMaxDepth+1, chainCalls)
}

// TestSerializeWritesADepth refuses a cyclic value.
func TestSerializeWritesADepth(t *testing.T) {
	needsDepth(t)
	ring := &chain{V: true}
	ring.Next = ring
	_, err := tagcodec.Marshal(ring)
	require.ErrorIs(t, err, tagcodec.ErrDepth)
	var e *tagcodec.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 2*tagcodec.DefaultMaxDepth, e.Bit)
	_, err = tagcodec.MustFor[chain](tagcodec.WithMaxDepth(4)).Append(nil, ring)
	require.ErrorAs(t, err, &e)
	require.Equal(t, "chain.Next.Next.Next.Next", e.Path)

	fits := &chain{Next: &chain{Next: &chain{V: true}}}
	codec := tagcodec.MustFor[chain](tagcodec.WithMaxDepth(3))
	data, err := codec.Append(nil, fits)
	require.NoError(t, err)
	require.Equal(t, []byte{0b011010}, data)
	got := new(chain)
	require.NoError(t, codec.Unmarshal(data, got))
	require.Equal(t, fits, got)
}

// TestSerializeErrorsStayShort has methods that wrap an error at each of a
// thousand levels. The resulting Error is that of the innermost part.
func TestSerializeErrorsStayShort(t *testing.T) {
	data := bytes.Repeat([]byte{0b11100100}, 65507) // empty names and non-nil pointers
	for _, n := range []int{2, 100, 65507} {
		var err error
		bytes := took(func() { err = tagcodec.Unmarshal(data[:n], new(twig)) })
		require.Error(t, err)
		require.LessOrEqual(t, len(err.Error()), 700)
		require.LessOrEqual(t, bytes, uint64(4<<20))
	}
}

// TestBinaryFormsStayShort nests messages in messages. Their errors are wrapped
// up to a fixed number of levels, and the length of the message bounds the
// number of levels.
func TestBinaryFormsStayShort(t *testing.T) {
	deep := &form{Last: 1}
	for range 300 {
		deep = &form{Next: deep}
	}
	data, err := tagcodec.Marshal((*taggedForm)(deep))
	require.NoError(t, err)
	require.NoError(t, tagcodec.Unmarshal(data, new(taggedForm)))
	for i := range data {
		damaged := bytes.Clone(data)
		damaged[i] ^= 0xFF
		if err := tagcodec.Unmarshal(damaged, new(taggedForm)); err != nil {
			require.LessOrEqual(t, len(err.Error()), 20*200, "%d", i)
		}
	}
}

type (
	// thing is a union whose members are known to one codec only.
	thing any
	crate struct{ In thing }
)

func (c *crate) Serialize(s *bits.Stream) error {
	part := struct {
		In thing `bp:"union"`
	}{c.In}
	err := tagcodec.Serialize(s, &part)
	c.In = part.In
	return err
}

// TestSerializeKeepsUnions has a Serialize method pass on a union whose members
// only the codec knows.
func TestSerializeKeepsUnions(t *testing.T) {
	type small struct{ N uint8 }
	type large struct{ N uint64 }
	codec := tagcodec.MustFor[struct{ C crate }](tagcodec.WithUnion[thing](small{}, large{}))
	data, err := codec.Append(nil, &struct{ C crate }{crate{small{7}}})
	require.NoError(t, err)
	require.Equal(t, []byte{2 | 7<<2, 0}, data)
	var got struct{ C crate }
	require.NoError(t, codec.Unmarshal(data, &got))
	require.Equal(t, crate{small{7}}, got.C)
	_, err = tagcodec.Marshal(&struct{ C crate }{crate{small{7}}})
	require.ErrorContains(t, err, "no types are registered")
}

type (
	home    struct{ N uint8 }
	visitor struct{ Home *home }
	party   struct {
		Guests [2]visitor
		Last   uint8 `bp:"int,min=0,max=2"`
	}
)

func (v *visitor) Serialize(s *bits.Stream) error {
	part := struct {
		Home **home `bp:"-"`
		Link *home  `bp:"link,bits=7"`
	}{Link: v.Home}
	err := tagcodec.Serialize(s, &part)
	v.Home = part.Link
	return err
}

// TestSerializeKeepsTheLinker resolves links in parts. Unknown links are
// reported to the Linker only if the whole message is accepted.
func TestSerializeKeepsTheLinker(t *testing.T) {
	objects := tagcodec.NewLinkingContext()
	here := &home{1}
	require.NoError(t, objects.Add(5, here))
	codec := tagcodec.MustFor[party]().With(tagcodec.WithLinker(objects))
	data, err := codec.Append(nil, &party{Guests: [2]visitor{{here}, {nil}}})
	require.NoError(t, err)
	require.Equal(t, []byte{5, 0}, data)
	var got party
	require.NoError(t, codec.Unmarshal(data, &got))
	require.Same(t, here, got.Guests[0].Home)

	require.ErrorIs(t, codec.Unmarshal([]byte{9, 0xC0}, &got), tagcodec.ErrRange)
	require.Empty(t, objects.Waiting(), "the message was refused after its first part")
	require.NoError(t, codec.Unmarshal([]byte{9, 0}, &got))
	require.Len(t, objects.Waiting(), 1)
}

// TestPartsCountOnTheirBits passes on parts that start in the middle of a byte,
// where they align differently than at the start of a message.
func TestPartsCountOnTheirBits(t *testing.T) {
	type part struct {
		List []struct {
			A uint8    `bp:"uint,bits=3"`
			_ struct{} `bp:"align"`
			B uint16   `bp:"uint,bits=9"`
		} `bp:"maxlen=1"`
	}
	for phase := range 8 {
		var v part
		v.List = append(v.List, struct {
			A uint8    `bp:"uint,bits=3"`
			_ struct{} `bp:"align"`
			B uint16   `bp:"uint,bits=9"`
		}{A: 5, B: 300})
		w := bits.NewAppendWriter(nil)
		if phase > 0 {
			w.WriteBits(0, phase)
		}
		require.NoError(t, tagcodec.Serialize(bits.NewWriteStream(w), &v))
		r := bits.NewReader(w.Bytes())
		if phase > 0 {
			r.ReadBits(phase)
		}
		var got part
		require.NoError(t, tagcodec.Serialize(bits.NewReadStream(r), &got), "from bit %d", phase)
		require.Equal(t, v, got)
	}
}

// TestSerializeIsBounded sets no depth limit, so the limit that protects the
// stack applies.
func TestSerializeIsBounded(t *testing.T) {
	deep := tagcodec.MustFor[chain](tagcodec.WithMaxDepth(math.MaxInt))
	err := deep.Unmarshal(bytes.Repeat([]byte{0xFF}, 1<<18), new(chain))
	require.ErrorIs(t, err, tagcodec.ErrDepth)
	var e *tagcodec.Error
	require.ErrorAs(t, err, &e)
	require.LessOrEqual(t, e.Bit, 2*core.MaxStackLevels)
	require.GreaterOrEqual(t, e.Bit, core.MaxStackLevels/2)
}
