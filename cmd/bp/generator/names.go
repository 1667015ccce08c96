package generator

import (
	"fmt"
	"go/token"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// names knows how the package of the generated file names types and fields.
type names struct {
	pkgPath string
	imports map[string]string // the name of each imported package, by path
}

// local matches the names of local variables and parameters of generated code,
// which hide types of these names.
var local = regexp.MustCompile(`^(all|b|bad|bit|buf|c|data|dst|end|n|need|pos|short|start|v|w|(b|c|e|i|n|ok|rest|s|x)[0-9]+)$`)

// typeName returns the name of a type, or false if the package cannot name it.
func (n *names) typeName(t reflect.Type) (string, bool) {
	if t.Name() == "" || strings.ContainsAny(t.Name(), "[·") || local.MatchString(t.Name()) {
		return "", false
	}
	switch t.PkgPath() {
	case "", n.pkgPath:
		return t.Name(), true
	}
	if !token.IsExported(t.Name()) {
		return "", false
	}
	pkg := strings.TrimSuffix(t.String(), "."+t.Name())
	if !token.IsIdentifier(pkg) {
		pkg = path.Base(t.PkgPath())
	}
	for from, name := range n.imports {
		if name == pkg && from != t.PkgPath() {
			return "", false // two packages of one name
		}
	}
	n.imports[t.PkgPath()] = pkg
	return pkg + "." + t.Name(), true
}

// access returns the expression of a field. base points to the value, of type t,
// that has the field.
func (n *names) access(base string, t reflect.Type, f *plan.Field) (string, bool) {
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

// codes reports whether generated code can write and read a scalar op whose
// values are of type t.
func (n *names) codes(op *plan.Op, t reflect.Type) bool {
	if _, ok := n.typeName(t); !ok {
		return false
	}
	kind := t.Kind()
	integer := kind >= reflect.Int && kind <= reflect.Uintptr
	switch op.Code {
	case plan.CodeBool:
		return kind == reflect.Bool
	case plan.CodeUint8, plan.CodeUint16, plan.CodeUint32, plan.CodeUint64, plan.CodeInt8, plan.CodeInt16, plan.CodeInt32:
		return integer || op.Flags&plan.FlagFullRange != 0 && (kind == reflect.Float32 || kind == reflect.Float64)
	case plan.CodeVarint:
		return integer
	case plan.CodeWord:
		return integer && op.Bits <= 8*op.Size
	case plan.CodeFloat32, plan.CodeHalf:
		return kind == reflect.Float32
	case plan.CodeFloat64:
		return kind == reflect.Float64
	case plan.CodeAngle:
		return kind == reflect.Float32 || kind == reflect.Float64
	}
	return false
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
func (n *names) writeImports(body string) string {
	used := func(name string) bool { return strings.Contains(body, name+".") }
	var std, other []string
	for from, name := range n.imports {
		if !used(name) {
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
