package typecache

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// isCustom reports whether values of type t serialize themselves. An unnamed type
// can do so only if it is a struct, by a method of an embedded field. For other
// unnamed types isCustom does not call reflect.PointerTo, which might create a
// pointer type that is never freed.
func isCustom(t reflect.Type) bool {
	if t.Name() == "" && t.Kind() != reflect.Struct {
		return false
	}
	return t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(serializerType)
}

// almostCustom returns an error if struct type t has a method Serialize with a
// Stream but the wrong signature, which nothing would call. Because the name is
// a constant, the linker keeps unused methods of this name only. A lookup that
// finds no method leaves nothing behind in package reflect.
func almostCustom(t reflect.Type) error {
	p := reflect.PointerTo(t)
	m, ok := p.MethodByName("Serialize")
	if !ok || m.Type.NumIn() != 2 || m.Type.In(1) != streamType && m.Type.In(1) != streamType.Elem() {
		return nil
	}
	signature := strings.TrimPrefix(m.Type.String(), "func("+p.String()+", ")
	return fmt.Errorf("%v has a method Serialize(%s, which is not called: make it Serialize(*bits.Stream) error, or rename it", t, signature)
}

// recursive reports whether a value of struct type t may hold another value of
// type t.
func (b *builder) recursive(t reflect.Type) bool {
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
// smallest number of a type in open that they lead to.
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
	for _, member := range component {
		g.order[member] = state
	}
	return state
}

// eachContained calls f with each aggregate type that values of aggregate type t directly
// hold. It omits skipped fields, links and values that encode themselves.
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

// isAggregate reports whether values of type t hold other values. Strings and
// interfaces are not aggregates.
func isAggregate(t reflect.Type) bool { return t.Kind() == reflect.Struct || isContainer(t) }

// holdsScalars reports whether t is an aggregate none of whose elements or
// fields are aggregates or interfaces.
func holdsScalars(t reflect.Type) bool {
	holds := func(t reflect.Type) bool { return isAggregate(t) || t.Kind() == reflect.Interface }
	if t.Kind() != reflect.Struct {
		return isContainer(t) && !holds(t.Elem())
	}
	for i := range t.NumField() {
		if holds(t.Field(i).Type) {
			return false
		}
	}
	return true
}

// isList reports whether t is an array or a slice.
func isList(t reflect.Type) bool { return t.Kind() == reflect.Array || t.Kind() == reflect.Slice }

// isContainer reports whether t is a pointer, a slice, an array or a map. The tag
// of a container's field applies to the values in it.
func isContainer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}
