package typecache

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
)

// structure plans the fields of a struct in place, or a call if the struct is
// recursive.
func (b *builder) structure(t reflect.Type, at *place, o *options) error {
	if err := almostCustom(t); err != nil {
		return err
	}
	if b.recursive(t) {
		if !o.empty() {
			return fail(MistakeInapplicable, "", "tag its own fields", "options cannot be handed on to the fields of %v, which is recursive", t)
		}
		b.called(call{op: b.emit(&plan.Op{Code: plan.CodeCall}, t, at), typ: t}, at)
		return nil
	}
	ops := len(b.plan.Ops)
	if err := b.fields(t, at, o); err != nil || len(b.plan.Ops) > ops {
		return err
	}
	opaque := !hasExported(t)
	switch {
	case opaque && implements(t, marshalerType):
		return fail(MistakeType, "", "tag it bp:\"binary,maxlen=N\"", "%v has no exported fields but a binary form", t)
	case opaque && hides(t):
		fix := ""
		if at.name.field != "" {
			fix = ", " + leaveOut
		}
		return fail(MistakeType, "", "export them"+fix+", or give the type a method Serialize(*bits.Stream) error", "%v has no exported fields, so that nothing of it would be sent", t)
	case !o.empty():
		return fail(MistakeInapplicable, "", "remove them", "%v has no fields that the options could apply to", t)
	}
	return nil
}

// hasExported reports whether a struct has exported fields, promoted ones
// included.
func hasExported(t reflect.Type) bool {
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() {
			return true
		}
	}
	return false
}

// hides reports whether a struct has unexported fields that take memory. No tag
// can send their values.
func hides(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" && !f.IsExported() && f.Type.Size() > 0 {
			return true
		}
	}
	return false
}

// fields plans the fields of a struct. The inherited options come from the tag of
// the field that holds the struct, and apply to each value in it. If there are any,
// the fields must not have tags of their own.
func (b *builder) fields(t reflect.Type, at *place, inherited *options) error {
	outer, whole := at.scope, *at // whole is what each field starts from
	at = &whole
	at.scope = &scope{typ: t, off: at.off, first: len(b.refs)}
	if outer != nil {
		at.scope.first = outer.first
	}
	if at.embedded {
		at.scope.outer = outer
	}
	at.embedded, at.untagged = false, false
	owner := t.Name()
	if owner == "" || !inherited.empty() {
		owner = at.name.String()
	}
	if inherited.empty() {
		at.prefix = ""
	}
	skip, affine := at.skip, at.affine
	at.skip, at.affine = "", false
	var hints []hinted
	firsts := len(b.firsts)
	var in place // of one field after the other, as f and hint
	var f reflect.StructField
	var hint hinted
	for i := range t.NumField() {
		f, in, hint = t.Field(i), *at, hinted{}
		in.off += f.Offset
		in.index = f.Index
		if len(at.index) > 0 {
			in.index = append(slices.Clip(at.index), f.Index...)
		}
		shown := f.Name
		if shown == "_" { // there may be several
			shown = "_ (field " + strconv.Itoa(i+1) + ")"
		}
		in.name = name{owner: owner, field: shown}
		in.path = typename.Join(at.path, shown)
		if f.Name == skip {
			b.refs = append(b.refs, plan.Ref{Off: in.off, Size: 1, Op: -1, Guard: at.cond})
			b.firsts = append(b.firsts[:firsts+i], -1)
			continue
		}
		in.scale = affine && f.Name == "Scale"
		size, first, room := b.size, len(b.plan.Ops), len(b.room)
		err := b.structField(&f, &in, inherited, &hint)
		if err != nil && !b.overlooks(&f, inherited) {
			return in.name.wrap(err)
		}
		b.room = b.room[:room] // the options of the field are used up
		end := len(b.plan.Ops)
		if b.firsts = append(b.firsts[:firsts+i], int32(first)); first == end { // without those of the structs in the field
			b.firsts[firsts+i] = -1
		}
		if hint.set {
			hint.First, hint.End, hint.name = int32(first), int32(end), in.name
			hints = append(hints, hint)
		}
		b.size = max(b.size, size+1)
	}
	return b.setHints(t, hints, b.firsts[firsts:])
}

