package enginetest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// leftover has one field of each kind that takes at least one bit.
type leftover struct {
	Flag    bool
	Level   int16      `bp:"int,min=-300,max=300"`
	Pos     [3]float32 `bp:"float,min=-8,max=8,res=0.01"`
	Name    string     `bp:"maxlen=15"`
	Wide    string     `bp:"wstring,maxlen=15"`
	Blob    []byte     `bp:"bytes,maxlen=15"`
	Label   [8]byte    `bp:"cstring"`
	Raw     [3]byte    `bp:"bytes"`
	Words   []uint16   `bp:"maxlen=15"`
	Points  []point    `bp:"maxlen=15"`
	At      *point
	Scores  map[int8]point `bp:"maxlen=15"`
	Maybe   point          `bp:"optional"`
	Under   uint32         `bp:"if=Flag"`
	Sparse  [5]*point      `bp:"subset=index"`
	Deep    [][]string     `bp:"maxlen=7,elem.maxlen=7,elem.elem.maxlen=7"`
	Listed  uint8          `bp:"common=1|2|3"`
	Coded   uint8          `bp:"huffman=0:4|1:2|*:1"`
	Number  uint64         `bp:"varint"`
	IDs     []uint16       `bp:"relative,maxlen=7"`
	Own     lucky
	Tree    chainedList
	LastOne uint64
}

// leftovers returns two values that differ in every field.
func leftovers() (held, sent *leftover) {
	held = &leftover{
		Flag: false, Level: 1, Pos: [3]float32{1, 1, 1}, Name: "held", Wide: "HELD", Blob: []byte("heldheld"), Label: [8]byte{'h'},
		Raw: [3]byte{1, 1, 1}, Words: []uint16{1, 1, 1, 1, 1}, Points: []point{{1, 1}, {1, 1}, {1, 1}, {1, 1}}, At: &point{1, 1},
		Scores: map[int8]point{1: {1, 1}}, Maybe: point{1, 1}, Under: 1, Sparse: [5]*point{0: {1, 1}, 4: {1, 1}},
		Deep: [][]string{{"held"}, {"held", "held"}, {"h"}}, Listed: 100, Coded: 100, Number: 1, IDs: []uint16{1, 2, 3, 4},
		Own: lucky{1}, Tree: chainedList{ID: 1, Next: &chainedList{ID: 1}}, LastOne: 1,
	}
	sent = &leftover{
		Flag: true, Level: 2, Pos: [3]float32{2, 2, 2}, Name: "sent", Wide: "SENT", Blob: []byte("sent"), Label: [8]byte{'s'},
		Raw: [3]byte{2, 2, 2}, Words: []uint16{2, 2}, Points: []point{{2, 2}, {3, 3}}, At: &point{2, 2},
		Scores: map[int8]point{2: {2, 2}, 3: {3, 3}}, Maybe: point{2, 2}, Under: 2, Sparse: [5]*point{1: {2, 2}, 3: {2, 2}},
		Deep: [][]string{{"sent", "s"}, {"sent"}}, Listed: 200, Coded: 200, Number: 1 << 40, IDs: []uint16{7, 9},
		Own: lucky{2}, Tree: chainedList{ID: 2, Next: &chainedList{ID: 3}}, LastOne: 2,
	}
	return held, sent
}

// TestFailedLeavesWhatWasRead truncates a message at every byte. Fields before
// the one named by the error come from the message, and fields after it are
// unchanged. That field itself may be partly decoded.
func TestFailedLeavesWhatWasRead(t *testing.T) {
	_, sent := leftovers()
	data, err := tagcodec.Marshal(sent)
	require.NoError(t, err)
	var read leftover
	require.NoError(t, tagcodec.Unmarshal(data, &read))
	want := reflect.ValueOf(read)
	named := map[string]bool{}
	for n := range data {
		v, _ := leftovers()
		was, _ := leftovers()
		err := tagcodec.Unmarshal(data[:n], v)
		var failed *tagcodec.Error
		require.ErrorAs(t, err, &failed)
		name := failed.Path[len("leftover."):]
		name = name[:strings.IndexAny(name+".", ".[")]
		named[name] = true
		at := slices.IndexFunc(reflect.VisibleFields(want.Type()), func(f reflect.StructField) bool { return f.Name == name })
		require.GreaterOrEqual(t, at, 0, failed.Path)
		for i := range want.NumField() {
			got, field := reflect.ValueOf(v).Elem().Field(i).Interface(), want.Type().Field(i).Name
			switch {
			case i < at:
				require.Equal(t, want.Field(i).Interface(), got, "%s, before %s", field, failed.Path)
			case i > at:
				require.Equal(t, reflect.ValueOf(was).Elem().Field(i).Interface(), got, "%s, after an error at %s", field, failed.Path)
			}
		}
		require.Empty(t, hidden(reflect.ValueOf(v).Elem()), failed.Path)
		require.NoError(t, tagcodec.Unmarshal(data, v), "it is as good as a new one")
		require.Equal(t, read, *v)
		require.Empty(t, hidden(reflect.ValueOf(v).Elem()))
	}
	require.Greater(t, len(named), 15, "%v", named)
}

