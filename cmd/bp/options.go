package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// What the options of a codec do to the wire is known to the library alone. bp copies
// the options into its test, if they change the wire and are written out, and the
// library makes the plan. It takes from the declaration of a function whether the
// option changes the wire: its result is then a tagcodec.WireOption. So a new option
// of the library needs nothing here.

// option is an option that changes the wire, as an argument of tagcodec.For.
type option struct {
	code    string
	imports []string // those that the code needs, as [pkg.probe] takes them
}

// arguments returns the options of a call that change the wire as arguments of
// tagcodec.For, and the imports that they need.
func (c call) arguments() (args string, imports []string) {
	var all []string
	for _, o := range c.options {
		all = append(all, o.code)
		imports = append(imports, o.imports...)
	}
	return strings.Join(all, ", "), imports
}

// effect is what an option does, by the declaration of the function that makes it.
type effect int

const (
	effectUnknown effect = iota // there is no such function, or its result is no option
	effectNone                  // the wire stays as it is
	effectOptions               // the arguments are options of package tagcodec
	effectWire                  // the wire changes
)

// options returns the options of a call that change the wire, and whether bp follows
// them all.
func (p *pkg) options(in *ast.CallExpr) (all []option, ok bool) {
	for _, arg := range in.Args {
		options, ok := p.option(arg)
		if !ok {
			return nil, false
		}
		all = append(all, options...)
	}
	return all, true
}

// option returns what an expression adds to the options that change the wire, and
// whether bp follows it.
func (p *pkg) option(e ast.Expr) (all []option, ok bool) {
	in, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	switch p.effect(in.Fun) {
	case effectNone:
		return nil, true
	case effectOptions:
		return p.options(in)
	case effectWire:
		o, ok := p.written(in)
		return []option{o}, ok
	}
	return nil, false
}

// effect returns what the option does that a function makes.
func (p *pkg) effect(f ast.Expr) effect {
	switch index := f.(type) {
	case *ast.IndexExpr:
		f = index.X
	case *ast.IndexListExpr:
		f = index.X
	}
	s, ok := f.(*ast.SelectorExpr)
	if !ok {
		return effectUnknown
	}
	from, ok := p.imported(s.X)
	if !ok || !strings.HasPrefix(from, library.Path+"/") {
		return effectUnknown
	}
	if p.effects[from] == nil {
		p.effects[from] = p.effectsOf(from)
	}
	return p.effects[from][s.Sel.Name]
}

// imported returns the path of the package that an expression names.
func (p *pkg) imported(e ast.Expr) (from string, ok bool) {
	id, ok := e.(*ast.Ident)
	if !ok {
		return "", false
	}
	name, ok := p.info.Uses[id].(*types.PkgName)
	if !ok {
		return "", false
	}
	return name.Imported().Path(), true
}

// effectsOf returns the effects of the options that the functions of a package of the
// library make, by their declarations in the source that the user's module builds.
func (p *pkg) effectsOf(from string) map[string]effect {
	all := map[string]effect{}
	cmd := exec.Command("go", "list", "-find", "-json=Dir,GoFiles", "--", from)
	cmd.Dir = p.Dir
	data, err := cmd.Output()
	var source struct {
		Dir     string
		GoFiles []string
	}
	if err != nil || json.Unmarshal(data, &source) != nil {
		return all
	}
	for _, name := range source.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(source.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				all[f.Name.Name] = effectOf(f.Type, from == library.Path+"/tagcodec")
			}
		}
	}
	return all
}

// effectOf returns the effect of the option that a function of the given type makes.
// own says that it is one of package tagcodec.
func effectOf(f *ast.FuncType, own bool) effect {
	if f.Results == nil || len(f.Results.List) != 1 {
		return effectUnknown
	}
	switch result, _ := typeName(f.Results.List[0].Type); result {
	case "WireOption":
		return effectWire
	case "Option":
	default:
		return effectUnknown
	}
	for _, param := range f.Params.List {
		if variadic, ok := param.Type.(*ast.Ellipsis); ok {
			if name, from := typeName(variadic.Elt); name == "Option" && (own || from == "tagcodec") {
				return effectOptions
			}
		}
	}
	return effectNone
}

// typeName returns the name of a type and of the package that it is qualified with.
func typeName(t ast.Expr) (name, from string) {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name, ""
	case *ast.SelectorExpr:
		if x, ok := t.X.(*ast.Ident); ok {
			return t.Sel.Name, x.Name
		}
	}
	return "", ""
}

// written returns a call of the library that makes an option, as the test of bp can
// have it. It reports whether the call is written out: the arguments are made of
// constants, literals, types and options alone, so that they are the same wherever
// the package is used.
func (p *pkg) written(in *ast.CallExpr) (o option, ok bool) {
	names := map[*ast.Ident]string{} // of packages, in the test
	isType := map[ast.Expr]bool{}    // expressions that are types
	fields := map[ast.Expr]bool{}    // keys of literals, which may be names of fields
	ok = true
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.CompositeLit:
			isType[n.Type] = true
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					fields[pair.Key] = true
				}
			}
		case *ast.IndexExpr:
			isType[n.X], isType[n.Index] = isType[n], true
		case *ast.IndexListExpr:
			isType[n.X] = isType[n]
			for _, e := range n.Indices {
				isType[e] = true
			}
		case *ast.StarExpr:
			isType[n.X] = isType[n]
		case *ast.ArrayType:
			isType[n.Elt] = true
		case *ast.MapType:
			isType[n.Key], isType[n.Value] = true, true
		case *ast.SelectorExpr:
			from, imported := p.imported(n.X)
			ok = ok && imported && (isType[n] || strings.HasPrefix(from, library.Path+"/"))
			if ok {
				name, spec := p.importFor(from)
				names[n.X.(*ast.Ident)] = name
				if !slices.Contains(o.imports, spec) {
					o.imports = append(o.imports, spec)
				}
			}
			return false
		case *ast.Ident:
			ok = ok && (p.constant(n) || fields[n] && p.info.Uses[n] == nil)
		}
		return ok
	})
	if ok {
		o.code = p.textWith(in, names)
	}
	return o, ok
}

// constant reports whether a name is the same in all of the package, and does not
// change while the program runs. A field in a literal is.
func (p *pkg) constant(id *ast.Ident) bool {
	switch obj := p.info.Uses[id].(type) {
	case *types.TypeName, *types.Const:
		return obj.Parent() == types.Universe || obj.Parent() == p.self.Scope()
	case *types.Var:
		return obj.IsField()
	case *types.Nil, *types.Builtin:
		return true
	}
	return false
}

// importFor returns the name that the test of bp has for a package, and the import
// as [pkg.probe] takes it.
func (p *pkg) importFor(from string) (name, spec string) {
	if strings.HasPrefix(from, library.Path+"/") {
		return "bp_" + path.Base(from), from
	}
	i := slices.Index(p.foreign, from)
	if i < 0 {
		i = len(p.foreign)
		p.foreign = append(p.foreign, from)
	}
	name = "bp_" + strconv.Itoa(i)
	return name, name + " " + from
}

// textWith is the text of an expression with other names in it.
func (p *pkg) textWith(e ast.Expr, names map[*ast.Ident]string) string {
	old := map[*ast.Ident]string{}
	for id, name := range names {
		old[id], id.Name = id.Name, name
	}
	text := p.text(e)
	for id, name := range old {
		id.Name = name
	}
	return text
}
