package tagcodec

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// These tests measure time in steps of the reference interpreter, which
// executes the same ops as the loops in the same order. A step is an op, a
// value, a listed value, or a word of memory that is read, allocated or
// cleared.

// steps returns the number of steps to decode data, whether it is accepted or
// not.
func steps(c *config, p *typecache.Plan, data []byte) int {
	v := reflect.New(p.Type).Elem()
	d := plainDecoder{interpreter{c: c, p: p, call: "unmarshal", root: v}, bits.NewReader(data)}
	d.ops(0, -1, surroundings{value: v})
	return d.steps
}

// weight returns the maximum number of steps if each op of the plan executes
// once. Fixed arrays multiply the steps of their elements, because no bits
// of the message determine their number. Each enclosing optional value adds another pass, to check
// that it is not zero. Elements in memory count as words to allocate and clear.
func weight(p *typecache.Plan) int {
	var block func(pc, end, optionals int) int
	block = func(pc, end, optionals int) (sum int) {
		for ; !closes(p, pc, end); pc = opAfter(p, pc) {
			op := &p.Ops[pc]
			words := 1
			if t := p.Fields[op.Field].Type; t != nil {
				words += int(t.Size() / 8)
			}
			own, times := 2*words+2*op.Count, 1
			inner := optionals
			switch op.Code {
			case typecache.CodeIf:
				own++ // reads one field, even if that field is conditional too
			case typecache.CodeOptional:
				inner++
			case typecache.CodeCommon:
				own += len(p.Commons[op.Aux])
			case typecache.CodeHuffman:
				own += len(p.Huffmans[op.Aux].Values)
			case typecache.CodeUnion:
				for _, t := range p.Elems[op.Aux].Union.Types {
					own = max(own, 2*int(t.Size()/8+1))
				}
			case typecache.CodeArray:
				times = op.Count
			case typecache.CodeSubset:
				// Only the count limits the elements, unless each has a bit.
				if times = op.Count; op.Flags&typecache.FlagSlice != 0 {
					times = min(int(op.Bias+op.Span), 1<<16/int(p.Elems[op.Aux].Size))
				}
				own += 4 * times * (1 + int(p.Elems[op.Aux].Size/8))
			case typecache.CodeSlice, typecache.CodeMap, typecache.CodePointer:
				own += 4 * (1 + int(p.Elems[op.Aux].Type.Size()/8))
			}
			sum += own * (1 + optionals)
			if op.Code.Encloses() {
				end := int(op.End)
				if op.Code.Block() {
					end = -1
				}
				sum += max(times, 1) * block(pc+1, end, inner)
			}
		}
		return sum
	}
	sum := 0
	for pc := 0; pc < len(p.Ops); pc++ { // includes the ops of recursive types
		sum += block(pc, -1, 0)
		pc = p.ProgramEnd(pc)
	}
	return sum
}

// requireLinear requires that the steps of a message are proportional to its
// bits. Each bit may execute the ops of the plan once.
func requireLinear(t *testing.T, p *typecache.Plan, c *config, data []byte, name string) float64 {
	t.Helper()
	most := int64(8*len(data)+1) * int64(weight(p))
	took := steps(c, p, data)
	require.LessOrEqual(t, int64(took), most, "%s: %x", name, data[:min(len(data), 64)])
	return float64(took) / float64(8*len(data)+1)
}

// corpus returns the inputs stored in testdata for a fuzz target. Each input is
// a byte slice.
func corpus(t *testing.T, target string) (list [][]byte) {
	files, err := filepath.Glob(filepath.Join("testdata", "fuzz", target, "*"))
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			quoted, ok := strings.CutPrefix(strings.TrimSpace(line), "[]byte(")
			if !ok {
				continue
			}
			data, err := strconv.Unquote(strings.TrimSuffix(quoted, ")"))
			require.NoError(t, err, name)
			list = append(list, []byte(data))
		}
	}
	return list
}

