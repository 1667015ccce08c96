package typecache

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
)

var (
	serializerType  = reflect.TypeFor[bits.Serializer]()
	boundedType     = reflect.TypeFor[interface{ MaxBits() int }]()
	marshalerType   = reflect.TypeFor[encoding.BinaryMarshaler]()
	appenderType    = reflect.TypeFor[encoding.BinaryAppender]()
	unmarshalerType = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	emptyType       = reflect.TypeFor[struct{}]()
)

// builder flattens one type into a plan. To plan a value is to append the ops
// that encode it.
type builder struct {
	plan      *plan.Plan
	with      *buildOptions
	starts    map[reflect.Type]int // the types that are called (recursive structs and union members), and the op at which each starts
	queue     []sub                // the called types that are not planned yet
	calls     []call
	types     typeGraph             // which types are recursive
	recursion bool                  // recursive types are called; otherwise they are errors
	names     []name                // the field of each of plan.Elems, for errors
	room      []option              // memory for the options of tags
	refs      []plan.Ref            // the integers and bools of the unfinished blocks so far, in order of offset within each block
	firsts    []int32               // the first op of each field of the unfinished structs so far, or -1 if it has none
	blank     int32                 // the Field shared by the ops without a value, or -1 before the first
	pointers  map[reflect.Type]bool // whether a struct type holds pointers
	planning  []reflect.Type        // the aggregates being planned, to find those that contain themselves
	size      int                   // the number of ops so far, as MaxOps counts them
	checked   map[reflect.Type]bool // the types with their own encoding whose tags have been checked
	lenient   bool                  // report only errors that a tag causes; the plan is discarded
	wrong     bool                  // in lenient mode: a tag caused an error
}

// sub is a type whose ops are planned once and called: a recursive struct or a
// member of a union.
type sub struct {
	typ  reflect.Type
	name name // for errors
}

// call is a CodeCall, or a member of a CodeUnion, whose target op is not known
// yet.
type call struct {
	op     int
	member int // its index in the union
	typ    reflect.Type
}

// start returns where to store the index of the first op of the called type.
func (c call) start(p *plan.Plan) *int32 {
	if op := &p.Ops[c.op]; op.Code == plan.CodeUnion {
		return &p.Elems[op.Aux].Union.Starts[c.member]
	}
	return &p.Ops[c.op].End
}

// place is the position in a type of the value being planned. A function does
// not change the place that it is given, except for structField and namedValue,
// which complete that of a field.
type place struct {
	off   uintptr // from the base of the block
	path  string  // from the base of the block, for errors at run time
	index []int   // from the base of the block, for reflect.Value.FieldByIndex
	name  name    // the struct and field that the tag belongs to
	tag   string
	cond  int32 // the innermost condition around this place in its block, or -1
	// stride is the number of bytes from one element of this block to the next, or 0
	// if they do not follow each other in memory.
	stride uintptr
	refs   int // the number of builder.refs of the blocks around this one
	// counted says that the message determines how many times the ops run.
	counted bool
	// taken says that the message determines whether memory for this place is
	// allocated, as it does for the target of a pointer.
	taken bool
	// repeated says that the ops may run more than once in a message.
	repeated bool
	skip     string // the field of this struct that the enclosing subset encodes
	affine   bool   // this struct is affine, and its own tag is already applied
	scale    bool   // this value is the scale of an affine struct
	scope    *scope // the struct being planned in this block, and its fields so far
	// embedded says that the fields of this struct are promoted to the one
	// around it.
	embedded bool
	untagged bool   // no enclosing field has a tag to hold an option
	prefix   string // the prefix of options for this place: "elem.", say
}

// name is a struct and one of its fields, for errors. The two are joined only
// when an error is made.
type name struct {
	owner, field string
	key          bool // it is the key of the field, a map
}

// String returns the name in the form "Player.Health".
func (n name) String() string {
	joined := typename.Join(n.owner, n.field)
	if n.key {
		joined += " (key)"
	}
	return joined
}

// scope is a struct being planned.
type scope struct {
	typ   reflect.Type
	off   uintptr // from the base of the block
	outer *scope  // the struct that embeds this one, or nil
	first int     // the index in builder.refs of the first one of the block
	// paths maps field names to reflect index paths, for a struct that has many
	// fields or embeds others. It is nil until the first lookup.
	paths map[string][]int
}

// build makes the plan of t. Most types hold no values of their own type, and looking
// for those that do takes time. The first attempt fails if it meets one. Its plan is
// never larger than that of the second.
func build(t reflect.Type, with *buildOptions) (*plan.Plan, error) {
	if t == nil {
		return nil, (&name{owner: "nil"}).wrap(fail(MistakeType, "", "pass a value or a pointer to one", "there is no type"))
	}
	return buildTagged(t, "", with)
}

