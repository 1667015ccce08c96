package delta

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec"
)

// victim is a type with images and messages to attack.
type victim struct {
	*subject
	images   []*Image
	refs     []Refs
	messages [][]byte // messages[i] refers to refs[i]
}

// newVictim returns a victim of a random type, or nil if the type is refused.
func newVictim(t testing.TB, g *generator) *victim {
	typ := g.structOf(2)
	s, err := newSubject(typ)
	if err != nil {
		return nil
	}
	x := &victim{subject: s}
	v := reflect.New(typ).Elem()
	g.touch(v, "", 0.9)
	for tick := range 5 {
		message, err := tagcodec.Marshal(v.Interface())
		require.NoError(t, err)
		image, err := s.parsed(message, false)
		require.NoError(t, err)
		x.images = append(x.images, image)
		refs := Refs{Tick: uint64(tick)}
		if tick > 0 {
			refs.Base = Ref{uint64(tick) - 1, x.images[tick-1]}
		}
		if tick > 2 {
			refs.Older = [2]Ref{{uint64(tick) - 2, x.images[tick-2]}, {uint64(tick) - 3, x.images[tick-3]}}
		}
		data, err := s.append(nil, image, &refs, nil)
		require.NoError(t, err)
		x.refs, x.messages = append(x.refs, refs), append(x.messages, data)
		g.touch(v, "", 0.3)
	}
	return x
}

// attack reads data against references. What is accepted must be a value that
// Unmarshal accepts, and takes no more memory than its bits and references pay
// for.
func (x *victim) attack(t testing.TB, data []byte, refs *Refs) (accepted bool) {
	if len(data) > 0 && data[0]&1 == 1 {
		return false // a whole message, which Unmarshal reads first
	}
	e, _ := x.explain(data, refs)
	checkParts(t, data, e)
	image, err := x.decode(data, refs)
	require.Equal(t, err, e.Err)
	grown := 0
	for i, tab := range x.schema.tables {
		size := tab.stride + 8*len(tab.lists) + 16*tab.texts
		before := 1
		if refs.Base.Image != nil {
			before = refs.Base.Image.tables[i].n
		}
		// A row of the base may be there once for each list that holds it.
		grown = max(grown, (image.tables[i].n-before)*min(size, 256))
	}
	require.LessOrEqual(t, grown, 256*(8*len(data)+64)+1<<12, "%v", x.typ)
	if err != nil {
		return false
	}
	packed, err := image.pack(new(bits.Writer), []byte{})
	if err == nil {
		err = tagcodec.Unmarshal(packed, reflect.New(x.typ).Interface())
	}
	if !x.schema.verify {
		require.NoError(t, err, "%v", x.typ)
	}
	return err == nil
}

// mutate returns damaged data.
func (g *generator) mutate(data, other []byte) []byte {
	data = slices.Clone(data)
	switch g.IntN(5) {
	case 0:
		data = data[:g.IntN(len(data)+1)]
	case 1, 2:
		for range 1 + g.IntN(4) {
			if len(data) > 0 {
				data[g.IntN(len(data))] ^= 1 << g.IntN(8)
			}
		}
	case 3:
		data = append(data[:g.IntN(len(data)+1)], other[g.IntN(len(other)+1):]...)
	case 4:
		for i := range data {
			data[i] = byte(g.Uint32())
		}
	}
	return data
}

func TestHostile(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range uint64(effort.Rounds(t, 50)) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 4))}
		x := newVictim(t, g)
		if x == nil {
			continue
		}
		for range 200 {
			i, k := g.IntN(len(x.messages)), g.IntN(len(x.messages))
			if x.attack(t, g.mutate(x.messages[i], x.messages[k]), &x.refs[k]) {
				accepted++
			} else {
				refused++
			}
		}
	}
	t.Log(accepted, "accepted,", refused, "refused")
	require.Positive(t, accepted)
}

// TestEnd checks that a message ends where its values end.
func TestEnd(t *testing.T) {
	type pair struct{ A, B bool }
	c := MustFor[pair]()
	image, err := c.Quantize(&pair{true, true}, nil)
	require.NoError(t, err)
	data, err := c.Append(nil, image, Refs{})
	require.NoError(t, err)
	_, err = c.Read(data, Refs{}, nil)
	require.NoError(t, err)
	_, err = c.Read(append(slices.Clone(data), 0), Refs{}, nil)
	require.ErrorIs(t, err, ErrTrailing)
	for i := range data {
		_, err = c.Read(data[:i], Refs{}, nil)
		require.ErrorIs(t, err, ErrOverread)
	}
	data[len(data)-1] |= 0x80
	_, err = c.Read(data, Refs{}, nil)
	require.ErrorIs(t, err, ErrPadding)
	var at *Error
	require.True(t, errors.As(err, &at))
	require.Positive(t, at.Bit)
}

// five serializes itself in five bits.
type five struct{ V int32 }

func (f *five) Serialize(s *bits.Stream) error {
	bits.Int(s, &f.V, 0, 31)
	return s.Err()
}

