package stale

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"
)

// writer writes syntax trees in a form that does not depend on positions and
// comments.
type writer struct {
	strings.Builder
	imports map[string]string
	params  []string // the type parameters
	names   []string // that are used and may be declared by the package
}

// typeSpec writes the declaration of a type.
func (w *writer) typeSpec(spec *ast.TypeSpec) {
	if spec.TypeParams != nil {
		for _, f := range spec.TypeParams.List {
			for _, name := range f.Names {
				w.params = append(w.params, name.Name)
			}
		}
		for _, f := range spec.TypeParams.List {
			for _, name := range f.Names {
				fmt.Fprintf(w, "[%s ", name.Name)
				w.expr(f.Type)
			}
		}
	}
	fmt.Fprintf(w, "type %v ", spec.Assign.IsValid())
	w.expr(spec.Type)
}

// constant writes the declaration of a constant.
func (w *writer) constant(d *decl) {
	w.WriteString("const ")
	if d.typ != nil {
		w.expr(d.typ)
	}
	w.expr(d.value)
	for _, name := range w.names {
		if name == "iota" {
			fmt.Fprintf(w, " iota %d", d.iota)
			break
		}
	}
}

// expr writes a node.
func (w *writer) expr(n ast.Node) {
	switch n := n.(type) {
	case *ast.ParenExpr:
		w.expr(n.X)
	case *ast.Ident:
		w.name(n.Name)
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && w.imports[x.Name] != "" {
			w.qualified(w.imports[x.Name], n.Sel.Name)
			return
		}
		w.expr(n.X)
		fmt.Fprintf(w, ".%s ", n.Sel.Name)
	case *ast.BasicLit:
		text := n.Value
		if n.Kind == token.INT || n.Kind == token.FLOAT { // gofmt writes prefixes and exponents in lower case
			text = strings.ToLower(text)
		}
		w.WriteString(text + " ")
	case *ast.StructType:
		w.WriteString("struct{")
		for _, f := range n.Fields.List {
			w.field(f)
		}
		w.WriteString("}")
	case *ast.InterfaceType:
		w.WriteString("interface{")
		for _, f := range n.Methods.List {
			for _, name := range f.Names {
				w.WriteString(name.Name + " ")
			}
			w.expr(f.Type)
			w.WriteString(";")
		}
		w.WriteString("}")
	case *ast.Field: // of a signature
		for range max(1, len(n.Names)) {
			w.expr(n.Type)
			w.WriteString(",")
		}
	default:
		w.any(reflect.ValueOf(n))
	}
}

// name writes a name that the package may declare. The build of a package with cgo
// sees other names for those of C.
func (w *writer) name(name string) {
	for _, prefix := range []string{"_Ctype_", "_Ciconst_", "_Cfpvar_", "_Cfunc_"} {
		if c, ok := strings.CutPrefix(name, prefix); ok {
			w.qualified("C", c)
			return
		}
	}
	w.WriteString(name + " ")
	for _, p := range w.params {
		if p == name {
			return
		}
	}
	w.names = append(w.names, name)
}

// qualified writes a name of another package. The package may register members for
// it.
func (w *writer) qualified(from, name string) {
	text := strconv.Quote(from) + "." + name + " "
	w.WriteString(text)
	w.names = append(w.names, text)
}

// field writes the fields that a line of a struct declares. Of the tag it is what
// the library reads.
func (w *writer) field(f *ast.Field) {
	tag := ""
	if f.Tag != nil {
		text, _ := strconv.Unquote(f.Tag.Value)
		value, ok := reflect.StructTag(text).Lookup("bp")
		if tag = fmt.Sprintf("%q", value); !ok {
			tag = ""
		}
	}
	line := func(name string) {
		w.WriteString(name + " ")
		w.expr(f.Type)
		w.WriteString(tag + ";")
	}
	for _, name := range f.Names {
		line(name.Name)
	}
	if len(f.Names) == 0 {
		line("embedded")
	}
}

// any writes a node by its fields.
func (w *writer) any(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.WriteString("nil ")
			return
		}
		switch x := v.Interface().(type) {
		case *ast.CommentGroup:
		case ast.Node:
			if v.Kind() == reflect.Interface {
				w.expr(x)
				return
			}
			switch x.(type) {
			case *ast.ParenExpr, *ast.Ident, *ast.SelectorExpr, *ast.BasicLit, *ast.StructType, *ast.InterfaceType, *ast.Field:
				w.expr(x)
			default:
				w.any(v.Elem())
			}
		}
	case reflect.Slice:
		fmt.Fprintf(w, "%d(", v.Len())
		for i := range v.Len() {
			w.any(v.Index(i))
		}
		w.WriteString(")")
	case reflect.Struct:
		w.WriteString(v.Type().Name() + "(")
		for i := range v.NumField() {
			w.any(v.Field(i))
		}
		w.WriteString(")")
	case reflect.String:
		w.WriteString(v.String() + " ")
	case reflect.Int:
		switch x := v.Interface().(type) {
		case token.Pos:
		case fmt.Stringer: // a token
			w.WriteString(x.String() + " ")
		default:
			fmt.Fprint(w, x, " ")
		}
	}
}
