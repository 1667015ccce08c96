package analyzer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// A Writer keeps the last bits of a message to itself until Flush or Bytes is called.
// A function that slices its buffer before has stale bytes at the end.

// unflushed reports buf[:w.Len()] where w certainly has not been flushed.
func (r *reporter) unflushed() {
	for _, file := range r.pass.Files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				u := &writerUses{reporter: r, writers: map[types.Object]*writerUse{}, lengths: map[types.Object]types.Object{}}
				u.function(f.Body)
			}
		}
	}
}

// writerUses has the Writers of a function.
type writerUses struct {
	*reporter
	writers map[types.Object]*writerUse
	lengths map[types.Object]types.Object // variables that are assigned the Len of a Writer
	slices  []bufferSlice
	stack   []ast.Node
}

// writerUse is what a function does with a Writer.
type writerUse struct {
	buffers map[types.Object]bool // what it writes to
	flushes []token.Pos           // calls of Flush and Bytes
	lost    bool                  // others may flush it
}

// bufferSlice is buf[:w.Len()].
type bufferSlice struct {
	node   *ast.SliceExpr
	buf, w types.Object
	before []ast.Stmt // the statements before it in its block, or nil in loops and closures
}

// function looks at the body of a function and reports what it finds.
func (u *writerUses) function(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool { // first the Writers
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					u.assigned(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Names {
				if len(n.Names) == len(n.Values) {
					u.assigned(n.Names[i], n.Values[i])
				}
			}
		}
		return true
	})
	if len(u.writers) == 0 {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			u.stack = u.stack[:len(u.stack)-1]
			return true
		}
		u.stack = append(u.stack, n)
		switch n := n.(type) {
		case *ast.Ident:
			if w := u.writers[u.object(n)]; w != nil {
				u.used(w, n)
			}
		case *ast.SliceExpr:
			u.sliced(n)
		}
		return true
	})
	for _, s := range u.slices {
		if w := u.writers[s.w]; w != nil && !w.lost && w.buffers[s.buf] && (len(w.flushes) == 0 || u.staleAfterWrite(w, s)) {
			u.add(s.node.Pos(), "", fmt.Sprintf("%s[:%s.Len()] may end in old bytes, because the Writer has not stored its last bits: call %s.Flush before, or use %s.Bytes()",
				s.buf.Name(), s.w.Name(), s.w.Name(), s.w.Name()))
		}
	}
}

// object returns the variable that an identifier is.
func (u *writerUses) object(e ast.Expr) types.Object {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	return u.pass.TypesInfo.ObjectOf(id)
}

// assigned notes a variable that gets a Writer from NewWriter, or the length of one.
func (u *writerUses) assigned(left, right ast.Expr) {
	v, call := u.object(left), (*ast.CallExpr)(nil)
	if c, ok := ast.Unparen(right).(*ast.CallExpr); ok {
		call = c
	}
	if v == nil || !isWriter(v.Type()) {
		if w := u.lengthOf(call); v != nil && w != nil {
			if _, again := u.lengths[v]; again {
				w = nil
			}
			u.lengths[v] = w
		} else if _, ok := u.lengths[v]; ok {
			u.lengths[v] = nil // it gets another value too
		}
		return
	}
	w := u.writers[v]
	if w == nil {
		w = &writerUse{buffers: map[types.Object]bool{}}
		u.writers[v] = w
	}
	buf := types.Object(nil)
	if call != nil && isLibrary(typeutil.Callee(u.pass.TypesInfo, call), "bits") && len(call.Args) == 1 &&
		typeutil.Callee(u.pass.TypesInfo, call).Name() == "NewWriter" {
		buf = u.object(call.Args[0])
	}
	if buf == nil {
		w.lost = true
		return
	}
	w.buffers[buf] = true
}

// lengthOf returns the variable w of a call w.Len(), or nil.
func (u *writerUses) lengthOf(call *ast.CallExpr) types.Object {
	if call == nil {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Len" {
		return nil
	}
	if v := u.object(sel.X); v != nil && isWriter(v.Type()) {
		return v
	}
	return nil
}

