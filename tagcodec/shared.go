package tagcodec

import (
	"fmt"
	"reflect"
)

// Errors for programs that overwrite a message or lose their place in it while
// it is being coded. Not every such mistake is detected.
var (
	errShared = fmt.Errorf("%w: the bytes are in the memory of dst behind its length, which the message overwrites: "+
		"give the value, or the message, memory of its own", ErrArgument)
	errReset = fmt.Errorf("%w: Serialize has called Reset or Resume of its Stream's Reader or Writer, which loses the values before: "+
		"make a Reader or a Writer for other messages", ErrArgument)
)

// shares reports whether the byte slice v is in the memory that the message
// started in, where the message may have overwritten it.
func (e *plainEncoder) shares(v reflect.Value) bool {
	from, start := v.Pointer(), reflect.ValueOf(e.room).Pointer()
	return v.Len() > 0 && from < start+uintptr(len(e.room)) && start < from+uintptr(v.Len())
}
