package typecache

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/bits"
)

var (
	serializerType  = reflect.TypeFor[bits.Serializer]()
	streamType      = reflect.TypeFor[*bits.Stream]()
	marshalerType   = reflect.TypeFor[encoding.BinaryMarshaler]()
	appenderType    = reflect.TypeFor[encoding.BinaryAppender]()
	unmarshalerType = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	uint128Type     = reflect.TypeFor[bits.Uint128]()
	int128Type      = reflect.TypeFor[bits.Int128]()
	emptyType       = reflect.TypeFor[struct{}]()
)

// builder flattens one type.
type builder struct {
	plan     *Plan
	registry *Registry
	subs     map[reflect.Type]bool // the recursive struct types met so far
	queue    []sub                 // those whose program is not written yet
	calls    []call
	types    typeGraph             // which types are recursive
	names    []name                // of the field of each Elem, for errors
	blank    int32                 // the Field of the ops that have none, or -1
	open     map[reflect.Type]bool // the aggregates other than structs that are being written
	pointers map[reflect.Type]bool // whether memory of a struct holds pointers
	size     int                   // what counts towards MaxOps
	checked  map[reflect.Type]bool // the types with a form of their own whose tags were looked at
	lenient  bool                  // only errors of tags count: nothing runs the plan
	wrong    bool                  // while lenient, a tag is wrong
}

// sub is a type with a program of its own, a recursive one or a member of a
// union, and its name for errors.
type sub struct {
	typ  reflect.Type
	name name
}

// call is a CodeCall, or a member of a CodeUnion, that waits for the start of
// its type's program.
type call struct {
	op     int
	member int // its index in the union
	typ    reflect.Type
}

// start returns where the program's start is to be noted.
func (c call) start(p *Plan) *int32 {
	if op := &p.Ops[c.op]; op.Code == CodeUnion {
		return &p.Elems[op.Aux].Union.Starts[c.member]
	}
	return &p.Ops[c.op].End
}

// place is where in a type the builder stands.
type place struct {
	off   uintptr // from the base of the block
	path  string  // likewise, for errors at run time
	index []int   // likewise, for reflect
	name  name    // of what the tags of this place belong to
	tag   string
	cond  int32 // the condition this place is under, in its block, or -1
	loop  *Elem // the elements in memory that the block repeats, if it does
	// counted says that a count on the wire decides how often the ops run.
	counted bool
	// repeated says that the ops run for more than one value of a message.
	repeated bool
	skip     string // the field of the struct here that its subset carries
	affine   bool   // the struct here is an affine one, whose tag is taken
	scale    bool   // the value here is the scale of an affine struct
	scope    *scope // the fields of the enclosing struct so far, in this block
	// embedded says that the fields of this struct are also those of the one
	// around it.
	embedded bool
	untagged bool   // there is no field around whose tag could say anything
	prefix   string // what an option for this place begins with: "elem."
}

// name is a struct and a field of it, for errors. It is put together only for
// them.
type name struct{ owner, field string }

// String returns the name as in "Player.Health".
func (n name) String() string { return join(n.owner, n.field) }

// scope is a struct that is being written.
type scope struct {
	typ   reflect.Type
	off   uintptr // from the base of the block
	outer *scope  // the struct that this one is embedded in
	refs  *[]Ref  // the integers and bools in the block so far, by offset
	// paths are those of the fields by their names, once one is looked for.
	paths map[string][]int
}

// build makes the plan of t.
func build(t reflect.Type, r *Registry) (*Plan, error) {
	if t == nil {
		return nil, &Error{Path: "nil", Msg: "there is no type: pass a value or a pointer to one"}
	}
	b := newBuilder(t, r)
	if t.Kind() == reflect.Struct { // most fields are one op, and some a few
		n := t.NumField()*3/2 + 2
		b.plan.Ops, b.plan.Fields = make([]Op, 0, n), make([]Field, 0, n)
	}
	at := place{name: name{owner: t.String()}, cond: -1, untagged: true}
	if t.Name() != "" {
		at.name.owner = t.Name()
	} else if t.Kind() == reflect.Struct {
		at.name.owner = "struct"
	}
	if err := b.program(t, at); err != nil {
		if e, ok := err.(*Error); ok {
			e.Type = t
		}
		return nil, err
	}
	m := b.plan.measure()
	err := b.payable()
	if err == nil {
		err = b.unpaid(at.name, m)
	}
	if err != nil {
		err.Type = t
		return nil, err
	}
	b.plan.setKeep()
	b.plan.findRuns()
	return b.plan, nil
}

