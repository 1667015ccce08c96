package vectors

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode"

	"github.com/gobitpack/bitpack/bits"
)

// Fill sets the struct that dst points to from an object, recursively. The member
// for a field is named like the field, in lower case with underscores: entity_id
// for EntityID. The names of text and bytes may end in _utf8_hex or _hex. A slice
// gets the length of its list. An array may be longer than its list; the rest is
// zero. A field without a member becomes zero.
//
// A quantized float gets the value before it was written or, if decoded is set,
// the value that a reader must return.
func (v Value) Fill(dst any, decoded bool) { v.fill(reflect.ValueOf(dst).Elem(), decoded) }

func (v Value) fill(dst reflect.Value, decoded bool) {
	dst.SetZero()
	switch dst.Interface().(type) {
	case bits.Int128:
		dst.Set(reflect.ValueOf(v.Int128()))
		return
	case bits.Uint128:
		dst.Set(reflect.ValueOf(v.Uint128()))
		return
	}
	switch dst.Kind() {
	case reflect.Bool:
		dst.SetBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if x := v.Int64(); dst.OverflowInt(x) {
			v.bad("a value of " + dst.Type().String())
		} else {
			dst.SetInt(x)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if x := v.Uint64(); dst.OverflowUint(x) {
			v.bad("a value of " + dst.Type().String())
		} else {
			dst.SetUint(x)
		}
	case reflect.Float32:
		// SetFloat would convert through float64, which quiets a NaN.
		x := reflect.ValueOf(v.float32(decoded))
		dst.Set(x.Convert(dst.Type()))
	case reflect.Float64:
		dst.SetFloat(v.Float64())
	case reflect.String:
		dst.SetString(v.Text())
	case reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		v.fill(dst.Elem(), decoded)
	case reflect.Struct:
		v.fillStruct(dst, decoded)
	case reflect.Slice, reflect.Array:
		v.fillList(dst, decoded)
	default:
		v.bad("a value of " + dst.Type().String())
	}
}

func (v Value) float32(decoded bool) float32 {
	switch {
	case !v.Has("value_bits"):
		return v.Float32()
	case decoded:
		return v.Decoded()
	}
	return v.Written()
}

func (v Value) fillStruct(dst reflect.Value, decoded bool) {
	for i := range dst.NumField() {
		name := memberName(dst.Type().Field(i).Name)
		for _, name := range []string{name, name + "_utf8_hex", name + "_hex"} {
			if v.Has(name) {
				v.Get(name).fill(dst.Field(i), decoded)
			}
		}
	}
}

func (v Value) fillList(dst reflect.Value, decoded bool) {
	if _, isHex := v.v.(string); isHex {
		b := v.Hex()
		if dst.Kind() == reflect.Slice {
			dst.SetBytes(b)
		} else if reflect.Copy(dst, reflect.ValueOf(b)) < len(b) {
			v.bad("as short as the array")
		}
		return
	}
	list := v.List()
	if dst.Kind() == reflect.Slice {
		dst.Set(reflect.MakeSlice(dst.Type(), len(list), len(list)))
	}
	if len(list) > dst.Len() {
		v.bad("as short as the array")
	}
	for i := range list {
		list[i].fill(dst.Index(i), decoded)
	}
}

// memberName returns the name of the member for a Go field.
func memberName(field string) string {
	var b strings.Builder
	lower := false // whether the previous character was not a capital
	for _, c := range field {
		if unicode.IsUpper(c) && lower {
			b.WriteByte('_')
		}
		lower = !unicode.IsUpper(c)
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// Dump returns v as text, recursively. Floats are printed as their bits, so that
// -0, 0 and every NaN differ. A nil slice prints like an empty one.
func Dump(v any) string {
	var b strings.Builder
	dump(&b, reflect.ValueOf(v))
	return b.String()
}

func dump(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Float32:
		// Float would convert to float64, which quiets a NaN.
		x := reflect.New(reflect.TypeFor[float32]()).Elem()
		x.Set(v.Convert(x.Type()))
		fmt.Fprintf(b, "%#08x", math.Float32bits(x.Interface().(float32)))
	case reflect.Float64:
		fmt.Fprintf(b, "%#016x", math.Float64bits(v.Float()))
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		dump(b, v.Elem())
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			fmt.Fprintf(b, " %s:", v.Type().Field(i).Name)
			dump(b, v.Field(i))
		}
		b.WriteString(" }")
	case reflect.Slice, reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			b.WriteByte(' ')
			dump(b, v.Index(i))
		}
		b.WriteString(" ]")
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}
