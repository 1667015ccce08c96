package tagcodec_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/vectors"
)

// vectorTypes makes struct types for the op lists of vectors.
type vectorTypes struct {
	varied  bool // choose any form of an op, not just the first
	types   map[string]*vectorType
	forms   map[vectorForm]bool // forms used so far
	tested  int
	skipped []string // vectors with an op that has no form
}

func newVectorTypes(varied bool) *vectorTypes {
	return &vectorTypes{varied: varied, types: map[string]*vectorType{}, forms: map[vectorForm]bool{}}
}

// vectorType is the struct type for an op list.
type vectorType struct {
	fields []reflect.StructField
	typ    reflect.Type
	at     []int // field index of each op
	fixed  bool  // the size of the message does not depend on the value
}

// vectorForm is a way to represent an op as a field.
type vectorForm struct {
	typ reflect.Type
	tag string // text of the bp tag, or "" for none
	// to means that the tag refers to the previous field. That field holds the
	// previous value of an int_relative and takes no bits.
	to bool
}

// of returns the type for the ops of a vector, or nil if an op has no form.
func (ts *vectorTypes) of(name string, ops []vectors.Op) *vectorType {
	mt := &vectorType{fixed: true}
	for i, o := range ops {
		forms := vectorForms(o)
		if len(forms) == 0 {
			ts.skipped = append(ts.skipped, name+" ("+o.Kind+")")
			return nil
		}
		form := forms[0]
		if ts.varied {
			h := fnv.New32a()
			fmt.Fprint(h, i, form.tag)
			form = forms[h.Sum32()%uint32(len(forms))]
		}
		ts.forms[form] = true
		mt.add(i, o, form)
	}
	ts.tested++
	key := fmt.Sprint(mt.fields)
	if known := ts.types[key]; known != nil {
		return known
	}
	mt.typ = reflect.StructOf(mt.fields)
	ts.types[key] = mt
	return mt
}

func (mt *vectorType) add(i int, o vectors.Op, form vectorForm) {
	tag := form.tag
	if form.to {
		before := fmt.Sprintf("Before%d", i)
		mt.field(before, reflect.TypeFor[int64](), fmt.Sprintf("int,min=%d,max=%[1]d", o.Previous()))
		tag += before
	}
	mt.at = append(mt.at, len(mt.fields))
	mt.field(mt.name(i), form.typ, tag)
	mt.fixed = mt.fixed && o.Kind != "string" && o.Kind != "wstring" && o.Kind != "int_relative"
}

func (mt *vectorType) field(name string, t reflect.Type, tag string) {
	f := reflect.StructField{Name: name, Type: t}
	if tag != "" {
		f.Tag = reflect.StructTag("bp:" + strconv.Quote(tag))
	}
	mt.fields = append(mt.fields, f)
}

// name returns the name of the field of op i.
func (mt *vectorType) name(i int) string { return fmt.Sprintf("Op%d", i) }

// until returns the type for the first n ops.
func (mt *vectorType) until(n int) *vectorType {
	fields := mt.fields[:0]
	if n > 0 {
		fields = mt.fields[:mt.at[n-1]+1]
	}
	return &vectorType{fields: fields, typ: reflect.StructOf(fields), at: mt.at[:n]}
}

// value returns a pointer to a struct with the values of the ops. If decoded is
// set, these are the values that a reader must return.
func (mt *vectorType) value(ops []vectors.Op, decoded bool) reflect.Value {
	v := reflect.New(mt.typ)
	for i, at := range mt.at {
		if o := ops[i]; o.HasValue() {
			setVectorOp(v.Elem().Field(at), o, decoded)
			if at > 0 && mt.fields[at-1].Name == fmt.Sprintf("Before%d", i) {
				v.Elem().Field(at - 1).SetInt(o.Previous())
			}
		}
	}
	return v
}

func setVectorOp(dst reflect.Value, o vectors.Op, decoded bool) {
	switch o.Kind {
	case "bool":
		dst.SetBool(o.Bool())
	case "float", "compressed_float":
		pattern := o.Pattern32
		if decoded && o.Kind == "compressed_float" {
			pattern = o.Decoded32
		}
		// SetFloat would convert to float64, which quiets a NaN.
		dst.Set(reflect.ValueOf(math.Float32frombits(pattern())))
	case "double":
		dst.SetFloat(math.Float64frombits(o.Pattern64()))
	case "bytes":
		setVectorBytes(dst, o.Bytes())
	case "string", "wstring":
		setVectorBytes(dst, []byte(o.Text()))
	case "int_relative":
		setVectorInt(dst, bits.Int128{Lo: uint64(o.Current()), Hi: o.Current() >> 63})
	case "uint128":
		setVectorInt(dst, o.Uint().Signed())
	case "int", "int64", "int128", "fixed":
		setVectorInt(dst, o.Int())
	default: // the bits are copied, so in a signed integer the highest is the sign
		x, n := o.Int(), 64-vectorWidth(o)
		if dst.CanInt() {
			x.Lo = uint64(int64(x.Lo<<n) >> n)
		}
		setVectorInt(dst, x)
	}
}

