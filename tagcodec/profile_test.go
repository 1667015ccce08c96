package tagcodec

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
)

// fieldsOf returns the fields of the profile of some messages, by path.
func fieldsOf[T any](t *testing.T, messages ...T) map[string]FieldStats {
	t.Helper()
	p := MustFor[T]().NewProfile()
	for i := range messages {
		require.NoError(t, p.Add(&messages[i]))
	}
	require.Equal(t, int64(len(messages)), p.Messages())
	fields := map[string]FieldStats{}
	for _, f := range p.Fields() {
		fields[f.Field] = f
	}
	return fields
}

// repeated returns value i of list n[i] times.
func repeated[T any](list []T, n ...int) (all []T) {
	for i, v := range list {
		for range n[i] {
			all = append(all, v)
		}
	}
	return all
}

// TestProposals requires that a proposed option is the one that the documents have
// for the values, and that a type with it saves exactly the bits that were
// promised.
func TestProposals(t *testing.T) {
	type plain struct{ Height float32 }
	heights := repeated([]plain{{0}, {100}, {0.5}, {-3}, {7}}, 90, 7, 1, 1, 1)
	f := fieldsOf(t, heights...)["Height"]
	require.Equal(t, []ValueCount{{"0", 90}, {"100", 7}, {"-3", 1}, {"0.5", 1}, {"7", 1}}, f.Values)
	require.Zero(t, f.Others)
	require.Equal(t, "common=0|100", f.Option)
	require.InDelta(t, 32-2.93, f.Saving, 1e-9) // 2.93 is the figure of docs/TAGS.md

	type shortened struct {
		Height float32 `bp:"common=0|100"`
	}
	var listed []shortened
	for _, v := range heights {
		listed = append(listed, shortened(v))
	}
	g := fieldsOf(t, listed...)["Height"]
	require.InDelta(t, f.Saving, float64(f.Bits-g.Bits)/100, 1e-9)
	require.Equal(t, f.Values, g.Values)
	require.Equal(t, "huffman=0:90|100:7|*:3", g.Option) // a tenth of 2.93 is less now
	require.InDelta(t, 2.93-2.06, g.Saving, 1e-9)

	type coded struct {
		Height float32 `bp:"huffman=0:90|100:7|*:3"`
	}
	var best []coded
	for _, v := range heights {
		best = append(best, coded(v))
	}
	h := fieldsOf(t, best...)["Height"]
	require.InDelta(t, 2.06, float64(h.Bits)/100, 1e-9)
	require.Empty(t, h.Option)
}

// TestProposalsAreTags requires that each proposal can be written into the tag that
// it is for, and saves what it says.
func TestProposalsAreTags(t *testing.T) {
	type before struct {
		Name  string       `bp:"maxlen=20"`
		Wide  bits.Int128  `bp:"min=-9,max=99999999999999999999"`
		Angle float64      `bp:"angle,bits=16"`
		Step  float32      `bp:"min=-1,max=1,res=0.001"`
		Small int64        `bp:"varint"`
		List  []uint16     `bp:"maxlen=9,elem.min=5,elem.max=1000"`
		Grid  [2][2]uint32 `bp:"min=0,max=100000"`
		Maybe uint32       `bp:"optional"`
	}
	type after struct {
		Name  string       `bp:"maxlen=20,common=north-west"`
		Wide  bits.Int128  `bp:"min=-9,max=99999999999999999999,common=-5"`
		Angle float64      `bp:"angle,bits=16,common=1.5707963267948966"`
		Step  float32      `bp:"min=-1,max=1,res=0.001,common=0.25"`
		Small int64        `bp:"varint,common=-70000"`
		List  []uint16     `bp:"maxlen=9,elem.min=5,elem.max=1000,common=7"`
		Grid  [2][2]uint32 `bp:"min=0,max=100000,common=9"`
		Maybe uint32       `bp:"optional,common=4000000000"`
	}
	values := repeated([]before{
		{"north-west", bits.Int128{Lo: 1<<64 - 5, Hi: -1}, 1.5707963267948966, 0.25, -70000, []uint16{7, 7, 7}, [2][2]uint32{{9, 9}, {9, 9}}, 4000000000},
		{"a,b|c", bits.Int128{Lo: 3}, 3, 1, 2, nil, [2][2]uint32{}, 0},
	}, 60, 1)
	fields := fieldsOf(t, values...)
	var shorter []after
	for _, v := range values {
		shorter = append(shorter, after(v))
	}
	same := fieldsOf(t, shorter...)
	for name, f := range fields {
		if name == "List" { // the count
			require.Empty(t, f.Values)
			continue
		}
		field, _ := reflect.TypeFor[after]().FieldByName(strings.TrimRight(name, "[]"))
		tag := field.Tag.Get("bp")
		require.Equal(t, tag[strings.LastIndex(tag, "common="):], f.Option, name)
		saved := float64(f.Bits-same[name].Bits) / 61
		if name == "Name" { // the field of the other texts begins at another bit
			require.InDelta(t, f.Saving, saved, 1)
			continue
		}
		require.InDelta(t, f.Saving, saved, 1e-9, name)
	}
	require.Equal(t, []ValueCount{{"north-west", 60}}, fields["Name"].Values)
	require.Equal(t, int64(1), fields["Name"].Others)
}