// structField plans one field of a struct, by its own tag or the inherited options.
// It stores the hint of the field's tag.
func (b *builder) structField(f *reflect.StructField, at *place, inherited *options, hint *hinted) error {
	o, text, tagged, err := parseTag(f.Tag, f.Type, &b.room)
	at.tag = text
	at.embedded = f.Anonymous && f.Type.Kind() == reflect.Struct
	switch {
	case err != nil:
		return err
	case o.kind == "-":
		if len(o.list) > 0 {
			return fail(MistakeConflict, "", "write bp:\"-\"", "a field that is left out takes no options")
		}
		return nil
	case tagged && f.Type == emptyType: // it holds no value, so its name need not be exported
	case !f.IsExported() && !at.embedded:
		if f.Anonymous && f.Type.Kind() == reflect.Pointer {
			return fail(MistakeType, "", "embed "+f.Type.Elem().String()+" itself, or leave it out with bp:\"-\"", "an embedded pointer to a type that is not exported cannot be set")
		}
		if tagged && f.Name == "_" {
			return fail(MistakePlace, "", blankFix(f.Type, &o), "a blank field holds no value")
		}
		if tagged {
			return fail(MistakePlace, "", "export it, or remove its tag", "the field is not exported")
		}
		return nil
	case tagged && !inherited.empty():
		return fail(MistakeHandedOn, "", "remove one of them", "the field has a tag of its own, so that no options can be handed on to it")
	case !tagged:
		o, at.tag = *inherited, ""
	}
	condition, conditional := o.take("if")
	if tagged && len(o.list) > 0 {
		if err = hint.take(&o, f.Type, at, conditional); err != nil {
			return err
		}
	}
	if !conditional {
		return b.namedValue(f, at, &o)
	}
	if at.cond, err = b.condition(condition, at); err != nil {
		return err
	}
	op := b.emit(&plan.Op{Code: plan.CodeIf, Aux: at.cond, Flags: b.pointerFlag(f.Type)}, f.Type, at)
	b.plan.Ops[op].Count = int(f.Type.Size())
	if err := b.namedValue(f, at, &o); err != nil {
		return err
	}
	b.plan.Ops[op].End = int32(len(b.plan.Ops))
	return nil
}

// namedValue plans the value of a field. Later fields can refer to it if it is
// an integer or a bool.
func (b *builder) namedValue(f *reflect.StructField, at *place, o *options) error {
	if f.Type == emptyType && !o.empty() {
		return b.structural(f.Type, at, o)
	}
	first := len(b.plan.Ops)
	var err error
	if at.scale {
		at.scale = false
		err = b.scale(f.Type, at, o)
	} else {
		err = b.value(f.Type, at, o)
	}
	if err != nil {
		return err
	}
	if isInteger(f.Type) || f.Type.Kind() == reflect.Bool {
		b.refs = append(b.refs, plan.Ref{
			Off: at.off, Size: uint8(f.Type.Size()), Signed: signed(f.Type),
			Op: int32(first), Guard: at.cond,
		})
	}
	return nil
}

// takeValue removes the option value, which must fit the bits of op, and sets its Bias.
func (o *options) takeValue(op *plan.Op) (ok bool, err error) {
	v, ok, err := o.takeInt("value")
	if err != nil || !ok {
		return ok, err
	}
	if v.Sign() < 0 || v.BitLen() > int(op.Bits) {
		return true, outside("value", "", v, 0, uint64(1)<<op.Bits-1, "")
	}
	op.Bias, _ = v.Low128()
	return true, nil
}

// structural plans a tagged field of type struct{}. Its bits hold no value.
func (b *builder) structural(t reflect.Type, at *place, o *options) error {
	op := plan.Op{Code: plan.CodeConst}
	switch o.kind {
	case "align":
		op.Code = plan.CodeAlign
	case "reserved":
		n, ok, err := o.takeSmall("bits", 1, 64)
		if err != nil || !ok {
			return orMissing(err, "bits")
		}
		op.Bits, op.Flags = uint8(n), plan.FlagReserved
	case "const":
		n, ok, err := o.takeSmall("bits", 1, 64)
		if err != nil || !ok {
			return orMissing(err, "bits")
		}
		op.Bits = uint8(n)
		if ok, err = o.takeValue(&op); err != nil || !ok {
			return orMissing(err, "value")
		}
	case "check":
		op.Bits = 32
		if n := len(at.index); n > 0 {
			op.Bias = uint64(uint32(0x12345678) ^ uint32(at.index[n-1]))
		}
		ok, err := o.takeValue(&op)
		if err == nil && !ok && len(at.index) == 0 { // the value depends on the index of a field
			err = orMissing(nil, "value")
		}
		if err != nil {
			return err
		}
	case "":
		return fail(MistakeMissing, "", "name the kind, align, reserved, const or check", "a struct{} field holds no value")
	default:
		return fail(MistakeInapplicable, "kind", "use align, reserved, const or check", "does not apply to struct{}, which holds no value").with(o.kind)
	}
	if err := o.rest(t); err != nil {
		return err
	}
	if o.kind != "check" || !b.with.unchecked {
		b.emit(&op, t, at)
	}
	return nil
}
