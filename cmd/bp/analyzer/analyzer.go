// Package analyzer finds wrong tags of package bitpack without running the
// program. [Analyzer] is for programs that run analyzers, such as golangci-lint
// and gopls. The command bp runs it as "bp vet".
//
// It translates types to those of package reflect and lets the library judge
// them, so that what it says is what the library says when the program runs.
// Types with a method Serialize, recursive types and the members of unions have
// stand-ins. Where a type cannot be judged from the source alone, it says nothing.
package analyzer

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gobitpack/bitpack/cmd/bp/internal/budget"
	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
	"github.com/gobitpack/bitpack/typecache"
)

// Analyzer reports wrong bp tags, keys of tags that are nearly bp, and types
// that cannot be encoded.
var Analyzer = &analysis.Analyzer{
	Name: "bitpack",
	Doc: "report wrong bp tags\n\n" +
		"The analyzer reports what the library would report when the program uses a type\n" +
		"with bp tags: unknown kinds and options, ranges that do not fit, and the like.",
	URL: "https://pkg.go.dev/" + library.Path + "/cmd/bp/analyzer",
}

func init() { Analyzer.Run = run } // not in the declaration, because run refers to the flags

// Warning is the category of diagnostics that are not errors.
const Warning = "warning"

// The flags of the analyzer.
var (
	mtu     = Analyzer.Flags.Int("mtu", 0, "warn of messages that may be larger than this number of bytes; 0 is off")
	fineRes = Analyzer.Flags.Bool("fineres", true, "warn of a res that is finer than the float type can hold")
	wideInt = Analyzer.Flags.Bool("wideint", true, "warn of an int or uint that is sent in 64 bits")
	inexact = Analyzer.Flags.Bool("inexact", true, "warn of ranges without a zero, rotations without the identity, and constants that half makes infinite")
)

// Warnings are the flags that turn warnings off. The flag mtu turns one on.
var Warnings = []string{"fineres", "wideint", "inexact"}

// candidate is a type that is judged, nearly always a struct.
type candidate struct {
	typ    types.Type
	pos    token.Pos
	passed bool // the program passes it to the library, or gives it a budget
}

// run judges the types of a package.
func run(pass *analysis.Pass) (any, error) {
	r := &reporter{pass: pass, judge: newJudge(pass.Pkg), warned: map[warning]bool{}}
	j := r.judge
	budgets := r.budgets()
	all := r.candidates(budgets)

	// Types that others hold are judged there, because their tags may depend on
	// it. Those that remain are judged by themselves.
	parts, strict, lenient := map[types.Type]bool{}, map[types.Type]bool{}, map[types.Type]bool{}
	for _, c := range all {
		if t, _ := j.translate(c.typ); t == nil {
			continue
		}
		holds := strict
		if encodesItself(c.typ) {
			holds = lenient
		}
		for t := range j.translated {
			parts[t], holds[t] = true, true
		}
		for t := range j.called {
			holds[t] = true
		}
	}
	elements, embedded := uses(pass)
	done := map[types.Type]bool{}
	check := func(c candidate) {
		t := origin(c.typ)
		m := mode{lenient: lenient[t] && !strict[t], part: parts[t], inner: embedded[t], element: elements[t]}
		for _, f := range j.check(c.typ, m) {
			pos := c.pos
			if f.field != nil && f.field.Pkg() == pass.Pkg {
				pos = f.field.Pos()
			}
			r.mistake(pos, f.path, f.wrong)
		}
		if !encodesItself(c.typ) {
			for t := range j.translated {
				done[t] = true
			}
			r.warnValues(c)
			r.checkSize(c, !parts[t], budgets[t])
		}
	}
	for _, c := range all {
		if !parts[origin(c.typ)] {
			check(c)
		}
	}
	for _, c := range all {
		switch t := origin(c.typ); {
		case parts[t] && !done[t]:
			check(c)
		case parts[t] && c.passed:
			j.check(c.typ, mode{}) // its mistakes have been reported
			r.checkSize(c, false, budgets[t])
		}
	}
	r.promotions(all)
	r.infiniteHalves()
	r.unflushed()
	r.undecided()
	r.flush()
	return nil, nil
}

// reporter collects what is reported about a package.
type reporter struct {
	pass   *analysis.Pass
	judge  *judge
	all    []analysis.Diagnostic
	warned map[warning]bool            // the warnings so far
	tags   map[token.Pos]*ast.BasicLit // the tags of fields, or nil if they have not been searched
}

// mistake adds what the library says about a field or a type, and its fix if there
// is one.
func (r *reporter) mistake(pos token.Pos, path string, e *typecache.Error) {
	r.add(pos, "", strings.ReplaceAll(path+": "+e.Text(), promoted, ""))
	r.all[len(r.all)-1].SuggestedFixes = r.fixes(pos, e)
}

// add adds a diagnostic. Its category is Warning, or "" for an error.
func (r *reporter) add(pos token.Pos, category, text string) {
	r.all = append(r.all, analysis.Diagnostic{Pos: pos, Category: category, Message: text})
}

// flush reports the diagnostics in the order of the source, each once.
func (r *reporter) flush() {
	slices.SortStableFunc(r.all, func(a, b analysis.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), strings.Compare(a.Message, b.Message))
	})
	same := func(a, b analysis.Diagnostic) bool { return a.Pos == b.Pos && a.Message == b.Message }
	for _, d := range slices.CompactFunc(r.all, same) {
		r.pass.Report(d)
	}
}

