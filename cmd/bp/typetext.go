package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// typeText is the text of a type that a package itself could write. The probe has
// it in its source. It is printed anew from a syntax tree, so that the text of a
// flag, of bp.lock or of a generated file is never run.
type typeText struct {
	text  string   // on one line
	names []string // of types that the package may declare; the first is that of the type, if it has one
}

// parseType parses the text of a type. It accepts names of the package, instances
// of generic types, pointers, arrays, slices, maps and structs. Bp cannot import
// the packages of qualified names.
func parseType(text string) (typeText, error) {
	wrong := fmt.Errorf("%q is not a type: write it as the package does, as in Player or Pair[bool, uint8]", text)
	e, err := parser.ParseExpr(text)
	if err != nil {
		return typeText{}, wrong
	}
	var w typeWriter
	switch w.write(e); {
	case w.qualified != "":
		return typeText{}, fmt.Errorf("%q names %s of another package: declare a type of this package with it", text, w.qualified)
	case w.wrong:
		return typeText{}, wrong
	}
	return typeText{w.String(), w.names}, nil
}

// typeWriter writes a type. Nothing of a syntax tree that it does not know is
// written.
type typeWriter struct {
	strings.Builder
	names     []string
	qualified string // a name of another package
	wrong     bool
}

func (w *typeWriter) write(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		w.name(e)
	case *ast.SelectorExpr:
		w.wrong = true
		if x, ok := e.X.(*ast.Ident); ok {
			w.qualified = x.Name + "." + e.Sel.Name
		}
	case *ast.IndexExpr:
		w.instance(e.X, e.Index)
	case *ast.IndexListExpr:
		w.instance(e.X, e.Indices...)
	case *ast.StarExpr:
		w.WriteString("*")
		w.write(e.X)
	case *ast.ArrayType:
		w.WriteString("[")
		switch n := e.Len.(type) {
		case nil:
		case *ast.Ident: // a constant
			w.WriteString(n.Name)
		case *ast.BasicLit:
			w.wrong = w.wrong || n.Kind != token.INT
			w.WriteString(n.Value)
		default:
			w.wrong = true
		}
		w.WriteString("]")
		w.write(e.Elt)
	case *ast.MapType:
		w.WriteString("map[")
		w.write(e.Key)
		w.WriteString("]")
		w.write(e.Value)
	case *ast.StructType:
		w.fields(e.Fields.List)
	default:
		w.wrong = true
	}
}

// name writes the name of a type.
func (w *typeWriter) name(id *ast.Ident) {
	w.wrong = w.wrong || id.Name == "_"
	w.names = append(w.names, id.Name)
	w.WriteString(id.Name)
}

// instance writes an instance of a generic type.
func (w *typeWriter) instance(generic ast.Expr, args ...ast.Expr) {
	id, ok := generic.(*ast.Ident)
	if !ok {
		w.write(generic) // it may be qualified
		w.wrong = true
		return
	}
	w.name(id)
	separator := "["
	for _, arg := range args {
		w.WriteString(separator)
		w.write(arg)
		separator = ", "
	}
	w.WriteString("]")
}

// fields writes a struct.
func (w *typeWriter) fields(list []*ast.Field) {
	w.WriteString("struct{")
	separator := " "
	for _, f := range list {
		w.WriteString(separator)
		for i, id := range f.Names {
			if i > 0 {
				w.WriteString(", ")
			}
			w.WriteString(id.Name)
		}
		if len(f.Names) > 0 {
			w.WriteString(" ")
		}
		w.write(f.Type)
		if f.Tag != nil {
			tag, err := strconv.Unquote(f.Tag.Value)
			w.wrong = w.wrong || err != nil
			w.WriteString(" " + quotedTag(tag))
		}
		separator = "; "
	}
	if len(list) > 0 {
		w.WriteString(" ")
	}
	w.WriteString("}")
}

// quotedTag returns a tag in Go, on one line.
func quotedTag(tag string) string {
	if strconv.CanBackquote(tag) {
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}

// missing reports whether the package does not declare a type, or one of its type
// arguments.
func (p *pkg) missing(text string) bool {
	t, err := parseType(text)
	if err != nil {
		return false
	}
	declared := func(name string) bool { return p.types[name] != nil || p.generic[name] }
	for _, name := range t.names {
		if !declared(name) && types.Universe.Lookup(name) == nil {
			return true
		}
	}
	return len(t.names) > 0 && text == t.names[0] && !declared(text) // a predeclared type
}

// named returns the types of the flag -type, each once, with the names of the types of
// this package in place of their aliases.
func (p *pkg) named(names string) (all []chosen, err error) {
	for _, name := range splitTypes(names) {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		t, err := parseType(name)
		if err != nil {
			return nil, fmt.Errorf("-type %w; commas separate types", err)
		}
		all = append(all, chosen{t.text, "named"})
	}
	return p.distinct(all), nil
}
