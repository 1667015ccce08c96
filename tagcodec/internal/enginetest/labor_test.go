package enginetest

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// calls counts the calls of the methods of tally, tallyForm and tallyLinker.
var calls int

type (
	tally       struct{ V bool }
	tallyForm   struct{ V byte }
	tallyLinker struct{ harbour }
	tallyAny    any
	tallyTree   struct {
		T    tally
		Kids []tallyTree `bp:"maxlen=0xffff"`
	}
	tallyIf struct {
		On bool
		T  tally `bp:"if=On,optional"`
	}
	// tallies has each kind of block that repeats values.
	tallies struct {
		List     []tally          `bp:"maxlen=0xffff"`
		Rows     [][4]tally       `bp:"maxlen=0xffff"`
		Map      map[uint16]tally `bp:"maxlen=0xffff"`
		Pointers []*tally         `bp:"maxlen=0xffff"`
		Bitmap   []*tally         `bp:"maxlen=8191,subset=bitmap"`
		Sentinel []*tally         `bp:"maxlen=8191,subset=sentinel"`
		Auto     []*tally         `bp:"maxlen=8191,subset=auto"`
		Union    []tallyAny       `bp:"union,maxlen=0xffff"`
		Forms    []tallyForm      `bp:"binary,maxlen=0xffff,elem.maxlen=1"`
		Links    []*ship          `bp:"link,bits=4,maxlen=0xffff"`
		Tree     tallyTree
		If       []tallyIf `bp:"maxlen=0xffff"`
	}
)

func (v *tally) Serialize(s *bits.Stream) error {
	calls++
	s.Bool(&v.V)
	return s.Err()
}

func (v tallyForm) MarshalBinary() ([]byte, error) {
	calls++
	return []byte{v.V}, nil
}

func (v *tallyForm) UnmarshalBinary(form []byte) error {
	calls++
	v.V = append(form, 0)[0]
	return nil
}

func (l *tallyLinker) ID(object any) (uint64, bool) {
	calls++
	return l.harbour.ID(object)
}

func (l *tallyLinker) Object(id uint64) (any, bool) {
	calls++
	return l.harbour.Object(id)
}

// talliesOf returns values that each take n+1 calls to encode or decode: one for
// the root of Tree. n must be a multiple of 4.
func talliesOf(n int) []tallies {
	entries, pointers, any, ships := map[uint16]tally{}, make([]*tally, n), make([]tallyAny, n), make([]*ship, n)
	some := tallies{If: make([]tallyIf, n)}
	for i := range n {
		entries[uint16(i)], pointers[i], any[i], ships[i] = tally{}, new(tally), tally{}, fleet[i%8+1]
		some.If[i] = tallyIf{true, tally{true}}
	}
	return []tallies{
		some, {List: make([]tally, n)}, {Rows: make([][4]tally, n/4)}, {Map: entries}, {Pointers: pointers},
		{Bitmap: pointers}, {Sentinel: pointers}, {Auto: pointers}, {Union: any}, {Forms: make([]tallyForm, n)},
		{Links: ships}, {Tree: tallyTree{Kids: make([]tallyTree, n)}},
	}
}

// TestEachValueIsCodedOnce counts the method calls for n values: one to write or
// read each, no more to refuse a part of the message, and at most one for each
// bit of damaged data.
func TestEachValueIsCodedOnce(t *testing.T) {
	c := settingsWith(tagcodec.WithUnion[tallyAny](tally{}), tagcodec.WithLinker(&tallyLinker{}))
	p, err := c.Plans.Of(reflect.TypeFor[tallies]())
	require.NoError(t, err)
	decode := func(each coder, data []byte) (int, error) {
		calls = 0
		err := each.unmarshal(&c, sealed.PlanOf(p), reflect.ValueOf(new(tallies)), data)
		return calls, err
	}
	for _, n := range []int{0, 500 * effort.Factor()} {
		for row, v := range talliesOf(n) {
			for _, each := range coders {
				calls = 0
				data, err := each.encode(&c, sealed.PlanOf(p), reflect.ValueOf(&v))
				require.NoError(t, err)
				require.Equal(t, n+1, calls, "%v: row %d", each, row)
				took, err := decode(each, data)
				require.NoError(t, err)
				require.Equal(t, n+1, took, "%v: row %d", each, row)
				for k := range 20 {
					took, err = decode(each, data[:len(data)*k/20])
					require.ErrorIs(t, err, tagcodec.ErrOverread)
					require.LessOrEqual(t, took, n+1, "%v: row %d", each, row)
					damaged := bytes.Clone(data)
					copy(damaged[len(data)*k/20:], "\xFF\xFF\xFF\xFF")
					took, _ = decode(each, damaged)
					require.LessOrEqual(t, took, 8*len(data), "%v: row %d", each, row)
				}
			}
		}
	}
}

