package tagcodec

import (
	"fmt"
	"reflect"
)

// What a program must not do while a value is written or read, where that is
// found out.
var (
	errShared = fmt.Errorf("%w: the bytes are in the memory of dst behind its length, which the message overwrites: "+
		"give the value, or the message, memory of its own", ErrArgument)
	errReset = fmt.Errorf("%w: Serialize has called Reset or Resume of its Stream's Reader or Writer, which loses the values before: "+
		"make a Reader or a Writer for other messages", ErrArgument)
)

// shares reports whether a slice of bytes is in the room that the message began
// in, where it may have overwritten them.
func (e *plainEncoder) shares(v reflect.Value) bool {
	from, start := v.Pointer(), reflect.ValueOf(e.room).Pointer()
	return v.Len() > 0 && from < start+uintptr(len(e.room)) && start < from+uintptr(v.Len())
}
