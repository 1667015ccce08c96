package analyzer

import (
	"errors"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/typecache"
)

// finding is a mistake that the library reports about a type.
type finding struct {
	path  string
	wrong *typecache.Error
	field *types.Var // or nil for the type itself
}

// judge asks the library about types.
type judge struct {
	pkg        *types.Package
	options    typecache.Options
	bad        repairs // the wrong fields
	recurse    map[types.Type]bool
	translated map[types.Type]bool // the named structs inside the last type that was translated
	called     map[types.Type]bool // the recursive structs inside it, which have stand-ins
	left       int                 // the wrong fields inside it, which have stand-ins
	plan       *typecache.Plan     // the plan of the last type that was checked, or nil if it has none
}

func newJudge(pkg *types.Package) *judge {
	options := typecache.Options{}.WithUnion(reflect.TypeFor[union](), reflect.TypeFor[member]())
	return &judge{pkg: pkg, options: options, bad: repairs{}, recurse: map[types.Type]bool{}}
}

// mode is how a struct is judged.
type mode struct {
	lenient bool // a method encodes the struct: only its tags count
	part    bool // other types hold the struct, perhaps as elements
	inner   bool // a struct embeds the struct: its tags may refer to that
	element bool // lists have the struct as elements
}

// repairs are what the fields with a mistake have in place of their tags.
type repairs map[*types.Var]repair

// repair is what a field with a mistake has.
type repair struct {
	gone bool   // a stand-in for the field, because its type is wrong too, or its tag is needed
	tag  string // the tag with the fix that the library proposes, or ""
}

// has reports whether a field has a mistake.
func (r repairs) has(v *types.Var) bool { _, ok := r[v]; return ok }

// add notes a mistake in the field of one of the steps. It reports whether the field
// may be judged again in another way.
func (r repairs) add(at *types.Var, e *typecache.Error, steps []step) bool {
	old, again := r[at]
	if old.gone {
		return false
	}
	i := slices.IndexFunc(steps, func(s step) bool { return s.field == at })
	if again || i < 0 {
		r[at] = repair{gone: true}
		return true
	}
	fixed, _ := fixTag(steps[i].tag, e)
	switch {
	case fixed != steps[i].tag:
		r[at] = repair{tag: fixed}
	default:
		r[at] = repair{gone: hands(steps[i])}
	}
	return true
}

// check returns the mistakes in a type, which is usually a struct, and in the
// structs in it. After a mistake it repairs the field or leaves it out, and asks again.
func (j *judge) check(root types.Type, m mode) (all []finding) {
	m.lenient = m.lenient || encodesItself(root)
	for j.plan = nil; ; {
		t, embedded := j.translate(root)
		if t == nil {
			return all
		}
		for _, v := range embedded {
			if !j.bad.has(v) && v.Pkg() == j.pkg {
				all = append(all, j.embeddedPointer(root, v))
			}
			j.bad[v] = repair{gone: true}
		}
		plan, err := typecache.Build(t, j.options)
		e := (*typecache.Error)(nil)
		if !errors.As(err, &e) {
			j.plan = plan
			return all
		}
		path := strings.TrimPrefix(e.Path(), t.String())
		if t.Kind() == reflect.Struct || t.Name() != "" {
			_, path, _ = strings.Cut(e.Path(), ".")
		}
		steps, rest := follow(strip(root), strings.TrimPrefix(path, "."))
		if len(steps) == 0 {
			if !m.lenient && rest == "" {
				all = append(all, finding{path: ownerName(root), wrong: j.rename(e, root, nil)})
			}
			return all
		}
		at, foreign := j.blamed(steps, e)
		if at == nil {
			return all
		}
		if !foreign && !j.bad.has(at) && !j.silent(e, root, steps, m) {
			all = append(all, finding{display(root, steps) + rest, j.rename(e, root, steps), at})
		}
		if !j.bad.add(at, e, steps) {
			return all
		}
	}
}

// encodesItself reports whether methods may encode a type in place of its tags.
func encodesItself(t types.Type) bool { return serializes(t) || marshalsItself(t) }

// translate returns the reflect type of a type, or nil if it has none.
func (j *judge) translate(root types.Type) (t reflect.Type, embedded []*types.Var) {
	defer func() {
		if recover() != nil { // unjudged, or what package reflect does not make
			t = nil
		}
	}()
	j.translated, j.called = map[types.Type]bool{}, map[types.Type]bool{}
	tr := j.translator()
	defer func() {
		j.left = tr.left
		delete(j.called, origin(root))
	}()
	if s := tr.methods(root, ""); s != nil && !serializes(root) {
		return s, nil
	}
	if _, ok := root.Underlying().(*types.Struct); !ok {
		return tr.typ(root, ""), nil
	}
	return tr.structOf(root), tr.embedded
}

