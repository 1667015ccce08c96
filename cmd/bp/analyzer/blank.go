package analyzer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// binaryData are the functions of package tagcodec/binary that take a value, and
// the index of that parameter.
var binaryData = map[string]int{"Read": 2, "Write": 2, "Append": 2, "Encode": 2, "Decode": 2, "Size": 0}

// undecided reports the blank and unexported fields without tags in the types with
// tags that the package passes to package binary, which refuses them.
func (r *reporter) undecided() {
	for _, file := range r.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := typeutil.Callee(r.pass.TypesInfo, call).(*types.Func)
			if !ok || f.Pkg() == nil || f.Pkg().Path() != library.Path+"/tagcodec/binary" || f.Signature().Recv() != nil {
				return true
			}
			i, ok := binaryData[f.Name()]
			if !ok || i >= len(call.Args) {
				return true
			}
			t := r.pass.TypesInfo.TypeOf(call.Args[i])
			if tagged := eachField(t, func(types.Type, int, *types.Var, string) {}); !tagged {
				return true
			}
			eachField(t, func(owner types.Type, i int, f *types.Var, tag string) {
				_, tagged := reflect.StructTag(tag).Lookup("bp")
				if _, isStruct := f.Type().Underlying().(*types.Struct); tagged || f.Exported() || f.Embedded() && isStruct || empty(f.Type()) {
					return
				}
				r.blank(owner, i, f, call.Pos())
			})
			return true
		})
	}
}

// blank reports field i of a struct, at the field or, if that is in another
// package, at the call.
func (r *reporter) blank(owner types.Type, i int, f *types.Var, pos token.Pos) {
	if f.Pkg() == r.pass.Pkg {
		pos = f.Pos()
	}
	name, what, ways := f.Name(), "is not exported", "export it, "
	if name == "_" {
		name, what, ways = fmt.Sprintf("_ (field %d)", i+1), "is blank", ""
	}
	r.add(pos, "", fmt.Sprintf("%s.%s: the field %s and has no tag, and package binary refuses the type, which has tags: "+
		"%skeep the place of N bits with _ struct{} `bp:\"reserved,bits=N\"`, or leave the field out with bp:\"-\"", ownerName(owner), name, what, ways))
}

// eachField calls visit for each field of the structs in t that package binary
// sends by their fields. It reports whether one of them has a bp tag.
func eachField(t types.Type, visit func(owner types.Type, i int, f *types.Var, tag string)) (inTags bool) {
	seen := map[types.Type]bool{}
	var look func(t types.Type)
	look = func(t types.Type) {
		if m, ok := t.Underlying().(*types.Map); ok {
			look(m.Key())
		}
		t = types.Unalias(strip(t))
		s, ok := t.Underlying().(*types.Struct)
		if !ok || seen[t] || encodesItself(t) {
			return
		}
		seen[t] = true
		for i := range s.NumFields() {
			f, tag := s.Field(i), s.Tag(i)
			options, tagged := reflect.StructTag(tag).Lookup("bp")
			inTags = inTags || tagged
			visit(t, i, f, tag)
			if !apart(options) {
				look(f.Type())
			}
		}
	}
	look(t)
	return inTags
}

// apart reports whether a field with the options sends nothing of the fields of its
// type.
func apart(options string) bool {
	for option := range strings.SplitSeq(options, ",") {
		switch option[strings.LastIndexByte(option, '.')+1:] {
		case "-", "link", "binary":
			return true
		}
	}
	return false
}

// empty reports whether values of a type have no bytes.
func empty(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return t.Len() == 0 || empty(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !empty(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
