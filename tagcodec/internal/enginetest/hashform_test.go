package enginetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// sameWire requires that types a and b accept the same messages and write them
// the same way.
func sameWire(t *testing.T, r *rand.Rand, a, b reflect.Type) (accepted int) {
	t.Helper()
	data := make([]byte, 48)
	for range 12 {
		for i := range data {
			data[i] = byte(r.Uint32() & r.Uint32() & r.Uint32())
			if r.IntN(3) == 0 {
				data[i] = 0
			}
		}
		data[r.IntN(4)] |= byte(r.Uint32())
		v, w := reflect.New(a), reflect.New(b)
		n, err := tagcodec.UnmarshalFirst(data, v.Interface())
		m, again := tagcodec.UnmarshalFirst(data, w.Interface())
		require.Equal(t, err == nil, again == nil, "%x:\n%v: %v\n%v: %v", data, a, err, b, again)
		if err != nil {
			continue
		}
		accepted++
		require.Equal(t, n, m, "%x:\n%v\n%v", data, a, b)
		one, err := tagcodec.Marshal(v.Interface())
		require.NoError(t, err)
		two, err := tagcodec.Marshal(w.Interface())
		require.NoError(t, err)
		require.Equal(t, one, two, "%v\n%v", a, b)
	}
	return accepted
}

// few makes random structs from few kinds of fields, so that many have the same
// text. It prefers fields that the normal form treats specially.
type few struct{ *rand.Rand }

func (g few) pick(list ...string) string { return list[g.IntN(len(list))] }

// leaf returns a type and a tag. Small types are more frequent.
func (g few) leaf() (reflect.Type, string) {
	switch g.IntN(14) {
	case 0, 1, 2:
		return reflect.TypeFor[bool](), ""
	case 3:
		return reflect.TypeFor[uint8](), g.pick("", "min=0,max=1", "bits=1", "min=7,max=7", "min=0,max=0", "min=1,max=1")
	case 4:
		return reflect.TypeFor[int8](), g.pick("min=0,max=1", "bits=1", "min=-1,max=-1", "relative,base=0", "relative,base=-1", "common=1,min=0,max=1")
	case 5:
		return reflect.TypeFor[string](), g.pick("maxlen=0", "bytes,maxlen=1,minlen=1", "wstring,maxlen=0", "maxlen=1")
	case 6:
		return reflect.TypeFor[[1]byte](), g.pick("bytes", "cstring", "", "min=7,max=7")
	case 7:
		return reflect.TypeFor[struct{}](), g.pick("align", "const,bits=1,value=0", "")
	case 8:
		return reflect.TypeFor[[2]bool](), g.pick("", "optional")
	case 9:
		return reflect.TypeFor[[]bool](), g.pick("maxlen=0", "maxlen=1", "maxlen=2,minlen=2")
	case 10:
		return reflect.TypeFor[map[bool]uint8](), g.pick("maxlen=1", "maxlen=2", "maxlen=1,key.min=0", "maxlen=1,min=3,max=3")
	case 11:
		return reflect.TypeFor[map[uint8]bool](), g.pick("maxlen=1,key.min=0,key.max=1", "maxlen=1,key.min=5,key.max=5", "maxlen=1,minlen=1,key.min=5,key.max=5")
	case 12:
		return reflect.TypeFor[*bool](), ""
	}
	return reflect.TypeFor[[2]uint8](), g.pick("relative,base=0", "min=0,max=1,common=1", "subset=bitmap", "min=5,max=5,optional", "min=1,max=1")
}

// message returns a struct of a few random fields. Within arrays and slices,
// chain is set.
func (g few) message(depth int, chain bool) reflect.Type {
	var fields []reflect.StructField
	var known []int
	for i := range 1 + g.IntN(3+depth) {
		typ, tag := g.leaf()
		switch k := g.IntN(10); {
		case depth > 0 && k < 4:
			switch inner := g.message(depth-1, k < 2); k {
			case 0:
				typ, tag = reflect.ArrayOf(g.IntN(4), inner), ""
			case 1:
				typ, tag = reflect.SliceOf(inner), g.pick("maxlen=1", "maxlen=2,minlen=2", "maxlen=1,minlen=1", "maxlen=2")
			case 2:
				typ, tag = inner, g.pick("", "", "optional")
			case 3:
				typ, tag = reflect.PointerTo(inner), ""
			}
		case k == 4 && chain:
			typ, tag = reflect.TypeFor[int8](), g.pick("relative,chain", "relative,chain,base=-1", "relative,base=-1")
		case k == 5 && len(known) > 0:
			typ, tag = reflect.TypeFor[int8](), "relative,to="+fields[known[g.IntN(len(known))]].Name
		}
		if len(known) > 0 && g.IntN(3) == 0 {
			on := fields[known[g.IntN(len(known))]].Name
			if condition := g.pick(on, "!"+on, on+"==1", on+"!=1", on+"&1", on+"==7"); tag == "" {
				tag = "if=" + condition
			} else {
				tag += ",if=" + condition
			}
		}
		f := reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: typ}
		if tag != "" || typ == reflect.TypeFor[struct{}]() && g.IntN(2) == 0 {
			f.Tag = reflect.StructTag(fmt.Sprintf("bp:%q", tag))
		}
		if k := typ.Kind(); k == reflect.Int8 || k == reflect.Uint8 || k == reflect.Bool {
			known = append(known, i)
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

// Types with the same text have the same wire: they accept the same messages.
func TestSameTextIsSameWire(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	g := few{r}
	byText := map[string][]reflect.Type{}
	pairs, accepted := 0, 0
	for range effort.Rounds(t, 1000) {
		typ := g.message(r.IntN(3), false)
		plan, err := typecache.Of(typ)
		if err != nil {
			continue
		}
		known := byText[plan.Text()]
		byText[plan.Text()] = append(known, typ)
		for _, other := range known[:min(len(known), 3)] {
			if other != typ {
				pairs++
				accepted += sameWire(t, r, other, typ)
			}
		}
	}
	require.Greater(t, pairs, 250*effort.Factor(), "types with equal texts")
	require.Greater(t, accepted, pairs, "messages that they accept")
}
