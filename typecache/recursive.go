package typecache

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// isCustom reports whether values of type t serialize themselves. A type without
// a name has no methods, but for a struct, which may have those of embedded
// fields. Package reflect would make the type of its pointer, and keep it.
func isCustom(t reflect.Type) bool {
	if t.Name() == "" && t.Kind() != reflect.Struct {
		return false
	}
	return t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(serializerType)
}

// almostCustom returns an error if values of struct type t would serialize
// themselves but for the signature of the method, which nothing would call. To
// look for a method by a constant name keeps the linker from dropping methods of
// that name alone, and finding none makes nothing that package reflect keeps.
func almostCustom(t reflect.Type) error {
	p := reflect.PointerTo(t)
	m, ok := p.MethodByName("Serialize")
	if !ok || m.Type.NumIn() != 2 || m.Type.In(1) != streamType && m.Type.In(1) != streamType.Elem() {
		return nil
	}
	signature := strings.TrimPrefix(m.Type.String(), "func("+p.String()+", ")
	return fmt.Errorf("%v has a method Serialize(%s, which is not called: make it Serialize(*bits.Stream) error, or rename it", t, signature)
}

// recursive reports whether a value of struct type t may hold another one.
func (b *builder) recursive(t reflect.Type) bool {
	if _, ok := b.types.order[t]; !ok {
		b.types.visit(t)
	}
	return b.types.order[t] == inLoop
}

// typeGraph finds which types may hold themselves. It takes each type once:
// those that lead back to each other are the strongly connected components of
// the graph of what holds what, found as Tarjan does in "Depth-first search and
// linear graph algorithms", 1972.
type typeGraph struct {
	// order numbers the types by when they were met, as long as a type may
	// still turn out to lead back to them. Afterwards it is inLoop or noLoop,
	// which are above all numbers.
	order map[reflect.Type]int
	open  []reflect.Type // those with a number, in order
}

const (
	inLoop = math.MaxInt
	noLoop = math.MaxInt - 1
)

// visit takes t, which was not met before, and what it holds. It returns the
// least number of an open type that these lead to.
func (g *typeGraph) visit(t reflect.Type) int {
	first := len(g.open)
	g.order[t] = first
	g.open = append(g.open, t)
	least, state := first, noLoop
	held(t, func(in reflect.Type) {
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
	component := g.open[first:]
	g.open = g.open[:first]
	if len(component) > 1 {
		state = inLoop
	}
	for _, member := range component {
		g.order[member] = state
	}
	return state
}

// held calls f with the aggregates that a value of aggregate type t holds.
func held(t reflect.Type, f func(reflect.Type)) {
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

// isAggregate reports whether values of type t hold others.
func isAggregate(t reflect.Type) bool { return t.Kind() == reflect.Struct || isContainer(t) }

// holdsScalars reports whether t is the type of an aggregate whose values hold
// none that hold others.
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

// isList reports whether values of type t hold elements in order.
func isList(t reflect.Type) bool { return t.Kind() == reflect.Array || t.Kind() == reflect.Slice }

// isContainer reports whether values of type t hold others that the tag of their
// field is for.
func isContainer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}
