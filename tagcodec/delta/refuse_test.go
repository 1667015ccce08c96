package delta

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
)

// TestOptionalZero checks that an optional value that is present and zero is
// refused where no codec verifies the whole message, also in an element and in one
// that is new.
func TestOptionalZero(t *testing.T) {
	type elem struct {
		ID  uint8 `bp:"key"`
		Opt int8  `bp:"int,min=-5,max=9,optional"`
	}
	type state struct {
		List []elem `bp:"maxlen=3"`
	}
	c := MustFor[state]()
	require.False(t, c.schema.verify)
	in := c.schema.tables[1]
	base, err := c.Quantize(&state{[]elem{{1, 0}}}, nil)
	require.NoError(t, err)
	for row, change := range map[int32]state{
		1: {[]elem{{1, 2}}},
		2: {[]elem{{1, 0}, {2, 2}}},
	} {
		image, err := c.Quantize(&change, nil)
		require.NoError(t, err)
		image.size = 0 // of no whole message
		cell := &in.cells[in.nonzero[0]]
		for value, want := range map[int64]error{2: nil, 0: ErrNotCanonical} {
			cell.store(image.tables[1].data, int(row)*in.stride, uint64(value+5))
			refs := Refs{Tick: 1, Base: Ref{0, base}}
			data, err := c.Append(nil, image, refs)
			require.NoError(t, err)
			_, err = c.Read(data, refs, nil)
			require.ErrorIs(t, err, want, "%d in row %d", value, row)
		}
	}
}

// TestBadTexts checks that a text is refused where no codec verifies the whole
// message, in a field and in a key, with what is wrong at the bit where it starts.
func TestBadTexts(t *testing.T) {
	type state struct {
		Before uint8
		Name   string          `bp:"maxlen=5"`
		Wide   string          `bp:"wstring,maxlen=5"`
		Label  [6]byte         `bp:"cstring"`
		Keys   map[string]bool `bp:"maxlen=4,key.maxlen=5"`
	}
	c := MustFor[state]()
	require.False(t, c.schema.verify)
	for at, bit := range []int{7, 20, 33, 47} { // of the name, the wide name, the label, and the key
		for _, row := range []struct {
			text string
			want bits.Error
		}{
			{"abc\x00", bits.Error{Err: ErrText, Value: bits.BadText{Index: 3}}},
			{"é\xC0\x80", bits.Error{Err: ErrText, Value: bits.BadText{Index: 2, Unit: 0xC0}}},
			{"a\xE2\x82", bits.Error{Err: ErrText, Value: bits.BadText{Index: 1, Unit: 0xE2}}},
			{"longer", bits.Error{Err: ErrLength, Value: 6, Min: 0, Max: 5}},
		} {
			image, err := c.Quantize(&state{Before: 1, Name: "a", Wide: "b", Label: [6]byte{'c'}, Keys: map[string]bool{"d": true}}, nil)
			require.NoError(t, err)
			image.size = 0 // of no whole message
			slot := &image.tables[at/3].texts[c.schema.tables[at/3].texts+at%3]
			*slot = row.text
			data, err := c.Append(nil, image, Refs{})
			require.NoError(t, err)
			_, err = c.Read(data, Refs{}, nil)
			row.want.Op, row.want.Bit = "read", bit
			require.Equal(t, &Error{Op: "read", Bit: bit, Err: &row.want}, err)
			require.EqualError(t, err, fmt.Sprintf("delta: read at bit %d: %s", bit, row.want.Reason()))
		}
	}
}

// TestPaidBits checks that each of the bits that pay for memory must be zero.
func TestPaidBits(t *testing.T) {
	type wide struct{ A, B, C, D, E, F, G, H [4]uint64 }
	type list struct {
		Rows []struct{ A, B, C, D, E wide } `bp:"maxlen=3"`
	}
	c := MustFor[list]()
	require.Equal(t, 1+5*8*32/256, c.schema.tables[1].pay)
	image, err := c.Quantize(&list{make([]struct{ A, B, C, D, E wide }, 2)}, nil)
	require.NoError(t, err)
	data, err := c.Append(nil, image, Refs{})
	require.NoError(t, err)
	paid := 0
	for _, p := range c.Explain(data, Refs{}).Parts {
		if p.What != "pays for memory" {
			continue
		}
		for bit := p.Bit; bit < p.Bit+p.Bits; bit++ {
			paid++
			bad := slices.Clone(data)
			bad[bit/8] |= 1 << (bit % 8)
			_, err = c.Read(bad, Refs{}, nil)
			require.ErrorIs(t, err, ErrPadding, "bit %d", bit)
		}
	}
	require.Equal(t, 2*5, paid)
}

// TestKeysOfNewElements reads new elements against a base that is not the one they
// were sent against, so that their keys may be there, or be out of range.
func TestKeysOfNewElements(t *testing.T) {
	type numbered struct {
		ID uint8 `bp:"uint,min=0,max=9,key"`
		V  bool
	}
	type state struct {
		Numbers []numbered      `bp:"maxlen=4"`
		Names   map[string]bool `bp:"maxlen=4,key.maxlen=3"`
	}
	c := MustFor[state]()
	image := func(numbers []uint8, names ...string) *Image {
		s := state{Names: map[string]bool{}}
		for _, id := range numbers {
			s.Numbers = append(s.Numbers, numbered{ID: id})
		}
		for _, id := range names {
			s.Names[id] = true
		}
		m, err := c.Quantize(&s, nil)
		require.NoError(t, err)
		return m
	}
	for _, row := range []struct {
		name               string
		base, sent, theirs *Image
		want               error
	}{
		{"no key repeats", image([]uint8{1, 5}), image([]uint8{1, 3, 5}), image([]uint8{2, 5}), nil},
		{"a key repeats", image([]uint8{1, 5}), image([]uint8{1, 3, 5}), image([]uint8{3, 5}), ErrKey},
		{"a key after the largest", image([]uint8{1, 5}), image([]uint8{1, 5, 9}), image([]uint8{1, 6}), ErrRange},
		{"a key before the smallest", image([]uint8{5, 6}), image([]uint8{0, 5, 6}), image([]uint8{1, 5}), ErrRange},
		{"no name repeats", image(nil, "a", "c"), image(nil, "a", "b", "c"), image(nil, "0", "d"), nil},
		{"a name repeats", image(nil, "a", "c"), image(nil, "a", "b", "c"), image(nil, "b", "c"), ErrKey},
	} {
		data, err := c.Append(nil, row.sent, Refs{Tick: 1, Base: Ref{0, row.base}})
		require.NoError(t, err)
		_, err = c.Read(data, Refs{Tick: 1, Base: Ref{0, row.theirs}}, nil)
		require.ErrorIs(t, err, row.want, row.name)
	}
}