// TestNoProposals requires that nothing is proposed where an option would not be
// allowed, would not help, or rests on few values.
func TestNoProposals(t *testing.T) {
	type element struct{ A, B uint8 }
	type all struct {
		On      bool
		Cells   []uint32          `bp:"maxlen=9,rle"`
		Steps   []int32           `bp:"relative,maxlen=9"`
		Names   map[string]uint16 `bp:"maxlen=9,key.maxlen=20"`
		Raw     []byte            `bp:"maxlen=9"`
		Spin    complex64
		Empty   string `bp:"maxlen=200"`
		Even    uint8
		Pairs   []element `bp:"maxlen=3"`
		Uniform uint16
	}
	var values []all
	for i := range 256 {
		values = append(values, all{
			Cells: []uint32{5, 5}, Steps: []int32{7}, Names: map[string]uint16{"same": uint16(i) << 8}, Raw: []byte{1, 1, 1},
			Even: uint8(i), Uniform: 9,
		})
	}
	fields := fieldsOf(t, values[:28]...)
	require.Empty(t, fields["Uniform"].Option)
	fields = fieldsOf(t, values...)
	require.Equal(t, "common=9", fields["Uniform"].Option)
	for name, f := range fields {
		if name != "Uniform" {
			require.Empty(t, f.Option, name)
		}
	}
	for _, name := range []string{"On", "Cells[]", "Steps[]", "Raw", "Spin.real"} {
		require.Contains(t, fields, name)
		require.Empty(t, fields[name].Values, name)
	}
	require.Equal(t, int64(256), fields["Empty"].Others)
	sum := fields["Names[]"].Others // the path of keys and values
	for _, v := range fields["Names[]"].Values {
		require.NotEqual(t, "same", v.Value)
		sum += v.Count
	}
	require.Equal(t, int64(256), sum)
}

// TestProfileOfManyValues requires that the memory of a histogram is bounded, that
// a frequent value is found among any number of others, wherever it comes, and that
// counts are too low by no more than documented.
func TestProfileOfManyValues(t *testing.T) {
	type message struct{ ID, Noise uint32 }
	p := MustFor[message]().NewProfile()
	const n = 3000
	for i := range uint32(n) {
		v := message{ID: i, Noise: i}
		if i > n/3 && i%20 == 0 {
			v.ID = 1 << 30
		}
		require.NoError(t, p.Add(&v))
	}
	for _, f := range p.Fields() {
		require.LessOrEqual(t, len(f.Values), 64)
		sum := f.Others
		for _, v := range f.Values {
			sum += v.Count
			require.Positive(t, v.Count)
		}
		require.Equal(t, int64(n), sum, f.Field)
		require.Empty(t, f.Option)
		if f.Field == "ID" {
			require.Equal(t, "1073741824", f.Values[0].Value)
			require.InDelta(t, 100-n/65/2, f.Values[0].Count, n/65/2)
		}
	}
}

// TestProfileOfUnions requires that fields of equal names in two members have no
// common proposal.
func TestProfileOfUnions(t *testing.T) {
	type message struct {
		Shape any `bp:"union"`
	}
	type circle struct{ Size uint32 }
	type square struct{ Size uint64 }
	p := MustFor[message](WithUnion[any](circle{}, square{})).NewProfile()
	for range 50 {
		require.NoError(t, p.Add(&message{circle{7}}))
		require.NoError(t, p.Add(&message{square{7}}))
	}
	for _, f := range p.Fields() {
		require.Empty(t, f.Option, f.Field)
	}
}

type profileNode struct {
	Value       uint8
	Left, Right *profileNode
}

// TestProfileOfRecursion requires that the memory of a profile is bounded.
func TestProfileOfRecursion(t *testing.T) {
	p := MustFor[profileNode]().NewProfile()
	var tree func(depth int) *profileNode
	tree = func(depth int) *profileNode {
		if depth == 0 {
			return nil
		}
		return &profileNode{1, tree(depth - 1), tree(depth - 1)}
	}
	for range 3 {
		require.NoError(t, p.Add(tree(10)))
	}
	fields := p.Fields()
	require.Len(t, fields, maxFields+1)
	total := int64(0)
	for _, s := range fields {
		total += s.Bits
	}
	require.Equal(t, int64(3*1023*(8+2)), total)
	require.Equal(t, otherFields, fields[0].Field)
}

func TestFieldOf(t *testing.T) {
	type T struct{}
	typ := reflect.TypeFor[T]()
	for path, want := range map[string]string{
		"T": "T", "T.A": "A", "T[3].B[12][0].C": "[].B[][].C", `T.M["a]\"["...].X`: "M[].X", "T.A[...].B": "A[].B", "T.A[": "A[]",
	} {
		require.Equal(t, want, fieldOf(path, typ), path)
	}
}

// A refused message adds nothing.
func TestProfileRefuses(t *testing.T) {
	type message struct {
		V uint8 `bp:"min=0,max=3"`
	}
	p := MustFor[message]().NewProfile()
	require.Empty(t, fmt.Sprint(p))
	require.ErrorIs(t, p.Add(&message{4}), ErrRange)
	require.Error(t, p.Add(nil))
	require.Zero(t, p.Messages())
	require.Empty(t, p.Fields())
}
