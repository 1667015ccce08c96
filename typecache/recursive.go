package typecache

import (
	"math"
	"reflect"
	"strings"
)

// recursive reports whether a value of struct type t may hold another value of
// type t.
func (b *builder) recursive(t reflect.Type) bool {
	if b.types.of(t).order == 0 {
		b.graph.visit(&b.types, t)
	}
	return b.types.of(t).order == inLoop
}

// typeGraph finds the types that may hold themselves. They lie on cycles of the
// graph in which each type points to the types it holds. The search for strongly
// connected components visits each type once: see Tarjan, "Depth-first search and
// linear graph algorithms", 1972.
//
// The order of a type in the table is 0 until its first visit. While its component is
// incomplete, it is its number, counted from 1 in order of the first visit. Afterwards
// it is inLoop or noLoop, which are greater than all numbers.
type typeGraph struct {
	incomplete []reflect.Type // the types of incomplete components, in order
}

const (
	inLoop = math.MaxInt
	noLoop = math.MaxInt - 1
)

// visit visits t, which must be new, and the types it holds. It returns the
// smallest number of a type in g.incomplete that they lead to.
func (g *typeGraph) visit(types *typeTable, t reflect.Type) int {
	g.incomplete = append(g.incomplete, t)
	first := len(g.incomplete)
	types.of(t).order = first
	least, state := first, noLoop
	eachContained(t, func(in reflect.Type) {
		number := types.of(in).order
		if number == 0 {
			number = g.visit(types, in)
		}
		least = min(least, number)
		if in == t {
			state = inLoop
		}
	})
	if least < first {
		return least // an earlier type closes the component
	}
	component := g.incomplete[first-1:]
	g.incomplete = g.incomplete[:first-1]
	if len(component) > 1 {
		state = inLoop
	}
	for _, typ := range component {
		types.of(typ).order = state
	}
	return state
}

// eachContained calls f with each aggregate type that values of aggregate type t
// directly hold. It omits fields that are left out, links, and values that encode
// themselves.
func eachContained(t reflect.Type, f func(reflect.Type)) {
	if isCustom(t) {
		return
	}
	if t.Kind() != reflect.Struct {
		if in := t.Elem(); isAggregate(in) {
			f(in)
		}
		return
	}
	for i := range t.NumField() {
		in := t.Field(i)
		if !isAggregate(in.Type) || !in.IsExported() && !in.Anonymous {
			continue
		}
		kind, _, _ := strings.Cut(in.Tag.Get("bp"), ",")
		if kind != "-" && kind != "binary" && kind != "link" {
			f(in.Type)
		}
	}
}
