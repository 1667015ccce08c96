package generator

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// names knows how the package of the generated file names types and fields.
type names struct {
	pkgPath string
	taken   map[string]bool   // names that the package declares
	members Names             // its types that may be named as members of unions
	imports map[string]string // the name of each imported package, by path
}

// own lists the packages that generated code uses, by the names that it gives
// them.
var own = map[string]string{"binary": "encoding/binary", "math": "math", "compress": "github.com/gobitpack/bitpack/compress", "genrt": "github.com/gobitpack/bitpack/tagcodec/genrt"}

func newNames(pkgPath string, taken, members Names) *names {
	n := &names{pkgPath: pkgPath, taken: map[string]bool{}, members: members, imports: map[string]string{}}
	for _, name := range taken {
		n.taken[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		n.imported(own[name], name)
	}
	return n
}

// imported returns the name of an imported package. It is the package's own name
// unless something else has it.
func (n *names) imported(from, name string) string {
	if known := n.imports[from]; known != "" {
		return known
	}
	used := slices.Collect(maps.Values(n.imports))
	for n.taken[name] || slices.Contains(used, name) || local.MatchString(name) || types.Universe.Lookup(name) != nil {
		name += "pkg"
	}
	n.imports[from] = name
	return name
}

// importable reports whether the package may import another one, which may be
// internal to a part of a module.
func (n *names) importable(from string) bool {
	parent, _, ok := strings.Cut("/"+from+"/", "/internal/")
	return !ok || parent != "" && strings.HasPrefix("/"+n.pkgPath+"/", parent+"/")
}

// local matches the names of local variables and parameters of generated code,
// which hide types of these names.
var local = regexp.MustCompile(`^(all|b|bit|buf|c|data|dst|end|n|need|pos|short|start|unused|v|w|(b|c|e|i|n|ok|rest|s|t|x)[0-9]+)$`)

// typeName returns the name of a type, or false if the package cannot name it.
func (n *names) typeName(t reflect.Type) (string, bool) {
	if t.Name() == "" || strings.ContainsAny(t.Name(), "[·") || local.MatchString(t.Name()) {
		return "", false
	}
	switch t.PkgPath() {
	case "", n.pkgPath:
		return t.Name(), true
	}
	if !token.IsExported(t.Name()) || !n.importable(t.PkgPath()) {
		return "", false
	}
	pkg := strings.TrimSuffix(t.String(), "."+t.Name())
	return n.imported(t.PkgPath(), pkg) + "." + t.Name(), true
}

// access returns the expression of a field. base points to the value, of type t,
// that has the field.
func (n *names) access(base string, t reflect.Type, f *tree.Field) (string, bool) {
	if f.Path == "" {
		return "*" + base, true
	}
	for _, i := range f.Index {
		if t.Kind() != reflect.Struct || i >= t.NumField() {
			return "", false
		}
		field := t.Field(i)
		if field.Name == "_" || field.PkgPath != "" && field.PkgPath != n.pkgPath {
			return "", false
		}
		t = field.Type
	}
	if t != f.Type {
		return "", false
	}
	return base + "." + f.Path, true
}

// codes reports whether generated code can write and read scalars of type t.
func (n *names) codes(x *tree.Node, t reflect.Type) bool {
	if _, ok := n.typeName(t); !ok || t.Kind() == reflect.Complex64 || t.Kind() == reflect.Complex128 {
		return false
	}
	switch x.Kind {
	case tree.KindInt:
		return x.Bits <= 8*int(t.Size())
	case tree.KindBool, tree.KindVarint, tree.KindFloat, tree.KindFloat32, tree.KindFloat64, tree.KindHalf, tree.KindAngle:
		return true
	default:
		return false
	}
}

// components returns the expressions of the floats of a rotation or a direction.
func (n *names) components(value string, t reflect.Type, v *plan.Vector) (list []string, ok bool) {
	offsets := v.Offs[:]
	if v.Unit != nil {
		offsets = offsets[:3]
	}
	for _, off := range offsets {
		x, ok := n.floatAt(indexed(value), t, off)
		if !ok {
			return nil, false
		}
		list = append(list, x)
	}
	return list, true
}

// floatAt returns the expression of the float at an offset of a value.
func (n *names) floatAt(value string, t reflect.Type, off uintptr) (string, bool) {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		_, ok := n.typeName(t)
		return value, ok && off == 0 && t.PkgPath() == ""
	case reflect.Array:
		size := t.Elem().Size()
		return n.floatAt(fmt.Sprintf("%s[%d]", value, off/size), t.Elem(), off%size)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name != "_" && (f.PkgPath == "" || f.PkgPath == n.pkgPath) && f.Offset <= off && off < f.Offset+f.Type.Size() {
				return n.floatAt(value+"."+f.Name, f.Type, off-f.Offset)
			}
		}
	}
	return "", false
}

// writeImports prints the imports of the file, the standard library's first.
func (n *names) writeImports(has func(string) bool) string {
	var std, other []string
	for from, name := range n.imports {
		if !has(name) {
			continue
		}
		line := fmt.Sprintf("\t%q\n", from)
		if path.Base(from) != name {
			line = fmt.Sprintf("\t%s %q\n", name, from)
		}
		if strings.Contains(strings.Split(from, "/")[0], ".") {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	slices.Sort(std)
	slices.Sort(other)
	text := "import (\n" + strings.Join(std, "")
	if len(std) > 0 && len(other) > 0 {
		text += "\n"
	}
	return text + strings.Join(other, "") + ")\n"
}

// rename gives the packages that generated code uses the names under which they
// are imported. It fails if the package declares a predeclared name that the code
// uses.
func (n *names) rename(body string) (string, error) {
	has := contains(body)
	for _, name := range types.Universe.Names() {
		if n.taken[name] && has(name) {
			return "", fmt.Errorf("the package declares %s, which generated code needs in its usual meaning: rename it", name)
		}
	}
	for name, from := range own {
		if to := n.imports[from]; to != name {
			body = regexp.MustCompile(`(^|[^.\pL\pN_])`+name+`\.`).ReplaceAllString(body, "${1}"+to+".")
		}
	}
	return body, nil
}
