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

// promotions reports structs whose encoding is that of an embedded field although
// they have other fields. The library cannot tell such a method from one that the
// struct declares. It looks at the candidates, at what they hold, and at the values
// that the package hands to functions that code them.
func (r *reporter) promotions(all []candidate) {
	p := &promotions{reporter: r, seen: map[seenType]bool{}}
	for _, c := range all {
		p.walk(c.typ, "", c.pos)
	}
	for _, file := range r.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				p.coded(call)
			}
			return true
		})
	}
}

// promotions looks for promoted methods in types.
type promotions struct {
	*reporter
	seen map[seenType]bool
}

// seenType is a type that has been looked at, by its methods of a kind.
type seenType struct {
	t    types.Type
	kind string
}

// coded looks at the types of the values that a call codes: those of tagcodec.Serialize,
// tagcodec.Field and bits.Value, the members of unions, and the arguments of options that
// change the wire.
func (p *promotions) coded(call *ast.CallExpr) {
	f, ok := typeutil.Callee(p.pass.TypesInfo, call).(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return
	}
	from, tag := 0, ""
	switch name := strings.TrimPrefix(f.Pkg().Path(), library.Path+"/") + "." + f.Name(); {
	case name == "tagcodec.RegisterUnion", changesWire(f):
	case name == "tagcodec.Serialize", name == "bits.Value":
		from = 1
	case name == "tagcodec.Field":
		from = 1
		if text := tagOfField(p.pass, call); text != nil {
			tag = "bp:" + text.ExactString()
		}
	default:
		return
	}
	for i := from; i < len(call.Args); i++ {
		if t := p.pass.TypesInfo.TypeOf(call.Args[i]); t != nil {
			p.walk(t, tag, call.Args[i].Pos())
		}
	}
}

// changesWire reports whether a function makes an option that changes the wire. Its
// arguments are then values that are coded, if they are structs.
func changesWire(f *types.Func) bool {
	results := f.Signature().Results()
	if results.Len() != 1 {
		return false
	}
	named, ok := types.Unalias(results.At(0).Type()).(*types.Named)
	return ok && named.Obj().Name() == "WireOption" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == library.Path+"/tagcodec"
}

// walk looks at a type that a field with a tag, or a call, at pos has.
func (p *promotions) walk(t types.Type, tag string, pos token.Pos) {
	for range maxDepth {
		if m, ok := t.Underlying().(*types.Map); ok {
			p.walk(m.Key(), tag, pos)
		}
		if in := elemOf(t); in != nil && !(serializes(t) || marshalsItself(t) && mentionsKind(tag, "binary")) {
			t = in
		}
	}
	t = types.Unalias(t)
	s, ok := t.Underlying().(*types.Struct)
	kind := ""
	switch {
	case !ok || mentionsKind(tag, "link"):
		return
	case mentionsKind(tag, "binary"):
		kind = "binary"
	case mentionsKind(tag, "quat"), mentionsKind(tag, "unit"), mentionsKind(tag, "affine"):
	case serializes(t):
		kind = "Serialize"
	}
	if p.seen[seenType{origin(t), kind}] {
		return
	}
	p.seen[seenType{origin(t), kind}] = true
	if owner := declaredIn(t); owner != nil && owner != p.pass.Pkg && tagged(s, true) {
		return // the types of another package with tags are judged there
	}
	switch kind {
	case "binary":
		p.binary(t, s, pos)
	case "Serialize":
		p.serialize(t, s, pos)
	default:
		for i := range s.NumFields() {
			if f := s.Field(i); sends(f, s.Tag(i)) {
				p.walk(f.Type(), s.Tag(i), p.at(f, pos))
			}
		}
	}
}

// declaredIn returns the package of a type with a name, or nil.
func declaredIn(t types.Type) *types.Package {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Pkg()
	}
	return nil
}

// at returns the position of a field, or pos if it is in another package.
func (p *promotions) at(f *types.Var, pos token.Pos) token.Pos {
	if f.Pkg() == p.pass.Pkg {
		return f.Pos()
	}
	return pos
}