func (j *judge) translator() *translator {
	return &translator{bad: j.bad, inner: j.translated, called: j.called, known: map[types.Type]reflect.Type{}, recurse: j.recurse}
}

// embeddedPointer returns the mistake of an embedded pointer that nobody can set.
func (j *judge) embeddedPointer(root types.Type, v *types.Var) finding {
	_, err := typecache.Build(reflect.TypeFor[embedsPointer](), j.options)
	e := (*typecache.Error)(nil)
	errors.As(err, &e)
	pointer := v.Type().Underlying().(*types.Pointer)
	e.Fix = strings.ReplaceAll(e.Fix, reflect.TypeFor[embedded]().String(), typeString(pointer.Elem()))
	return finding{ownerName(root) + "." + v.Name(), e, v}
}

// silent reports whether a mistake may be none, because of something that the
// analyzer does not see.
func (j *judge) silent(e *typecache.Error, root types.Type, steps []step, m mode) bool {
	if e.Mistake == typecache.MistakeReference && (m.inner || j.badName(e.Value, steps)) {
		return true
	}
	if e.Mistake == typecache.MistakePlace && e.Option == "chain" {
		named, ok := types.Unalias(root).(*types.Named)
		inList := slices.ContainsFunc(steps, func(s step) bool { return s.list })
		return !inList && (m.part || m.element || ok && named.Obj().Exported())
	}
	last := steps[len(steps)-1]
	_, tagged := reflect.StructTag(last.tag).Lookup("bp")
	return m.lenient && !tagged && handing(steps) < 0 && !nearMiss(last.tag)
}

// badName reports whether the field that an option names has a mistake of its own,
// which may be the cause of this one. Such a field may be promoted from one.
func (j *judge) badName(name string, steps []step) bool {
	within := func(t types.Type) bool {
		_, path, _ := types.LookupFieldOrMethod(t, true, j.pkg, name)
		for _, i := range path {
			s, ok := strip(t).Underlying().(*types.Struct)
			if !ok || i >= s.NumFields() {
				return false
			}
			if j.bad.has(s.Field(i)) {
				return true
			}
			t = s.Field(i).Type()
		}
		return false
	}
	return slices.ContainsFunc(steps, func(s step) bool { return within(s.owner) || within(strip(s.field.Type())) })
}

// blamed returns the field to report a mistake at: the one whose tag it is, or
// the nearest one around it that is in the package. foreign says that the tag is
// that of another package. Without a field of the package, the result is the
// field itself.
func (j *judge) blamed(steps []step, e *typecache.Error) (at *types.Var, foreign bool) {
	i := len(steps) - 1
	if h := handing(steps); h >= 0 {
		i = h
	} else if e.Mistake == typecache.MistakeHandedOn {
		if h := handing(steps[:i]); i > 0 && (h >= 0 || hands(steps[i-1])) {
			i = max(h, i-1)
		}
	}
	if steps[i].field.Pkg() == j.pkg {
		return steps[i].field, false
	}
	if _, tagged := reflect.StructTag(steps[i].tag).Lookup("bp"); tagged || nearMiss(steps[i].tag) {
		return steps[i].field, true
	}
	for ; i >= 0; i-- {
		if steps[i].field.Pkg() == j.pkg {
			return steps[i].field, false
		}
	}
	return steps[len(steps)-1].field, true
}

// handing returns the step whose tag has options for the fields of the struct
// that it holds, if the last step has no tag and gets them, or -1.
func handing(steps []step) int {
	for i := len(steps) - 1; i >= 0; i-- {
		if _, tagged := reflect.StructTag(steps[i].tag).Lookup("bp"); tagged {
			if i < len(steps)-1 && hands(steps[i]) {
				return i
			}
			return -1
		}
	}
	return -1
}

// hands reports whether the tag of a field has options that apply to the values in
// the structs that it holds.
func hands(s step) bool {
	for part := range strings.SplitSeq(bpTag(s.tag), ",") {
		name, _, _ := strings.Cut(part, "=")
		if strings.HasPrefix(name, "key.") {
			continue
		}
		for strings.HasPrefix(name, "elem.") {
			name = name[len("elem."):]
		}
		switch name {
		case "", "maxlen", "minlen", "if", "optional", "pred", "key", "step", "affine":
		case "subset", "by", "rle":
			if !s.list {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// nearMiss reports whether the library refuses a tag without the key bp.
func nearMiss(tag string) bool { return keyMistake(tag) != nil }

// keyMistake returns what the library says about the keys of a tag that has no bp
// key, or nil.
func keyMistake(tag string) (e *typecache.Error) {
	if _, tagged := reflect.StructTag(tag).Lookup("bp"); tagged || tag == "" {
		return nil
	}
	t := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[uint8](), Tag: reflect.StructTag(tag)}})
	_, err := typecache.Build(t, typecache.Options{})
	errors.As(err, &e)
	return e
}
