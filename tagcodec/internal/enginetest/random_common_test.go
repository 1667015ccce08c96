package enginetest

import (
	"math/big"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec"
)

// commonLeaf returns a shape without parts, of a kind that most messages have.
func (g *gen) commonLeaf() shape {
	var s shape
	switch g.IntN(13) {
	case 12:
		return g.incident()
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

// incident is the interface of a union that generated code can write and read.
type incident interface{ occurs() }

type (
	bump struct {
		Force uint8   `bp:"bits=5"`
		At    float32 `bp:"float,min=-8,max=8,res=0.1"`
	}
	shout struct {
		Text  string   `bp:"maxlen=6"`
		To    []uint16 `bp:"maxlen=4"`
		Aside string   `bp:"wstring,maxlen=3"` // the engine writes and reads it
	}
	pause   struct{}
	harvest struct {
		First mood   `bp:"union"`
		Later []mood `bp:"union,maxlen=3"`
	}
)

func (bump) occurs()         {}
func (*shout) occurs()       {}
func (pause) occurs()        {}
func (*harvest) occurs()     {}
func (unregistered) occurs() {}

// mood is the interface of a union in a member of another one.
type mood interface{ feels() }

type (
	calm  struct{}
	angry int8
)

func (*calm) feels() {}
func (angry) feels() {}

func init() {
	tagcodec.RegisterUnion[incident](bump{}, &shout{}, pause{}, &harvest{})
	tagcodec.RegisterUnion[mood](&calm{}, angry(0))
}

func randomMood(g *gen) mood {
	return pick[mood](g, nil, &calm{}, angry(g.IntN(256)-128))
}

func (g *gen) incident() shape {
	return shape{typ: reflect.TypeFor[incident](), kind: "union", fill: func(g *gen, v reflect.Value) {
		var i incident
		switch n := g.IntN(5); {
		case g.strays():
			i = pick[incident](g, unregistered{}, (*shout)(nil), bump{Force: 32}, &shout{Text: "too long"})
		case n == 0:
			i = bump{uint8(g.IntN(32)), 16*g.Float32() - 8}
		case n == 1:
			i = &shout{g.text(6), make([]uint16, g.IntN(5)), g.text(3)}
		case n == 2:
			i = pause{}
		case n == 3:
			h := &harvest{First: randomMood(g)}
			for range g.IntN(4) {
				h.Later = append(h.Later, randomMood(g))
			}
			i = h
		}
		if v.SetZero(); i != nil {
			v.Set(reflect.ValueOf(i))
		}
	}}
}

// commonPart returns an array, slice, subset, map, pointer or struct, of at most
// the given depth.
func (g *gen) commonPart(depth int) shape {
	switch g.IntN(10) {
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
	case 8:
		return g.mapping(g.any(depth - 1))
	}
	return g.structure(depth-1, false)
}
