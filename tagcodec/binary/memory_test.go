//go:build !purego

package binary_test

import (
	"bytes"
	"reflect"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// buildTags are the build tags of this test.
const buildTags = ""

// memoryOf returns the bytes of a variable in memory, or of the elements of a
// slice.
func memoryOf(v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		return bytes.Clone(memory.To(v).Array(v.Len() * int(v.Type().Elem().Size())))
	}
	return bytes.Clone(memory.To(v.Addr()).Array(int(v.Type().Size())))
}

// setMemory sets the bytes of a variable.
func setMemory(v reflect.Value, mem []byte) {
	copy(memory.To(v.Addr()).Array(int(v.Type().Size())), mem)
}
