package typecache

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/bits"
)

var (
	serializerType  = reflect.TypeFor[bits.Serializer]()
	marshalerType   = reflect.TypeFor[encoding.BinaryMarshaler]()
	appenderType    = reflect.TypeFor[encoding.BinaryAppender]()
	unmarshalerType = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	uint128Type     = reflect.TypeFor[bits.Uint128]()
	int128Type      = reflect.TypeFor[bits.Int128]()
	emptyType       = reflect.TypeFor[struct{}]()
)

// builder flattens one type.
type builder struct {
	plan  *Plan
	subs  map[reflect.Type]bool // the recursive struct types met so far
	queue []reflect.Type        // those whose program is not written yet
	calls []call
	names []string              // of the field of each op, for errors
	open  map[reflect.Type]bool // the types other than structs that are being written
}

// call is a CodeCall that waits for the start of its type's program.
type call struct {
	op  int
	typ reflect.Type
}

// place is where in a type the builder stands.
type place struct {
	off   uintptr // from the base of the block
	path  string  // likewise, for errors at run time
	index []int   // likewise, for reflect
	name  string  // the struct and field that the tags of this place belong to
	tag   string
	cond  int32 // the condition this place is under, in its block, or -1
	loop  *Elem // the elements in memory that the block repeats, if it does
	// counted says that a count on the wire decides how often the ops run.
	counted bool
	scope   *scope // the fields of the enclosing struct so far
}

// scope finds the earlier fields of a struct that conditions and relative
// integers may refer to.
type scope struct {
	refs map[string]Ref
	why  map[string]string // a field that is none of these, and why
}

// build makes the plan of t.
func build(t reflect.Type) (*Plan, error) {
	if t == nil {
		return nil, &Error{Path: "nil", Msg: "there is no type: pass a value or a pointer to one"}
	}
	b := &builder{plan: &Plan{Type: t}, subs: map[reflect.Type]bool{}, open: map[reflect.Type]bool{}}
	at := place{name: t.String(), cond: -1}
	if t.Name() != "" {
		at.name = t.Name()
	}
	if err := b.program(t, at); err != nil {
		if e, ok := err.(*Error); ok {
			e.Type = t
		}
		return nil, err
	}
	b.plan.measure()
	if err := b.payable(); err != nil {
		err.Type = t
		return nil, err
	}
	b.plan.describe()
	return b.plan, nil
}

// program writes the program of t and then those of the recursive types in it.
func (b *builder) program(t reflect.Type, at place) error {
	if err := b.value(t, at, options{}); err != nil {
		return err
	}
	b.emit(Op{Code: CodeEnd}, nil, at)
	starts := map[reflect.Type]int{}
	for len(b.queue) > 0 {
		sub := b.queue[0]
		b.queue = b.queue[1:]
		starts[sub] = len(b.plan.Ops)
		inner := place{name: typeName(sub), cond: -1, loop: &Elem{}}
		if err := b.fields(sub, inner, options{}); err != nil {
			return err
		}
		b.emit(Op{Code: CodeNext}, nil, inner)
	}
	for _, c := range b.calls {
		b.plan.Ops[c.op].End = int32(starts[c.typ])
	}
	b.plan.Recursive = len(b.calls) > 0
	return nil
}

func typeName(t reflect.Type) string {
	if t.Name() != "" {
		return t.Name()
	}
	return t.String()
}

// errorf makes the error of a place.
func (at *place) errorf(format string, args ...any) error {
	return &Error{Path: at.name, Msg: fmt.Sprintf(format, args...)}
}

// wrap gives an error without a place this one.
func (at *place) wrap(err error) error {
	if _, ok := err.(*Error); ok || err == nil {
		return err
	}
	return at.errorf("%v", err)
}

