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

// CompareKeys compares two map keys of the same type: integers by value,
// strings by their bytes, and false before true.
func CompareKeys(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.String:
		return strings.Compare(a.String(), b.String())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Bool() == b.Bool():
		return 0
	case b.Bool():
		return -1
	}
	return 1
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
