package tagcodec_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/gobitpack/bitpack/typecache"
)

// A tag that is wrong, or that refers to what a value by itself lacks, is an error of
// package typecache that says what to do.
func TestFieldRefusesTags(t *testing.T) {
	var number, none = uint32(0), struct{}{}
	for _, row := range []struct {
		v         any
		tag, want string
	}{
		{&number, "if=Alive", `uint32: option "if" refers to other fields of a struct, and this tag is for a value by itself: test the condition in Go`},
		{&number, "relative,to=Other", `uint32: option "to" refers to other fields of a struct, and this tag is for a value by itself: call bits.Relative`},
		{&number, "relative,chain", `uint32: option "chain" refers to the element before, and uint32 is not a list: call bits.Relative`},
		{&number, "uint,bits=3,key", `uint32: option "key" refers to other fields of a struct`},
		{&number, "uint,bits=3,pred=lin", `uint32: option "pred" refers to other fields of a struct`},
		{&[]uint8{}, "maxlen=3,step=auto", `[]uint8: option "step" refers to other fields of a struct`},
		{&number, "-", `uint32: the tag "-" leaves a field out: leave out the call`},
		{&number, "itn,min=1,max=2", `uint32: kind "itn" is not known`},
		{&number, "int,min=1", `uint32: option "max" is missing: add max=`},
		{&number, "int,min=0,max=9,", `uint32: there is nothing between two commas, or after the last`},
		{&[]uint8{}, "uint,bits=3", `[]uint8: option "maxlen" is missing: add maxlen=`},
		{&none, "check", `struct: option "value" is missing`},
		{&none, "string", `struct: kind "string" does not apply to struct{}, which holds no value`},
	} {
		for _, s := range []*bits.Stream{bits.NewWriteStream(bits.NewAppendWriter(nil)), bits.NewReadStream(bits.NewReader(make([]byte, 9)))} {
			tagcodec.Field(s, row.v, row.tag)
			require.ErrorContains(t, s.Err(), "tagcodec: "+row.want, row.tag)
			var wrong *typecache.Error
			require.ErrorAs(t, s.Err(), &wrong, row.tag)
			require.Equal(t, 0, s.Bit(), row.tag)
		}
	}
	for _, v := range []any{nil, number, (*uint32)(nil)} {
		s := bits.NewWriteStream(bits.NewAppendWriter(nil))
		tagcodec.Field(s, v, "")
		require.ErrorIs(t, s.Err(), tagcodec.ErrArgument)
		require.True(t, strings.HasPrefix(s.Err().Error(), "tagcodec: serialize "), "%v", s.Err())
	}
}

// reporter has parts in many places.
type reporter struct {
	Rows    [2]reportRow
	List    []reportRow
	private uint8
	reportRow
}

type reportRow struct{ A, B uint8 }

const digitTag = "int,min=0,max=9"

func (r *reporter) Serialize(s *bits.Stream) error {
	local := uint8(3)
	tagcodec.Field(s, &local, digitTag)
	tagcodec.Field(s, &r.private, digitTag)
	for i := range r.Rows {
		tagcodec.Field(s, &r.Rows[i].B, digitTag)
	}
	tagcodec.Field(s, &r.List, "maxlen=3")
	for i := range r.List {
		tagcodec.Field(s, &r.List[i].A, digitTag)
	}
	tagcodec.Field(s, &r.reportRow.B, digitTag)
	return s.Err()
}

// An error has the path of the variable in the value that serializes itself, and the
// bit in the whole message.
func TestFieldPaths(t *testing.T) {
	type message struct {
		Head uint8
		Body reporter
	}
	for _, row := range []struct {
		path string
		bit  int
		set  func(r *reporter)
	}{
		{"message.Body.private", 12, func(r *reporter) { r.private = 10 }},
		{"message.Body.Rows[1].B", 20, func(r *reporter) { r.Rows[1].B = 10 }},
		{"message.Body.List[1].A", 62, func(r *reporter) { r.List[1].A = 10 }},
		{"message.Body.List", 24, func(r *reporter) { r.List = make([]reportRow, 4) }},
		{"message.Body.reportRow.B", 66, func(r *reporter) { r.reportRow.B = 10 }},
	} {
		v := message{Body: reporter{List: make([]reportRow, 2)}}
		whole, err := tagcodec.Marshal(&v)
		require.NoError(t, err)
		row.set(&v.Body)
		_, err = tagcodec.Marshal(&v)
		var e *tagcodec.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, row.path, e.Path)
		require.Equal(t, row.bit, e.Bit, row.path)
		if row.path != "message.Body.List" {
			whole[row.bit/8] |= 0xF << (row.bit % 8)
			whole[(row.bit+4)/8] |= 0xF >> (8 - row.bit%8)
			require.ErrorAs(t, tagcodec.Unmarshal(whole, new(message)), &e)
			require.Equal(t, row.path, e.Path)
			require.Equal(t, row.bit, e.Bit, row.path)
		}
	}
}

// price serializes one value in the way that is set.
type price struct {
	Value float32
	Texts []string
}

func (p *price) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &p.Value, "float,min=-10,max=10,res=0.01")
	tagcodec.Field(s, &p.Texts, "maxlen=3,elem.maxlen=5")
	return s.Err()
}

