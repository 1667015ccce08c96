package tagcodec

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Sentinel errors for use with [errors.Is]. An [*Error] wraps one of them or
// the error of a type's own method. Those that package bits also reports are
// defined there.
var (
	// ErrRange means that a value is outside the range of its tag, or is a NaN
	// or infinity that the encoding cannot represent.
	ErrRange = bits.ErrRange
	// ErrLength means that a count or length is out of bounds.
	ErrLength = bits.ErrLength
	// ErrText means that text is not valid UTF-8 or UTF-16, or contains a zero.
	ErrText = bits.ErrText
	// ErrCheck means that a const or check field has the wrong value.
	ErrCheck = bits.ErrCheck
	// ErrPadding means that padding or reserved bits are not zero.
	ErrPadding = bits.ErrPadding
	// ErrOverread means that the message ends before its last value.
	ErrOverread = bits.ErrOverread
	// ErrTrailing means that bytes or nonzero bits follow the message.
	ErrTrailing = bits.ErrTrailing
	// ErrNotCanonical means that a value is not in its canonical encoding, the
	// only form in which it may be sent. Equal values therefore always give
	// equal bytes.
	ErrNotCanonical = core.ErrNotCanonical
	// ErrOrder means that the keys of a map are not sorted or not unique.
	ErrOrder = core.ErrOrder
	// ErrUnion means that an interface holds an unregistered type or a nil
	// pointer of a registered type.
	ErrUnion = core.ErrUnion
	// ErrLink means that an object has no id, that an id belongs to an object
	// of the wrong type, or that the codec has no [Linker].
	ErrLink = core.ErrLink
	// ErrDepth means that values nest more deeply than [WithMaxDepth] allows.
	ErrDepth = core.ErrDepth
	// ErrArgument means that an argument is invalid: for example, a nil
	// pointer, or a value in the memory that its message is written to. It also
	// means that a Serialize method has reset its Stream.
	ErrArgument = core.ErrArgument
)

// Error describes a value that could not be marshalled or unmarshalled. Values
// that a Serialize method passes to [Serialize] are treated as fields, so the
// path "Scene.Objects[3].Pos[1]" may lead through any number of such methods.
type Error struct {
	Op   string       // "marshal", "unmarshal" or "serialize"
	Type reflect.Type // type passed to the call
	Bit  int          // start of the value, in bits from the start of the message

	// Path names the value, starting at Type: "Scene.Objects[3].Pos[1]". A path
	// of more than 512 bytes, or one through more than 32 slices, maps,
	// pointers and the like, is shortened in the middle:
	// "Node.Next.Next[...].Next.Value".
	Path string

	// Err is the cause: a [*bits.Error] with the value and its bounds, or the
	// error that a type's own method returned.
	Err error

	// inPlace reports that Serialize made the error, so Bit is a position in
	// the whole message.
	inPlace bool
	misuse  bool // the error is about an argument, and has no bit
	wrapped int  // number of errors of other messages in Err
}

// Error returns the operation, the path, the bit and the cause as text.
func (e *Error) Error() string {
	reason := e.Err.Error()
	if cause, ok := e.Err.(*bits.Error); ok {
		reason = cause.Reason()
	}
	if e.misuse {
		return fmt.Sprintf("tagcodec: %s %s: %s", e.Op, e.Path, reason)
	}
	return fmt.Sprintf("tagcodec: %s %s at bit %d: %s", e.Op, e.Path, e.Bit, reason)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// maxWrapped is the maximum number of nested messages whose errors an Error
// wraps. Messages nest if, for example, an UnmarshalBinary method calls
// Unmarshal.
const maxWrapped = 16

func init() { core.NewMessageError = newError }

// newError returns the error of the value at a path. If cause is the error of a
// part that was serialized in place, newError merges the two.
func newError(op string, t reflect.Type, path string, bit int, cause error) error {
	if r, ok := cause.(*core.Renamed); ok && r.Where == "" {
		cause = r.Err
	}
	e := &Error{Op: op, Type: t, Path: path, Bit: bit, Err: cause}
	if part, ok := cause.(*Error); ok {
		if part.inPlace {
			e.Path += strings.TrimPrefix(part.Path, typename.Of(part.Type))
			e.Bit, e.Err, e.wrapped = part.Bit, part.Err, part.wrapped
		} else if e.wrapped = part.wrapped + 1; e.wrapped > maxWrapped {
			e.Err, e.wrapped = part.Err, part.wrapped
		}
	}
	if e.Path != typename.Of(t) { // the sender has no influence on the name of a type
		e.Path = core.ShortPath(e.Path)
	}
	return e
}
