package analyzer

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/gobitpack/bitpack/bits"
)

const (
	bitsPath = "github.com/gobitpack/bitpack/bits"
	// promoted begins the name of an embedded field that is not exported, which
	// package reflect refuses.
	promoted = "EmbeddedØ"
	hidden   = "hidden" // the package of fields that are not exported
	maxDepth = 100      // of types in types
)

// unjudged is panicked with for a type that has no reflect type.
type unjudged struct{}

// translator makes reflect types. It panics with unjudged if it cannot.
type translator struct {
	bad      map[*types.Var]bool // the fields whose tag or type is known to be wrong
	inner    map[types.Type]bool // the named structs in other types
	open     []types.Type        // the types being translated
	embedded []*types.Var        // the embedded pointers to types that are not exported
	called   map[types.Type]bool // the recursive structs in other types
	renamed  int                 // the wrong fields that are not exported
	recurse  map[types.Type]bool // whether a struct holds itself
}

// structOf translates the fields of a struct.
func (tr *translator) structOf(t types.Type) reflect.Type {
	if len(tr.open) > maxDepth {
		panic(unjudged{})
	}
	tr.open = append(tr.open, t)
	defer func() { tr.open = tr.open[:len(tr.open)-1] }()
	s := t.Underlying().(*types.Struct)
	fields := make([]reflect.StructField, s.NumFields())
	for i := range fields {
		fields[i] = tr.field(s.Field(i), s.Tag(i))
	}
	return reflect.StructOf(fields)
}

// field translates a field. In the place of a wrong field is one without a tag,
// which has the same type if others may refer to it.
func (tr *translator) field(v *types.Var, tag string) (f reflect.StructField) {
	defer func(open int) {
		if recover() != nil && !tr.bad[v] { // unjudged, or what package reflect does not make
			tr.open, tr.bad[v] = tr.open[:open], true
			f = tr.field(v, tag)
		}
	}(len(tr.open))
	f = reflect.StructField{Name: v.Name(), Tag: reflect.StructTag(tag)}
	kind := kindOf(tag)
	_, isStruct := v.Type().Underlying().(*types.Struct)
	switch b, basic := v.Type().Underlying().(*types.Basic); {
	case tr.bad[v]:
		f.Type, f.Tag = reflect.TypeFor[uint8](), ""
		if basic && b.Info()&(types.IsNumeric|types.IsBoolean) != 0 && basicTypes[b.Kind()] != nil {
			f.Type = basicTypes[b.Kind()]
		}
		if !v.Exported() {
			tr.renamed++
			f.Name = fmt.Sprintf("%s%s%d", promoted, strings.Trim(f.Name, "_"), tr.renamed)
		}
		return f
	case kind == "-":
		f.Type = reflect.TypeFor[uint8]()
	case !v.Exported() && !(v.Embedded() && isStruct):
		f.Type = unexported(v.Type())
		if _, pointer := v.Type().Underlying().(*types.Pointer); v.Embedded() && pointer {
			tr.embedded = append(tr.embedded, v)
		}
	default:
		f.Type = tr.typ(v.Type(), tag)
		if v.Embedded() && f.Type.Kind() == reflect.Struct && f.Type.NumMethod() == 0 && reflect.PointerTo(f.Type).NumMethod() == 0 {
			f.Anonymous = true
		}
		if p := f.Type; v.Embedded() && p.Kind() == reflect.Pointer && p.Name() == "" && p.Elem().Kind() == reflect.Struct && p.NumMethod() == 0 {
			f.Anonymous = true
		}
		if !v.Exported() {
			f.Name = promoted + f.Name
		}
		return f
	}
	if !v.Exported() {
		f.PkgPath = hidden
	}
	return f
}

// unexported returns the type of a field that is not exported. All that counts is
// whether it is struct{}, whether it takes memory, and whether it compares.
func unexported(t types.Type) reflect.Type {
	if s, ok := types.Unalias(t).(*types.Struct); ok && s.NumFields() == 0 {
		return reflect.TypeFor[struct{}]()
	}
	size := types.SizesFor("gc", "amd64").Sizeof(t)
	switch {
	case size == 0 && types.Comparable(t):
		return reflect.TypeFor[namedEmpty]()
	case size == 0:
		return reflect.TypeFor[[0]func()]()
	case types.Comparable(t):
		return reflect.TypeFor[uint8]()
	}
	return reflect.TypeFor[[]uint8]()
}