// buildTagged makes the plan of t by a tag, which is empty for a type that no tag
// belongs to.
func buildTagged(t reflect.Type, tag string, with *buildOptions) (*plan.Plan, error) {
	var b builder
	err := b.build(t, tag, with)
	if err != nil && b.size < MaxOps {
		b = builder{recursion: true}
		err = b.build(t, tag, with)
	}
	if e, ok := err.(*Error); ok {
		e.Type = t
		return nil, plan.Refuse(e)
	}
	return b.plan, nil
}

// build makes the plan of t by a tag.
func (b *builder) build(t reflect.Type, tag string, with *buildOptions) error {
	b.init(t, with)
	at := &place{name: name{owner: t.String()}, cond: -1, tag: tag, untagged: tag == ""}
	if t.Name() != "" {
		at.name.owner = t.Name()
	} else if t.Kind() == reflect.Struct {
		at.name.owner = "struct"
	}
	if err := b.planType(t, at); err != nil {
		return err
	}
	recursive := b.plan.Measure()
	err := b.checkElementBits()
	if err == nil {
		err = b.checkZeroBits(at.name, recursive)
	}
	if err == nil {
		err = b.checkClaims(at.name)
	}
	if err != nil {
		return err
	}
	b.plan.SetKeepCapacities()
	b.plan.FindRuns()
	return nil
}

// planMemory is a plan and its first runs.
type planMemory struct {
	plan plan.Plan
	runs [11]plan.Run
}

// init makes b a builder of the plan of t.
func (b *builder) init(t reflect.Type, with *buildOptions) {
	p := new(planMemory)
	b.plan, b.with, b.blank = &p.plan, with, -1
	b.pointers = map[reflect.Type]bool{}
	b.plan.Type = t
	b.plan.Seal()
	if t.Kind() != reflect.Struct {
		return
	}
	n := t.NumField()*3/2 + 2 // most fields need one op, some a few more
	b.plan.Ops, b.plan.Fields = make([]plan.Op, 0, n), make([]plan.Field, 0, n)
	if n > 24 {
		// Each list begins with 512 to 576 bytes, except for refs, which has twice as many.
		// Slices that grow from 1 have many sizes, and the first allocation of a size in
		// a program takes two page faults, a large part of the time for its first plan.
		b.plan.Elems, b.plan.Runs, b.plan.Conds, b.plan.Relatives = make([]plan.Elem, 0, 8), p.runs[:0], make([]plan.Cond, 0, 11), make([]plan.Relative, 0, 9)
		b.plan.Float32s, b.plan.Float64s, b.plan.Angles = make([]compress.Float32, 0, 20), make([]compress.Float64, 0, 10), make([]compress.Angle, 0, 17)
		b.names, b.room, b.refs, b.firsts = make([]name, 0, 14), make([]option, 0, 17), make([]plan.Ref, 0, 47), make([]int32, 0, 140)
		b.planning = make([]reflect.Type, 0, 35)
	}
}

// planType plans t and then each type that it calls.
func (b *builder) planType(t reflect.Type, at *place) error {
	var err error
	if at.tag == "" {
		err = b.value(t, at, &options{})
	} else {
		err = b.taggedValue(t, at)
	}
	if err != nil {
		return at.name.wrap(err)
	}
	b.finish(plan.CodeEnd)
	if err := b.planCalled(); err != nil {
		return err
	}
	for _, c := range b.calls {
		*c.start(b.plan) = int32(b.starts[c.typ])
	}
	b.plan.Recursive = len(b.calls) > 0
	return at.name.wrap(b.oversized(0))
}

// planCalled plans the types in the queue, and those that they add to it.
func (b *builder) planCalled() (err error) {
	for len(b.queue) > 0 {
		next := b.queue[0]
		b.queue = b.queue[1:]
		b.starts[next.typ] = len(b.plan.Ops)
		inner := &place{name: next.name, cond: -1, repeated: true, untagged: true, taken: true}
		if next.typ.Kind() == reflect.Struct && b.recursive(next.typ) && !isCustom(next.typ) {
			err = b.fields(next.typ, inner, &options{}) // value would plan a call of the type again
		} else {
			err = b.value(next.typ, inner, &options{})
		}
		if err != nil {
			return inner.name.wrap(err)
		}
		b.finish(plan.CodeNext)
	}
	return nil
}

// wrap returns err with this name, unless it has one already.
func (n *name) wrap(err error) error {
	if e, ok := err.(*Error); ok && e.Struct == "" {
		e.Struct, e.Field, e.Key = n.owner, n.field, n.key
	}
	return err
}

