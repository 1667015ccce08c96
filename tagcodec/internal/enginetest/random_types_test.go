package enginetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// tag returns the struct tag of a shape, with the condition if it is not empty.
func (s shape) tag(g *gen, condition string) reflect.StructTag {
	parts := slices.Clone(s.opts)
	if condition != "" {
		parts = slices.Insert(parts, g.IntN(len(parts)+1), "if="+condition)
	}
	if s.kind != "" || len(parts) > 0 && g.IntN(2) == 0 {
		parts = slices.Insert(parts, 0, s.kind)
	}
	if len(parts) == 0 {
		return ""
	}
	return reflect.StructTag(fmt.Sprintf("bp:%q", strings.Join(parts, ",")))
}

// message returns the shape of a whole message, which is a struct.
func (g *gen) message() shape { return g.structure(3, false) }

// any returns a shape of at most the given depth.
func (g *gen) any(depth int) shape {
	g.budget--
	if depth == 0 || g.budget < 0 || g.IntN(5) < 2 {
		return g.leaf()
	}
	if g.common {
		return g.commonPart(depth)
	}
	switch g.IntN(10) {
	case 9:
		if g.IntN(3) == 0 {
			return g.runLength()
		}
		return g.subset(depth)
	case 0, 1:
		return g.array(g.element(depth))
	case 2, 3:
		return g.slice(g.element(depth))
	case 4:
		return g.mapping(g.any(depth - 1))
	case 5:
		s := g.any(depth - 1)
		for slices.Contains(s.opts, "optional") || s.kind == "link" {
			s = g.any(depth - 1)
		}
		s.typ, s.fill, s.chains = reflect.PointerTo(s.typ), pointerFill(s), nil
		return s
	case 6:
		return g.pushed()
	}
	return g.structure(depth-1, false)
}

// leaf returns a shape without parts.
func (g *gen) leaf() shape {
	if g.common {
		return g.commonLeaf()
	}
	s := g.plainLeaf()
	if g.IntN(5) == 0 {
		s = g.listed(s)
	}
	if g.IntN(8) == 0 {
		s = g.optional(s)
	}
	return s
}

func (g *gen) plainLeaf() shape {
	switch g.IntN(16) {
	case 12, 13:
		return g.geometry()
	case 14:
		return g.union()
	case 15:
		return g.link()
	case 0:
		return shape{typ: reflect.TypeFor[bool](), fill: func(g *gen, v reflect.Value) { v.SetBool(g.IntN(2) == 0) }}
	case 1, 2, 3, 4:
		return g.integer()
	case 5, 6:
		return g.float()
	case 7:
		return g.wide()
	case 8, 9:
		return g.texts()
	case 10:
		return g.binaryShape()
	}
	return namedShapes[g.IntN(len(namedShapes))]
}

// element returns a shape for the elements of an array, slice or map.
func (g *gen) element(depth int) shape {
	if g.IntN(2) == 0 {
		return g.structure(depth-1, true)
	}
	return g.any(depth - 1)
}

func pointerFill(s shape) func(*gen, reflect.Value) {
	return func(g *gen, v reflect.Value) {
		if v.SetZero(); g.IntN(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			s.fill(g, v.Elem())
		}
	}
}

// fillAll fills the elements of an array or slice, including their chains.
func fillAll(g *gen, s *shape, chains []chain, v reflect.Value) {
	for i := range v.Len() {
		s.fill(g, v.Index(i))
	}
	for _, c := range chains {
		before := c.base
		for i := range v.Len() {
			f := v.Index(i)
			for _, j := range c.index {
				f = f.Field(j)
			}
			g.above(f, before, c.most)
			if before = c.most; f.CanInt() {
				before = f.Int()
			} else if f.Uint() < uint64(c.most) {
				before = int64(f.Uint())
			}
		}
	}
}

// array returns an array of a shape.
func (g *gen) array(s shape) shape {
	if strings.Contains(strings.Join(s.opts, ","), "subset=") {
		return s // subset would apply to the array
	}
	elem := s
	chains := s.chains
	if len(s.opts) > 0 && s.kind == "relative" {
		chains = nil // each integer is relative to the same base
	}
	s.typ, s.chains = reflect.ArrayOf(pick(g, 0, 1, 2, 3, 3, 9), s.typ), nil
	s.fill = func(g *gen, v reflect.Value) { fillAll(g, &elem, chains, v) }
	return s
}

// ofBlocks lists the options that apply to the outermost block that accepts
// them.
var ofBlocks = []string{"maxlen", "minlen", "subset", "by", "rle", "optional"}