// emit adds an op for a value of type t.
func (b *builder) emit(op Op, t reflect.Type, at place) int {
	op.Off = at.off
	op.Field = b.field(t, at)
	if op.Count == 0 {
		op.Count = 1
	}
	b.plan.Ops = append(b.plan.Ops, op)
	b.names = append(b.names, at.name)
	return len(b.plan.Ops) - 1
}

// field returns the index of the cold part of an op, which ops of one place
// share.
func (b *builder) field(t reflect.Type, at place) int32 {
	f := Field{Path: at.path, Type: t, Index: at.index, Tag: at.tag}
	if n := len(b.plan.Fields) - 1; n >= 0 {
		last := &b.plan.Fields[n]
		if last.Path == f.Path && last.Type == f.Type && last.Tag == f.Tag && slices.Equal(last.Index, f.Index) {
			return int32(n)
		}
	}
	b.plan.Fields = append(b.plan.Fields, f)
	return int32(len(b.plan.Fields) - 1)
}

// value writes the ops of a value of type t.
func (b *builder) value(t reflect.Type, at place, o options) error {
	if o.kind == "binary" {
		return b.binary(t, at, o)
	}
	if t != nil && reflect.PointerTo(t).Implements(serializerType) && t.Kind() != reflect.Interface {
		return b.custom(t, at, o)
	}
	if t.Kind() != reflect.Struct {
		if b.open[t] {
			return at.errorf("%v holds itself: a recursive type must go through a struct", t)
		}
		b.open[t] = true
		defer delete(b.open, t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return b.pointer(t, at, o)
	case reflect.Array:
		return b.array(t, at, o)
	case reflect.Slice:
		return b.slice(t, at, o)
	case reflect.Map:
		return b.mapping(t, at, o)
	case reflect.String:
		return b.text(t, at, o)
	case reflect.Struct:
		if t == uint128Type || t == int128Type {
			return b.scalar(t, at, o)
		}
		return b.structure(t, at, o)
	case reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return at.errorf("a %v cannot be encoded: leave it out with bp:\"-\"", t)
	}
	return b.scalar(t, at, o)
}

// structure writes a struct in place, or a call of it if it is recursive.
func (b *builder) structure(t reflect.Type, at place, o options) error {
	if reflect.PointerTo(t).Implements(marshalerType) && !hasExported(t) {
		return at.errorf("%v has no exported fields but a binary form: tag it bp:\"binary,maxlen=N\"", t)
	}
	if !recursive(t) {
		ops := len(b.plan.Ops)
		if err := b.fields(t, at, o); err != nil {
			return err
		}
		if !o.empty() && len(b.plan.Ops) == ops {
			return at.errorf("%v has no fields that the options could apply to: remove them", t)
		}
		return nil
	}
	if !o.empty() {
		return at.errorf("options cannot be handed on to the fields of %v, which is recursive: tag its own fields", t)
	}
	if !b.subs[t] {
		b.subs[t] = true
		b.queue = append(b.queue, t)
	}
	b.calls = append(b.calls, call{op: b.emit(Op{Code: CodeCall}, t, at), typ: t})
	return nil
}

func hasExported(t reflect.Type) bool {
	return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return f.IsExported() })
}