func setVectorBytes(dst reflect.Value, b []byte) {
	switch dst.Kind() {
	case reflect.String:
		dst.SetString(string(b))
	case reflect.Slice:
		dst.SetBytes(b)
	default:
		reflect.Copy(dst, reflect.ValueOf(b))
	}
}

func setVectorInt(dst reflect.Value, x bits.Int128) {
	switch {
	case dst.CanInt():
		dst.SetInt(int64(x.Lo))
	case dst.CanUint():
		dst.SetUint(x.Lo)
	case dst.Type() == reflect.TypeFor[bits.Uint128]():
		dst.Set(reflect.ValueOf(bits.Uint128{Lo: x.Lo, Hi: uint64(x.Hi)}))
	default:
		dst.Set(reflect.ValueOf(x))
	}
}

type (
	vectorRank  int16 // the tags of an integer also apply to a named one
	vectorColor uint32
)

// vectorInts lists the integer types by size.
var vectorInts = []reflect.Type{
	reflect.TypeFor[int8](), reflect.TypeFor[uint8](), reflect.TypeFor[int16](), reflect.TypeFor[uint16](), reflect.TypeFor[vectorRank](),
	reflect.TypeFor[int32](), reflect.TypeFor[uint32](), reflect.TypeFor[vectorColor](), reflect.TypeFor[int64](), reflect.TypeFor[uint64](),
	reflect.TypeFor[bits.Int128](), reflect.TypeFor[bits.Uint128](),
	reflect.TypeFor[int](), reflect.TypeFor[uint](), reflect.TypeFor[uintptr](),
}

// vectorIntSize returns the bits of an integer type and whether it is signed.
func vectorIntSize(t reflect.Type) (n int, signed bool) {
	if t.Kind() == reflect.Struct {
		return 128, t == reflect.TypeFor[bits.Int128]()
	}
	return t.Bits(), t.Kind() <= reflect.Int64
}

// vectorSized reports whether an integer type has the same size on every
// machine. Other types cannot be fixed-point, and untagged they take 64 bits.
func vectorSized(t reflect.Type) bool {
	k := t.Kind()
	return k != reflect.Int && k != reflect.Uint && k != reflect.Uintptr
}

// vectorWidth returns the number of bits of an op without structure.
func vectorWidth(o vectors.Op) int {
	switch o.Kind {
	case "bits":
		return o.Width()
	case "uint8":
		return 8
	case "uint16":
		return 16
	case "uint32":
		return 32
	}
	return 64
}

// vectorForms returns the forms of an op. The first is the form that the
// description of the format names.
func vectorForms(o vectors.Op) []vectorForm {
	form := func(t reflect.Type, format string, args ...any) vectorForm {
		return vectorForm{typ: t, tag: fmt.Sprintf(format, args...)}
	}
	aString, someBytes := reflect.TypeFor[string](), reflect.TypeFor[[]byte]()
	switch o.Kind {
	case "bool":
		return []vectorForm{form(reflect.TypeFor[bool](), "")}
	case "float":
		return []vectorForm{form(reflect.TypeFor[float32](), "")}
	case "double":
		return []vectorForm{form(reflect.TypeFor[float64](), "")}
	case "uint128":
		return []vectorForm{form(reflect.TypeFor[bits.Uint128](), ""), form(reflect.TypeFor[bits.Int128](), "")}
	case "align":
		return []vectorForm{form(reflect.TypeFor[struct{}](), "align")}
	case "bits", "uint8", "uint16", "uint32", "uint64":
		return vectorBitsForms(vectorWidth(o), o.Kind != "bits")
	case "int", "int64", "int128":
		return vectorRangeForms(o)
	case "fixed":
		return vectorFixedForms(o)
	case "compressed_float":
		// Both texts mean the same float32: its shortest decimal form, and the
		// exact form of its float64 value.
		var forms []vectorForm
		for _, size := range []int{32, 64} {
			text := func(x float32) string { return strconv.FormatFloat(float64(x), 'g', -1, size) }
			for _, kind := range []string{"float,", ""} {
				forms = append(forms, form(reflect.TypeFor[float32](), "%smin=%s,max=%s,res=%s", kind, text(o.MinFloat()), text(o.MaxFloat()), text(o.Res())))
			}
		}
		return forms
	case "bytes":
		n := o.Count()
		return []vectorForm{
			form(reflect.ArrayOf(n, reflect.TypeFor[byte]()), "bytes"),
			// A count with only one possible value takes no bits.
			form(someBytes, "bytes,maxlen=%d,minlen=%[1]d", n), form(someBytes, "maxlen=%d,minlen=%[1]d", n),
			form(aString, "bytes,maxlen=%d,minlen=%[1]d", n),
		}
	case "string":
		n := o.BufferSize() - 1
		forms := []vectorForm{form(aString, "string,maxlen=%d", n), form(aString, "maxlen=%d", n), form(someBytes, "string,maxlen=%d", n)}
		if n < 100 {
			forms = append(forms, form(reflect.ArrayOf(n+1, reflect.TypeFor[byte]()), "cstring"))
		}
		return forms
	case "wstring":
		return []vectorForm{form(aString, "wstring,maxlen=%d", o.BufferSize()-1)}
	case "int_relative":
		return vectorRelativeForms(o)
	}
	return nil
}

