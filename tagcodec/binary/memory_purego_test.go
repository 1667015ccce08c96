//go:build purego

package binary_test

import (
	"encoding/binary"
	"math"
	"reflect"
)

// buildTags are the build tags of this test.
const buildTags = "purego"

// memoryOf returns the bytes of a variable in memory, or of the elements of a
// slice, as far as reflect shows them: without padding, and with NaNs of
// unexported fields made quiet.
func memoryOf(v reflect.Value) (mem []byte) {
	order := binary.NativeEndian
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			mem = append(mem, memoryOf(v.Index(i))...)
		}
		return mem
	case reflect.Struct:
		for i := range v.NumField() {
			mem = append(mem, memoryOf(v.Field(i))...)
		}
		return mem
	case reflect.Float32:
		bits := math.Float32bits(float32(v.Float()))
		if v.CanSet() {
			bits = math.Float32bits(*v.Addr().Convert(reflect.TypeFor[*float32]()).Interface().(*float32))
		}
		return order.AppendUint32(nil, bits)
	case reflect.Float64:
		return order.AppendUint64(nil, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		x := v.Complex()
		return order.AppendUint64(order.AppendUint64(nil, math.Float64bits(real(x))), math.Float64bits(imag(x)))
	case reflect.Bool:
		if v.Bool() {
			return []byte{1}
		}
		return []byte{0}
	}
	if v.CanInt() {
		return order.AppendUint64(nil, uint64(v.Int()))
	}
	return order.AppendUint64(nil, v.Uint())
}

// setMemory sets the bytes of a variable, unless reflect may not set it.
func setMemory(v reflect.Value, mem []byte) {
	if !v.CanSet() {
		return
	}
	kinds := [...]reflect.Type{
		reflect.Bool: reflect.TypeFor[*bool](),
		reflect.Int8: reflect.TypeFor[*int8](), reflect.Uint8: reflect.TypeFor[*uint8](),
		reflect.Int16: reflect.TypeFor[*int16](), reflect.Uint16: reflect.TypeFor[*uint16](),
		reflect.Int32: reflect.TypeFor[*int32](), reflect.Uint32: reflect.TypeFor[*uint32](),
		reflect.Int64: reflect.TypeFor[*int64](), reflect.Uint64: reflect.TypeFor[*uint64](),
		reflect.Float32: reflect.TypeFor[*float32](), reflect.Float64: reflect.TypeFor[*float64](),
		reflect.Complex64: reflect.TypeFor[*complex64](), reflect.Complex128: reflect.TypeFor[*complex128](),
	}
	variable := v.Addr().Convert(kinds[v.Kind()]).Interface()
	if _, err := binary.Decode(mem, binary.NativeEndian, variable); err != nil {
		panic(err)
	}
}