// typ translates the type of a field with a tag.
func (tr *translator) typ(t types.Type, tag string) reflect.Type {
	t = types.Unalias(t)
	named, isNamed := t.(*types.Named)
	if isNamed && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == bitsPath {
		switch named.Obj().Name() {
		case "Uint128":
			return reflect.TypeFor[bits.Uint128]()
		case "Int128":
			return reflect.TypeFor[bits.Int128]()
		}
	}
	if _, param := t.(*types.TypeParam); param {
		panic(unjudged{})
	}
	under := t.Underlying()
	_, isStruct := under.(*types.Struct)
	_, isInterface := under.(*types.Interface)
	if (isNamed || isStruct) && !isInterface {
		if s := tr.methods(t, tag); s != nil {
			return s
		}
	}
	if isNamed && !isStruct && loops(t) {
		return loop(t)
	}
	switch u := under.(type) {
	case *types.Basic:
		list := basicTypes
		if isNamed {
			list = namedTypes
		}
		if u.Kind() == types.UnsafePointer {
			return reflect.TypeFor[unsafe.Pointer]()
		}
		if list[u.Kind()] == nil {
			panic(unjudged{})
		}
		return list[u.Kind()]
	case *types.Pointer:
		if kindOf(tag) == "link" {
			return reflect.TypeFor[*member]()
		}
		return reflect.PointerTo(tr.typ(u.Elem(), tag))
	case *types.Slice:
		return reflect.SliceOf(tr.typ(u.Elem(), tag))
	case *types.Array:
		return reflect.ArrayOf(int(u.Len()), tr.typ(u.Elem(), tag))
	case *types.Map:
		return reflect.MapOf(tr.typ(u.Key(), tag), tr.typ(u.Elem(), tag))
	case *types.Chan:
		return reflect.TypeFor[chan struct{}]()
	case *types.Signature:
		return reflect.TypeFor[func()]()
	case *types.Interface:
		return reflect.TypeFor[union]()
	case *types.Struct:
		if isNamed && u.NumFields() == 0 {
			return reflect.TypeFor[namedEmpty]()
		}
		if isNamed && tr.recursive(t) || tr.isOpen(t) {
			tr.called[t] = true
			return byComparison(t, reflect.TypeFor[recursive](), reflect.TypeFor[recursiveSlice]())
		}
		if isNamed {
			tr.inner[t] = true
		}
		return tr.structOf(t)
	}
	panic(unjudged{})
}

// isOpen reports whether a type is being translated.
func (tr *translator) isOpen(t types.Type) bool {
	return slices.ContainsFunc(tr.open, func(o types.Type) bool { return types.Identical(o, t) })
}

// loops reports whether a type contains itself without a struct.
func loops(t types.Type) bool {
	in := t
	for range maxDepth {
		switch u := in.Underlying().(type) {
		case *types.Pointer:
			in = u.Elem()
		case *types.Slice:
			in = u.Elem()
		case *types.Array:
			in = u.Elem()
		case *types.Map:
			in = u.Elem()
		default:
			return false
		}
		if in = types.Unalias(in); in == t {
			return true
		}
	}
	return true
}

// loop returns the stand-in for a type that contains itself without a struct.
func loop(t types.Type) reflect.Type {
	switch t.Underlying().(type) {
	case *types.Slice:
		return reflect.TypeFor[loopSlice]()
	case *types.Map:
		return reflect.TypeFor[loopMap]()
	case *types.Pointer:
		return reflect.TypeFor[loopPointer]()
	}
	panic(unjudged{})
}

// methods returns the stand-in for a type whose methods decide how it is encoded,
// or nil.
func (tr *translator) methods(t types.Type, tag string) reflect.Type {
	s, isStruct := t.Underlying().(*types.Struct)
	b, basic := t.Underlying().(*types.Basic)
	marshals, asBinary := marshalsItself(t), mentionsKind(tag, "binary")
	switch {
	case basic && asBinary && !marshals:
		return nil
	case basic && asBinary && ownTypes[b.Kind()] != nil:
		return ownTypes[b.Kind()]
	case marshals && asBinary, marshals && isStruct && !serializes(t) && opaque(s):
		return byComparison(t, reflect.TypeFor[binary](), reflect.TypeFor[binarySlice]())
	case !serializes(t):
		if isStruct && almostSerializes(t) != nil {
			return reflect.TypeFor[almost]()
		}
		return nil
	case mentionsKind(tag, "quat"), mentionsKind(tag, "unit"), mentionsKind(tag, "affine"):
		return nil // a kind of the fields comes before the method
	}
	if basic && ownTypes[b.Kind()] != nil {
		return ownTypes[b.Kind()]
	}
	return byComparison(t, reflect.TypeFor[own](), reflect.TypeFor[ownSlice]())
}