// serialize looks at the methods Serialize and MaxBits of a struct.
func (p *promotions) serialize(t types.Type, s *types.Struct, pos token.Pos) {
	by := origins(t, "Serialize")
	if len(by) > 1 {
		from := s.Field(by[0])
		p.lost(t, s, by[0], "Serialize", pos)
		p.walk(from.Type(), "", p.at(from, pos))
	}
	m := method(t, "MaxBits")
	if m == nil || m.Params().Len() != 0 || m.Results().Len() != 1 || !types.Identical(m.Results().At(0).Type(), types.Typ[types.Int]) {
		return
	}
	bound := origins(t, "MaxBits")
	if len(bound) == 1 || len(by) > 1 && by[0] == bound[0] {
		return
	}
	if names := others(s, bound[0]); names != "" {
		from, owner := s.Field(bound[0]), ownerName(t)
		p.add(p.at(from, pos), "", fmt.Sprintf("%s.%s: the method MaxBits of the embedded field bounds all of %s, whose own Serialize sends %s too: give %s a MaxBits of its own",
			owner, from.Name(), owner, names, owner))
	}
}

// binary looks at the methods that a struct with kind binary is encoded by.
func (p *promotions) binary(t types.Type, s *types.Struct, pos token.Pos) {
	if !marshalsItself(t) {
		return
	}
	write := "MarshalBinary"
	if m := method(t, "AppendBinary"); m != nil && m.Params().Len() == 1 && m.Results().Len() == 2 {
		write = "AppendBinary" // the library prefers it
	}
	out, in := origins(t, write), origins(t, "UnmarshalBinary")
	switch {
	case len(out) == 1 && len(in) == 1:
	case len(out) > 1 && len(in) > 1 && out[0] == in[0]:
		p.lost(t, s, in[0], write, pos)
		p.walk(s.Field(in[0]).Type(), `bp:"binary"`, p.at(s.Field(in[0]), pos))
	default:
		one, other, promoted := write, "UnmarshalBinary", out
		if len(out) == 1 {
			one, other, promoted = other, one, in
		}
		from, owner := s.Field(promoted[0]), ownerName(t)
		p.add(p.at(from, pos), "", fmt.Sprintf("%s.%s: %s would be that of the embedded field, while %s has another %s: give %s both methods, or the field a name",
			owner, from.Name(), one, owner, other, owner))
	}
}

// lost reports a struct whose encoding is the method of its embedded field, if it has
// others that would be sent.
func (p *promotions) lost(t types.Type, s *types.Struct, embedded int, method string, pos token.Pos) {
	names := others(s, embedded)
	if names == "" {
		return
	}
	f, owner := s.Field(embedded), ownerName(t)
	methods := "a method Serialize"
	if method != "Serialize" {
		methods = "methods " + method + " and UnmarshalBinary"
	}
	own := "give " + owner + " " + methods + " of its own"
	if _, named := t.(*types.Named); !named {
		own = "give the struct a name and " + methods
	}
	p.add(p.at(f, pos), "", fmt.Sprintf("%s.%s: the method %s of the embedded field encodes all of %s, so that %s would not be sent: give the field a name, as in %s %s, %s, or leave the others out with bp:\"-\"",
		owner, f.Name(), method, owner, names, fieldName(f.Name()), typeString(f.Type()), own))
}

// fieldName returns the name of an embedded field as one that is exported.
func fieldName(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// origins returns the way to a method of *T: its last index is that of the method, and
// those before are of the embedded fields that it is promoted from.
func origins(t types.Type, name string) []int {
	_, index, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, name)
	return index
}

// others returns the names of the fields other than one that would be sent, or "".
func others(s *types.Struct, but int) string {
	var names []string
	for i := range s.NumFields() {
		if f := s.Field(i); i != but && sends(f, s.Tag(i)) {
			names = append(names, f.Name())
		}
	}
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1:
		return names[0]
	case n > 3:
		return fmt.Sprintf("%s, %s and %d more", names[0], names[1], n-2)
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// sends reports whether the library would send a field of a struct that does not
// encode itself. A field that it would refuse counts only if it has a tag.
func sends(f *types.Var, tag string) bool {
	if _, ok := reflect.StructTag(tag).Lookup("bp"); ok || nearMiss(tag) {
		return kindOf(tag) != "-"
	}
	if _, isStruct := f.Type().Underlying().(*types.Struct); !f.Exported() && !(f.Embedded() && isStruct) {
		return false
	}
	t := strip(f.Type())
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature, *types.Interface:
		return false
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Struct:
		return u.NumFields() > 0 && (!opaque(u) || method(t, "MarshalBinary") != nil)
	}
	return true
}