// oneField returns a struct type with a field A.
func oneField(typ reflect.Type, tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "A", Type: typ, Tag: reflect.StructTag(tag)}})
}

// TestArraysWithoutBits decodes and encodes arrays of 2^40 elements that put
// nothing on the wire. An engine that visits the elements does not return. It must
// visit integers of one value, which a type limits to 2^16: Encode refuses those
// that were not set.
func TestArraysWithoutBits(t *testing.T) {
	type mark struct{}
	type one = struct {
		K uint8 `bp:"int,min=7,max=7"`
	}
	n := 1 << min(40, strconv.IntSize-2)
	row := func(typ reflect.Type) reflect.Type {
		return reflect.StructOf([]reflect.StructField{
			{Name: "On", Type: reflect.TypeFor[bool]()},
			{Name: "A", Type: typ, Tag: `bp:"if=On"`},
			{Name: "B", Type: typ, Tag: `bp:"if=!On"`},
		})
	}
	flat := reflect.ArrayOf(n, reflect.TypeFor[struct{}]())
	square := reflect.ArrayOf(1<<15, reflect.ArrayOf(n>>15, reflect.TypeFor[mark]()))
	for _, tt := range []struct {
		name string
		typ  reflect.Type
		data []byte
	}{
		{"alone", flat, nil},
		{"of arrays", oneField(square, ""), nil},
		{"of arrays of no length", oneField(reflect.ArrayOf(n, reflect.TypeFor[[0]int]()), ""), nil},
		{"after a pointer", oneField(reflect.PointerTo(square), ""), []byte{1}},
		{"optional", oneField(flat, `bp:"optional"`), []byte{0}},
		{"in an optional value", oneField(row(square), `bp:"optional"`), []byte{3}},
		{"under conditions in elements", oneField(reflect.SliceOf(row(flat)), `bp:"maxlen=24"`), []byte{0xF8, 0xFF, 0x55, 0x15}},
		{"under conditions in an array", reflect.ArrayOf(16, row(square)), []byte{0x55, 0xFF}},
		{"in entries", oneField(reflect.MapOf(reflect.TypeFor[uint8](), flat), `bp:"maxlen=15"`), []byte{0x12, 0x20, 0}},
		{"of integers of one value", reflect.TypeFor[[1 << 16]one](), nil},
		{"in a subset", oneField(reflect.ArrayOf(4, reflect.PointerTo(flat)), `bp:"subset=bitmap"`), []byte{0xD}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := typecache.Of(tt.typ)
			require.NoError(t, err)
			for _, each := range coders {
				v := reflect.New(tt.typ)
				require.NoError(t, each.unmarshal(standard, sealed.PlanOf(p), v, tt.data), each)
				data, err := each.encode(standard, sealed.PlanOf(p), v)
				require.NoError(t, err, each)
				require.Equal(t, string(tt.data), string(data), each)
			}
		})
	}
}

// nests returns struct types with typ in one block, by the kind of the block.
func nests(typ reflect.Type) map[string]reflect.Type {
	leaf := reflect.TypeFor[uint8]()
	return map[string]reflect.Type{
		"optional": oneField(typ, `bp:"optional"`),
		"pointer":  oneField(reflect.PointerTo(typ), ""),
		"slice":    oneField(reflect.SliceOf(typ), `bp:"maxlen=1"`),
		"map":      oneField(reflect.MapOf(leaf, typ), `bp:"maxlen=1"`),
		"subset":   oneField(reflect.ArrayOf(1, reflect.PointerTo(typ)), `bp:"subset=bitmap"`),
		"array":    reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.ArrayOf(1, typ)}, {Name: "B", Type: leaf}}),
		"condition": reflect.StructOf([]reflect.StructField{
			{Name: "On", Type: reflect.TypeFor[bool]()}, {Name: "A", Type: typ, Tag: `bp:"if=On"`},
		}),
	}
}