// fields writes the fields of a struct. Options that are handed on go to each
// of its values, none of which may have a tag of its own then.
func (b *builder) fields(t reflect.Type, at place, pushed options) error {
	// A struct that is embedded adds its fields to those of the outer one.
	if at.scope == nil {
		at.scope = &scope{refs: map[string]Ref{}, why: map[string]string{}}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		in := at
		in.off += f.Offset
		in.index = append(slices.Clip(at.index), i)
		in.name = typeName(t) + "." + f.Name
		if !pushed.empty() {
			in.name = at.name + "." + f.Name
		}
		in.path = join(at.path, f.Name)
		if err := b.structField(f, in, pushed); err != nil {
			return in.wrap(err)
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// structField writes one field of a struct.
func (b *builder) structField(f reflect.StructField, at place, pushed options) error {
	o, text, tagged, err := parseTag(f.Tag)
	at.tag = text
	inner := at // where the fields of the value have a scope of their own
	inner.scope = nil
	if f.Anonymous && f.Type.Kind() == reflect.Struct {
		inner.scope = at.scope
	}
	switch {
	case err != nil:
		return err
	case o.kind == "-":
		if len(o.list) > 0 {
			return fmt.Errorf("a field that is left out takes no options: write bp:\"-\"")
		}
		at.scope.why[f.Name] = "is left out"
		return nil
	case !tagged && f.Name == "_":
		return nil
	case tagged && f.Type == emptyType:
		return b.structural(f, at, o)
	case !f.IsExported() && inner.scope == nil:
		if f.Anonymous && f.Type.Kind() == reflect.Pointer {
			return fmt.Errorf("an embedded pointer to a type that is not exported cannot be set: embed %v itself, or leave it out with bp:\"-\"", f.Type.Elem())
		}
		if tagged {
			return fmt.Errorf("the field is not exported: export it, or remove its tag")
		}
		at.scope.why[f.Name] = "is not exported"
		return nil
	case tagged && !pushed.empty():
		return fmt.Errorf("the field has a tag of its own, so that no options can be handed on to it: remove one of them")
	case !tagged:
		o = pushed
		at.tag, inner.tag = "", ""
	}
	condition, conditional := o.take("if")
	if !conditional {
		return b.namedValue(f, inner, at, o)
	}
	cond, err := b.condition(condition, at)
	if err != nil {
		return err
	}
	inner.cond, at.cond = cond, cond
	size := int(f.Type.Size())
	flags := Flags(0)
	if hasPointers(f.Type) {
		flags = Pointers
	}
	op := b.emit(Op{Code: CodeIf, Aux: cond, Count: size, Flags: flags}, f.Type, at)
	b.plan.Ops[op].Count = size // which may be 0
	if err := b.namedValue(f, inner, at, o); err != nil {
		return err
	}
	b.plan.Ops[op].End = int32(len(b.plan.Ops))
	return nil
}

// namedValue writes a field's value and makes it known to the fields after it.
func (b *builder) namedValue(f reflect.StructField, inner, at place, o options) error {
	first := len(b.plan.Ops)
	if err := b.value(f.Type, inner, o); err != nil {
		return err
	}
	switch k := f.Type.Kind(); {
	case f.Anonymous && k == reflect.Struct:
	case k == reflect.Bool || k >= reflect.Int && k <= reflect.Uintptr:
		at.scope.refs[f.Name] = Ref{
			Off: at.off, Size: uint8(f.Type.Size()), Signed: k >= reflect.Int && k <= reflect.Int64,
			Op: int32(first), Guard: at.cond,
		}
	default:
		at.scope.why[f.Name] = fmt.Sprintf("is a %v, not a bool or an integer", f.Type)
	}
	return nil
}

// hasPointers reports whether memory of type t must be written with the
// garbage collector knowing.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() == reflect.String || t.Kind() >= reflect.Chan && t.Kind() != reflect.Struct ||
		t.Kind() == reflect.UnsafePointer
}

// recursive reports whether a value of struct type t may hold another one.
func recursive(t reflect.Type) bool {
	seen := map[reflect.Type]bool{}
	var reaches func(from reflect.Type) bool
	reaches = func(from reflect.Type) bool {
		if seen[from] {
			return false
		}
		seen[from] = true
		switch from.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			return from.Elem() == t || reaches(from.Elem())
		case reflect.Map:
			return from.Elem() == t || reaches(from.Elem()) || reaches(from.Key())
		case reflect.Struct:
			for i := range from.NumField() {
				f := from.Field(i)
				if o, _, _, err := parseTag(f.Tag); err == nil && o.kind == "-" || !f.IsExported() && !f.Anonymous {
					continue
				}
				if f.Type == t || reaches(f.Type) {
					return true
				}
			}
		}
		return false
	}
	return reaches(t)
}
