package delta

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/bits"
)

// generator makes random types and values of them.
type generator struct {
	*rand.Rand
	id int32 // the last key
}

// moved has values that move by velocities of every kind.
type moved struct {
	Position [3]int16   `bp:"int,min=-3000,max=3000,pred=vel:Velocity"`
	Velocity [3]int16   `bp:"pred=lin"`
	Rotation [4]float32 `bp:"quat,bits=9,pred=vel:Spin"`
	Spin     [3]float32 `bp:"float,min=-20,max=20,res=0.01"`
	Turn     float64    `bp:"float,min=-9,max=9,bits=20"`
	Angle    float32    `bp:"angle,bits=10,pred=vel:Turn"`
	Far      int32      `bp:"pred=vel:Fast"`
	Fast     int32      `bp:"pred=vel:Faster"`
	Faster   uint8
}

// leaves are types of fields with tags that fill can make values for.
var leaves = []struct {
	typ reflect.Type
	tag string
}{
	{reflect.TypeFor[bool](), ""},
	{reflect.TypeFor[int8](), ""},
	{reflect.TypeFor[uint16](), ""},
	{reflect.TypeFor[int32](), "pred=lin"},
	{reflect.TypeFor[int](), ""},
	{reflect.TypeFor[uint64](), "pred=lin"},
	{reflect.TypeFor[int64](), ""},
	{reflect.TypeFor[int16](), "int,min=-300,max=900,pred=lin"},
	{reflect.TypeFor[int8](), "int,min=-5,max=9"},
	{reflect.TypeFor[int64](), "int,min=5,max=6"},
	{reflect.TypeFor[int64](), "int,min=-9,max=-5"},
	{reflect.TypeFor[uint32](), "uint,bits=7"},
	{reflect.TypeFor[int32](), "int,bits=13,pred=lin"},
	{reflect.TypeFor[uint8](), "enum,max=0"},
	{reflect.TypeFor[uint8](), "enum,max=5"},
	{reflect.TypeFor[int64](), "int,min=-9000000000000000000,max=9000000000000000000,pred=lin"},
	{reflect.TypeFor[float32](), ""},
	{reflect.TypeFor[float64](), ""},
	{reflect.TypeFor[complex64](), ""},
	{reflect.TypeFor[float32](), "float,min=-10,max=10,res=0.01,pred=lin"},
	{reflect.TypeFor[float64](), "float,min=-1000,max=1000,bits=40,pred=lin"},
	{reflect.TypeFor[float32](), "half"},
	{reflect.TypeFor[float32](), "angle,bits=10,pred=lin"},
	{reflect.TypeFor[int32](), "fixed,frac=8,min=-50,max=50,pred=lin"},
	{reflect.TypeFor[int64](), "varint"},
	{reflect.TypeFor[uint16](), "varint,pred=lin"},
	{reflect.TypeFor[int64](), "expgolomb"},
	{reflect.TypeFor[uint64](), "expgolomb,k=7"},
	{reflect.TypeFor[int16](), "expgolomb,k=3,pred=lin"},
	{reflect.TypeFor[uint16](), "relative,base=3"},
	{reflect.TypeFor[int32](), "int,min=0,max=100,common=0|7"},
	{reflect.TypeFor[uint8](), "uint,min=0,max=100,common=3"},
	{reflect.TypeFor[int64](), "varint,common=-1|0|5"},
	{reflect.TypeFor[uint8](), "enum,max=9,huffman=0:90|1:7|*:3"},
	{reflect.TypeFor[uint8](), "enum,max=3,huffman=0:90|1:7|2:1|3:1"},
	{reflect.TypeFor[string](), "string,maxlen=9,common=ab|c"},
	{reflect.TypeFor[string](), "maxlen=12"},
	{reflect.TypeFor[string](), "wstring,maxlen=12"},
	{reflect.TypeFor[[]byte](), "bytes,maxlen=6,minlen=2"},
	{reflect.TypeFor[[5]byte](), "bytes"},
	{reflect.TypeFor[[9]byte](), "cstring"},
	{reflect.TypeFor[[4]float32](), "quat,bits=9,pred=lin"},
	{reflect.TypeFor[[4]float64](), "quat,bits=20"},
	{reflect.TypeFor[[4]float32](), "quat,mode=sign,bits=12,pred=lin"},
	{reflect.TypeFor[[3]float32](), "unit,bits=10,pred=lin"},
	{reflect.TypeFor[bits.Uint128](), ""},
	{reflect.TypeFor[bits.Int128](), "int,min=-5000000000000000000000,max=7"},
	{reflect.TypeFor[[3]int16](), "int,min=-300,max=900,pred=lin"},
	{reflect.TypeFor[[7]int8](), "pred=lin"},
	{reflect.TypeFor[[6]uint16](), "varint"},
	{reflect.TypeFor[int32](), "int,min=-5,max=50,optional"},
	{reflect.TypeFor[float32](), "float,min=-10,max=10,res=0.01,optional"},
	{reflect.TypeFor[[2]uint8](), "optional"},
	{reflect.TypeFor[struct{}](), "align"},
	{reflect.TypeFor[struct{}](), "const,bits=5,value=21"},
	{reflect.TypeFor[[]uint32](), "relative,maxlen=9"},
	{reflect.TypeFor[[]int16](), "maxlen=70,pred=lin"},
	{reflect.TypeFor[[520]bool](), "rle"},
	{reflect.TypeFor[[2][3]uint8](), "uint,bits=2,rle"},
	{reflect.TypeFor[[]int16](), "rle,maxlen=9,pred=lin"},
	{reflect.TypeFor[[]int64](), "rle,maxlen=3"},
	{reflect.TypeFor[[]float32](), "float,min=0,max=1,res=0.5,rle,maxlen=9"},
	{reflect.TypeFor[map[int8]uint8](), "maxlen=9"},
	{reflect.TypeFor[map[uint16]bool](), "maxlen=9,key.min=0,key.max=20,minlen=1"},
	{reflect.TypeFor[map[string]uint8](), "maxlen=9,key.maxlen=3"},
	{reflect.TypeFor[*uint16](), ""},
	{reflect.TypeFor[**int8](), ""},
	{reflect.TypeFor[moved](), ""},
	{reflect.TypeFor[[]moved](), "maxlen=9,step=auto"},
	{reflect.TypeFor[[3]moved](), "step=auto"},
}

