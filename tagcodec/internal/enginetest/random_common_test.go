package enginetest

import (
	"math/big"
	"reflect"
	"slices"
)

// commonLeaf returns a shape without parts, of a kind that most messages have.
func (g *gen) commonLeaf() shape {
	var s shape
	switch g.IntN(12) {
	case 10:
		s = g.geometry()
		for s.kind == "affine" {
			s = g.geometry()
		}
	case 11:
		return g.listed(g.integer())
	case 0:
		s = shape{typ: reflect.TypeFor[bool](), fill: func(g *gen, v reflect.Value) { v.SetBool(g.IntN(2) == 0) }}
	case 1, 2, 3, 4:
		s = g.integer()
		for slices.Contains([]string{"varint", "relative", "expgolomb"}, s.kind) && g.IntN(8) > 0 {
			s = g.integer()
		}
		if g.IntN(4) == 0 {
			s = g.smallInteger()
		}
	case 5, 6, 7:
		s = g.float()
		for s.typ.Kind() >= reflect.Complex64 {
			s = g.float()
		}
	default:
		s = g.texts()
	}
	if g.IntN(8) == 0 {
		s = g.optional(s)
	}
	return s
}

// smallInteger returns an integer in a small range, on which conditions are likely
// to hold.
func (g *gen) smallInteger() shape {
	lo := big.NewInt(int64(-g.IntN(2) * g.IntN(100)))
	hi := new(big.Int).Add(lo, big.NewInt(int64(g.IntN(4))))
	t := pick(g, reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[level](), reflect.TypeFor[int]())
	return shape{typ: t, kind: "int", opts: []string{option("min", lo), option("max", hi)}, fill: fillBetween(lo, hi)}
}

// commonPart returns an array, slice, subset, pointer or struct, of at most the
// given depth.
func (g *gen) commonPart(depth int) shape {
	switch g.IntN(9) {
	case 0, 1:
		s := g.array(g.element(depth))
		if g.IntN(4) == 0 && s.typ.Kind() == reflect.Array && s.typ.Len() == 9 && s.typ.Elem().Kind() <= reflect.Float64 {
			s.typ = reflect.ArrayOf(17+g.IntN(20), s.typ.Elem()) // has a loop in generated code
		}
		return s
	case 2, 3, 4:
		return g.slice(g.element(depth))
	case 5:
		s := g.any(depth - 1)
		for slices.Contains(s.opts, "optional") {
			s = g.any(depth - 1)
		}
		s.typ, s.fill, s.chains = reflect.PointerTo(s.typ), pointerFill(s), nil
		return s
	case 6:
		return g.pushed()
	case 7:
		return g.subset(depth)
	}
	return g.structure(depth-1, false)
}
