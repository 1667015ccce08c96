package typecache

import (
	"math"
	"reflect"
	"strings"
)

// recursive reports whether a value of struct type t may hold another value of
// type t. It reports false during the first attempt to plan a type.
func (b *builder) recursive(t reflect.Type) bool {
	if !b.recursion {
		return false
	}
	if b.types.order == nil {
		b.types.order = map[reflect.Type]int{}
	}
	if _, ok := b.types.order[t]; !ok {
		b.types.visit(t)
	}
	return b.types.order[t] == inLoop
}

// typeGraph finds the types that may hold themselves. They lie on cycles of the
// graph in which each type points to the types it holds. The search for strongly
// connected components visits each type once: see Tarjan, "Depth-first search and
// linear graph algorithms", 1972.
type typeGraph struct {
	// order is the number of a visited type, in order of the first visit, while
	// its component is incomplete. Afterwards it is inLoop or noLoop, which are
	// greater than all numbers.
	order      map[reflect.Type]int
	incomplete []reflect.Type // the types of incomplete components, in order
}

const (
	inLoop = math.MaxInt
	noLoop = math.MaxInt - 1
)

// visit visits t, which must be new, and the types it holds. It returns the
// smallest number of a type in g.incomplete that they lead to.
func (g *typeGraph) visit(t reflect.Type) int {
	first := len(g.incomplete)
	g.order[t] = first
	g.incomplete = append(g.incomplete, t)
	least, state := first, noLoop
	eachContained(t, func(in reflect.Type) {
		number, met := g.order[in]
		if !met {
			number = g.visit(in)
		}
		least = min(least, number)
		if in == t {
			state = inLoop
		}
	})
	if least < first {
		return least // an earlier type closes the component
	}
	component := g.incomplete[first:]
	g.incomplete = g.incomplete[:first]
	if len(component) > 1 {
		state = inLoop
	}
	for _, typ := range component {
		g.order[typ] = state
	}
	return state
}

// eachContained calls f with each aggregate type that values of aggregate type t
// directly hold. It omits containers of scalars, fields that are left out, links, and values that encode
// themselves.
func eachContained(t reflect.Type, f func(reflect.Type)) {
	if isCustom(t) {
		return
	}
	if t.Kind() != reflect.Struct {
		if in := t.Elem(); nests(in) {
			f(in)
		}
		return
	}
	for i := range t.NumField() {
		in := t.Field(i)
		if !nests(in.Type) || !in.IsExported() && !in.Anonymous {
			continue
		}
		kind, _, _ := strings.Cut(in.Tag.Get("bp"), ",")
		if kind != "-" && kind != "binary" && kind != "link" {
			f(in.Type)
		}
	}
}

// nests reports whether t is a struct or a container of aggregates.
func nests(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || isContainer(t) && isAggregate(t.Elem())
}