// emit appends an op for a value of type t and returns its index. A Count of 0
// becomes 1.
func (b *builder) emit(op *plan.Op, t reflect.Type, at *place) int {
	i := len(b.plan.Ops)
	b.plan.Ops = append(b.plan.Ops, *op)
	b.size++
	op = &b.plan.Ops[i]
	op.Off = at.off
	op.Field = b.field(t, at)
	if op.Count == 0 {
		op.Count = 1
	}
	return i
}

// table appends the table of an op and returns its index. It is not copied into its
// callers.
//
//go:noinline
func (b *builder) table(elem *plan.Elem, at *place) int32 {
	b.plan.Elems = append(b.plan.Elems, *elem)
	b.names = append(b.names, at.name)
	return int32(len(b.names) - 1)
}

// finish appends an op that has no value: a CodeNext or a CodeEnd. It is not copied
// into its callers.
//
//go:noinline
func (b *builder) finish(code plan.Code) {
	if b.blank < 0 {
		b.blank = int32(len(b.plan.Fields))
		b.plan.Fields = append(b.plan.Fields, plan.Field{})
	}
	b.plan.Ops = append(b.plan.Ops, plan.Op{Code: code, Field: b.blank, Count: 1})
	b.size++
}

// field returns the index in plan.Fields of a value of type t. Consecutive ops
// of one value share a Field.
func (b *builder) field(t reflect.Type, at *place) int32 {
	f := plan.Field{Path: at.path, Type: t, Index: at.index, Tag: at.tag}
	if n := len(b.plan.Fields) - 1; n >= 0 {
		last := &b.plan.Fields[n]
		if last.Path == f.Path && last.Type == f.Type && last.Tag == f.Tag && slices.Equal(last.Index, f.Index) {
			return int32(n)
		}
	}
	b.plan.Fields = append(b.plan.Fields, f)
	return int32(len(b.plan.Fields) - 1)
}

const leaveOut = "leave the field out with bp:\"-\""

// value plans a value of type t. Its errors, and those of the functions that plan
// one type of value, have no place: the caller that set the name of at wraps them.
func (b *builder) value(t reflect.Type, at *place, o *options) error {
	if err := b.oversized(1); err != nil {
		return err
	}
	if _, ok := o.take("optional"); ok {
		return b.optional(t, at, o)
	}
	switch {
	case o.kind == "binary" && (!isContainer(t) || marshalsItself(t)): // for other containers the kind applies to the elements
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
	if o.is(structurals...) {
		tag := o.kind
		if strings.HasPrefix(at.tag, tag) {
			tag = at.tag
		}
		return fail(MistakeInapplicable, "kind", "write _ struct{} `bp:"+strconv.Quote(tag)+"` before or after it", "does not apply to %v", t).with(o.kind)
	}
	switch {
	case isCustom(t):
		return b.custom(t, at, o)
	case o.kind != "" && kindShapes.of(o.kind) != "" && holdsScalars(t):
		return o.wrongKind(t)
	case isList(t) && o.has("by") && !o.mentions("subset"):
		return fail(MistakeMissing, "by", "add subset=, or remove it", "is for a subset, and says which of its elements are present")
	}
	switch {
	case t == plan.Uint128Type || t == plan.Int128Type:
		return b.scalar(t, at, o)
	case isAggregate(t):
		if slices.Contains(b.planning, t) {
			return fail(MistakeType, "", "a recursive type must go through one", "%v contains itself without a struct", t)
		}
		b.planning = append(b.planning, t)
		err := b.aggregate(t, at, o)
		b.planning = b.planning[:len(b.planning)-1]
		return err
	}
	switch t.Kind() {
	case reflect.String:
		return b.text(t, at, o)
	case reflect.Interface:
		return b.union(t, at, o)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return fail(MistakeType, "", leaveOut, "%v cannot be encoded", t)
	}
	return b.scalar(t, at, o)
}

// aggregate plans a value that holds other values.
func (b *builder) aggregate(t reflect.Type, at *place, o *options) error {
	switch t.Kind() {
	case reflect.Pointer:
		return b.pointer(t, at, o)
	case reflect.Array:
		return b.array(t, at, o)
	case reflect.Slice:
		return b.slice(t, at, o)
	case reflect.Map:
		return b.mapping(t, at, o)
	}
	return b.structure(t, at, o)
}

// called records a call, and queues the called type the first time.
func (b *builder) called(c call, at *place) {
	if _, known := b.starts[c.typ]; !known {
		if b.starts == nil {
			b.starts = map[reflect.Type]int{}
		}
		b.starts[c.typ] = -1 // until it is planned
		next := sub{c.typ, name{owner: c.typ.Name()}}
		if next.name.owner == "" {
			next.name = at.name
		}
		b.queue = append(b.queue, next)
	}
	b.calls = append(b.calls, c)
}