// structOf returns a random struct type.
func (g *generator) structOf(depth int) reflect.Type {
	var fields []reflect.StructField
	add := func(t reflect.Type, tag string) {
		f := reflect.StructField{Name: "F" + strconv.Itoa(len(fields)), Type: t}
		if t == reflect.TypeFor[struct{}]() {
			f.Name, f.PkgPath = "_", "p"
		}
		if len(fields) > 0 && t.Size() > 0 && g.IntN(6) == 0 && !strings.Contains(tag, "key") {
			if before := fields[len(fields)-1]; before.Type.Kind() == reflect.Bool || before.Type.Kind() == reflect.Int8 {
				tag += ",if=" + before.Name
			}
		}
		if tag = strings.TrimPrefix(tag, ","); tag != "" {
			f.Tag = reflect.StructTag(`bp:"` + tag + `"`)
		}
		fields = append(fields, f)
	}
	blank := false
	for range 1 + g.IntN(6) {
		leaf := leaves[g.IntN(len(leaves))]
		if leaf.typ == reflect.TypeFor[struct{}]() {
			if blank {
				continue
			}
			blank = true
		}
		add(leaf.typ, leaf.tag)
	}
	for range g.IntN(3) {
		if depth == 0 {
			break
		}
		elem := g.structOf(depth - 1)
		switch g.IntN(8) {
		case 0:
			add(elem, "")
		case 1:
			add(reflect.SliceOf(elem), "maxlen=9")
		case 2:
			add(reflect.ArrayOf(3, elem), "")
		case 3:
			add(reflect.PointerTo(elem), "")
		case 4:
			add(reflect.MapOf(reflect.TypeFor[int16](), elem), "maxlen=9")
		case 5:
			modes := []string{"bitmap", "index", "sentinel", "relative", "auto"}
			add(reflect.ArrayOf(6, reflect.PointerTo(elem)), "subset="+modes[g.IntN(5)])
		case 6:
			add(reflect.SliceOf(reflect.PointerTo(elem)), "maxlen=20,subset=bitmap")
		case 7:
			keyed := []reflect.StructField{
				{Name: "ID", Type: reflect.TypeFor[int32](), Tag: []reflect.StructTag{`bp:"key"`, `bp:"int,min=0,max=1000000,key"`, `bp:"varint,key"`}[g.IntN(3)]},
				{Name: "Rest", Type: elem},
			}
			add(reflect.SliceOf(reflect.StructOf(keyed)), "maxlen=12")
		}
	}
	return reflect.StructOf(fields)
}

