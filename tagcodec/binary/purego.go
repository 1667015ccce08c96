//go:build purego

package binary

import (
	"encoding/binary"
	"io"
	"reflect"

	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
)

// Without unsafe, the standard library itself handles types without tags. The
// elements of types with bp tags are found by reflect.

func read(r io.Reader, order ByteOrder, data any) error {
	return readOther(r, order, data, findArgType(data))
}

func write(w io.Writer, order ByteOrder, data any) error {
	return writeOther(w, order, data, findArgType(data))
}

func appendTo(buf []byte, order ByteOrder, data any) ([]byte, error) {
	return appendOther(buf, order, data, findArgType(data))
}

func encode(buf []byte, order ByteOrder, data any) (int, error) {
	return encodeOther(buf, order, data, findArgType(data))
}

func decode(buf []byte, order ByteOrder, data any) (int, error) {
	return decodeOther(buf, order, data, findArgType(data))
}

func size(v any) int { return sizeOther(v, findArgType(v)) }

// fastPaths is empty: there are no fast loops.
type fastPaths struct{}

// newFastPaths returns an empty fastPaths.
func newFastPaths(*argType, any) (none fastPaths) { return none }

// fixed reports whether data, whose type has no tags, has a fixed size.
func (e *argType) fixed(data any) bool { return binary.Size(data) >= 0 }

// remember does nothing: this build has no cache besides argTypes.
func (e *argType) remember() {}

// usable reports whether data has elements to work on. If it does not, the
// standard library provides the error.
func (e *argType) usable(data any) bool {
	return e.form == formValue || e.form == formSlice || !reflect.ValueOf(data).IsNil()
}

// unboxed returns data.
func unboxed(data any) any { return data }

// count returns the number of elements of data.
func (e *argType) count(data any) int {
	if e.form < formSlice {
		return 1
	}
	return reflect.Indirect(reflect.ValueOf(data)).Len()
}

// variables returns the elements of data, which is a slice or a pointer to one.
func (e *argType) variables(data any) engine.Variables {
	return reflect.Indirect(reflect.ValueOf(data))
}

// variable returns the element of data, or a copy if data is a value or e.copied is
// set. Data is neither a slice nor a pointer to one.
func (e *argType) variable(data any) engine.Variable {
	if e.copied || e.form == formValue {
		return e.copyOf(data).Elem()
	}
	return reflect.ValueOf(data).Elem()
}

// apart returns false, because this build does not see where values are.
func (e *argType) apart(any, []byte) bool { return false }

// isLittle reports whether order is little-endian. It compares types, because a
// byte order that the user defines may not be comparable.
func isLittle(order ByteOrder) bool {
	t := reflect.TypeOf(order)
	return t == reflect.TypeOf(LittleEndian) || t == reflect.TypeOf(NativeEndian) && NativeEndian.Uint16([]byte{1, 0}) == 1
}
