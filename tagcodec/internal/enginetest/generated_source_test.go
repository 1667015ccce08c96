package enginetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/internal/plan"
)

// namedType is a random type whose source is part of the program.
type namedType struct {
	typ  reflect.Type
	seed uint64 // from which it was made, or the index of one of namedShapes
	hand bool   // it is one of namedShapes
}

// namedTypes lists the types of the file that [typesFile] makes.
var namedTypes []namedType

// shape returns the shape of the type, and the generator that made it.
func (n *namedType) shape(t *testing.T) (*gen, shape) {
	if n.hand {
		return newGen(n.seed), namedShapes[n.seed]
	}
	g, s, _ := typeForCode(t, n.seed)
	return g, s
}

// typeForCode returns the random type of a seed. Of four types, three have mostly
// what generated code does not leave to the engine.
func typeForCode(t *testing.T, seed uint64) (*gen, shape, *plan.Plan) {
	g := newGen(seed)
	g.common = seed%4 != 0
	return randomTypeOf(t, g, seed)
}

// typesFile returns the source of random types and of their list, and the names of
// these types. Structs that the types embed get a name, as embedded structs must
// have.
func typesFile(t *testing.T) (source string, names []string) {
	w := typeWriter{pkgPath: reflect.TypeFor[gen]().PkgPath(), imports: map[string]bool{"reflect": true}}
	list := ""
	for seed, n := uint64(0), effort.Rounds(t, 12); len(names) < n; seed++ {
		_, s, pl := typeForCode(t, seed)
		if slices.ContainsFunc(pl.Ops, func(op plan.Op) bool { return op.Code == plan.CodeLink }) {
			continue // it needs a Linker, for which the engine does the work
		}
		w.prefix = fmt.Sprintf("Random%d", seed)
		name := fmt.Sprintf("random%d", seed)
		fmt.Fprintf(&w.out, "type %s %s\n\n", name, w.source(s.typ))
		list += fmt.Sprintf("\t\t{typ: reflect.TypeFor[%s](), seed: %d},\n", name, seed)
		names = append(names, name)
	}
	for i := range namedShapes {
		list += fmt.Sprintf("\t\t{typ: reflect.TypeFor[%s](), seed: %d, hand: true},\n", namedShapes[i].typ.Name(), i)
	}
	imports := ""
	for from := range w.imports {
		imports += fmt.Sprintf("import %q\n", from)
	}
	return "package enginetest\n\n" + imports + "\nfunc init() {\n\tnamedTypes = []namedType{\n" + list + "\t}\n}\n\n" + w.out.String(), names
}

// typeWriter writes the source of types.
type typeWriter struct {
	out     strings.Builder
	pkgPath string
	imports map[string]bool
	prefix  string // of the names of embedded structs
	names   int
}

// source returns the source of a type. The names of embedded structs are declared
// in out.
func (w *typeWriter) source(t reflect.Type) string {
	switch {
	case t.PkgPath() == w.pkgPath:
		return t.Name()
	case t.Name() != "":
		if t.PkgPath() != "" {
			w.imports[t.PkgPath()] = true
		}
		return t.String()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + w.source(t.Elem())
	case reflect.Slice:
		return "[]" + w.source(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), w.source(t.Elem()))
	case reflect.Map:
		return "map[" + w.source(t.Key()) + "]" + w.source(t.Elem())
	case reflect.Struct:
		var fields strings.Builder
		for i := range t.NumField() {
			f := t.Field(i)
			source := w.source(f.Type)
			if f.Anonymous && f.Type.Name() == "" {
				w.names++
				name := fmt.Sprintf("%sE%d", w.prefix, w.names)
				fmt.Fprintf(&w.out, "type %s %s\n\n", name, source)
				fmt.Fprintf(&fields, "\t%s %q\n", name, string(f.Tag))
				continue
			}
			fmt.Fprintf(&fields, "\t%s %s %q\n", f.Name, source, string(f.Tag))
		}
		return "struct {\n" + fields.String() + "}"
	}
	return t.String()
}