type (
	lot   struct{ Items []goods }
	goods struct{ Sizes []uint64 }
)

func (l *lot) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &l.Items, "maxlen=255")
	return s.Err()
}

func (g *goods) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &g.Sizes, "maxlen=100000")
	return s.Err()
}

// The bits of the elements and fields that follow do not pay for memory of a Field.
func TestFieldReservesBits(t *testing.T) {
	type packet struct {
		Lot  lot
		Tail [100]uint8
	}
	message := func(lots, size, n int) []byte {
		w := bits.NewWriter(make([]byte, n))
		w.WriteBits(uint64(lots), 8)
		w.WriteBits(uint64(size), 17)
		w.WriteBits(0, 64)
		return bytes.Clone(w.Bytes())[:w.Len():w.Len()]
	}
	var e *bits.Error
	data := append(message(1, 20, 300), make([]byte, 230)...)
	require.ErrorAs(t, tagcodec.Unmarshal(data, new(packet)), &e)
	require.Equal(t, bits.ErrOverread, e.Err)
	require.Equal(t, 8, e.Bit, "the elements of 160 bytes would take the bits of Tail")
	data = append(message(200, 2, 300), make([]byte, 131)...)
	require.ErrorAs(t, tagcodec.Unmarshal(data, new(packet)), &e)
	require.Equal(t, 8, e.Bit, "the elements would take the bits of the other goods")
	require.Less(t, took(func() { _ = tagcodec.Unmarshal(data, new(packet)) }), uint64(20000))
}

type (
	carrier struct {
		In    thing
		Check struct{}
		Home  *home
	}
	carriers struct{ C carrier }
)

func (c *carrier) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &c.In, "union")
	tagcodec.Field(s, &c.Check, "check,value=7")
	tagcodec.Field(s, &c.Home, "link,bits=7")
	return s.Err()
}

// The options of the codec apply to Field: its unions, checks and Linker, and errors
// without detail.
func TestFieldHasTheOptions(t *testing.T) {
	type small struct{ N uint8 }
	type large struct{ N uint64 }
	objects, here := tagcodec.NewLinkingContext(), &home{1}
	require.NoError(t, objects.Add(5, here))
	union, linker := tagcodec.WithUnion[thing](small{}, large{}), tagcodec.WithLinker(objects)
	v := &carriers{carrier{In: small{7}, Home: here}}
	for _, row := range []struct {
		opts []tagcodec.Option
		want []byte
	}{
		{[]tagcodec.Option{union, linker}, []byte{2 | 7<<2, 7 << 2, 0, 0, 0, 5 << 2 & 0xFF}},
		{[]tagcodec.Option{union, linker, tagcodec.WithoutChecks()}, []byte{2 | 7<<2, 5 << 2 & 0xFF}},
	} {
		codec := tagcodec.MustFor[carriers](row.opts...)
		data, err := codec.Append(nil, v)
		require.NoError(t, err)
		require.Equal(t, append(row.want, 0)[:len(data)], data)
		var got carriers
		require.NoError(t, codec.Unmarshal(data, &got))
		require.Equal(t, *v, got)
	}
	_, err := tagcodec.MustFor[carriers](linker).Append(nil, v)
	require.ErrorContains(t, err, "no types are registered")
	_, err = tagcodec.MustFor[carriers](union).Append(nil, v)
	require.ErrorIs(t, err, tagcodec.ErrLink)
	sentinel := tagcodec.MustFor[carriers](union, linker, tagcodec.WithSentinelErrors())
	require.Equal(t, tagcodec.ErrUnion, sentinel.Unmarshal([]byte{3}, new(carriers)))

	unknown := tagcodec.MustFor[carriers](union, linker)
	var got carriers
	require.NoError(t, unknown.Unmarshal([]byte{2 | 7<<2, 7 << 2, 0, 0, 0, 9 << 2, 0}, &got))
	require.Len(t, objects.Waiting(), 1)
	there := &home{2}
	require.NoError(t, objects.Add(9, there))
	require.Same(t, there, got.C.Home, "the link is set when its object arrives")
}

// Explain has the bits of a method in one part, and binary.Read reads them while they
// arrive.
func TestFieldElsewhere(t *testing.T) {
	type message struct {
		A uint8 `bp:"uint,bits=8"`
		P price
		B uint8
	}
	v := message{1, price{Value: 5, Texts: []string{"ab"}}, 2}
	codec := tagcodec.MustFor[message]()
	data, err := codec.Append(nil, &v)
	require.NoError(t, err)
	parts := codec.Explain(data)
	require.NoError(t, parts.Err)
	require.Contains(t, parts.String(), "message.P  Serialize {5 [ab]}")

	var got message
	require.NoError(t, binary.Read(&slowly{data}, binary.LittleEndian, &got))
	require.Equal(t, v, got)
}

// slowly reads one byte at a time.
type slowly struct{ data []byte }

func (r *slowly) Read(p []byte) (int, error) {
	if len(r.data) == 0 || len(p) == 0 {
		return 0, nil
	}
	n := copy(p[:1], r.data)
	r.data = r.data[n:]
	return n, nil
}
