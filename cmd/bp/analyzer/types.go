package analyzer

import (
	"go/types"
	"slices"
)

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

// origin returns the generic type of an instance, and other types as they are.
func origin(t types.Type) types.Type {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		return named.Origin()
	}
	return t
}

// isOpen reports whether a type is being translated.
func (tr *translator) isOpen(t types.Type) bool {
	return slices.ContainsFunc(tr.open, func(o types.Type) bool { return types.Identical(o, t) })
}

// loops reports whether a type contains itself without a struct.
func loops(t types.Type) bool {
	in := t
	for range maxDepth {
		if in = elemOf(in); in == nil {
			return false
		}
		if in = types.Unalias(in); in == t {
			return true
		}
	}
	return true
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
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		elem := elemOf(t)
		return elem != nil && holds(elem)
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		switch kindOf(s.Tag(i)) {
		case "-", "binary", "link":
			continue
		}
		if (f.Exported() || f.Embedded()) && holds(f.Type()) {
			return true
		}
	}
	return false
}