// vectorBitsForms returns the forms of n bits. If plain is set, some need no
// tag.
func vectorBitsForms(n int, plain bool) (forms []vectorForm) {
	var first []vectorForm
	for _, t := range vectorInts {
		size, signed := vectorIntSize(t)
		kind := map[bool]string{false: "uint", true: "int"}[signed]
		if size < n || size > 64 {
			continue
		}
		forms = append(forms, vectorForm{typ: t, tag: fmt.Sprintf("%s,bits=%d", kind, n)}, vectorForm{typ: t, tag: fmt.Sprintf("bits=%d", n)})
		if size == n && (vectorSized(t) || n == 64) {
			forms = append(forms, vectorForm{typ: t}, vectorForm{typ: t, tag: kind})
		}
		if f := forms[len(forms)-1]; len(first) == 0 && !signed {
			f.tag = ""
			if size != n || !plain {
				f.tag = fmt.Sprintf("uint,bits=%d", n)
			}
			first = append(first, f)
		}
	}
	return append(first, forms...)
}

func vectorFits(t reflect.Type, lo, hi bits.Int128) bool {
	n, signed := vectorIntSize(t)
	if signed {
		n--
	}
	return (signed || lo.Hi >= 0) && max(lo.Big().BitLen(), hi.Big().BitLen()) <= n ||
		signed && lo.Big().BitLen() == n+1 && lo.Big().TrailingZeroBits() == uint(n) && hi.Big().BitLen() <= n // -1<<n
}

func vectorRangeForms(o vectors.Op) (forms []vectorForm) {
	lo, hi := o.Min(), o.Max()
	first := map[string]reflect.Type{"int": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](), "int128": reflect.TypeFor[bits.Int128]()}
	forms = append(forms, vectorForm{typ: first[o.Kind], tag: fmt.Sprintf("int,min=%v,max=%v", lo, hi)})
	for _, t := range vectorInts {
		if !vectorFits(t, lo, hi) {
			continue
		}
		for _, kind := range []string{"int,", "uint,", ""} {
			forms = append(forms, vectorForm{typ: t, tag: fmt.Sprintf("%smin=%v,max=%v", kind, lo, hi)})
		}
		if size, _ := vectorIntSize(t); lo == (bits.Int128{}) && size <= 64 {
			forms = append(forms, vectorForm{typ: t, tag: fmt.Sprintf("enum,max=%v", hi)})
		}
	}
	return forms
}

func vectorFixedForms(o vectors.Op) (forms []vectorForm) {
	fixed := fmt.Sprintf("fixed,frac=%d,min=%v,max=%v", o.FractionBits(), o.Min(), o.Max())
	for _, t := range vectorInts {
		if t.Name() == o.Storage() || t == reflect.TypeFor[bits.Int128]() && o.Storage() == "int128" {
			forms = append(forms, vectorForm{typ: t, tag: fixed})
		}
	}
	for _, t := range vectorInts {
		size, _ := vectorIntSize(t)
		if !vectorFits(t, o.RawMin(), o.RawMax()) {
			continue
		}
		if o.FractionBits() < size && vectorSized(t) {
			forms = append(forms, vectorForm{typ: t, tag: fixed})
		}
		forms = append(forms, vectorForm{typ: t, tag: fmt.Sprintf("int,min=%v,max=%v", o.RawMin(), o.RawMax())})
	}
	return forms
}

func vectorRelativeForms(o vectors.Op) (forms []vectorForm) {
	types := []reflect.Type{reflect.TypeFor[int32](), reflect.TypeFor[int64]()}
	most := int64(math.MaxInt32)
	if o.Type() == "uint32" {
		types = []reflect.Type{reflect.TypeFor[uint32](), reflect.TypeFor[vectorColor](), reflect.TypeFor[uint64]()}
		most = math.MaxUint32
	}
	for _, t := range types {
		// A base with no greater value is a plan error, but an earlier field
		// may hold it.
		if o.Previous() < most {
			forms = append(forms, vectorForm{typ: t, tag: fmt.Sprintf("relative,base=%d", o.Previous())})
		}
		forms = append(forms, vectorForm{typ: t, tag: "relative,to=", to: true})
	}
	return forms
}
