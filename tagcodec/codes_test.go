package tagcodec

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"
)

// The codes of integers. Most loops distinguish them by the size of the op.
const integerCodes = "Bool Uint8 Uint16 Uint32 Uint64 Int8 Int16 Int32"

// The codes that end a sequence of ops. Some loops never reach them.
const ends = " Next End"

// loops lists the functions that execute or walk the ops of a plan. For each it
// gives the codes that are left to the default case. The other cases must name
// all remaining codes.
var loops = []struct {
	name      string
	dir       string
	functions string
	unnamed   string
}{
	{"encode", ".", "encodeOps encodeValues encodeRare single", integerCodes},
	{"decode", ".", "decodeOps decodeValues decodeRare setSingle", integerCodes},
	{"is it zero", ".", "isZero", integerCodes + " Slice Map" + ends},
	{"the plain writer", ".", "plainEncoder.ops plainEncoder.enclosing plainEncoder.block plainEncoder.elements plainEncoder.scalar plainEncoder.piece", ends},
	{"the plain reader", ".", "plainDecoder.ops plainDecoder.enclosing plainDecoder.block plainDecoder.elements plainDecoder.scalar plainDecoder.piece", "Present" + ends},
	{"the plain is it zero", ".", "interpreter.zero", integerCodes + " Slice Map" + ends},
	{"the walk over a stream", "binary", "extent.run extent.op extent.block", integerCodes + " Word Float32 Float64 Half Angle Custom" + ends},
}

// TestLoopsNameEveryCode parses the sources of the loops. It fails if a loop
// does not handle some code, such as a new one.
func TestLoopsNameEveryCode(t *testing.T) {
	for _, loop := range loops {
		t.Run(loop.name, func(t *testing.T) {
			functions := functionsOf(t, loop.dir)
			handled := map[string]bool{}
			for name := range strings.FieldsSeq(loop.functions) {
				require.Contains(t, functions, name)
				casesOf(functions[name], handled)
			}
			for code := range strings.FieldsSeq(loop.unnamed) {
				require.False(t, handled[code], "%s is named, and listed as one that is not", code)
				handled[code] = true
			}
			var missing []string
			for code := range typecache.NumCodes {
				if name := typecache.Code(code).String(); !handled[name] {
					missing = append(missing, name)
				}
			}
			require.Empty(t, missing)
			require.Len(t, handled, typecache.NumCodes)
		})
	}
}

// functionsOf returns the functions of a package by name. The name of a method
// starts with its type.
func functionsOf(t *testing.T, dir string) map[string]*ast.FuncDecl {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	all := map[string]*ast.FuncDecl{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				receiver := f.Recv.List[0].Type
				if star, ok := receiver.(*ast.StarExpr); ok {
					receiver = star.X
				}
				name = fmt.Sprint(receiver) + "." + name
			}
			all[name] = f
		}
	}
	return all
}

// casesOf adds the codes named by the cases of a function.
func casesOf(f *ast.FuncDecl, codes map[string]bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		clause, ok := n.(*ast.CaseClause)
		if !ok {
			return true
		}
		for _, e := range clause.List {
			if s, ok := e.(*ast.SelectorExpr); ok {
				e = s.Sel
			}
			if id, ok := e.(*ast.Ident); ok && strings.HasPrefix(id.Name, "Code") {
				codes[strings.TrimPrefix(id.Name, "Code")] = true
			}
		}
		return true
	})
}

// TestEveryCodeIsRun verifies that the messages of TestRandomTypes make the
// loops and the reference interpreter execute every code in both directions. It
// replaces an op by the end of the message, which must change the result.
func TestEveryCodeIsRun(t *testing.T) {
	type message struct {
		c    *settings
		v    reflect.Value
		data []byte
	}
	// asEnd and asLoopEnd are codes that behave like the end of the message in
	// the interpreter and in the loops. With purego the loops are the
	// interpreter.
	asEnd := []typecache.Code{typecache.CodeEnd, typecache.CodeNext, typecache.CodePresent}
	asLoopEnd := asEnd[:1]
	if reflect.TypeFor[variable]() == reflect.TypeFor[reflect.Value]() {
		asLoopEnd = asEnd
	}
	directions := []struct {
		name string
		run  func(m *message, plan *typecache.Data) string
		as   []typecache.Code
	}{
		{"encode", func(m *message, plan *typecache.Data) string {
			data, err := encode(m.c, plan, variableTo(m.v), nil)
			return fmt.Sprintf("%x %v", data, err)
		}, asLoopEnd},
		{"decode", func(m *message, plan *typecache.Data) string {
			bit, err := decode(m.c, plan, variableTo(reflect.New(plan.Type)), m.data, 0)
			return fmt.Sprint(bit, err)
		}, asLoopEnd},
		{"plain encode", func(m *message, plan *typecache.Data) string {
			data, err := plainEncode(m.c, plan, m.v.Elem(), nil)
			return fmt.Sprintf("%x %v", data, err)
		}, asEnd},
		{"plain decode", func(m *message, plan *typecache.Data) string {
			bit, err := plainDecode(m.c, plan, reflect.New(plan.Type).Elem(), m.data, 0, nil)
			return fmt.Sprint(bit, err)
		}, asEnd},
	}
	left := map[string]bool{} // not executed yet
	for _, d := range directions {
		for code := range typecache.Code(typecache.NumCodes) {
			if !slices.Contains(d.as, code) {
				left[d.name+" "+code.String()] = true
			}
		}
	}
	for seed := uint64(0); len(left) > 0; seed++ {
		require.Less(t, seed, seeds(), "no message leads here: %v", left)
		g, s, plan := randomType(t, seed)
		v := reflect.New(s.typ)
		s.fill(g, v.Elem())
		c := settingsWith(WithLinker(&harbour{}))
		data, err := encode(&c, plan, variableTo(v), nil)
		if err != nil {
			continue // repeated keys left too few entries
		}
		m := &message{&c, v, data}
		for i, op := range plan.Ops {
			for _, d := range directions {
				// A loop that comes to an end where none can be may also panic.
				ended := func() (text string) {
					defer func() {
						if p := recover(); p != nil {
							text = fmt.Sprint(p)
						}
					}()
					return d.run(m, endingAt(plan, i))
				}
				if what := d.name + " " + op.Code.String(); left[what] && !inline(plan, i) && d.run(m, plan) != ended() {
					delete(left, what)
				}
			}
		}
	}
}

// inline reports whether op i is not executed, but is read as a value by an
// enclosing op.
func inline(plan *typecache.Data, i int) bool {
	for _, op := range plan.Ops[:i] {
		switch op.Code {
		case typecache.CodeCommon, typecache.CodeHuffman, typecache.CodeScale:
			if i < int(op.End) {
				return true
			}
		}
	}
	return false
}

// endingAt returns a copy of the plan with CodeEnd in place of op i. It removes
// the runs that would skip it.
func endingAt(plan *typecache.Data, i int) *typecache.Data {
	changed := new(typecache.Data)
	from, to := reflect.ValueOf(plan).Elem(), reflect.ValueOf(changed).Elem()
	for i := range from.NumField() {
		if to.Field(i).CanSet() {
			to.Field(i).Set(from.Field(i))
		}
	}
	changed.Ops, changed.Runs = slices.Clone(plan.Ops), nil
	for j := range changed.Ops {
		changed.Ops[j].Run = 0
		changed.Ops[j].Flags &^= typecache.FlagWholeRun
	}
	changed.Ops[i].Code = typecache.CodeEnd
	return changed
}
