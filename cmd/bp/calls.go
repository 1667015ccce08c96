package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
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

// option is an option of tagcodec.For that changes the wire, as code.
type option struct {
	registry string // a statement that gives it to a *typecache.Registry r
	codec    string // an expression for tagcodec.For
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
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	self, _ := config.Check(p.ImportPath, p.files, files, info) // the errors are about imports, or the compiler reports them
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
				p.findValue(imports, n, self, info)
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
	if from == library.Path+"/tagcodec" && strings.HasSuffix(name, "Union") && in != nil {
		union := p.text(index.Index)
		p.unions[union] = append(p.unions[union], in.Args...)
	}
	if !slices.Contains(library.Takers[from], name) || !p.reaches(index.Index) {
		return
	}
	now := call{by: pkg + "." + name}
	if in != nil {
		options, ok := p.options(imports, in)
		now.options, now.hidden = options, !ok
	}
	t := p.resolved(p.text(index.Index))
	if old := p.calls[t]; old.by == "" || in != nil && len(old.options) == 0 && !old.hidden && (now.hidden || len(now.options) > 0) {
		p.calls[t] = now
	}
}

// options returns the options of a call that change the wire, and whether bp follows
// them all.
func (p *pkg) options(imports map[string]string, in *ast.CallExpr) (all []option, ok bool) {
	for _, arg := range in.Args {
		options, ok := p.option(imports, arg)
		if !ok || in.Ellipsis.IsValid() {
			return nil, false
		}
		all = append(all, options...)
	}
	return all, true
}

// option returns what an option that is written out changes on the wire, and
// whether bp follows it.
func (p *pkg) option(imports map[string]string, e ast.Expr) (all []option, ok bool) {
	in, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	f := in.Fun
	index, ok := f.(*ast.IndexExpr)
	if ok {
		f = index.X
	}
	switch from, _, name := function(imports, f); {
	case from == library.Path+"/tagcodec/delta":
		if name == "WithCodec" {
			return p.options(imports, in)
		}
		return nil, true // it does not change the plan
	case from != library.Path+"/tagcodec":
		return nil, false
	case name == "WithoutChecks":
		return []option{{"r.LeaveOutChecks()", "bp_tagcodec.WithoutChecks()"}}, true
	case name != "WithUnion":
		return nil, true // it does not change the wire
	case index == nil || !p.reaches(index.Index):
		return nil, false
	}
	iface := p.text(index.Index)
	var types, values []string
	for _, arg := range in.Args {
		pointer, address := "", ""
		if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
			arg, pointer, address = u.X, "*", "&"
		}
		lit, ok := arg.(*ast.CompositeLit)
		if !ok || lit.Type == nil || !p.reaches(lit.Type) {
			return nil, false
		}
		member := p.text(lit.Type)
		types = append(types, "bp_reflect.TypeFor["+pointer+member+"]()")
		values = append(values, address+member+"{}")
	}
	return []option{{
		fmt.Sprintf("r.Register(bp_reflect.TypeFor[%s](), %s)", iface, strings.Join(types, ", ")),
		fmt.Sprintf("bp_tagcodec.WithUnion[%s](%s)", iface, strings.Join(values, ", ")),
	}}, true
}

// findValue records the type of a value of the package that a call passes to the
// library.
func (p *pkg) findValue(imports map[string]string, in *ast.CallExpr, self *types.Package, info *types.Info) {
	from, pkg, name := function(imports, in.Fun)
	i, ok := library.Values[name]
	if !ok || from != library.Path+"/tagcodec" || i >= len(in.Args) {
		return
	}
	t := info.TypeOf(in.Args[i])
	for {
		pointer, ok := t.(*types.Pointer)
		if !ok {
			break
		}
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(named) || named.Obj().Pkg() != self || named.Obj().Parent() != self.Scope() {
		return
	}
	e, err := parser.ParseExpr(types.TypeString(named, types.RelativeTo(self)))
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