// settings are the options of a tag.
type settings map[string]string

// tags has the settings of the tags that parseTag has seen.
var tags sync.Map

func parseTag(tag string) (kind string, s settings) {
	kind, _, _ = strings.Cut(tag, ",")
	if known, ok := tags.Load(tag); ok {
		return kind, known.(settings)
	}
	s = settings{}
	for _, o := range strings.Split(tag, ",") {
		name, value, _ := strings.Cut(o, "=")
		s[name] = value
	}
	tags.Store(tag, s)
	return kind, s
}

// number returns the value of an option.
func (s settings) number(name string, otherwise float64) float64 {
	if text, ok := s[name]; ok {
		x, _ := strconv.ParseFloat(text, 64)
		return x
	}
	return otherwise
}

// touch sets each value to a random one with probability p.
func (g *generator) touch(v reflect.Value, tag string, p float64) {
	kind, s := parseTag(tag)
	hit := g.Float64() < p
	if _, isKey := s["key"]; isKey || g.special(v, kind, hit) {
		return
	}
	switch t := v.Type(); t.Kind() {
	case reflect.Bool:
		if hit {
			v.SetBool(!v.Bool())
		}
	case reflect.Float32, reflect.Float64:
		if hit {
			v.SetFloat(float64(float32(g.NormFloat64() * 5)))
		}
	case reflect.Complex64:
		if hit {
			v.SetComplex(complex(g.NormFloat64(), 1))
		}
	case reflect.String:
		if hit {
			v.SetString([]string{"", "ab", "c", "xyz", "äö"}[g.IntN(5)])
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).Name != "_" {
				g.touch(v.Field(i), t.Field(i).Tag.Get("bp"), p)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			g.touch(v.Index(i), tag, p)
		}
	case reflect.Pointer:
		g.pointer(v, tag, p, hit)
	case reflect.Map:
		g.entries(v, s, p)
	case reflect.Slice:
		if n := int(s.number("minlen", 0)); t == reflect.TypeFor[[]byte]() && (hit || v.Len() < n) {
			v.SetBytes([]byte("abcdef")[:n+g.IntN(7-n)])
		} else if t != reflect.TypeFor[[]byte]() {
			g.slice(v, tag, int(s.number("maxlen", 0)), p)
		}
	default:
		g.integer(v, kind, s, hit)
	}
}

// special sets values whose parts go together. It reports whether v is one.
func (g *generator) special(v reflect.Value, kind string, hit bool) bool {
	switch t := v.Type(); {
	case kind == "quat" || kind == "unit":
		hit = hit || v.IsZero()
		for i := range v.Len() {
			if hit {
				v.Index(i).SetFloat(g.NormFloat64() + 1e-6)
			}
		}
	case kind == "cstring" || kind == "bytes" && t.Kind() == reflect.Array:
		for i := range v.Len() {
			if hit {
				v.Index(i).SetUint(uint64(g.IntN(2) * g.IntN(100)))
			}
		}
		if kind == "cstring" {
			v.Index(v.Len() - 1).SetUint(0)
			for i := 1; i < v.Len(); i++ {
				if v.Index(i-1).Uint() == 0 {
					v.Index(i).SetUint(0)
				}
			}
		}
	case kind == "relative" && t.Kind() == reflect.Slice:
		if hit {
			v.SetZero()
			at := uint64(0)
			for range g.IntN(10) {
				at += uint64(1 + g.IntN(300))
				v.Set(reflect.Append(v, reflect.ValueOf(uint32(at))))
			}
		}
	case t == reflect.TypeFor[bits.Uint128]():
		if hit {
			v.Field(0).SetUint(g.Uint64())
		}
	case t == reflect.TypeFor[bits.Int128]():
		if hit {
			v.Set(reflect.ValueOf(bits.Int128{Lo: -g.Uint64N(9), Hi: -1}))
		}
	default:
		return false
	}
	return true
}

