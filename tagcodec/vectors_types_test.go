package tagcodec_test

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/vectors"
)

// vectorTypes makes struct types for the op lists of vectors.
type vectorTypes struct {
	types   map[string]*vectorType
	tested  int
	skipped []string // vectors with an op that has no form
}

func newVectorTypes() *vectorTypes { return &vectorTypes{types: map[string]*vectorType{}} }

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
		form, ok := vectorFormOf(o)
		if !ok {
			ts.skipped = append(ts.skipped, name+" ("+o.Kind+")")
			return nil
		}
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
		reflect.Copy(dst, reflect.ValueOf(o.Bytes()))
	case "string", "wstring":
		dst.SetString(o.Text())
	case "int_relative":
		setVectorInt(dst, bits.Int128{Lo: uint64(o.Current()), Hi: o.Current() >> 63})
	case "uint128":
		setVectorInt(dst, o.Uint().Signed())
	case "int", "int64", "int128", "fixed":
		setVectorInt(dst, o.Int())
	default:
		setVectorInt(dst, o.Int())
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

// vectorFormOf returns the form of an op that the description of the format names.
func vectorFormOf(o vectors.Op) (form vectorForm, ok bool) {
	tagged := func(t reflect.Type, format string, args ...any) (vectorForm, bool) {
		return vectorForm{typ: t, tag: fmt.Sprintf(format, args...)}, true
	}
	switch o.Kind {
	case "bool":
		return tagged(reflect.TypeFor[bool](), "")
	case "float":
		return tagged(reflect.TypeFor[float32](), "")
	case "double":
		return tagged(reflect.TypeFor[float64](), "")
	case "uint128":
		return tagged(reflect.TypeFor[bits.Uint128](), "")
	case "align":
		return tagged(reflect.TypeFor[struct{}](), "align")
	case "bits":
		return tagged(vectorUint(o.Width()), "uint,bits=%d", o.Width())
	case "uint8", "uint16", "uint32", "uint64":
		return tagged(vectorUint(vectorWidth(o)), "")
	case "int":
		return tagged(reflect.TypeFor[int32](), "int,min=%v,max=%v", o.Min(), o.Max())
	case "int64":
		return tagged(reflect.TypeFor[int64](), "int,min=%v,max=%v", o.Min(), o.Max())
	case "int128":
		return tagged(reflect.TypeFor[bits.Int128](), "int,min=%v,max=%v", o.Min(), o.Max())
	case "fixed":
		return tagged(vectorStorage[o.Storage()], "fixed,frac=%d,min=%v,max=%v", o.FractionBits(), o.Min(), o.Max())
	case "compressed_float":
		return tagged(reflect.TypeFor[float32](), "float,min=%v,max=%v,res=%v", o.MinFloat(), o.MaxFloat(), o.Res())
	case "bytes":
		return tagged(reflect.ArrayOf(o.Count(), reflect.TypeFor[byte]()), "bytes")
	case "string", "wstring":
		return tagged(reflect.TypeFor[string](), "%s,maxlen=%d", o.Kind, o.BufferSize()-1)
	case "int_relative":
		typ, most := reflect.TypeFor[int32](), int64(math.MaxInt32)
		if o.Type() == "uint32" {
			typ, most = reflect.TypeFor[uint32](), math.MaxUint32
		}
		// A base with no greater value is a plan error, but an earlier field may
		// hold it.
		if o.Previous() < most {
			return tagged(typ, "relative,base=%d", o.Previous())
		}
		return vectorForm{typ: typ, tag: "relative,to=", to: true}, true
	}
	return form, false
}

// vectorUint returns the smallest unsigned type of at least n bits.
func vectorUint(n int) reflect.Type {
	for _, t := range []reflect.Type{reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32]()} {
		if t.Bits() >= n {
			return t
		}
	}
	return reflect.TypeFor[uint64]()
}

// vectorStorage has the types of fixed-point numbers by their names.
var vectorStorage = map[string]reflect.Type{
	"int8": reflect.TypeFor[int8](), "uint8": reflect.TypeFor[uint8](), "int16": reflect.TypeFor[int16](), "uint16": reflect.TypeFor[uint16](),
	"int32": reflect.TypeFor[int32](), "uint32": reflect.TypeFor[uint32](), "int64": reflect.TypeFor[int64](), "int128": reflect.TypeFor[bits.Int128](),
}
