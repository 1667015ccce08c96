package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/types"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// call is a call of the library with a message type.
type call struct {
	by      string // the function
	options []option
	hidden  bool // there are options that are not followed
}

// rule returns the function, and what is known about its options.
func (c call) rule() string {
	switch {
	case c.hidden:
		return c.by + ", with options that bp does not follow"
	case len(c.options) > 0:
		return c.by + ", with options"
	}
	return c.by
}

// findCalls records the types that the package passes to the library.
func (p *pkg) findCalls(files []*ast.File) {
	// Values have types without imports, too, if they are of the package itself.
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	p.self, _ = config.Check(p.ImportPath, p.files, files, p.info) // the errors are about imports, or the compiler reports them
	for _, file := range files {
		imports := map[string]string{}
		for _, spec := range file.Imports {
			from, _ := strconv.Unquote(spec.Path.Value)
			name := path.Base(from)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			imports[name] = from
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				p.findCall(imports, n.Fun, n)
				p.findValue(imports, n)
			case *ast.IndexExpr: // a function that is not called here
				p.findCall(imports, n, nil)
			}
			return true
		})
	}
}

// noImports is an importer without packages.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

// function returns the name of a function of an imported package, and the path of
// the package.
func function(imports map[string]string, f ast.Expr) (from, pkg, name string) {
	if s, ok := f.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return imports[x.Name], x.Name, s.Sel.Name
		}
	}
	return "", "", ""
}

// findCall records the type argument of a function of the library, and its options
// if it is called.
func (p *pkg) findCall(imports map[string]string, f ast.Expr, in *ast.CallExpr) {
	index, ok := f.(*ast.IndexExpr)
	if !ok {
		return
	}
	from, pkg, name := function(imports, index.X)
	taker := slices.Contains(library.Takers[from], name)
	if in != nil && !taker && (from == library.Path+"/tagcodec" && name == "RegisterUnion" || p.effect(f) == effectWire) {
		union := p.text(index.Index)
		p.unions[union] = append(p.unions[union], in.Args...)
	}
	if !taker || !p.reaches(index.Index) {
		return
	}
	now := call{by: pkg + "." + name}
	if in != nil {
		options, ok := p.options(in)
		now.options, now.hidden = options, !ok
	}
	t := p.resolved(p.text(index.Index))
	if old := p.calls[t]; old.by == "" || in != nil && len(old.options) == 0 && !old.hidden && (now.hidden || len(now.options) > 0) {
		p.calls[t] = now
	}
}

// findValue records the type of a value of the package that a call passes to the
// library.
func (p *pkg) findValue(imports map[string]string, in *ast.CallExpr) {
	from, pkg, name := function(imports, in.Fun)
	i, ok := library.Values[name]
	if !ok || from != library.Path+"/tagcodec" || i >= len(in.Args) {
		return
	}
	t := p.info.TypeOf(in.Args[i])
	for {
		pointer, ok := t.(*types.Pointer)
		if !ok {
			break
		}
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(named) || named.Obj().Pkg() != p.self || named.Obj().Parent() != p.self.Scope() {
		return
	}
	e, err := parser.ParseExpr(types.TypeString(named, types.RelativeTo(p.self)))
	if err != nil || !p.reaches(e) {
		return
	}
	if text := p.text(e); p.calls[text].by == "" {
		p.calls[text] = call{by: pkg + "." + name}
	}
}

// reaches reports whether a type is one of the package, or an instance of one of
// its generic types. Others need imports, or are inside a function.
func (p *pkg) reaches(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return p.types[t.Name] != nil
	case *ast.IndexExpr:
		x, ok := t.X.(*ast.Ident)
		return ok && p.generic[x.Name] && p.known(t.Index)
	case *ast.IndexListExpr:
		x, ok := t.X.(*ast.Ident)
		return ok && p.generic[x.Name] && !slices.ContainsFunc(t.Indices, func(t ast.Expr) bool { return !p.known(t) })
	}
	return false
}

// known reports whether a type argument is predeclared or reached.
func (p *pkg) known(t ast.Expr) bool {
	x, ok := t.(*ast.Ident)
	return p.reaches(t) || ok && slices.Contains(predeclared, x.Name)
}

var predeclared = strings.Fields("bool string byte rune int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64 complex128")

// text returns the source of a type.
func (p *pkg) text(t ast.Expr) string {
	var b strings.Builder
	printer.Fprint(&b, p.files, t)
	return b.String()
}

// chosen is a message type, and the rule that selected it.
type chosen struct{ Type, Rule string }

// chosen returns the types of the flag -type or, without it, the message types.
func (p *pkg) chosen(names string) ([]chosen, error) {
	if names == "" {
		return p.messages(), nil
	}
	return p.named(names)
}

// messages returns the message types of the package that the source shows.
func (p *pkg) messages() []chosen {
	var all []chosen
	for t, by := range p.calls {
		all = append(all, chosen{t, "passed to " + by.rule()})
	}
	for name, s := range p.structs {
		if p.calls[name].by == "" && tagged(s) && !p.contained(name) {
			all = append(all, chosen{name, "tagged, and no other type contains it"})
		}
	}
	slices.SortFunc(all, func(a, b chosen) int { return strings.Compare(a.Type, b.Type) })
	return all
}

// splitTypes splits a list of types at its commas, except those inside brackets of
// any kind, such as the comma of Pair[int, bool].
func splitTypes(list string) (types []string) {
	depth, start := 0, 0
	for i, c := range list {
		switch {
		case strings.ContainsRune("[({", c):
			depth++
		case strings.ContainsRune("])}", c):
			depth--
		case c == ',' && depth <= 0:
			types = append(types, list[start:i])
			start = i + 1
		}
	}
	return append(types, list[start:])
}

// tagged reports whether a field of a struct has a tag of the library.
func tagged(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
		if f.Tag == nil {
			return false
		}
		text, err := strconv.Unquote(f.Tag.Value)
		_, ok := reflect.StructTag(text).Lookup("bp")
		return err == nil && ok
	})
}

// contained reports whether another type of the package mentions a type, or the
// type is a member of a union.
func (p *pkg) contained(name string) bool {
	for other, t := range p.types {
		if other != name && mentioned(t)[name] {
			return true
		}
	}
	for _, members := range p.unions {
		if slices.ContainsFunc(members, func(m ast.Expr) bool { return mentioned(m)[name] }) {
			return true
		}
	}
	return false
}

// mentioned returns the names in an expression or a declaration. Names of fields and
// of types of other packages do not count.
func mentioned(n ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			maps.Copy(names, mentioned(n.Type))
			return false
		case *ast.SelectorExpr:
			return false
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	})
	return names
}