// TestUsedThroughFailures decodes valid and invalid messages of random types
// into one variable each. Old elements beyond the length of a slice must not
// appear, and a valid message must give the same value as in a new variable.
func TestUsedThroughFailures(t *testing.T) {
	refused := 0
	for seed := range seeds(t) / 2 {
		g, s, pl := randomType(t, seed)
		c := settingsWith(tagcodec.WithLinker(&harbour{}))
		used := reflect.New(s.typ)
		s.fill(g, used.Elem())
		require.Empty(t, hidden(used.Elem()))
		for range 12 {
			v := reflect.New(s.typ)
			s.fill(g, v.Elem())
			good, err := reference.Encode(&c, pl, v.Elem(), nil)
			if err != nil {
				continue
			}
			bad := g.mutated(good)
			if decodeAll(&c, pl, used, bad) != nil {
				refused++
				require.Empty(t, hidden(used.Elem()), "seed %d: after %x", seed, bad)
			}
			fresh := reflect.New(s.typ)
			require.NoError(t, decodeAll(&c, pl, fresh, good), "seed %d", seed)
			require.NoError(t, decodeAll(&c, pl, used, good), "seed %d", seed)
			require.Empty(t, difference(fresh.Elem(), used.Elem()), "seed %d", seed)
			require.Empty(t, hidden(used.Elem()), "seed %d", seed)
		}
	}
	require.Greater(t, refused, 500*effort.Factor())
}

// TestNothingRefersToTheData changes the data after decoding, whether it was
// accepted or not. The decoded value must not change.
func TestNothingRefersToTheData(t *testing.T) {
	for seed := range seeds(t) / 2 {
		g, s, pl := randomType(t, seed)
		c := settingsWith(tagcodec.WithLinker(&harbour{}))
		v := reflect.New(s.typ)
		s.fill(g, v.Elem())
		good, err := reference.Encode(&c, pl, v.Elem(), nil)
		if err != nil {
			continue
		}
		for _, data := range [][]byte{good, g.mutated(good), good[:len(good)/2]} {
			one, two := reflect.New(s.typ), reflect.New(s.typ)
			overwritten := slices.Clone(data)
			_ = decodeAll(&c, pl, one, overwritten)
			for i := range overwritten {
				overwritten[i] = ^overwritten[i]
			}
			_ = decodeAll(&c, pl, two, data)
			require.Empty(t, difference(two.Elem(), one.Elem()), "seed %d", seed)
		}
	}
}

// decodeAll decodes all of data into v with the build's own engine.
func decodeAll(c *core.Settings, pl *plan.Plan, v reflect.Value, data []byte) error {
	return engine.Unmarshal(c, pl, engine.VariableTo(v), data)
}

// Messages do not distinguish nil from empty. The variable keeps the one it
// has.
func TestNilAndEmpty(t *testing.T) {
	type record struct {
		Slice  []int       `bp:"maxlen=3"`
		Map    map[int]int `bp:"maxlen=3"`
		Bytes  []byte      `bp:"maxlen=3"`
		Subset []*int      `bp:"subset=bitmap,maxlen=5"`
	}
	data, err := tagcodec.Marshal(&record{})
	require.NoError(t, err)
	empty := record{[]int{}, map[int]int{}, []byte{}, []*int{}}
	same, err := tagcodec.Marshal(&empty)
	require.NoError(t, err)
	require.Equal(t, data, same)

	var into record
	require.NoError(t, tagcodec.Unmarshal(data, &into))
	require.Equal(t, record{}, into)
	into = record{[]int{1}, map[int]int{1: 1}, []byte{1}, make([]*int, 2)}
	require.NoError(t, tagcodec.Unmarshal(data, &into))
	require.Equal(t, empty, into)
}
