package analyzer

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

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
	bad      repairs                     // the fields whose tag or type is known to be wrong
	inner    map[types.Type]bool         // the named structs in other types
	open     []types.Type                // the types being translated
	embedded []*types.Var                // the embedded pointers to types that are not exported
	called   map[types.Type]bool         // the recursive structs in other types
	known    map[types.Type]reflect.Type // the structs translated so far
	left     int                         // the fields that are known to be wrong, counted as they are met
	recurse  map[types.Type]bool         // whether a struct holds itself
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

// field translates a field. A wrong field has the tag of its repair and, if that is
// none, a stand-in: others may refer to an integer and to the fields of a struct.
func (tr *translator) field(v *types.Var, tag string) (f reflect.StructField) {
	defer func(open int) {
		if recover() != nil && !tr.bad[v].gone { // unjudged, or what package reflect does not make
			tr.open, tr.bad[v] = tr.open[:open], repair{gone: true}
			f = tr.field(v, tag)
		}
	}(len(tr.open))
	f = reflect.StructField{Name: v.Name(), Tag: reflect.StructTag(tag)}
	kind := kindOf(tag)
	_, isStruct := v.Type().Underlying().(*types.Struct)
	fix, bad := tr.bad[v]
	if bad {
		tr.left++
		kind = kindOf(fix.tag)
		f.Tag, tag = reflect.StructTag(fix.tag), fix.tag
	}
	_, holdsStruct := strip(v.Type()).Underlying().(*types.Struct)
	gone := bad && (fix.gone || fix.tag == "" && !(holdsStruct && (v.Exported() || v.Embedded())))
	switch b, basic := v.Type().Underlying().(*types.Basic); {
	case gone:
		f.Type, f.Tag = reflect.TypeFor[float32](), "" // to which no field may refer
		if basic && b.Info()&(types.IsNumeric|types.IsBoolean) != 0 && basicTypes[b.Kind()] != nil {
			f.Type = basicTypes[b.Kind()]
		}
		if !v.Exported() {
			f.Name = fmt.Sprintf("%s%s%d", promoted, strings.Trim(f.Name, "_"), tr.left)
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
		if bad && tag == "" {
			f.Type = tr.loose(v.Type())
		} else {
			f.Type = tr.typ(v.Type(), tag)
		}
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

// loose translates the type of a field that holds structs, and has lost its tag. It
// has one element in place of those of a list, which needs no maxlen.
func (tr *translator) loose(t types.Type) reflect.Type {
	if _, named := types.Unalias(t).(*types.Named); named && (loops(t) || tr.methods(t, "") != nil) {
		return tr.typ(t, "")
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return reflect.PointerTo(tr.loose(u.Elem()))
	case *types.Slice, *types.Array, *types.Map:
		return reflect.ArrayOf(1, tr.loose(elemOf(t)))
	}
	return tr.typ(t, "")
}

// unexported returns the type of a field that is not exported. All that counts is
// whether it is struct{} or a number, whether it takes memory, and whether it
// compares.
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
	case !types.Comparable(t):
		return reflect.TypeFor[[]uint8]()
	}
	if b, ok := t.Underlying().(*types.Basic); ok && basicTypes[b.Kind()] != nil {
		return basicTypes[b.Kind()]
	}
	return reflect.TypeFor[[1]uint8]()
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
			return reflect.TypeFor[chan struct{}]() // which has no encoding either
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
			tr.called[origin(t)] = true
			return byComparison(t, reflect.TypeFor[recursive](), reflect.TypeFor[recursiveSlice]())
		}
		if !isNamed {
			return tr.structOf(t)
		}
		tr.inner[origin(t)] = true
		if tr.known[t] == nil {
			tr.known[t] = tr.structOf(t)
		}
		return tr.known[t]
	}
	panic(unjudged{})
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

// bpTag returns the bp tag in the tag of a field.
func bpTag(tag string) string { return reflect.StructTag(tag).Get("bp") }

// kindOf returns the first part of a bp tag.
func kindOf(tag string) string {
	kind, _, _ := strings.Cut(bpTag(tag), ",")
	return kind
}

// mentionsKind reports whether a tag has a kind, for the field or its elements.
func mentionsKind(tag, kind string) bool {
	return slices.ContainsFunc(strings.Split(bpTag(tag), ","), func(part string) bool {
		return part == kind || strings.HasSuffix(part, "kind="+kind)
	})
}
