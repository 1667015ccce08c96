package analyzer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
)

// firstInfinite is the smallest number that half rounds to infinity.
const firstInfinite = 65520

// infiniteHalves warns of constants that the package gives to fields of kind half, and
// that half does not hold.
func (r *reporter) infiniteHalves() {
	if !*inexact {
		return
	}
	for _, file := range r.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				r.halvesOf(n)
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if sel, ok := ast.Unparen(left).(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
						r.halfAt(sel, n.Rhs[i])
					}
				}
			}
			return true
		})
	}
}

// halvesOf looks at the fields of a literal of a struct.
func (r *reporter) halvesOf(lit *ast.CompositeLit) {
	t := r.pass.TypesInfo.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem() // an element of a list of pointers
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		if !keyed {
			r.half(s, i, e)
			continue
		}
		for k := range s.NumFields() {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == s.Field(k).Name() {
				r.half(s, k, kv.Value)
			}
		}
	}
}

// halfAt looks at a value that is assigned to a field.
func (r *reporter) halfAt(sel *ast.SelectorExpr, value ast.Expr) {
	s := r.pass.TypesInfo.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return
	}
	t := s.Recv()
	for k, i := range s.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		in, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		if k == len(s.Index())-1 {
			r.half(in, i, value)
			return
		}
		t = in.Field(i).Type()
	}
}

// half warns of a value of a field if its kind is half.
func (r *reporter) half(s *types.Struct, i int, e ast.Expr) {
	value := r.pass.TypesInfo.Types[e].Value
	if kindOf(s.Tag(i)) != "half" || value == nil || value.Kind() != constant.Int && value.Kind() != constant.Float {
		return
	}
	if v, _ := constant.Float64Val(value); math.Abs(v) >= firstInfinite {
		r.add(e.Pos(), Warning, fmt.Sprintf("%s: %s becomes infinite, because half ends at 65504: use float with min, max and res, or leave out the kind", s.Field(i).Name(), short(v)))
	}
}
