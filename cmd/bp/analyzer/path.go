package analyzer

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/typecache"
)

// step is a field on the way to a mistake.
type step struct {
	owner  *types.Struct
	field  *types.Var
	tag    string
	suffix string // " (key)", for the key of a map
	blank  string // the name of a blank field
	list   bool   // the field is a slice or an array
}

// name returns the field's name as the library shows it.
func (s *step) name() string {
	if s.blank != "" {
		return s.blank
	}
	return s.field.Name()
}

// follow returns the fields that a path from a struct names, and what is left of
// the path where it cannot be followed.
func follow(t types.Type, path string) (steps []step, rest string) {
	if path == "" {
		return nil, ""
	}
	names := strings.Split(path, ".")
	for i, shown := range names {
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return steps, "." + strings.Join(names[i:], ".")
		}
		name, isKey := strings.CutSuffix(shown, " (key)")
		name = strings.TrimPrefix(name, promoted)
		next := step{owner: s}
		for k := range s.NumFields() {
			f := s.Field(k)
			blank := ""
			if f.Name() == "_" {
				blank = fmt.Sprintf("_ (field %d)", k+1)
			}
			if f.Name() == name || name == blank && blank != "" {
				next.field, next.tag, next.blank = f, s.Tag(k), blank
			}
		}
		if next.field == nil {
			return steps, "." + strings.Join(names[i:], ".")
		}
		next.list = isList(next.field.Type())
		if isKey {
			next.suffix = " (key)"
		}
		steps = append(steps, next)
		t = strip(next.field.Type())
	}
	return steps, ""
}

// isList reports whether a type is a slice or an array, or a pointer to one.
func isList(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	}
	return false
}

// strip returns the type of the values that a pointer, a slice, an array or a map
// consists of.
func strip(t types.Type) types.Type {
	for range maxDepth {
		in := elemOf(t)
		if in == nil {
			return t
		}
		t = in
	}
	return t
}

// elemOf returns the type of the values that a pointer, a slice, an array or a map
// directly consists of, or nil.
func elemOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

// ownerName returns the name of a struct in the paths of the library.
func ownerName(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if named.TypeArgs() == nil {
			return named.Obj().Name()
		}
		s := typeString(named)
		if i := strings.IndexByte(s, '.'); i >= 0 && (!strings.Contains(s, "[") || i < strings.IndexByte(s, '[')) {
			s = s[i+1:]
		}
		return s
	}
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return typeString(t)
	}
	return "struct"
}

// display returns the path of the last step as the library shows it for types
// with names.
func display(root types.Type, steps []step) string {
	owner, path, handed := ownerName(root), "", false
	if named, ok := types.Unalias(strip(root)).(*types.Named); ok {
		owner = ownerName(named)
	}
	for i := range steps {
		s := &steps[i]
		path = owner + "." + s.name() + s.suffix
		handed = handed || hands(*s)
		owner = path
		if in := types.Unalias(strip(s.field.Type())); !handed {
			if _, named := in.(*types.Named); named {
				owner = ownerName(in)
			}
		}
	}
	return path
}

// replacement is the name of a type, and what package reflect calls its stand-in.
type replacement struct{ from, to string }