// integer sets an integer, most often to one near to the value before.
func (g *generator) integer(v reflect.Value, kind string, s settings, hit bool) {
	n := s.number("bits", float64(v.Type().Bits()))
	low, high := s.number("min", 0), s.number("max", min(math.Exp2(n)-1, 1e15))
	if v.CanInt() {
		low, high = s.number("min", -min(math.Exp2(n-1), 1e15)), s.number("max", min(math.Exp2(n-1)-1, 1e15))
	}
	low = s.number("base", low-1) + 1
	if kind == "fixed" {
		low, high = low*256, high*256
	}
	old := float64(v.Convert(reflect.TypeFor[int64]()).Int())
	valid := old >= low && old <= high
	x := low + float64(g.Int64N(int64(min(high-low, 1e17))+1))
	switch {
	case !hit && valid:
		return
	case !hit:
		x = low
	case valid && g.IntN(3) > 0:
		x = min(max(old+float64(g.IntN(41)-20), low), high)
	}
	v.Set(reflect.ValueOf(x).Convert(v.Type()))
}

// pointer sets a pointer, or changes a copy of what it points to.
func (g *generator) pointer(v reflect.Value, tag string, p float64, hit bool) {
	switch {
	case hit && v.IsNil():
		v.Set(reflect.New(v.Type().Elem()))
		g.touch(v.Elem(), tag, 1)
	case hit && g.IntN(2) == 0:
		v.SetZero()
	case !v.IsNil():
		copied := reflect.New(v.Type().Elem())
		copied.Elem().Set(v.Elem())
		v.Set(copied)
		g.touch(v.Elem(), tag, p)
	}
}

// entries changes, adds and removes entries of a map.
func (g *generator) entries(v reflect.Value, s settings, p float64) {
	t := v.Type()
	next := reflect.MakeMap(t)
	for it := v.MapRange(); it.Next(); {
		if g.Float64() < p/2 && g.IntN(2) == 0 {
			continue
		}
		value := reflect.New(t.Elem()).Elem()
		value.Set(it.Value())
		g.touch(value, "", p)
		next.SetMapIndex(it.Key(), value)
	}
	for next.Len() < int(s.number("minlen", 0)) || next.Len() < 9 && g.Float64() < p/2 {
		key := reflect.ValueOf(g.IntN(20)).Convert(reflect.TypeFor[int]())
		var k reflect.Value
		if t.Key().Kind() == reflect.String {
			k = reflect.ValueOf(string(rune('a' + g.IntN(5))))
		} else {
			k = key.Convert(t.Key())
		}
		value := reflect.New(t.Elem()).Elem()
		g.touch(value, "", 1)
		next.SetMapIndex(k, value)
	}
	v.Set(next)
}

// slice changes, adds, removes and moves elements.
func (g *generator) slice(v reflect.Value, tag string, most int, p float64) {
	var elems []reflect.Value
	for i := range v.Len() {
		if g.Float64() < p/3 {
			continue
		}
		e := reflect.New(v.Type().Elem()).Elem()
		e.Set(v.Index(i))
		g.touch(e, tag, p)
		elems = append(elems, e)
	}
	for len(elems) < most && g.Float64() < p/2+0.05 {
		e := reflect.New(v.Type().Elem()).Elem()
		g.touch(e, tag, 1)
		if e.Kind() == reflect.Struct && e.Type().Field(0).Name == "ID" {
			g.id += 1 + int32(g.IntN(3))
			e.Field(0).SetInt(int64(g.id))
		}
		elems = slices.Insert(elems, g.IntN(len(elems)+1), e)
	}
	next := reflect.MakeSlice(v.Type(), len(elems), len(elems))
	for i, e := range elems {
		next.Index(i).Set(e)
	}
	v.Set(next)
}
