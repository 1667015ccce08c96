package enginetest

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

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// integerCodes are the codes of integers. Most loops distinguish them by the
// size of the op.
const integerCodes = "Bool Uint8 Uint16 Uint32 Uint64 Int8 Int16 Int32"

// ends are the codes that end a sequence of ops. Some loops never reach them.
const ends = " Next End"

// scalars are the codes of values that are encoded one by one.
const scalars = integerCodes + " Word Float32 Float64 Half Angle Vector Wide Varint ExpGolomb Relative"

// uncounted are the codes of the other ops that have no count and enclose nothing.
const uncounted = " Const Align Bytes Custom Link Present"

// unenclosing are the codes of ops that neither open a block nor enclose others.
const unenclosing = scalars + uncounted + " CString String WString Binary" + ends

const (
	planDir  = "../../../internal/plan"
	typesDir = "../../../typecache"
)

// loops lists the functions that execute or walk the ops of a plan. For each it
// gives the codes that are left to the default case. The other cases must name
// all remaining codes. If blocks is set, the functions get only ops that open
// blocks.
var loops = []struct {
	name      string
	dir       string
	functions string
	unnamed   string
	blocks    bool
}{
	{"the size", planDir, "measurer.op", "", false},
	{"the bits of a block's own", planDir, "Plan.MostBits", unenclosing, false},
	{"encode", "../fast", "encoder.ops encoder.values encoder.rare encodeSingle", integerCodes, false},
	{"decode", "../fast", "decoder.ops decoder.values decoder.rare decodeSingle", integerCodes, false},
	{"encode the end of an element", "../fast", "encoder.nextElement", "", true},
	{"decode the end of an element", "../fast", "decoder.nextElement", "", true},
	{"is it zero", "../fast", "isZero", integerCodes + " Slice Map" + ends, false},
	{"the reference writer", "../reference", "encoder.ops encoder.enclosing encoder.block encoder.elements encoder.scalar encoder.nonRepeating", ends, false},
	{"the reference reader", "../reference", "decoder.ops decoder.enclosing decoder.block decoder.elements decoder.scalar decoder.nonRepeating", "Present" + ends, false},
	{"the reference is it zero", "../reference", "interpreter.isZero", integerCodes + " Slice Map" + ends, false},
	{"a delta", "../../delta", "compiler.enclosing compiler.list compiler.piece compiler.scalars compiler.number newScript",
		integerCodes + " Word Varint Relative RunLength" + ends, false},
	{"the path of an element", "../core", "WriteElement", "Matrix Pointer Union Call", true},
	{"the memory of a message", "../core", "measurer.value", scalars + uncounted + " CString Binary If Optional Common Huffman Scale Matrix" + ends, false},
	{"slices that keep their capacity", planDir, "Plan.grows",
		scalars + uncounted + " CString WString Binary If Optional Common Huffman Scale Array Matrix Pointer Union Call" + ends, false},
	{"values without bits", typesDir, "zeroBitWalk.op", scalars + uncounted + " Common Huffman RunLength Scale Union Call" + ends, false},
	{"what is not canonical", typesDir, "noncanonicalOf", integerCodes + " Word Wide Varint ExpGolomb Const Align Bytes CString String WString Present" +
		" If Optional Common Huffman RunLength Scale Array Slice Map Subset Pointer Union Call" + ends, false},
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
			var want, got []string
			for code := range plan.Code(plan.NumCodes) {
				if code.Block() || !loop.blocks {
					want = append(want, code.String())
				}
			}
			for name := range handled {
				got = append(got, name)
			}
			require.ElementsMatch(t, want, got)
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

// casesOf adds the codes named by the cases of a function, and the PrefixCoded
// ones if it handles these together.
func casesOf(f *ast.FuncDecl, codes map[string]bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "PrefixCoded" {
			for code := range plan.NumCodes {
				if c := plan.Code(code); c.PrefixCoded() {
					codes[c.String()] = true
				}
			}
		}
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
		c    *core.Settings
		v    reflect.Value
		data []byte
	}
	// asEnd and asLoopEnd are codes that behave like the end of the message in
	// the interpreter and in the loops. With purego the loops are the
	// interpreter.
	asEnd := []plan.Code{plan.CodeEnd, plan.CodeNext, plan.CodePresent}
	asLoopEnd := asEnd[:1]
	if reflect.TypeFor[engine.Variable]() == reflect.TypeFor[reflect.Value]() {
		asLoopEnd = asEnd
	}
	directions := []struct {
		name string
		run  func(m *message, pl *plan.Plan) string
		as   []plan.Code
	}{
		{"encode", func(m *message, pl *plan.Plan) string {
			data, err := engine.Encode(m.c, pl, engine.VariableTo(m.v), nil)
			return fmt.Sprintf("%x %v", data, err)
		}, asLoopEnd},
		{"decode", func(m *message, pl *plan.Plan) string {
			bit, err := engine.Decode(m.c, pl, engine.VariableTo(reflect.New(pl.Type)), m.data, 0)
			return fmt.Sprint(bit, err)
		}, asLoopEnd},
		{"reference encode", func(m *message, pl *plan.Plan) string {
			data, err := reference.Encode(m.c, pl, m.v.Elem(), nil)
			return fmt.Sprintf("%x %v", data, err)
		}, asEnd},
		{"reference decode", func(m *message, pl *plan.Plan) string {
			bit, err := reference.Decode(m.c, pl, reflect.New(pl.Type).Elem(), m.data, 0, nil)
			return fmt.Sprint(bit, err)
		}, asEnd},
	}
	left := map[string]bool{} // not executed yet
	for _, d := range directions {
		for code := range plan.Code(plan.NumCodes) {
			if !slices.Contains(d.as, code) {
				left[d.name+" "+code.String()] = true
			}
		}
	}
	for seed := uint64(0); len(left) > 0; seed++ {
		require.Less(t, seed, uint64(300), "no message leads here: %v", left)
		g, s, pl := randomType(t, seed)
		v := reflect.New(s.typ)
		s.fill(g, v.Elem())
		c := settingsWith(tagcodec.WithLinker(&harbour{}))
		data, err := engine.Encode(&c, pl, engine.VariableTo(v), nil)
		if err != nil {
			continue // repeated keys left too few entries
		}
		m := &message{&c, v, data}
		for i, op := range pl.Ops {
			for _, d := range directions {
				// A loop that comes to an end where none can be may also panic.
				ended := func() (text string) {
					defer func() {
						if p := recover(); p != nil {
							text = fmt.Sprint(p)
						}
					}()
					return d.run(m, endingAt(pl, i))
				}
				if what := d.name + " " + op.Code.String(); left[what] && !inline(pl, i) && d.run(m, pl) != ended() {
					delete(left, what)
				}
			}
		}
	}
}

// inline reports whether op i is not executed, but is read as a value by an
// enclosing op.
func inline(pl *plan.Plan, i int) bool {
	for _, op := range pl.Ops[:i] {
		switch op.Code {
		case plan.CodeCommon, plan.CodeHuffman, plan.CodeRunLength, plan.CodeScale:
			if i < int(op.End) {
				return true
			}
		}
	}
	return false
}

// endingAt returns a copy of the plan with CodeEnd in place of op i. It removes
// the runs that would skip it.
func endingAt(pl *plan.Plan, i int) *plan.Plan {
	changed := new(plan.Plan)
	from, to := reflect.ValueOf(pl).Elem(), reflect.ValueOf(changed).Elem()
	for i := range from.NumField() {
		if to.Field(i).CanSet() {
			to.Field(i).Set(from.Field(i))
		}
	}
	changed.Ops, changed.Runs = slices.Clone(pl.Ops), nil
	for j := range changed.Ops {
		changed.Ops[j].Run = 0
		changed.Ops[j].Flags &^= plan.FlagWholeRun
	}
	changed.Ops[i].Code = plan.CodeEnd
	return changed
}
