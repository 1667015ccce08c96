package enginetest

import (
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/bitio"
)

// runLength returns an array or a slice with the option rle.
func (g *gen) runLength() shape {
	elem := g.ofFixedSize()
	s := elem
	s.sample = nil
	own := append(slices.Clone(elem.opts), "rle")
	long := g.IntN(10) == 0
	if g.IntN(2) == 0 {
		n := pick(g, 0, 1, 2, 3, 9, 40)
		if long {
			n = 2*bitio.MaxStretch + g.IntN(9)
		}
		s.typ, s.opts = reflect.ArrayOf(n, elem.typ), own
		if g.IntN(3) == 0 {
			s.typ = reflect.ArrayOf(3, s.typ)
		}
		s.fill = func(g *gen, v reflect.Value) { fillStretches(g, &elem, v) }
		return s
	}
	least, most, opts := g.bounds()
	if long {
		least, most, opts = 0, 2*bitio.MaxStretch+9, []string{option("maxlen", 2*bitio.MaxStretch+9)}
	}
	g.handOn(&s, append(opts, "rle")...)
	s.typ = reflect.SliceOf(elem.typ)
	s.fill = func(g *gen, v reflect.Value) {
		n := g.count(least, most)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fillStretches(g, &elem, v)
	}
	return s
}

// ofFixedSize returns a scalar that always takes the same number of bits, and not
// 0.
func (g *gen) ofFixedSize() shape {
	for {
		var s shape
		switch g.IntN(3) {
		case 0:
			return shape{typ: reflect.TypeFor[bool](), fill: func(g *gen, v reflect.Value) { v.SetBool(g.IntN(2) == 0) }}
		case 1:
			s = g.integer()
			if s.kind == "varint" || s.kind == "relative" || s.kind == "expgolomb" {
				continue
			}
		default:
			s = g.float()
		}
		bounds := map[string]string{"min": "0"}
		for _, o := range s.opts {
			name, value, _ := strings.Cut(o, "=")
			bounds[name] = value
		}
		if s.typ.Kind() != reflect.Complex64 && s.typ.Kind() != reflect.Complex128 && bounds["min"] != bounds["max"] {
			return s
		}
	}
}

// fillStretches fills the elements of an array, of its arrays, or of a slice.
// Neighbors are often equal.
func fillStretches(g *gen, elem *shape, v reflect.Value) {
	every, first := 1+g.IntN(1+v.Len()), reflect.Value{}
	for i := range v.Len() {
		switch at := v.Index(i); {
		case at.Kind() == reflect.Array:
			fillStretches(g, elem, at)
		case !first.IsValid() || g.IntN(every) == 0:
			elem.fill(g, at)
			first = at
		default:
			at.Set(first)
		}
	}
}