// TestStepsOfCorpus counts the steps of all stored inputs and seeds of the fuzz
// targets, and of messages of random types, both valid and corrupted.
func TestStepsOfCorpus(t *testing.T) {
	worst, of := 0.0, ""
	note := func(each float64, name string) {
		if each > worst {
			worst, of = each, name
		}
	}
	c := newConfig([]Option{WithLinker(&harbour{})})
	hostile := func(data []byte) {
		typ := attacked[int(data[0])%len(attacked)]
		plan, err := typecache.Of(typ)
		require.NoError(t, err)
		note(requireLinear(t, plan, &c, data[1:], typ.String()), typ.String())
	}
	for _, data := range corpus(t, "FuzzUnmarshal") {
		if len(data) > 0 {
			hostile(data)
		}
	}
	for i := range attacked {
		for _, fill := range []byte{0, 0xFF, 0x55, 1} {
			for _, n := range []int{0, 1, 8, 64, 1200} {
				data := make([]byte, 1+n)
				for k := range data {
					data[k] = fill
				}
				data[0] = byte(i)
				hostile(data)
			}
		}
	}
	random := func(seed uint64, data []byte) {
		_, s, plan := randomType(t, seed)
		note(requireLinear(t, plan, &c, data, s.typ.String()), fmt.Sprintf("seed %d", seed))
	}
	for _, data := range corpus(t, "FuzzRandomType") {
		if len(data) >= 2 {
			random(uint64(data[0])|uint64(data[1]&0x0F)<<8, data[2:])
		}
	}
	for seed := range seeds() / 4 {
		g, s, _ := randomType(t, seed)
		v := reflect.New(s.typ)
		s.fill(g, v.Elem())
		data, err := Append(nil, v.Interface())
		if err != nil {
			continue
		}
		random(seed, data)
		for range 8 {
			random(seed, g.mutated(data))
		}
	}
	t.Logf("at most %.1f steps for a bit: %s", worst, of)
}

// TestStepsOfClaims counts the steps of messages with the largest possible
// counts. Each bit may cost a constant number of steps, plus those of the
// memory that it justifies.
func TestStepsOfClaims(t *testing.T) {
	for i := range greedy {
		g := &greedy[i]
		t.Run(g.name, func(t *testing.T) {
			for _, n := range []int{1, 16, 256, 1200, 8000} {
				if testing.Short() && n > 1200 {
					continue
				}
				for k, data := range g.packets(n) {
					requireLinear(t, g.plan, g.config, data, g.name)
					most := 8*n*(16+g.perBit) + g.fixed + weight(g.plan)
					require.LessOrEqual(t, steps(g.config, g.plan, data), most, "%d bytes, packet %d", n, k)
				}
			}
		})
	}
}

type (
	onion4 struct {
		Pad  [4]uint8
		Core uint8 `bp:"optional"`
	}
	onion3 struct {
		Pad  [4]uint8
		Next onion4 `bp:"optional"`
	}
	onion2 struct {
		Pad  [4]uint8
		Next onion3 `bp:"optional"`
	}
	onion1 struct {
		Pad  [4]uint8
		Next onion2 `bp:"optional"`
	}
	// laborious has kinds that do more work than copying bits. A message holds
	// as many of them as fit.
	laborious struct {
		Onions  []onion1           `bp:"maxlen=0xffff"`
		Keys    map[string]bool    `bp:"maxlen=0xffff,key.maxlen=0xff"`
		Chained []uint32           `bp:"relative,maxlen=0xffff"`
		Huffman []uint8            `bp:"huffman=0:4096|1:1024|2:256|3:64|4:16|5:4|6:1|*:1,maxlen=0xffff"`
		Varints []uint64           `bp:"varint,maxlen=0xffff"`
		Text    string             `bp:"maxlen=0xfffff"`
		Wide    string             `bp:"wstring,maxlen=0xfffff"`
		Sparse  []*uint8           `bp:"maxlen=8191,subset=sentinel"`
		Ladder  []*uint8           `bp:"maxlen=8191,subset=relative"`
		Index   []*uint8           `bp:"maxlen=8191,subset=index"`
		Auto    []*uint8           `bp:"maxlen=8191,subset=auto"`
		Bitmap  []*uint8           `bp:"maxlen=0xffff,subset=bitmap"`
		Common  []string           `bp:"common=a|bb|ccc|dddd,maxlen=0xffff,elem.maxlen=0xff"`
		Named   map[int16][]onion4 `bp:"maxlen=0xffff,elem.maxlen=0xff"`
	}
)

// TestStepsOfConditions doubles a chain of fields, each conditional on the one
// before. Evaluating a condition must cost the same at any position in the
// chain.
func TestStepsOfConditions(t *testing.T) {
	before := 0
	for n := 100; n <= 800; n *= 2 {
		var fields []reflect.StructField
		for i := range n {
			fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(i), Type: reflect.TypeFor[uint8]()})
			if i > 0 {
				fields[i].Tag = reflect.StructTag(fmt.Sprintf(`bp:"if=F%d"`, i-1))
			}
		}
		inner := reflect.StructOf(fields)
		plan, err := typecache.Of(reflect.StructOf([]reflect.StructField{{Name: "Chain", Type: inner, Tag: `bp:"optional"`}}))
		require.NoError(t, err)
		data := []byte(strings.Repeat("\xff", n+1))
		now := steps(&defaults, plan, data)
		require.Greater(t, now, n)
		if before > 0 {
			require.LessOrEqual(t, now, 2*before+before/8, "to %d fields", n)
		}
		before = now
	}
}

