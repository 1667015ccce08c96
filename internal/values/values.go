// Package values answers questions about reflect.Values for both engines of
// tagcodec and for the Streams of package bits.
package values

import (
	"cmp"
	"math"
	"reflect"
	"strings"
)

// AllBitsZero is like [reflect.Value.IsZero], but a negative zero is not zero.
func AllBitsZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) == 0
	case reflect.Complex64, reflect.Complex128:
		return math.Float64bits(real(v.Complex())) == 0 && math.Float64bits(imag(v.Complex())) == 0
	case reflect.Array:
		for i := range v.Len() {
			if !AllBitsZero(v.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range v.NumField() {
			if !AllBitsZero(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

// Key is a map key in a form whose order is that of the wire: integers by value,
// strings by their bytes, and false before true.
type Key struct {
	Number uint64 // a signed integer has its sign bit inverted
	Text   string
}

// Signed returns the Key of a signed integer.
func Signed(v int64) Key { return Key{Number: uint64(v) ^ 1<<63} }

// KeyOf returns the Key of v.
func KeyOf(v reflect.Value) Key {
	switch {
	case v.Kind() == reflect.String:
		return Key{Text: v.String()}
	case v.CanInt():
		return Signed(v.Int())
	case v.CanUint():
		return Key{Number: v.Uint()}
	case v.Bool():
		return Key{Number: 1}
	}
	return Key{}
}

// Compare returns a negative number if k comes before other, which is of the same
// type, and a positive number if it comes after it.
func (k Key) Compare(other Key) int {
	if k.Number != other.Number {
		return cmp.Compare(k.Number, other.Number)
	}
	return strings.Compare(k.Text, other.Text)
}

// The Fix of errors about a value that a code lists or does not list.
const (
	FixUnlisted = "the code does not list it; list it, or add an escape"
	FixListed   = "a listed value has a code of its own"
)

// Plain returns v as errors have it: integers are int64 or uint64, and other values
// of named types have the type below it.
func Plain(v reflect.Value) any {
	switch k := v.Kind(); {
	case k == reflect.Invalid: // a nil interface
		return nil
	case k == reflect.Bool:
		return v.Bool()
	case k == reflect.String:
		return v.String()
	case k == reflect.Float32:
		return float32(v.Float())
	case k == reflect.Float64:
		return v.Float()
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	}
	return v.Interface()
}

// Uncoded describes the components of a rotation or direction without a code,
// for use in errors. It singles out the zero vector, the zero value of a field.
func Uncoded(components any) any {
	switch components {
	case [4]float64{}:
		return "a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1"
	case [3]float64{}:
		return "a vector of length 0 has no direction"
	}
	return components
}