// handOn turns the options of an element into options of its container.
func (g *gen) handOn(s *shape, own ...string) {
	prefixed := g.IntN(2) == 0 && s.typ.Kind() != reflect.Uint8
	opts := slices.Clone(own)
	for _, o := range s.opts {
		name, _, _ := strings.Cut(o, "=")
		if prefixed || strings.HasPrefix(name, "elem.") || strings.HasPrefix(name, "key.") || slices.Contains(ofBlocks, name) {
			o = "elem." + o
		}
		opts = append(opts, o)
	}
	if prefixed && s.kind != "" && s.kind != "relative" {
		opts, s.kind = append(opts, "elem.kind="+s.kind), ""
	}
	s.opts = opts
}

// bounds returns the bounds of a count.
func (g *gen) bounds() (least, most int, opts []string) {
	most = g.IntN(5)
	if g.common && !g.long && g.IntN(3) == 0 {
		g.long = true
		most = 10 + g.IntN(120)
	}
	opts = []string{option("maxlen", most)}
	if g.IntN(3) == 0 {
		least = g.IntN(most + 1)
		opts = append(opts, option("minlen", least))
	}
	return least, most, opts
}

// count returns a count within the bounds, unless it strays.
func (g *gen) count(least, most int) int {
	if g.strays() {
		return g.IntN(most + 3)
	}
	return least + g.IntN(most-least+1)
}

// slice returns a slice of a shape, in which relative integers are chained.
func (g *gen) slice(s shape) shape {
	if s.typ.Kind() == reflect.Uint8 && slices.Contains(s.opts, "optional") {
		s = g.wide() // a []byte has no element options
	}
	elem := s
	least, most, opts := g.bounds()
	g.handOn(&s, opts...)
	s.typ, s.chains = reflect.SliceOf(s.typ), nil
	s.fill = func(g *gen, v reflect.Value) {
		n := g.count(least, most)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fillAll(g, &elem, elem.chains, v)
	}
	return s
}

// mapping returns a map from a random key to a shape.
func (g *gen) mapping(s shape) shape {
	elem := s
	least, most, opts := g.bounds()
	g.handOn(&s, opts...)
	var key shape
	for key.typ == nil || key.typ.Kind() != reflect.String && key.typ.Kind() > reflect.Uintptr || key.kind == "binary" ||
		key.typ == reflect.TypeFor[direction]() {
		key = g.leaf()
	}
	if key.kind != "" {
		s.opts = append(s.opts, "key.kind="+key.kind)
	}
	for _, o := range key.opts {
		s.opts = append(s.opts, "key."+o)
	}
	s.typ, s.chains = reflect.MapOf(key.typ, s.typ), nil
	s.fill = func(g *gen, v reflect.Value) {
		v.SetZero()
		n := g.count(least, most)
		if n == 0 && g.IntN(2) == 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range 4 * n { // some keys repeat
			if v.Len() == n {
				break
			}
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.fill(g, k)
			elem.fill(g, e)
			v.SetMapIndex(k, e)
		}
	}
	return s
}

// pushed returns a struct with untagged fields, whose encoding is given by the
// tag of the struct.
func (g *gen) pushed() shape {
	leaf := g.leaf()
	for len(leaf.opts) == 0 || slices.Contains([]string{"binary", "quat", "unit", "affine", "link"}, leaf.kind) {
		leaf = g.leaf()
	}
	var fields []reflect.StructField
	for i := range 1 + g.IntN(3) {
		t := leaf.typ
		if i == 2 {
			t = reflect.ArrayOf(2, t)
		}
		fields = append(fields, reflect.StructField{Name: string(rune('X' + i)), Type: t})
	}
	s := leaf
	s.typ, s.chains = reflect.StructOf(fields), nil
	s.fill = func(g *gen, v reflect.Value) {
		for i := range v.NumField() {
			if f := v.Field(i); i < 2 {
				leaf.fill(g, f)
			} else {
				leaf.fill(g, f.Index(0))
				leaf.fill(g, f.Index(1))
			}
		}
	}
	return s
}

// part is a field of a random struct.
type part struct {
	shape
	condition string
	to        int   // index of the earlier field that it is relative to, or -1
	most      int64 // if relative, the largest allowed integer
}

