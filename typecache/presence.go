package typecache

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
)

// optional plans a bit, followed by the value unless it is zero.
func (b *builder) optional(t reflect.Type, at *place, o *options) error {
	if !t.Comparable() || t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		switch t.Kind() {
		case reflect.Slice, reflect.Map:
			// The option applies to the elements.
			o.list = append(slices.Clip(o.list), option{name: "elem.optional"})
			return b.value(t, at, o)
		}
		why := "which does not compare with =="
		switch {
		case o.kind == "link":
			why = "whose nil is already id 0"
		case t.Kind() == reflect.Interface:
			why = "whose nil is already index 0 of the union"
		case t.Kind() == reflect.Pointer:
			why = "which has a bit for nil already"
		}
		return fail(MistakeInapplicable, "optional", "remove it", "does not apply to %v, %s", t, why)
	}
	i := b.emit(&plan.Op{Code: plan.CodeOptional, Bits: 1, Flags: b.pointerFlag(t)}, t, at)
	b.plan.Ops[i].Count = int(t.Size())
	if err := b.value(t, at, o); err != nil {
		return err
	}
	maybeZero := false // links and types that encode themselves may decode to zero
	for j := i; j < len(b.plan.Ops); j++ {
		code := b.plan.Ops[j].Code
		maybeZero = maybeZero || code == plan.CodeCustom || code == plan.CodeBinary || code == plan.CodeLink
	}
	if !maybeZero {
		j := b.emit(&plan.Op{Code: plan.CodePresent, Aux: int32(i)}, t, at)
		b.plan.Ops[j].Count = int(t.Size())
	}
	b.plan.Ops[i].End = int32(len(b.plan.Ops))
	return nil
}

// maxSparse is the largest memory, in bytes, of a subset slice whose absent
// elements take no bits, so that its count alone allocates all of them.
// maxSparseEach is the limit where a packet may contain many such slices. Values
// without bits have limits derived from both: see zerobits.go.
const (
	maxSparse     = 1 << 16
	maxSparseEach = 1 << 8
)

var subsetModes = []string{"bitmap", "index", "sentinel", "relative", "auto"}

// subset plans the elements of an array or a slice that are present.
func (b *builder) subset(t reflect.Type, at *place, o *options, mode string) error {
	elem := t.Elem()
	m := slices.Index(subsetModes, mode)
	if m < 0 {
		return badValue("subset", mode, "must be bitmap, index, sentinel, relative or auto", "")
	}
	sub := &plan.Subset{Mode: compress.Subset(m), Pointers: elem.Kind() == reflect.Pointer}
	if sub.Auto = mode == "auto"; sub.Auto {
		sub.Mode = compress.SubsetBitmap
	}
	op := plan.Op{Code: plan.CodeSubset, Flags: b.pointerFlag(elem)}
	if t.Kind() == reflect.Slice {
		op.Flags |= plan.FlagSlice
		if err := at.count(&op, t, o, true); err != nil {
			return err
		}
		size, most := (op.Bias+op.Span)*uint64(elem.Size()), uint64(maxSparse)
		if at.repeated {
			most = maxSparseEach
		}
		if size > most && (sub.Auto || sub.Mode != compress.SubsetBitmap) {
			return fail(MistakeMemory, "subset", "use an array, subset=bitmap, or "+strconv.FormatUint(most, 10)+" bytes at most",
				"has %d elements of %d bytes, and thus %d bytes that a packet could claim without sending one", op.Bias+op.Span, elem.Size(), size)
		}
	}
	more, err := o.takePrefixed("elem.")
	if err != nil {
		return err
	}
	by, hasBy := o.take("by") // before merge adds elem.by, which is for an inner subset
	o.merge(&more)
	table := &plan.Elem{Type: elem, Size: elem.Size(), Subset: sub}
	switch {
	case sub.Pointers && hasBy:
		return fail(MistakeConflict, "by", "remove it", "is not for elements that are pointers, which are present unless nil")
	case sub.Pointers:
		table.Type = elem.Elem()
	case !hasBy:
		return fail(MistakeMissing, "by", "add by= with the bool field of "+elem.String()+" that says which are present", "is missing")
	default:
		if elem.Kind() != reflect.Struct || b.recursive(elem) {
			return fail(MistakeInapplicable, "by", "", "needs elements that are structs, and not recursive, which %v is not", elem)
		}
		f := fieldNamed(elem, by)
		if f == nil || !isPresence(f) {
			var names []string
			for _, f := range reflect.VisibleFields(elem) {
				if isPresence(&f) {
					names = append(names, f.Name)
				}
			}
			return badReference("by", by, "is no exported bool field of "+elem.String(), "").suggestField(by, names)
		}
		sub.By = f.Offset
	}
	var in place
	i := b.open(&op, t, at, table, &in)
	in.skip = by
	in.stride = 0 // the preceding element in memory may be absent
	err = b.close(i, &in, b.value(table.Type, &in, o))
	if err == nil && t.Kind() == reflect.Array {
		b.plan.Ops[i].Count = t.Len()
	}
	return err
}

// isPresence reports whether field f of an element can say whether the element
// is present.
func isPresence(f *reflect.StructField) bool {
	return f.Type.Kind() == reflect.Bool && len(f.Index) == 1 && f.IsExported()
}