// TestNestingDoesNotMultiply decodes a value in 60 nested blocks, and encodes it
// again. Two attempts at each block, after a refusal or to compare with zero,
// would make 2^60 in all.
func TestNestingDoesNotMultiply(t *testing.T) {
	for _, kinds := range []string{
		"optional", "pointer", "slice", "map", "subset", "array", "condition",
		"optional condition optional array", "array slice condition pointer map subset",
	} {
		t.Run(kinds, func(t *testing.T) {
			typ := oneField(reflect.TypeFor[uint8](), `bp:"int,min=0,max=2"`)
			for i := range 60 {
				list := strings.Fields(kinds)
				typ = nests(typ)[list[i%len(list)]]
			}
			p, err := typecache.Of(typ)
			require.NoError(t, err)
			for _, each := range coders {
				v, at := reflect.New(typ), new(tagcodec.Error)
				err := each.unmarshal(standard, sealed.PlanOf(p), v, bytes.Repeat([]byte{0xFF}, 400))
				require.ErrorIs(t, err, tagcodec.ErrRange, each)
				require.ErrorAs(t, err, &at)

				w := bits.NewAppendWriter(nil)
				for w.Bit() < at.Bit {
					w.WriteBool(true)
				}
				w.WriteBits(2, 2) // the value 2, and zeros after it
				data := append(w.Bytes(), make([]byte, (p.MaxBits()+7)/8)...)[:(p.MaxBits()+7)/8]
				require.NoError(t, each.unmarshal(standard, sealed.PlanOf(p), v, data), each)
				again, err := each.encode(standard, sealed.PlanOf(p), v)
				require.NoError(t, err, each)
				require.Equal(t, data, again, each)
				for n := range data {
					require.ErrorIs(t, each.unmarshal(standard, sealed.PlanOf(p), v, data[:n]), tagcodec.ErrOverread, each)
				}
			}
		})
	}
}

// chainOfConditions returns a struct of n fields of a kind. Each is conditional on
// the one before.
func chainOfConditions(n int, kind string) reflect.Type {
	fields := []reflect.StructField{{Name: "F0", Type: reflect.TypeFor[uint8](), Tag: reflect.StructTag(fmt.Sprintf(`bp:"%s"`, kind))}}
	for i := range n - 1 {
		tag := reflect.StructTag(fmt.Sprintf(`bp:"%s,if=F%d"`, kind, i))
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i+1), Type: fields[0].Type, Tag: tag})
	}
	return reflect.StructOf(fields)
}

// TestConditionsLoadEachFieldOnce counts the fields that the evaluation of a
// condition loads. No field is loaded twice, however conditions depend on each
// other.
func TestConditionsLoadEachFieldOnce(t *testing.T) {
	nested := reflect.TypeFor[struct{ A bool }]()
	for range 99 {
		nested = nests(nested)["condition"]
	}
	for name, typ := range map[string]reflect.Type{"chain": chainOfConditions(100, "varint"), "nest": nested} {
		p, err := typecache.Of(typ)
		require.NoError(t, err)
		pl, most := sealed.PlanOf(p), 0
		for i := range pl.Conds {
			loads := map[uintptr]int{}
			require.True(t, pl.Holds(int32(i), func(r *plan.Ref) uint64 {
				loads[r.Off]++
				require.Equal(t, 1, loads[r.Off], "%s: condition %d", name, i)
				return 1
			}))
			most = max(most, len(loads))
		}
		require.GreaterOrEqual(t, most, 99, name) // the last condition depends on all
	}
}

// TestChainedConditionsAreReadOnce decodes chains of 30,000 conditions many times,
// as one run and op by op. The evaluation of all earlier conditions for each field
// would load more than 10^10 fields, which takes an hour.
func TestChainedConditionsAreReadOnce(t *testing.T) {
	effort.Slow(t, "it decodes chains of 30,000 conditions")
	const n = 30000
	data := bytes.Repeat([]byte{2}, n) // 1 as a varint
	for _, kind := range []string{"uint,bits=8", "varint"} {
		p, err := typecache.Of(chainOfConditions(n, kind))
		require.NoError(t, err)
		for _, each := range coders {
			v := reflect.New(p.Type())
			for range map[bool]int{false: 100, true: 20}[pure || each.reference] {
				require.NoError(t, each.unmarshal(standard, sealed.PlanOf(p), v, data), each)
			}
			require.NotZero(t, v.Elem().Field(n-1).Uint(), each)
		}
	}
}