// TestSets checks the form of sets, and that a position at or after n is refused.
func TestSets(t *testing.T) {
	upTo := func(from, to int32) (in []int32) {
		for ; from < to; from++ {
			in = append(in, from)
		}
		return in
	}
	every := func(step, to int32) (in []int32) {
		for at := int32(0); at < to; at += step {
			in = append(in, at)
		}
		return in
	}
	for _, row := range []struct {
		name string
		n    int
		in   []int32
		bits string // the first of them, from the first
		size int
	}{
		{"nothing of nothing", 0, nil, "", 0},
		{"one of one", 1, []int32{0}, "1", 1},
		{"one of two", 2, []int32{1}, "01", 2},
		{"none, in a list", 100, nil, "11", 2},
		{"one, in a list", 100, []int32{99}, "1" + "010" + "011", 1 + 3 + 3 + 8},
		{"half, in a list", 100, upTo(0, 50), "1" + "00000111001" + "000", 1 + 11 + 3 + 50},
		{"more than half, in a list of the others", 100, upTo(0, 51), "00" + "00000101001", 77},
		{"all, in a list of no others", 100, upTo(0, 100), "001", 3},
		{"every other, in a bitmap", 70, every(2, 70), "01" + "1010101010", 2 + 70},
	} {
		var w bitWriter
		w.putSet(row.n, row.in, nil)
		size := w.bits(0)
		data := w.finish()
		require.Equal(t, row.size, size, row.name)
		for i := range len(row.bits) {
			require.Equal(t, row.bits[i]-'0', data[i/8]>>(i%8)&1, "%s: bit %d", row.name, i)
		}
		r := bitReader{data: data}
		require.Equal(t, row.in, r.getSet(row.n, nil), row.name)
		require.NoError(t, r.bad)
		require.Equal(t, size, r.pos)
		if strings.HasSuffix(row.name, ", in a list") && len(row.in) > 0 {
			r = bitReader{data: data}
			require.Empty(t, r.getSet(int(row.in[len(row.in)-1]), nil))
			require.ErrorIs(t, r.bad, ErrRange, row.name)
		}
	}
}

// TestHeaders checks the bits of headers, that each is read as it was written, and
// that a second older image without a first is refused.
func TestHeaders(t *testing.T) {
	written := func(h header) (data []byte, bits int) {
		var w bitWriter
		h.put(&w)
		bits = w.bits(0)
		return w.finish(), bits
	}
	for _, row := range []struct {
		header header
		bits   int
	}{
		{header{tick: 0xABCD, usual: true}, 17},
		{header{tick: 0x12340}, 16 + 7 + 4},
		{header{tick: 1<<64 - 1}, 16 + 7 + 2*45 + 1 + 3},
		{header{tick: 7, spacing: spacing{lag: 1}}, 28},
		{header{tick: 7, spacing: spacing{lag: 63, older: 4*7 + 3}}, 28},
	} {
		data, bits := written(row.header)
		require.Equal(t, row.bits, bits, "%+v", row.header)
		r := bitReader{data: data}
		require.Equal(t, row.header, r.getHeader())
		require.NoError(t, r.bad)
		require.Equal(t, bits, r.pos)
	}
	for older := range uint8(32) {
		data, _ := written(header{spacing: spacing{lag: 5, older: older}})
		r := bitReader{data: data}
		r.getHeader()
		want := error(nil)
		if (spacing{older: older}).apart()[0] == 0 && older > 0 {
			want = ErrNotCanonical
		}
		require.ErrorIs(t, r.bad, want, "%d", older)
	}
}

// TestTicksOfRows checks the ticks of a row that was sampled on its own. There are 32
// of them, from 16 before those of the message on, but none before the base.
func TestTicksOfRows(t *testing.T) {
	for _, at := range []struct {
		ticks             int64 // of the message
		typical, residual int64
		want              int16
		err               error
	}{
		{20, 0, 0, 4, nil},
		{20, 31, 0, 35, nil},
		{20, 1, 30, 35, nil},
		{20, 31, -31, 4, nil},
		{20, 31, 1, 36, ErrRange},
		{20, 0, -1, 3, ErrRange},
		{5, 0, 0, 0, nil},
		{5, 0, -1, -1, ErrRange},
	} {
		var w bitWriter
		w.put(uint64(at.typical), stepBits)
		w.put(0, 2)
		w.rice(bitio.Zigzag(uint64(at.residual)), 0, 2)
		c := coder{reading: true, r: bitReader{data: w.finish()}, ticks: at.ticks, changed: []row{{ticks: -1}}}
		c.steps(nil, nil, []int32{0})
		require.ErrorIs(t, c.r.bad, at.err, "%+v", at)
		require.Equal(t, at.want, c.changed[0].ticks)
	}
}
