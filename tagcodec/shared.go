package tagcodec

import "reflect"

// Errors for programs that overwrite a message or lose their place in it while
// it is being coded. Not every such mistake is detected.
var (
	errShared = explain(ErrArgument, "the value is in the spare capacity of dst, which the message overwrites: give one of them other memory")
	errReset  = explain(ErrArgument, "Serialize called Reset or Resume on the Reader or Writer of its Stream, which drops earlier values: create another one")
)

// shares reports whether the byte slice v is in the memory that the message
// started in, where the message may have overwritten it.
func (e *plainEncoder) shares(v reflect.Value) bool {
	from, start := v.Pointer(), reflect.ValueOf(e.room).Pointer()
	return v.Len() > 0 && from < start+uintptr(len(e.room)) && start < from+uintptr(v.Len())
}