// structure returns a struct of random fields. If looped, the struct is an
// element, and its integers may be chained from element to element.
func (g *gen) structure(depth int, looped bool) shape {
	var parts []part
	var fields []reflect.StructField
	var chains []chain
	var known []int // fields that later fields may refer to
	for range 1 + g.IntN(4+depth) {
		i := len(fields)
		p := part{to: -1}
		if len(known) > 0 && g.IntN(3) == 0 {
			of := pick(g, known...)
			p.condition = g.condition(fields[of].Name, parts[of].shape)
		}
		kind := g.IntN(12)
		if g.common && (kind == 1 || kind == 3) {
			kind = 4
		}
		switch {
		case kind == 0:
			p.shape = g.structural()
		case kind == 1 && looped && p.condition == "":
			p.shape = g.chained()
		case kind == 2 && looped && p.condition == "" && depth > 0:
			p.shape = g.structure(depth-1, true)
		case kind == 3 && len(known) > 0 && fields[known[0]].Type.Kind() != reflect.Bool:
			p.to = known[0]
			p.shape = shape{typ: pick(g, integerTypes...), kind: "relative", opts: []string{"to=" + fields[p.to].Name}}
			p.most = g.chainOf(p.typ).most
			p.fill = func(g *gen, v reflect.Value) { g.above(v, 0, p.most) } // allows conditions on it
		default:
			if p.shape = g.any(depth); g.IntN(8) == 0 {
				p.shape = g.optional(p.shape)
			}
		}
		for _, c := range p.chains {
			if looped && p.condition == "" && (p.typ.Kind() == reflect.Struct || slices.Contains(p.opts, "chain")) {
				chains = append(chains, chain{append([]int{i}, c.index...), c.base, c.most})
			}
		}
		if p.typ.Kind() <= reflect.Uintptr {
			known = append(known, i)
		}
		parts = append(parts, p)
		f := reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: p.typ, Tag: p.tag(g, p.condition)}
		// Fields with an odd index are embedded if their type is an unnamed
		// struct. Their fields then hide, or are hidden by, fields of the same
		// name.
		f.Anonymous = i%2 == 1 && p.typ.Kind() == reflect.Struct && p.typ.Name() == "" && p.kind == "" && len(p.opts) == 0
		fields = append(fields, f)
	}
	return shape{typ: reflect.StructOf(fields), chains: chains, fill: func(g *gen, v reflect.Value) {
		for i, p := range parts {
			if p.to < 0 {
				p.fill(g, v.Field(i))
				continue
			}
			before := int64(0)
			if f := v.Field(p.to); f.CanInt() {
				before = f.Int()
			} else {
				before = int64(min(f.Uint(), uint64(p.most)))
			}
			if parts[p.to].condition != "" {
				before = max(before, 0) // 0 if the condition is false
			}
			g.above(v.Field(i), min(before, p.most), p.most)
		}
	}}
}

// chained returns an integer that the elements around it fill.
func (g *gen) chained() shape {
	t := pick(g, integerTypes...)
	c := g.chainOf(t)
	s := shape{typ: t, kind: "relative", opts: []string{"chain"}, fill: func(*gen, reflect.Value) {}, chains: []chain{c}}
	if c.base != -1 {
		s.opts = append(s.opts, option("base", c.base))
	}
	return s
}

// condition returns a condition on a field.
func (g *gen) condition(name string, s shape) string {
	v := reflect.New(s.typ).Elem()
	s.sampled()(&gen{Rand: g.Rand}, v)
	form := g.IntN(5)
	switch {
	case form == 0:
		return name
	case form == 1:
		return "!" + name
	case v.Kind() == reflect.Bool:
		return name + pick(g, "==", "!=") + pick(g, "true", "false", "0", "1")
	case form == 2 && (v.CanUint() && v.Uint() > 0 || v.CanInt() && v.Int() > 0):
		return fmt.Sprintf("%s&%v", name, v)
	}
	return name + pick(g, "==", "!=") + fmt.Sprint(v)
}

// structural returns bits that belong to no value.
func (g *gen) structural() shape {
	s := shape{typ: reflect.TypeFor[struct{}](), fill: func(*gen, reflect.Value) {}}
	width := 1 + g.IntN(64)
	switch g.IntN(4) {
	case 0:
		s.kind = "align"
	case 1:
		s.kind, s.opts = "reserved", []string{option("bits", width)}
	case 2:
		s.kind, s.opts = "const", []string{option("bits", width), option("value", g.Uint64()>>(64-width))}
	case 3:
		s.kind = "check"
		if g.IntN(2) == 0 {
			s.opts = []string{option("value", g.Uint32())}
		}
	}
	return s
}