// opaque reports whether a struct has no exported fields, and not no fields.
func opaque(s *types.Struct) bool {
	for f := range s.Fields() {
		if inner, ok := f.Type().Underlying().(*types.Struct); f.Exported() || f.Embedded() && ok && !opaque(inner) {
			return false
		}
	}
	return s.NumFields() > 0
}

// method returns a method of *T.
func method(t types.Type, name string) *types.Signature {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, name)
	f, ok := obj.(*types.Func)
	if !ok {
		return nil
	}
	return f.Signature()
}

// isStream reports whether a type is bits.Stream.
func isStream(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Stream" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == bitsPath
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// serializes reports whether *T is a bits.Serializer.
func serializes(t types.Type) bool {
	m := method(t, "Serialize")
	if m == nil || m.Variadic() || m.Params().Len() != 1 || m.Results().Len() != 1 || !isError(m.Results().At(0).Type()) {
		return false
	}
	p, ok := types.Unalias(m.Params().At(0).Type()).(*types.Pointer)
	return ok && isStream(p.Elem())
}

// almostSerializes returns the method Serialize of *T if it has a Stream but the
// wrong signature.
func almostSerializes(t types.Type) *types.Signature {
	m := method(t, "Serialize")
	if m == nil || serializes(t) || m.Params().Len() != 1 {
		return nil
	}
	in := types.Unalias(m.Params().At(0).Type())
	if p, ok := in.(*types.Pointer); ok {
		in = p.Elem()
	}
	if !isStream(in) {
		return nil
	}
	return m
}

// marshalsItself reports whether T has the methods that kind binary needs.
func marshalsItself(t types.Type) bool {
	if _, pointer := t.Underlying().(*types.Pointer); pointer {
		return false
	}
	has := func(name string, in, out int) bool {
		m := method(t, name)
		return m != nil && m.Params().Len() == in && m.Results().Len() == out && isError(m.Results().At(out-1).Type())
	}
	return has("UnmarshalBinary", 1, 1) && (has("MarshalBinary", 0, 2) || has("AppendBinary", 1, 2))
}

// kindOf returns the first part of a bp tag.
func kindOf(tag string) string {
	kind, _, _ := strings.Cut(reflect.StructTag(tag).Get("bp"), ",")
	return kind
}

// mentionsKind reports whether a tag has a kind, for the field or its elements.
func mentionsKind(tag, kind string) bool {
	return slices.ContainsFunc(strings.Split(reflect.StructTag(tag).Get("bp"), ","), func(part string) bool {
		return part == kind || strings.HasSuffix(part, "kind="+kind)
	})
}

// recursive reports whether a value of struct type t may hold another, as the
// library defines it: fields that are left out, links and values that encode
// themselves are not followed.
func (tr *translator) recursive(t types.Type) bool {
	known, ok := tr.recurse[t]
	if !ok {
		known = reaches(t, t, map[types.Type]bool{})
		tr.recurse[t] = known
	}
	return known
}

// reaches reports whether type t holds a value of another type directly or in
// what it holds.
func reaches(t, target types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	if len(seen) > 10000 {
		return true
	}
	seen[t] = true
	if _, named := t.(*types.Named); named && serializes(t) {
		return false
	}
	holds := func(in types.Type) bool {
		return types.Identical(types.Unalias(in), target) || reaches(in, target, seen)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			switch kindOf(u.Tag(i)) {
			case "-", "binary", "link":
				continue
			}
			if (f.Exported() || f.Embedded()) && holds(f.Type()) {
				return true
			}
		}
	case *types.Pointer:
		return holds(u.Elem())
	case *types.Slice:
		return holds(u.Elem())
	case *types.Array:
		return holds(u.Elem())
	case *types.Map:
		return holds(u.Elem())
	}
	return false
}