// used notes a use of a Writer.
func (u *writerUses) used(w *writerUse, id *ast.Ident) {
	parent := u.stack[len(u.stack)-2]
	switch parent := parent.(type) {
	case *ast.SelectorExpr:
		call, ok := u.stack[max(0, len(u.stack)-3)].(*ast.CallExpr)
		switch name := parent.Sel.Name; {
		case !ok || call.Fun != parent || name == "Resume" || name == "Reset":
			w.lost = true // a method value, or another buffer
		case name == "Flush" || name == "Bytes":
			w.flushes = append(w.flushes, id.Pos())
			for _, n := range u.stack {
				switch n.(type) {
				case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
					w.lost = true // it may run at any time
				}
			}
		}
	case *ast.CallExpr:
		w.lost = w.lost || !u.leaves(typeutil.Callee(u.pass.TypesInfo, parent), map[types.Object]bool{})
	case *ast.AssignStmt:
		for _, e := range parent.Rhs {
			w.lost = w.lost || e == id
		}
	case *ast.ValueSpec:
		for _, e := range parent.Values {
			w.lost = w.lost || e == id
		}
	default:
		w.lost = true
	}
}

// leaves reports whether a function that gets a Writer never flushes it: one of the
// library, or one of the package that does not flush and gives it to no other.
func (u *writerUses) leaves(callee types.Object, seen map[types.Object]bool) bool {
	if callee == nil || isLibrary(callee, "") || seen[callee] {
		return callee != nil
	}
	seen[callee] = true
	for _, file := range u.pass.Files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || u.pass.TypesInfo.Defs[f.Name] != callee {
				continue
			}
			leaves := true
			ast.Inspect(f.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if t := u.pass.TypesInfo.TypeOf(n.X); t != nil && isWriter(t) && (n.Sel.Name == "Flush" || n.Sel.Name == "Bytes") {
						leaves = false
					}
				case *ast.CallExpr:
					for _, arg := range n.Args {
						if t := u.pass.TypesInfo.TypeOf(arg); t != nil && isWriter(t) {
							leaves = leaves && u.leaves(typeutil.Callee(u.pass.TypesInfo, n), seen)
						}
					}
				case *ast.AssignStmt, *ast.ReturnStmt, *ast.CompositeLit, *ast.SendStmt:
					leaves = leaves && !u.mentionsWriter(n)
				}
				return leaves
			})
			return leaves
		}
	}
	return false
}

// mentionsWriter reports whether a Writer is a part of a node other than the receiver
// of a call.
func (u *writerUses) mentionsWriter(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr, *ast.CallExpr:
			return false
		case *ast.Ident:
			if v := u.object(n); v != nil && v.Type() != nil && isWriter(v.Type()) {
				found = true
			}
		}
		return !found
	})
	return found
}

// sliced notes buf[:w.Len()], and buf[:n] where n is w.Len().
func (u *writerUses) sliced(s *ast.SliceExpr) {
	if low := s.Low; low != nil && u.pass.TypesInfo.Types[low].Value == nil || s.High == nil {
		return
	}
	buf, w := u.object(s.X), u.lengths[u.object(s.High)]
	if call, ok := ast.Unparen(s.High).(*ast.CallExpr); ok {
		w = u.lengthOf(call)
	}
	if buf == nil || w == nil {
		return
	}
	found := bufferSlice{node: s, buf: buf, w: w}
	for i := len(u.stack) - 1; i > 0; i-- {
		switch u.stack[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			found.before = nil
			u.slices = append(u.slices, found)
			return
		}
		if found.before == nil {
			list := statements(u.stack[i-1])
			for k, stmt := range list {
				if stmt == u.stack[i] {
					found.before = list[:k]
				}
			}
		}
	}
	u.slices = append(u.slices, found)
}

// statements returns those of a block.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// staleAfterWrite reports whether the last statement before a slice that uses its
// Writer writes, and nothing flushes after that.
func (u *writerUses) staleAfterWrite(w *writerUse, s bufferSlice) bool {
	for i := len(s.before) - 1; i >= 0; i-- {
		uses := false
		ast.Inspect(s.before[i], func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			uses = uses || ok && u.object(id) == s.w
			return !uses
		})
		if !uses {
			continue
		}
		stmt, ok := s.before[i].(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := stmt.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || u.object(sel.X) != s.w || !strings.HasPrefix(sel.Sel.Name, "Write") {
			return false
		}
		for _, flush := range w.flushes {
			if flush > stmt.Pos() {
				return false
			}
		}
		return true
	}
	return false
}

// isWriter reports whether a type is bits.Writer or a pointer to it.
func isWriter(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Writer" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == bitsPath
}

// isLibrary reports whether an object is one of a package of the library, or of any
// if the name of the package is "".
func isLibrary(obj types.Object, pkg string) bool {
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	path, ok := strings.CutPrefix(obj.Pkg().Path(), library.Path+"/")
	return ok && (pkg == "" && (strings.HasPrefix(path, "bits") || strings.HasPrefix(path, "compress") || strings.HasPrefix(path, "tagcodec")) || path == pkg)
}
