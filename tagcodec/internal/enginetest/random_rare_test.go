package enginetest

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// optional adds the option optional to a shape, if it applies.
func (g *gen) optional(s shape) shape {
	if !s.typ.Comparable() || s.typ.Kind() == reflect.Pointer || s.typ.Kind() == reflect.Interface ||
		s.kind == "relative" || s.typ == reflect.TypeFor[struct{}]() || slices.Contains(s.opts, "optional") {
		return s
	}
	full := s
	s.opts = slices.Insert(slices.Clone(s.opts), g.IntN(len(s.opts)+1), "optional")
	s.sample = full.sampled()
	s.fill = func(g *gen, v reflect.Value) {
		if v.SetZero(); g.IntN(2) == 0 {
			full.fill(g, v)
		}
	}
	return s
}

// listed adds the option common or huffman to a scalar or string, if it
// applies.
func (g *gen) listed(s shape) shape {
	if s.kind == "relative" || s.kind == "binary" || len(s.chains) > 0 || reflect.PointerTo(s.typ).Implements(reflect.TypeFor[bits.Serializer]()) {
		return s
	}
	var values []string
	for range 1 + g.IntN(6) {
		text := ""
		v := reflect.New(s.typ).Elem()
		s.sampled()(&gen{Rand: g.Rand}, v)
		switch k := v.Kind(); {
		case k == reflect.Bool:
			text = pick(g, "true", "false")
		case k == reflect.String && s.kind != "bytes":
			longest, _ := strconv.Atoi(strings.TrimPrefix(s.opts[0], "maxlen="))
			text = "common"[:min(longest, g.IntN(7))]
		case v.CanInt(), v.CanUint():
			text = fmt.Sprint(v)
		case k == reflect.Float32, k == reflect.Float64:
			// Other values may be the same on the wire.
			if text = "0"; s.kind == "float" || s.kind == "" && len(s.opts) > 0 {
				text = strings.TrimPrefix(pick(g, s.opts[0], s.opts[1]), "min=")
				text = strings.TrimPrefix(text, "max=")
			}
		case v.Type() == reflect.TypeFor[bits.Uint128](), v.Type() == reflect.TypeFor[bits.Int128]():
			text = fmt.Sprint(v.Interface())
		default:
			return s
		}
		if text != "" && !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	if len(values) == 0 {
		return s
	}
	unlisted, option := s, "common="+strings.Join(values, "|")
	s.sample = unlisted.sampled()
	only := false
	if g.IntN(2) == 0 && len(values) > 1 {
		only = g.IntN(3) == 0
		var weights []string
		for _, v := range values {
			weights = append(weights, fmt.Sprintf("%s:%d", v, 1+g.IntN(1<<g.IntN(20))))
		}
		if !only {
			weights = slices.Insert(weights, g.IntN(len(weights)+1), fmt.Sprintf("*:%d", 1+g.IntN(100)))
		}
		option = "huffman=" + strings.Join(weights, "|")
	}
	s.opts = append(slices.Clone(s.opts), option)
	s.fill = func(g *gen, v reflect.Value) {
		if !only && g.IntN(2) == 0 || g.strays() {
			unlisted.fill(g, v)
			return
		}
		setText(v, pick(g, values...))
	}
	return s
}

// setText sets a scalar or string to a value written as in a tag.
func setText(v reflect.Value, text string) {
	switch k := v.Kind(); {
	case k == reflect.Bool:
		v.SetBool(text == "true")
	case k == reflect.String:
		v.SetString(text)
	case v.CanFloat():
		x, _ := strconv.ParseFloat(text, v.Type().Bits())
		v.SetFloat(x)
	default:
		x, _ := new(big.Int).SetString(text, 0)
		if k != reflect.Struct {
			setInteger(v, x)
			return
		}
		v.Field(0).SetUint(new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64())
		setInteger(v.Field(1), x.Rsh(x, 64))
	}
}

// subset returns an array or slice whose present elements are sent.
func (g *gen) subset(depth int) shape {
	elem := g.any(depth - 1)
	if g.IntN(2) == 0 {
		elem = g.structure(depth-1, false)
	}
	by := elem.typ.Kind() != reflect.Struct || len(elem.opts) > 0 || elem.typ.Name() != "" || g.IntN(2) == 0
	own := []string{"subset=" + pick(g, "bitmap", "index", "sentinel", "relative", "auto")}
	inner := elem.fill
	t := reflect.PointerTo(elem.typ)
	if by {
		elem.fill = pointerFill(elem)
	} else {
		own = append(own, "by=On")
		var fields []reflect.StructField
		for i := range elem.typ.NumField() {
			fields = append(fields, elem.typ.Field(i))
		}
		t = reflect.StructOf(append(fields, reflect.StructField{Name: "On", Type: reflect.TypeFor[bool]()}))
		elem.fill = func(g *gen, v reflect.Value) {
			inner(g, v) // also if the element is absent
			v.FieldByName("On").SetBool(g.IntN(3) == 0)
		}
	}
	s := elem
	s.chains, s.sample = nil, nil
	if g.IntN(2) == 0 && len(elem.opts) == 0 {
		n := pick(g, 0, 1, 2, 5, 20)
		if g.IntN(8) == 0 {
			n = 150
		}
		s.typ = reflect.ArrayOf(n, t)
		s.opts = append(slices.Clone(elem.opts), own...)
		s.fill = func(g *gen, v reflect.Value) { fillSparse(g, &elem, v) }
		return s
	}
	least, most, opts := g.bounds()
	s.typ = t
	g.handOn(&s, append(opts, own...)...)
	s.typ = reflect.SliceOf(t)
	s.fill = func(g *gen, v reflect.Value) {
		n := g.count(least, most)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fillSparse(g, &elem, v)
	}
	return s
}

// fillSparse fills some elements.
func fillSparse(g *gen, elem *shape, v reflect.Value) {
	every := 1 + g.IntN(1+v.Len())
	for i := range v.Len() {
		if v.Index(i).SetZero(); g.IntN(every) == 0 {
			elem.fill(g, v.Index(i))
		}
	}
}

type (
	quaternion struct{ X, Y, Z, W float32 }
	rotation   struct {
		W float64
		V [3]float64
	}
	normal    struct{ X, Z, Y float64 }
	transform struct {
		Translation [3]float32 `bp:"float,min=-10,max=10,res=0.01"`
		Rotation    quaternion `bp:"quat,bits=9"`
		Scale       [3]float32 `bp:"float,min=0.5,max=8.5,bits=6"`
	}
	rawTransform struct {
		Rotation    [4]float64 `bp:"quat,mode=sign,bits=7"`
		Scale       float64
		Translation position
	}
)

// geometry returns a rotation, a direction or a transform.
func (g *gen) geometry() shape {
	fillFloats := func(unit float64) func(*gen, reflect.Value) {
		return func(g *gen, v reflect.Value) {
			scale := unit
			if g.strays() {
				scale = pick(g, 0, math.NaN(), math.Inf(1))
			}
			eachFloat(v, func(v reflect.Value) { v.SetFloat(g.NormFloat64() * scale) })
		}
	}
	s := shape{fill: fillFloats(1)}
	switch g.IntN(5) {
	case 0, 1:
		s.typ = pick(g, reflect.TypeFor[[4]float32](), reflect.TypeFor[quaternion](), reflect.TypeFor[rotation]())
		s.kind, s.opts = "quat", []string{option("bits", 2+g.IntN(19))}
		if g.IntN(2) == 0 {
			s.opts = append(s.opts, "mode=sign")
		}
	case 2:
		s.typ = pick(g, reflect.TypeFor[[3]float32](), reflect.TypeFor[normal]())
		s.kind, s.opts = "unit", []string{option("bits", 2+g.IntN(23))}
	case 3:
		s.typ, s.kind = pick(g, reflect.TypeFor[transform](), reflect.TypeFor[rawTransform]()), "affine"
		s.fill = func(g *gen, v reflect.Value) {
			fillFloats(1)(g, v)
			if g.IntN(2) == 0 {
				scale := pick(g, 1, 1.01, 3.5)
				eachFloat(v.FieldByName("Scale"), func(v reflect.Value) { v.SetFloat(scale) })
			}
		}
	default:
		s.typ, s.kind = pick(g, reflect.TypeFor[[16]float32](), reflect.TypeFor[[4][4]float32]()), "affine"
		if g.IntN(2) == 0 {
			s.opts = []string{"min=-100", "max=100", "res=0.5", "bits=8"}
		}
		s.fill = func(g *gen, v reflect.Value) {
			if fillFloats(1)(g, v); g.IntN(8) == 0 {
				return // probably has a shear
			}
			x, y := g.NormFloat64()*10, g.NormFloat64()*10
			sin, cos := math.Sincos(g.Float64() * 7)
			scale := pick(g, 1, 1.5, -2)
			i := 0
			eachFloat(v, func(v reflect.Value) {
				m := [16]float64{cos * scale, sin * scale, 0, 0, -sin * scale, cos * scale, 0, 0, 0, 0, scale, 0, x, y, 0, 1}
				v.SetFloat(m[i])
				i++
			})
		}
	}
	return s
}

// eachFloat calls f for every float in v.
func eachFloat(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if v.CanSet() {
			f(v)
		}
	case reflect.Array:
		for i := range v.Len() {
			eachFloat(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			eachFloat(v.Field(i), f)
		}
	}
}

// happening is the interface of a union.
type happening interface{ happens() }

type (
	landing struct {
		Speed uint8 `bp:"uint,bits=5"`
		Port  *ship `bp:"link,bits=4"`
	}
	speech struct {
		Text string `bp:"maxlen=6"`
	}
	nested struct {
		Then []happening `bp:"union,maxlen=2"`
	}
	unregistered struct{}
)

func (landing) happens()      {}
func (*speech) happens()      {}
func (*nested) happens()      {}
func (unregistered) happens() {}

func init() { tagcodec.RegisterUnion[happening](landing{}, &speech{}, &nested{}) }

func randomHappening(g *gen, depth int) happening {
	switch n := g.IntN(4); {
	case g.strays():
		return pick[happening](g, unregistered{}, (*speech)(nil))
	case n == 0:
		return landing{uint8(g.IntN(32)), fleet[g.IntN(len(fleet))]}
	case n == 1:
		return &speech{g.text(6)}
	case n == 2 && depth > 0:
		v := &nested{}
		for range g.IntN(3) {
			v.Then = append(v.Then, randomHappening(g, depth-1))
		}
		return v
	}
	return nil
}

func (g *gen) union() shape {
	return shape{typ: reflect.TypeFor[happening](), kind: "union", fill: func(g *gen, v reflect.Value) {
		if v.SetZero(); true {
			if h := randomHappening(g, 2); h != nil {
				v.Set(reflect.ValueOf(h))
			}
		}
	}}
}

// ship is the type of objects that links refer to.
type ship struct{ Name string }

var fleet = [9]*ship{1: {"one"}, {"two"}, {"three"}, {"four"}, {"five"}, {"six"}, {"seven"}, {"eight"}}

// harbour is a Linker that knows the fleet. The id 9 belongs to an object of
// another type. It stores unresolved links.
type harbour struct{ unresolved []tagcodec.Patch }

func (h *harbour) ID(object any) (uint64, bool) {
	if object == "no ship" {
		return 9, true
	}
	s, _ := object.(*ship)
	i := slices.Index(fleet[1:], s)
	return uint64(i + 1), i >= 0
}

func (h *harbour) Object(id uint64) (any, bool) {
	if id < uint64(len(fleet)) {
		return fleet[id], true
	}
	return "no ship", id == 9
}

func (h *harbour) Unresolved(p tagcodec.Patch) { h.unresolved = append(h.unresolved, p) }

// settle sets every unresolved link to a ship and describes the results.
func (h *harbour) settle() (told []string) {
	for _, p := range h.unresolved {
		told = append(told, fmt.Sprint(p.ID, p.Path, p.Set(fleet[p.ID%8+1])))
	}
	return told
}

func (g *gen) link() shape {
	t := pick(g, reflect.TypeFor[*ship](), reflect.TypeFor[any]())
	s := shape{typ: t, kind: "link", opts: []string{option("bits", pick(g, 3, 4, 10, 64))}}
	if g.IntN(2) == 0 {
		s.opts = nil
	}
	s.fill = func(g *gen, v reflect.Value) {
		v.SetZero()
		if s := fleet[g.IntN(8)]; s != nil {
			v.Set(reflect.ValueOf(s))
		}
		if g.strays() {
			v.Set(reflect.ValueOf(pick(g, fleet[8], &ship{}, (*ship)(nil))))
		}
	}
	return s
}
