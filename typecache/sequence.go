package typecache

import (
	mathbits "math/bits"
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// open appends an op that opens a block. It returns the index of the op, and sets in
// to the place of the elements. After these are planned, close must be called.
func (b *builder) open(op *plan.Op, t reflect.Type, at *place, elem *plan.Elem, in *place) int {
	op.Aux = b.table(elem, at)
	*in = place{name: at.name, tag: at.tag, cond: -1, untagged: at.untagged, prefix: at.prefix, refs: len(b.refs)}
	in.repeated = at.repeated || op.Code != plan.CodePointer && op.Code != plan.CodeMatrix
	in.taken = at.taken || op.Code == plan.CodePointer
	if op.Code != plan.CodePointer {
		in.stride = elem.Size
		in.counted = at.counted || at.taken || op.Code != plan.CodeArray
	}
	i := b.emit(op, t, at)
	if op.Code == plan.CodeArray {
		b.plan.Ops[i].Count = op.Count // emit turns 0 into 1
	}
	return i
}

// close appends the CodeNext that closes the block at op i. It returns err, which is
// the error of planning the elements.
func (b *builder) close(i int, in *place, err error) error {
	if b.refs = b.refs[:in.refs]; err != nil {
		return err
	}
	if op := &b.plan.Ops[i]; op.Code == plan.CodeArray && len(b.plan.Ops) == i+1 {
		// The elements put nothing on the wire. Without the block no loop steps
		// through them.
		b.plan.Ops, b.plan.Elems, b.names = b.plan.Ops[:i], b.plan.Elems[:op.Aux], b.names[:op.Aux]
		return nil
	}
	b.finish(plan.CodeNext)
	b.plan.Ops[i].End = int32(len(b.plan.Ops))
	return nil
}

// elements plans a block whose elements have the type of those of t: a pointer, an
// array or a slice.
func (b *builder) elements(op *plan.Op, t reflect.Type, at *place, o *options) error {
	elem := t.Elem()
	var in place
	i := b.open(op, t, at, &plan.Elem{Type: elem, Size: elem.Size()}, &in)
	if op.Code == plan.CodeSlice {
		in.prefix += "elem."
	}
	return b.close(i, &in, b.value(elem, &in, o))
}

// pointer plans a bit, followed by the value that the pointer points to unless
// it is nil.
func (b *builder) pointer(t reflect.Type, at *place, o *options) error {
	return b.elements(&plan.Op{Code: plan.CodePointer, Bits: 1}, t, at, o)
}

// array plans an array: scalars are one op with a Count, anything else is a
// block.
func (b *builder) array(t reflect.Type, at *place, o *options) error {
	elem := t.Elem()
	asBytes := o.kind == "bytes" || o.kind == "cstring"
	if asBytes && elem.Kind() == reflect.Uint8 && !o.hasAny("maxlen", "minlen") {
		return b.byteArray(t, at, o)
	}
	if (o.kind == "string" || o.kind == "wstring") && elem.Kind() == reflect.Uint8 {
		return fail(MistakeInapplicable, "kind", "use cstring, or bytes", "does not apply to %v", t).with(o.kind)
	}
	if o.hasAny("maxlen", "minlen") && o.kind != "binary" && !mayHaveLength(elem) {
		return fail(MistakeInapplicable, "maxlen", "remove it and minlen, or make it a slice, which sends its own length", "does not apply to an array, all %d elements of which are sent", t.Len())
	}
	if mode, ok := o.take("subset"); ok {
		return b.subset(t, at, o, mode)
	}
	if isScalar(elem) && o.has("rle") {
		return b.runLength(t, at, o)
	}
	if isScalar(elem) && !o.is(wholeKinds...) && !o.hasAny("common", "huffman", "optional") {
		first := len(b.plan.Ops)
		if err := b.value(elem, at, o); err != nil {
			return err
		}
		if len(b.plan.Ops) > first {
			op := &b.plan.Ops[first]
			op.Count *= t.Len()
			if f := &b.plan.Fields[op.Field]; op.Field == int32(len(b.plan.Fields)-1) {
				f.Type = t
			}
		}
		if t.Len() == 0 {
			b.plan.Ops = b.plan.Ops[:first]
		}
		return nil
	}
	return b.elements(&plan.Op{Code: plan.CodeArray, Count: t.Len()}, t, at, o)
}

// mayHaveLength reports whether values of a type may hold lists or texts, which
// options of an array that holds such values are for.
func mayHaveLength(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return mayHaveLength(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if mayHaveLength(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() >= reflect.Interface // Interface, Map, Pointer, Slice, String
}

// wholeKinds are the kinds that need a block for an array even if its elements
// are scalars or arrays of scalars.
var wholeKinds = []string{"relative", "binary", "bytes", "cstring", "quat", "unit", "affine"}

// byteArray plans an array of bytes that is copied as a whole.
func (b *builder) byteArray(t reflect.Type, at *place, o *options) error {
	op := plan.Op{Code: plan.CodeBytes}
	if o.kind == "cstring" {
		if t.Len() == 0 {
			return fail(MistakeInapplicable, "kind", "use an array of 1 or more", "needs room for its zero byte").with("cstring")
		}
		op = plan.Op{Code: plan.CodeCString, Bits: uint8(mathbits.Len(uint(t.Len() - 1))), Span: uint64(t.Len() - 1)}
	}
	if err := o.rest(t); err != nil {
		return err
	}
	i := b.emit(&op, t, at)
	b.plan.Ops[i].Count = t.Len()
	return nil
}

// count completes an op whose encoding begins with a count. It takes maxlen, which
// is required, and minlen if least is set. t is the type of the value, for errors.
func (at *place) count(op *plan.Op, t reflect.Type, o *options, least bool) error {
	longest, ok, err := o.takeSmall("maxlen", 0, plan.MaxLen)
	if err != nil {
		return err
	}
	form := t.String()
	if op.Code == plan.CodeBinary {
		form = "the binary form of " + form
	}
	switch {
	case !ok && at.untagged:
		return fail(MistakePlace, "", "make it a field of a struct, with maxlen=", "%s needs a largest length, which only the tag of a field can give", form)
	case !ok:
		return fail(MistakeMissing, at.prefix+"maxlen", "add "+at.prefix+"maxlen= with the largest length of "+form, "is missing")
	}
	shortest := int64(0)
	if least {
		if shortest, _, err = o.takeSmall("minlen", 0, longest); err != nil {
			return err
		}
	}
	span := uint64(longest - shortest)
	op.Bits, op.Bias, op.Span = uint8(mathbits.Len64(span)), uint64(shortest), span
	return nil
}

// slice plans a count and the elements. Bytes are copied as a whole.
func (b *builder) slice(t reflect.Type, at *place, o *options) error {
	elem := t.Elem()
	isBytes := elem.Kind() == reflect.Uint8
	if isBytes && (o.is("string", "wstring", "cstring", "bytes") ||
		o.kind == "" && elem == reflect.TypeFor[byte]() && !o.hasAny("min", "max", "bits", "common", "huffman", "subset", "rle")) {
		return b.text(t, at, o)
	}
	if mode, ok := o.take("subset"); ok {
		return b.subset(t, at, o, mode)
	}
	if o.has("rle") {
		return b.runLength(t, at, o)
	}
	op := plan.Op{Code: plan.CodeSlice}
	if err := at.count(&op, t, o, true); err != nil {
		return err
	}
	more, err := o.takePrefixed("elem.")
	if err != nil {
		return err
	}
	if o.kind == "relative" && !o.has("to") && isInteger(elem) {
		// Each integer is relative to the one before it in the slice.
		if !o.has("chain") {
			o.merge(&options{list: []option{{name: "chain"}}})
		}
	}
	op.Flags = b.pointerFlag(elem)
	o.merge(&more)
	return b.elements(&op, t, at, o)
}

// text plans a string or a []byte as a count and its bytes or UTF-16 units.
func (b *builder) text(t reflect.Type, at *place, o *options) error {
	if o.hasAny("common", "huffman") {
		return b.listed(t, at, o)
	}
	if o.has("elem.optional") {
		return fail(MistakeInapplicable, "optional", "remove it", "does not apply to %v, whose count of 0 already means empty", t)
	}
	isString := t.Kind() == reflect.String
	kind := o.kind
	if kind == "" {
		kind = "bytes"
		if isString {
			kind = "string"
		}
	}
	code, flags := plan.CodeString, plan.Flags(0)
	switch {
	case kind == "string":
		flags = plan.FlagText
	case kind == "wstring" && isString:
		code, flags = plan.CodeWString, plan.FlagText
	case kind != "bytes":
		if isString {
			return o.wrongKind(t, "string", "wstring", "bytes")
		}
		return o.wrongKind(t, "string", "bytes")
	}
	op := plan.Op{Code: code, Flags: flags}
	err := at.count(&op, t, o, kind == "bytes")
	switch {
	case err != nil:
	case o.has("minlen"):
		err = fail(MistakeInapplicable, "minlen", "remove it, or name the kind bytes that takes it", "does not apply to kind %q, whose count begins at 0", kind)
	default:
		o.kind = kind
		err = o.rest(t)
	}
	if err != nil {
		return err
	}
	if !isString {
		op.Flags |= plan.FlagSlice
	}
	b.emit(&op, t, at)
	return nil
}

// mapping plans a count and the entries of a map, sorted by key. In memory an
// entry is a struct of the key and the value.
func (b *builder) mapping(t reflect.Type, at *place, o *options) error {
	op := plan.Op{Code: plan.CodeMap}
	if err := at.count(&op, t, o, true); err != nil {
		return err
	}
	key, err := o.takePrefixed("key.")
	if err != nil {
		return err
	}
	more, err := o.takePrefixed("elem.")
	if err != nil {
		return err
	}
	k := t.Key().Kind()
	if !(k >= reflect.Bool && k <= reflect.Uintptr || k == reflect.String) || isCustom(t.Key()) {
		return fail(MistakeType, "", "use a slice of pairs", "the keys of a map must be integers, bools or strings in their plain order, not %v", t.Key())
	}
	if key.kind == "relative" && !key.has("chain") && !key.has("to") {
		key.merge(&options{list: []option{{name: "chain"}}})
	}
	entry := reflect.StructOf([]reflect.StructField{
		{Name: "Key", Type: t.Key()},
		{Name: "Value", Type: t.Elem()},
	})
	elem := plan.Elem{Type: entry, Size: entry.Size(), Value: entry.Field(1).Offset}
	if k != reflect.String {
		elem.KeySize, elem.KeySigned = uint8(t.Key().Size()), k >= reflect.Int && k <= reflect.Int64
	}
	var in place
	i := b.open(&op, t, at, &elem, &in)
	inKey := in
	inKey.index, inKey.name.key, inKey.prefix = []int{0}, true, at.prefix+"key."
	err = inKey.name.wrap(b.value(t.Key(), &inKey, &key))
	if err == nil {
		err = b.limitEntries(i)
	}
	if err == nil {
		in.off, in.index, in.stride, in.prefix = elem.Value, []int{1}, 0, at.prefix+"elem."
		o.merge(&more)
		err = b.value(t.Elem(), &in, o)
	}
	return b.close(i, &in, err)
}

// limitEntries lowers the largest count of the map at op i to the number of
// possible keys. The width of the count is still that of maxlen.
func (b *builder) limitEntries(i int) error {
	op := &b.plan.Ops[i]
	most := int(op.Bias + op.Span)
	b.plan.Elems[op.Aux].MaxLen = most
	keys := b.plan.PossibleKeys(i + 1)
	if keys < int(op.Bias) {
		return outside("minlen", "", op.Bias, 0, keys, ", the number of different keys")
	}
	op.Span = uint64(min(most, keys)) - op.Bias
	return nil
}
