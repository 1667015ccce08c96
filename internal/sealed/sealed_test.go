package sealed

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

const module = "github.com/gobitpack/bitpack"

// public has the packages that users import, and the packages under internal that
// their exported names may lead to. Generated code gets the settings of a codec from
// the engine and passes them on to functions of genrt, so genrt has a name for them.
// They have methods that take a plan, and none that returns one.
var public = map[string][]string{
	"bits":            nil,
	"compress":        nil,
	"typecache":       nil,
	"tagcodec":        nil,
	"tagcodec/binary": nil,
	"tagcodec/delta":  nil,
	"tagcodec/packet": nil,
	"tagcodec/genrt":  {module + "/tagcodec/internal/core"},
}

// Users reach no type of a package under internal from the exported names of the
// public packages. So no program can change a plan.
func TestExportedNamesLeadToNoInternalType(t *testing.T) {
	var patterns []string
	for path := range public {
		patterns = append(patterns, module+"/"+path)
	}
	all := load(t, patterns...)
	require.Len(t, all, len(public))
	for _, p := range all {
		w := walker{seen: map[types.Type]bool{}, may: public[strings.TrimPrefix(p.PkgPath, module+"/")]}
		w.scope(p.Types.Scope())
		for _, found := range w.found {
			t.Errorf("%s.%s", p.Name, found)
		}
		require.Greater(t, len(w.seen), 20, p.PkgPath)
	}
}

// The walk finds internal types in each position of a declaration, and nowhere else.
func TestWalk(t *testing.T) {
	p := load(t, "./testdata/leaks")[0].Types
	for _, name := range p.Scope().Names() {
		obj := p.Scope().Lookup(name)
		if name == "Type" || !obj.Exported() {
			continue
		}
		w := walker{seen: map[types.Type]bool{}, internal: p.Path(), hidden: "Type"}
		w.object(obj)
		require.Equal(t, strings.HasPrefix(name, "Leak"), len(w.found) > 0, "%s: %v", name, w.found)
	}
}

func load(t *testing.T, patterns ...string) []*packages.Package {
	t.Helper()
	all, err := packages.Load(&packages.Config{Mode: packages.LoadTypes}, patterns...)
	require.NoError(t, err)
	for _, p := range all {
		require.Empty(t, p.Errors, p.PkgPath)
	}
	return all
}

// walker follows types from exported names, as a program that imports the package
// can.
type walker struct {
	seen  map[types.Type]bool
	at    []string // the names on the way
	may   []string // the internal packages whose types may be reached
	found []string

	internal, hidden string // for a test: the type that counts as internal
}

func (w *walker) scope(s *types.Scope) {
	for _, name := range s.Names() {
		if obj := s.Lookup(name); obj.Exported() {
			w.object(obj)
		}
	}
}

func (w *walker) object(obj types.Object) { w.typ(obj.Name(), obj.Type()) }

// typ follows t, which name has.
func (w *walker) typ(name string, t types.Type) {
	w.at = append(w.at, name)
	defer func() { w.at = w.at[:len(w.at)-1] }()
	if w.seen[t] || !w.declared(t) {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		w.params(t.TypeParams())
		w.args(t.TypeArgs())
		w.typ("=", t.Rhs())
	case *types.Named:
		w.params(t.TypeParams())
		w.args(t.TypeArgs())
		w.methods(t)
		w.typ("underlying", t.Underlying())
	case *types.TypeParam:
		w.typ("constraint", t.Constraint())
	case *types.Pointer:
		w.typ("*", t.Elem())
	case *types.Slice:
		w.typ("[]", t.Elem())
	case *types.Array:
		w.typ("[]", t.Elem())
	case *types.Chan:
		w.typ("chan", t.Elem())
	case *types.Map:
		w.typ("key", t.Key())
		w.typ("value", t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			w.object(v)
		}
	case *types.Signature:
		w.params(t.TypeParams())
		w.typ("parameters", t.Params())
		w.typ("results", t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				w.object(f)
			}
		}
	case *types.Interface:
		w.methods(t)
		for e := range t.EmbeddedTypes() {
			w.typ("embedded", e)
		}
	case *types.Union:
		for term := range t.Terms() {
			w.typ("term", term.Type())
		}
	}
}

// methods follows the exported methods of t and of a pointer to it, with those that
// are promoted from embedded fields without an exported name.
func (w *walker) methods(t types.Type) {
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	for m := range types.NewMethodSet(t).Methods() {
		if m.Obj().Exported() {
			w.object(m.Obj())
		}
	}
	if p, ok := t.(*types.Pointer); ok {
		w.promoted(p.Elem(), map[types.Type]bool{})
	}
}

// promoted follows the exported fields of embedded structs without an exported name.
func (w *walker) promoted(t types.Type, seen map[types.Type]bool) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return
	}
	seen[t] = true
	for f := range s.Fields() {
		if !f.Embedded() || f.Exported() {
			continue
		}
		inner := f.Type()
		if p, ok := inner.Underlying().(*types.Pointer); ok {
			inner = p.Elem()
		}
		if s, ok := inner.Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if f.Exported() {
					w.object(f)
				}
			}
		}
		w.promoted(inner, seen)
	}
}

func (w *walker) params(list *types.TypeParamList) {
	for p := range list.TypeParams() {
		w.typ(p.Obj().Name(), p)
	}
}

func (w *walker) args(list *types.TypeList) {
	for t := range list.Types() {
		w.typ("argument", t)
	}
}

// declared records t if it is declared in an internal package. It reports whether
// to follow t.
func (w *walker) declared(t types.Type) bool {
	var obj *types.TypeName
	switch t := t.(type) {
	case *types.Named:
		obj = t.Obj()
	case *types.Alias:
		obj = t.Obj()
	default:
		return true
	}
	if obj.Pkg() == nil {
		return true
	}
	path := obj.Pkg().Path()
	inside := strings.HasPrefix(path, module+"/") && strings.Contains(path+"/", "/internal/")
	if inside && slices.Contains(w.may, path) {
		return false
	}
	if w.internal != "" {
		inside = path == w.internal && obj.Name() == w.hidden
	}
	if inside {
		w.found = append(w.found, strings.Join(w.at, " ")+" is "+path+"."+obj.Name())
	}
	return !inside
}