// rename puts the names of types in the place of those of stand-ins.
func (j *judge) rename(e *typecache.Error, root types.Type, steps []step) *typecache.Error {
	var all []replacement
	add := func(t types.Type, tag string) {
		all = append(all, j.replacements(t, tag)...)
	}
	for _, s := range slices.Backward(steps) {
		if s.suffix != "" {
			add(s.field.Type().Underlying().(*types.Map).Key(), s.tag)
		}
		add(s.field.Type(), s.tag)
	}
	if len(steps) > 0 {
		owner := steps[len(steps)-1].owner
		for i := range owner.NumFields() {
			add(owner.Field(i).Type(), owner.Tag(i))
		}
	}
	add(root, "")
	slices.SortStableFunc(all, func(a, b replacement) int { return len(b.from) - len(a.from) })
	holder := root
	if len(steps) > 0 {
		holder = strip(steps[len(steps)-1].field.Type())
	}
	if m := almostSerializes(holder); m != nil && e.Mistake == typecache.MistakeMethod && e.Value != "" {
		s := strings.TrimPrefix(types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(m.Params()), unnamed(m.Results()), m.Variadic()), qualifier), "func")
		e.Problem = strings.Replace(e.Problem, e.Value, s, 1)
	}
	for _, text := range []*string{&e.Problem, &e.Fix} {
		*text = replaceOutside(*text, all)
	}
	return e
}

// unnamed returns a tuple without its names.
func unnamed(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// replacements returns those for a type and the types in it, but not in its
// fields.
func (j *judge) replacements(t types.Type, tag string) (all []replacement) {
	defer func() { _ = recover() }() // a type without a stand-in
	tr := &translator{bad: j.bad, inner: map[types.Type]bool{}, called: map[types.Type]bool{}, known: map[types.Type]reflect.Type{}, recurse: j.recurse}
	for range maxDepth {
		// Types without names have the same name in both, and come before those with
		// names that have equal fields.
		all = append(all, replacement{tr.typ(t, tag).String(), typeString(t)})
		if m, ok := t.Underlying().(*types.Map); ok {
			all = append(all, j.replacements(m.Key(), tag)...)
		}
		if t = elemOf(t); t == nil {
			return all
		}
	}
	return all
}

// replaceOutside makes replacements outside quotes.
func replaceOutside(msg string, all []replacement) string {
	var b strings.Builder
	letter := func(i int) bool {
		return i >= 0 && i < len(msg) && (msg[i] == '_' || msg[i] >= '0' && msg[i] <= '9' || msg[i]|' ' >= 'a' && msg[i]|' ' <= 'z')
	}
next:
	for i := 0; i < len(msg); {
		if q := msg[i]; q == '"' || q == '`' {
			if end := strings.IndexByte(msg[i+1:], q); end >= 0 && !strings.HasPrefix(msg[i:], "\"`") {
				b.WriteString(msg[i : i+end+2])
				i += end + 2
				continue
			}
		}
		for _, r := range all {
			end := i + len(r.from)
			if strings.HasPrefix(msg[i:], r.from) && !(letter(i) && letter(i-1)) && !(letter(end-1) && letter(end)) {
				b.WriteString(r.to)
				i = end
				continue next
			}
		}
		b.WriteByte(msg[i])
		i++
	}
	return b.String()
}

func qualifier(p *types.Package) string { return p.Name() }

// typeString returns a type as package reflect writes it.
func typeString(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return "unsafe.Pointer"
		}
		return types.Typ[t.Kind()].Name() // not byte and rune
	case *types.Pointer:
		return "*" + typeString(t.Elem())
	case *types.Slice:
		return "[]" + typeString(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeString(t.Elem()))
	case *types.Map:
		return "map[" + typeString(t.Key()) + "]" + typeString(t.Elem())
	case *types.Interface:
		if t.Empty() {
			return "interface {}"
		}
		methods := strings.TrimSuffix(strings.TrimPrefix(types.TypeString(t, qualifier), "interface{"), "}")
		return "interface { " + methods + " }"
	case *types.Struct:
		var fields []string
		for i := range t.NumFields() {
			f := t.Field(i)
			s := typeString(f.Type())
			if !f.Embedded() {
				s = f.Name() + " " + s
			}
			if tag := t.Tag(i); tag != "" {
				s += " " + strconv.Quote(tag)
			}
			fields = append(fields, s)
		}
		if len(fields) == 0 {
			return "struct {}"
		}
		return "struct { " + strings.Join(fields, "; ") + " }"
	}
	return types.TypeString(t, qualifier)
}
