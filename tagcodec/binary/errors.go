package binary

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// failed returns err, which is not nil, as an error of this package.
//
//go:noinline
func failed(err error) error { return &core.Renamed{Package: "binary", Err: err} }

// failedElement is failed for the error of an element of a slice.
func failedElement(i int, err error) error {
	return &core.Renamed{Package: "binary", Where: "element " + strconv.Itoa(i), Err: err}
}

// orderError returns the error for a byte order other than little-endian.
func (e *argType) orderError(call string, order ByteOrder) error {
	name := "nil"
	if order != nil {
		name = order.String()
	}
	return fmt.Errorf("binary.%s: %w: %v has bp tags, and the wire of bits is little-endian on every machine: use LittleEndian, not %s",
		call, tagcodec.ErrArgument, e.elem, name)
}

// nilPointer returns the error for data that is a nil pointer.
func nilPointer(call string, data any) error {
	return fmt.Errorf("binary.%s: %w: the %v is a nil pointer: pass the address of a variable",
		call, tagcodec.ErrArgument, reflect.TypeOf(data))
}

// unreadable returns an error if a call cannot store values in data.
func (e *argType) unreadable(call string, data any) error {
	switch {
	case !e.usable(data):
		return nilPointer(call, data)
	case e.form == formValue:
		return fmt.Errorf("binary.%s: %w: the %v is not a pointer, so %s cannot store anything in it: pass the address of a variable",
			call, tagcodec.ErrArgument, e.elem, call)
	}
	return nil
}