// TestStepsOfLabor doubles the elements of each expensive kind: maps whose keys
// differ only at the end, optional values that are nonzero only at the end,
// codes of maximum length, and full subsets.
func TestStepsOfLabor(t *testing.T) {
	ones := func(n int) []*uint8 {
		list := make([]*uint8, n)
		for i := range list {
			list[i] = new(uint8)
		}
		return list
	}
	rows := []struct {
		name string
		fill func(v *laborious, n int)
	}{
		{"optionals in optionals", func(v *laborious, n int) {
			v.Onions = make([]onion1, n)
			for i := range v.Onions {
				v.Onions[i].Next.Next.Next.Core = 1
			}
		}},
		{"keys of one long prefix", func(v *laborious, n int) {
			v.Keys = map[string]bool{}
			for i := range n {
				v.Keys[strings.Repeat("k", 240)+strconv.Itoa(i)] = true
			}
		}},
		{"the absolute form", func(v *laborious, n int) {
			for i := range n {
				v.Chained = append(v.Chained, uint32(i*80000))
			}
		}},
		{"the escape of a Huffman code", func(v *laborious, n int) { v.Huffman = []uint8(strings.Repeat("\xff", n)) }},
		{"varints of ten groups", func(v *laborious, n int) {
			for range n {
				v.Varints = append(v.Varints, 1<<63)
			}
		}},
		{"text", func(v *laborious, n int) { v.Text = strings.Repeat("\U0010FFFF", n) }},
		{"surrogate pairs", func(v *laborious, n int) { v.Wide = strings.Repeat("\U0010FFFF", n) }},
		{"sentinel", func(v *laborious, n int) { v.Sparse = ones(n) }},
		{"ladder", func(v *laborious, n int) { v.Ladder = ones(n) }},
		{"index", func(v *laborious, n int) { v.Index = ones(n) }},
		{"auto", func(v *laborious, n int) { v.Auto = ones(n) }},
		{"bitmap", func(v *laborious, n int) { v.Bitmap = make([]*uint8, n) }},
		{"no common value", func(v *laborious, n int) { v.Common = strings.Split(strings.Repeat("eeee,", n), ",") }},
		{"slices in a map", func(v *laborious, n int) {
			v.Named = map[int16][]onion4{}
			for i := range n {
				v.Named[int16(i)] = make([]onion4, i%4)
			}
		}},
	}
	codec := MustFor[laborious]()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			before := 0
			for n := 500; n <= 8000; n *= 2 {
				var v laborious
				row.fill(&v, n)
				data, err := codec.Append(nil, &v)
				require.NoError(t, err)
				requireLinear(t, codec.plan, &codec.config, data, row.name)
				now := steps(&codec.config, codec.plan, data)
				if before > 0 {
					require.LessOrEqual(t, now, 2*before+before/8, "to %d elements", n)
				}
				before = now
			}
		})
	}
}

// The cost of values without bits is bounded. A type with the maximum number of
// them is decoded and encoded within a fixed number of steps. Elements that
// write nothing are never visited.
func TestStepsWithoutBits(t *testing.T) {
	type mark struct{}
	type row struct {
		On bool
		A  [1 << 20]struct{}
	}
	type set struct {
		K uint8 `bp:"int,min=7,max=7"`
	}
	c := newConfig(nil)
	for _, tt := range []struct {
		name string
		typ  reflect.Type
		data []byte
		most int // maximum steps
	}{
		{"elements of no size", reflect.TypeFor[[1 << 30]struct{}](), nil, 0},
		{"structs of no size", reflect.TypeFor[struct{ A [1 << 30]mark }](), nil, 0},
		{"arrays of no size", reflect.TypeFor[struct{ A *[1 << 15][1 << 15]mark }](), []byte{1}, 4},
		{"in elements", reflect.TypeFor[struct {
			A []row `bp:"maxlen=24"`
		}](), []byte{0xF8, 0xFF, 0xFF, 0x1F}, 4 * 24},
		{"in an optional value", reflect.TypeFor[struct {
			A row `bp:"optional"`
		}](), []byte{3}, 12},
		{"integers of one value", reflect.TypeFor[[1 << 16]set](), nil, 3 << 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := typecache.Of(tt.typ)
			require.NoError(t, err)
			require.LessOrEqual(t, steps(&c, plan, tt.data), tt.most)
			v := reflect.New(tt.typ)
			require.NoError(t, unmarshal(&c, plan, variableTo(v), tt.data))
			data, err := encode(&c, plan, variableTo(v), nil)
			require.NoError(t, err)
			require.Equal(t, len(tt.data), len(data))
		})
	}

	t.Run("are set and checked", func(t *testing.T) {
		var v [300]set
		require.ErrorIs(t, marshalError(&v), ErrRange)
		require.NoError(t, Unmarshal(nil, &v))
		for i := range v {
			require.Equal(t, uint8(7), v[i].K)
		}
		require.NoError(t, marshalError(&v))
		v[299].K = 8
		require.ErrorIs(t, marshalError(&v), ErrRange)
	})
}

func marshalError(v any) error {
	_, err := Marshal(v)
	return err
}