// TestEndOfText checks that the text of a value that serializes itself ends where
// the value ends.
func TestEndOfText(t *testing.T) {
	type pair struct {
		A five
		B bool
	}
	c := MustFor[pair]()
	base, err := c.Quantize(&pair{}, nil)
	require.NoError(t, err)
	refs := Refs{Tick: 1, Base: Ref{0, base}}
	for _, row := range []struct {
		text string
		want error
	}{
		{"\x11", nil},
		{"\x31", ErrPadding},
		{"\x11\x00", ErrTrailing},
		{"", ErrOverread},
	} {
		image, err := c.Quantize(&pair{A: five{2}}, nil)
		require.NoError(t, err)
		image.size = 0 // of no whole message
		require.Equal(t, []string{"", "\x02"}, image.tables[0].texts)
		image.tables[0].texts[1] = row.text
		data, err := c.Append(nil, image, refs)
		require.NoError(t, err)
		back, err := c.Read(data, refs, nil)
		require.ErrorIs(t, err, row.want, "%q", row.text)
		if err == nil {
			var state pair
			require.NoError(t, c.Restore(back, &state))
			require.Equal(t, pair{A: five{17}}, state)
		}
	}
}

// TestElementsPay checks that each new element takes a bit, and one more for each
// 256 bytes.
func TestElementsPay(t *testing.T) {
	type big struct{ Words [4]uint64 }
	type list struct {
		Bigs []struct{ A, B, C, D, E, F, G, H, I big } `bp:"maxlen=100000"`
	}
	c := MustFor[list]()
	var l list
	l.Bigs = make([]struct{ A, B, C, D, E, F, G, H, I big }, 50000)
	image, err := c.Quantize(&l, nil)
	require.NoError(t, err)
	data, err := c.Append(nil, image, Refs{})
	require.NoError(t, err)
	require.GreaterOrEqual(t, 8*len(data), 2*50000)
	s, err := newSubject(reflect.TypeFor[list]())
	require.NoError(t, err)
	for _, n := range []int{10, 100, 1000} {
		_, err = c.Read(data[:n], Refs{}, nil)
		require.ErrorIs(t, err, ErrOverread)
		image, err := s.decode(data[:n], &Refs{})
		require.ErrorIs(t, err, ErrOverread)
		require.LessOrEqual(t, image.tables[1].n, 1+8*n/2, "no row is added that no bits are left for")
	}
}

// TestReferences checks references that are not valid.
func TestReferences(t *testing.T) {
	type pair struct{ A, B bool }
	type other struct{ A, B bool }
	c, d := MustFor[pair](), MustFor[other]()
	image, err := c.Quantize(&pair{}, nil)
	require.NoError(t, err)
	foreign, err := d.Quantize(&other{}, nil)
	require.NoError(t, err)
	for _, refs := range []Refs{
		{Tick: 5, Base: Ref{5, image}},
		{Tick: 5, Base: Ref{6, image}},
		{Tick: 500, Base: Ref{6, image}},
		{Tick: 5, Base: Ref{4, foreign}},
		{Tick: 5, Base: Ref{4, image}, Older: [2]Ref{{4, image}}},
		{Tick: 5, Base: Ref{4, image}, Older: [2]Ref{{3, foreign}}},
	} {
		_, err := c.Append(nil, image, refs)
		require.ErrorIs(t, err, ErrArgument)
		_, err = c.Read([]byte{0}, refs, nil)
		require.ErrorIs(t, err, ErrArgument)
	}
	_, err = c.Append(nil, nil, Refs{})
	require.ErrorIs(t, err, ErrArgument)
	image.Release()
	_, err = c.Append(nil, image, Refs{})
	require.ErrorIs(t, err, ErrArgument)
}

// FuzzRead reads data against the references of a random type.
func FuzzRead(f *testing.F) {
	for seed := range uint64(20) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 5))}
		if x := newVictim(f, g); x != nil {
			f.Add(seed, uint8(4), x.messages[4])
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, k uint8, data []byte) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 5))}
		if x := newVictim(t, g); x != nil {
			x.attack(t, data, &x.refs[int(k)%len(x.refs)])
		}
	})
}

// FuzzReceiver reads messages in any order, damaged or not.
func FuzzReceiver(f *testing.F) {
	f.Add(uint64(1), []byte{1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, seed uint64, order []byte) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 6))}
		c := MustFor[struct {
			N    int32 `bp:"pred=lin"`
			List []struct {
				ID uint8 `bp:"key"`
				V  int16
			} `bp:"maxlen=9"`
		}]()
		s, r := c.NewSender(), c.NewReceiver()
		state := c.state()
		for tick, b := range order {
			v := reflect.ValueOf(state).Elem()
			g.touch(v.Field(0), "", 0.5)
			image, err := c.Quantize(state, nil)
			require.NoError(t, err)
			data, err := s.Append(nil, uint64(tick), image)
			require.NoError(t, err)
			if len(data) == 0 {
				continue
			}
			if b&1 == 1 {
				data = g.mutate(data, order)
			}
			into := *state
			e := r.Explain(data)
			checkParts(t, data, &tagcodec.Explanation{Parts: e.Parts, Err: ErrLate})
			got, err := r.Read(data, &into)
			if require.Equal(t, err == nil, e.Err == nil); err == nil && b&2 == 2 {
				s.Ack(got)
			}
		}
	})
}