// candidates returns the struct types of the package that have tags, or types that it
// passes to the library or that have a budget, in the order of the source. It
// reports keys that are nearly bp in the structs that have no other tags.
func (r *reporter) candidates(budgets map[types.Type]budget.Budget) (all []candidate) {
	pass, seen := r.pass, map[types.Type]int{} // index+1 in all
	add := func(t types.Type, pos token.Pos, passed bool) {
		t = types.Unalias(t)
		s, ok := t.Underlying().(*types.Struct)
		_, budgeted := budgets[origin(t)]
		passed = passed || budgeted
		if i := seen[t]; i > 0 {
			all[i-1].passed = all[i-1].passed || passed
			return
		}
		if !ok && !passed {
			return
		}
		if !passed && !tagged(s, !serializes(t)) {
			for i := range s.NumFields() {
				if e := keyMistake(s.Tag(i)); e != nil {
					r.mistake(s.Field(i).Pos(), ownerName(t)+"."+s.Field(i).Name(), e)
				}
			}
			return
		}
		all = append(all, candidate{t, pos, passed})
		seen[t] = len(all)
	}
	for _, file := range pass.Files {
		var inside []*ast.StructType // a literal in another is judged there
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if obj, ok := pass.TypesInfo.Defs[n.Name].(*types.TypeName); ok && !obj.IsAlias() {
					add(obj.Type(), n.Name.Pos(), false)
					if s, ok := n.Type.(*ast.StructType); ok {
						inside = append(inside, s)
					}
				}
			case *ast.StructType:
				nested := slices.ContainsFunc(inside, func(s *ast.StructType) bool { return s.Pos() <= n.Pos() && n.End() <= s.End() })
				if t := pass.TypesInfo.TypeOf(n); t != nil && !nested {
					inside = append(inside, n)
					add(t, n.Pos(), false)
				}
			}
			return true
		})
	}
	taken := func(t types.Type, pos token.Pos) {
		named, ok := types.Unalias(strip(t)).(*types.Named)
		if _, param := types.Unalias(t).(*types.TypeParam); !param && (!ok || named.Obj().Pkg() == pass.Pkg) {
			add(t, pos, true)
		}
	}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if t := valueType(pass, call); t != nil {
					taken(t, call.Pos())
				}
				if t := fieldType(pass, call); t != nil {
					add(t, call.Pos(), false)
				}
			}
			return true
		})
	}
	for id, instance := range pass.TypesInfo.Instances {
		switch obj := pass.TypesInfo.Uses[id].(type) {
		case *types.TypeName: // an instance of a generic type
			if obj.Pkg() == pass.Pkg {
				add(instance.Type, id.Pos(), false)
			}
		case *types.Func:
			if obj.Pkg() == nil || !slices.Contains(library.Takers[obj.Pkg().Path()], obj.Name()) {
				continue
			}
			taken(instance.TypeArgs.At(0), id.Pos())
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.pos, b.pos) })
	return all
}

// fieldType returns a struct with a field that has the type and the tag of a call of
// tagcodec.Field, or nil. The tag must be a constant.
func fieldType(pass *analysis.Pass, call *ast.CallExpr) types.Type {
	text := tagOfField(pass, call)
	if text == nil {
		return nil
	}
	p, ok := pass.TypesInfo.TypeOf(call.Args[1]).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if _, param := types.Unalias(p.Elem()).(*types.TypeParam); param {
		return nil
	}
	field := types.NewField(call.Args[2].Pos(), pass.Pkg, "Field", p.Elem(), false)
	return types.NewStruct([]*types.Var{field}, []string{"bp:" + text.ExactString()})
}

// tagOfField returns the tag of a call of tagcodec.Field, or nil if the call is of
// another function or its tag is not a constant.
func tagOfField(pass *analysis.Pass, call *ast.CallExpr) constant.Value {
	f, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	if !ok || f.FullName() != library.Path+"/tagcodec.Field" || len(call.Args) != 3 {
		return nil
	}
	return pass.TypesInfo.Types[call.Args[2]].Value
}

// valueType returns the type of the message that a call passes to the library as a
// value of type any, or nil. Pointers to the message are removed.
func valueType(pass *analysis.Pass, call *ast.CallExpr) types.Type {
	f, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != library.Path+"/tagcodec" || f.Signature().Recv() != nil {
		return nil
	}
	i, ok := library.Values[f.Name()]
	if !ok || i >= len(call.Args) {
		return nil
	}
	t := pass.TypesInfo.TypeOf(call.Args[i])
	for range maxDepth {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
	}
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 || types.IsInterface(t) {
		return nil
	}
	if _, tuple := t.(*types.Tuple); tuple {
		return nil
	}
	return t
}

// uses returns the types that the package has slices or arrays of, and those that
// its structs embed.
func uses(pass *analysis.Pass) (elements, embedded map[types.Type]bool) {
	elements, embedded = map[types.Type]bool{}, map[types.Type]bool{}
	for _, tv := range pass.TypesInfo.Types {
		switch t := tv.Type.(type) {
		case *types.Slice:
			elements[origin(t.Elem())] = true
		case *types.Array:
			elements[origin(t.Elem())] = true
		case *types.Struct:
			for f := range t.Fields() {
				if f.Embedded() {
					embedded[origin(f.Type())] = true
				}
			}
		}
	}
	return elements, embedded
}

// tagged reports whether a field of a struct has a bp tag or, if deep is set, one
// of an unnamed struct in it.
func tagged(s *types.Struct, deep bool) bool {
	for i := range s.NumFields() {
		if _, ok := reflect.StructTag(s.Tag(i)).Lookup("bp"); ok {
			return true
		}
		if in, ok := types.Unalias(strip(s.Field(i).Type())).(*types.Struct); ok && deep && tagged(in, true) {
			return true
		}
	}
	return false
}