func newBuilder(t reflect.Type, r *Registry) *builder {
	return &builder{
		plan: &Plan{Type: t}, registry: r, subs: map[reflect.Type]bool{}, open: map[reflect.Type]bool{}, pointers: map[reflect.Type]bool{}, checked: map[reflect.Type]bool{},
		types: typeGraph{order: map[reflect.Type]int{}}, blank: -1,
	}
}

// program writes the program of t and then those of the recursive types in it.
func (b *builder) program(t reflect.Type, at place) error {
	if err := b.value(t, at, options{}); err != nil {
		return err
	}
	b.finish(CodeEnd)
	starts, err := b.subprograms()
	if err != nil {
		return err
	}
	for _, c := range b.calls {
		*c.start(b.plan) = int32(starts[c.typ])
	}
	b.plan.Recursive = len(b.calls) > 0
	return b.oversized(&at, 0)
}

// subprograms writes the programs of the types in the queue, and of those that
// these bring there. It returns where each starts.
func (b *builder) subprograms() (starts map[reflect.Type]int, err error) {
	starts = map[reflect.Type]int{}
	for len(b.queue) > 0 {
		next := b.queue[0]
		b.queue = b.queue[1:]
		starts[next.typ] = len(b.plan.Ops)
		inner := place{name: next.name, cond: -1, repeated: true, untagged: true}
		write := b.value
		if next.typ.Kind() == reflect.Struct && b.recursive(next.typ) && !isCustom(next.typ) {
			write = b.fields // and not a call of itself
		}
		if err := write(next.typ, inner, options{}); err != nil {
			return nil, err
		}
		b.finish(CodeNext)
	}
	return starts, nil
}

// errorf makes the error of a place.
func (at *place) errorf(format string, args ...any) error {
	return &Error{Path: at.name.String(), Msg: fmt.Sprintf(format, args...)}
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
	b.size++
	return len(b.plan.Ops) - 1
}

// finish adds the op that ends a program or an element, which has no value.
func (b *builder) finish(code Code) {
	if b.blank < 0 {
		b.blank = int32(len(b.plan.Fields))
		b.plan.Fields = append(b.plan.Fields, Field{})
	}
	b.plan.Ops = append(b.plan.Ops, Op{Code: code, Field: b.blank, Count: 1})
	b.size++
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
	if err := b.oversized(&at, 1); err != nil {
		return err
	}
	if _, ok := o.take("optional"); ok {
		return b.optional(t, at, o)
	}
	switch {
	case o.kind == "binary" && (!isContainer(t) || marshalsItself(t)): // or its elements
		return b.binary(t, at, o)
	case o.kind == "link" && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface):
		return b.link(t, at, o)
	case o.kind == "quat" || o.kind == "unit":
		if offs, float := components(t, o.kind); float != nil {
			return b.vector(t, float, offs, at, o)
		}
	case o.kind == "affine" && isAffine(t):
		return b.affine(t, at, o)
	}
	if slices.Contains(structurals, o.kind) {
		tag := o.kind
		if strings.HasPrefix(at.tag, tag) {
			tag = at.tag
		}
		return at.errorf("kind %q is for a field of type struct{}, not %v: write _ struct{} `bp:%q` before or after it", o.kind, t, tag)
	}
	switch {
	case isCustom(t):
		return b.custom(t, at, o)
	case o.kind != "" && kindShapes[o.kind] != "" && holdsScalars(t):
		return at.wrap(o.wrongKind(t))
	case isList(t) && o.has("by") && !o.mentions("subset"):
		return at.errorf("option \"by\" names the field that says which elements of a subset are present: add subset=, or remove it")
	}
	if isContainer(t) {
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
	case reflect.Interface:
		return b.union(t, at, o)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return at.errorf("%v cannot be encoded: leave the field out with bp:\"-\"", t)
	}
	return b.scalar(t, at, o)
}

// called notes a call, and the program that it needs.
func (b *builder) called(c call, at place) {
	if !b.subs[c.typ] {
		b.subs[c.typ] = true
		next := sub{c.typ, name{owner: c.typ.Name()}}
		if next.name.owner == "" {
			next.name = at.name
		}
		b.queue = append(b.queue, next)
	}
	b.calls = append(b.calls, c)
}
