package typecache

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// runLength plans an array or a slice with the option rle, whose equal neighbors
// are sent once. The values of arrays in an array count as its elements.
func (b *builder) runLength(t reflect.Type, at *place, o *options) error {
	o.take("rle")
	op, in, elem, count := plan.Op{Code: plan.CodeRunLength}, at, t.Elem(), 1
	isArray := t.Kind() == reflect.Array
	if isArray {
		count = t.Len()
		for ; elem.Kind() == reflect.Array; elem = elem.Elem() {
			count *= elem.Len()
		}
	} else {
		if err := at.count(&op, t, o, true); err != nil {
			return err
		}
		more, err := o.takePrefixed("elem.")
		if err != nil {
			return err
		}
		o.merge(&more)
		op.Flags = plan.FlagSlice
		in = &place{path: at.path, name: at.name, tag: at.tag, cond: -1, repeated: true, counted: true, untagged: at.untagged, prefix: at.prefix + "elem."}
	}
	if k := elem.Kind(); k < reflect.Bool || k > reflect.Float64 || isCustom(elem) {
		fix := "remove it"
		if !isArray && (k == reflect.Array || k == reflect.Slice) {
			fix = "write elem.rle if it is for the elements of these, or remove it"
		}
		return fail(MistakeInapplicable, "rle", fix, "needs bools, floats or integers of up to 64 bits, and not %v", elem)
	}
	if o.hasAny("common", "huffman", "optional") {
		return fail(MistakeConflict, "rle", "keep one", "goes with none of common, huffman and optional, which make elements of different sizes")
	}
	kind := o.kind
	op.Aux = b.table(&plan.Elem{Type: elem, Size: elem.Size()}, at)
	i := b.emit(&op, t, at)
	if err := b.scalar(elem, in, o); err != nil {
		return err
	}
	value := &b.plan.Ops[len(b.plan.Ops)-1]
	switch {
	case !value.Code.Single():
		return fail(MistakeInapplicable, "rle", "remove it", "needs values of a fixed size, which those of kind %s are not", kind)
	case value.Bits == 0:
		return fail(MistakeInapplicable, "rle", "remove it", "needs values with bits, and each %v here has 0", elem)
	}
	if isArray {
		b.plan.Ops[i].Count, value.Count = count, count
		b.plan.Fields[value.Field].Type = t
	}
	b.plan.Ops[i].End = int32(len(b.plan.Ops))
	if isArray && count == 0 {
		b.plan.Ops, b.plan.Elems, b.names = b.plan.Ops[:i], b.plan.Elems[:op.Aux], b.names[:op.Aux]
	}
	return nil
}
