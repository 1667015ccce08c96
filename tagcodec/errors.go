package tagcodec

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
)

// The facts an [Error] reports, for errors.Is. Those that package bits knows
// are its own.
var (
	// ErrRange says that a value lies outside the range of its tag, or is a NaN
	// or an infinity where only numbers have a code.
	ErrRange = bits.ErrRange
	// ErrLength says that a count or a length lies outside its bounds.
	ErrLength = bits.ErrLength
	// ErrText says that text is not valid UTF-8 or UTF-16, or holds a zero.
	ErrText = bits.ErrText
	// ErrCheck says that a const or a check is another value.
	ErrCheck = bits.ErrCheck
	// ErrPadding says that padding or reserved bits are not zero.
	ErrPadding = bits.ErrPadding
	// ErrOverread says that the message ends before its last value.
	ErrOverread = bits.ErrOverread
	// ErrTrailing says that bytes or nonzero bits follow the message.
	ErrTrailing = bits.ErrTrailing
	// ErrForm says that a value was sent in a longer form than it needs: one
	// value has one form, so that the same value always gives the same bytes.
	ErrForm = errors.New("a longer form than the value needs")
	// ErrOrder says that the keys of a map are not sorted, or one is repeated.
	ErrOrder = errors.New("keys must ascend")
	// ErrUnion says that an interface holds a type that is not registered, or a
	// nil pointer of one that is.
	ErrUnion = errors.New("not a member of the union")
	// ErrLink says that an object has no id, or an id an object of another
	// type, or that there is no [Linker] to ask.
	ErrLink = errors.New("no such link")
	// ErrDepth says that a recursive value is deeper than [WithMaxDepth].
	ErrDepth = errors.New("nested too deeply")
	// ErrArgument says that the argument is not what the function takes: a nil
	// pointer, say, or a value in the memory that its message is written to. It
	// also says that a Serialize method has reset its Stream.
	ErrArgument = errors.New("bad argument")
)

// Error tells which value could not be marshalled or unmarshalled. A part of the
// value that a serialize function has handed to [Serialize] is one of its fields:
// the path "Scene.Objects[3].Pos[1]" may go through any number of such functions.
type Error struct {
	Op   string       // "marshal", "unmarshal" or "serialize"
	Type reflect.Type // the type that was asked for
	Bit  int          // where the value starts, in bits from the start of the message

	// Path is the value, from the type down: "Scene.Objects[3].Pos[1]". Of a path
	// of more than 512 bytes, or through more than 32 slices, maps, pointers and so
	// on, it has the two ends: "Node.Next.Next[...].Next.Value".
	Path string

	// Err is the cause: a [bits.Error], which has the value and its bounds, or
	// what a type's own method returned.
	Err error

	// inPlace says that Serialize made the error: its bit is that of the whole
	// message.
	inPlace bool
	misuse  bool // the arguments are wrong, and no bit is
	wrapped int  // the errors of other messages in Err
}

// Error returns the operation, the path, the bit and the cause.
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

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// unplaced is the bit of a refusal until place knows it. An error that a
// type's own method returns has another, and is not to be changed.
const unplaced = -1

// refusal is the failure of a value, whose place is left for place to fill in.
func refusal(err error, value, min, max any) error {
	return &bits.Error{Bit: unplaced, Err: err, Value: value, Min: min, Max: max}
}

// place fills in where a refusal is, in a call that marshals or unmarshals.
func place(err error, op string, bit int) {
	if cause, ok := err.(*bits.Error); ok && cause.Bit == unplaced {
		cause.Op, cause.Bit = "read", bit
		if op == "marshal" {
			cause.Op = "write"
		}
	}
}

// sentinel is the fact that an error reports.
func sentinel(err error) error {
	if e, ok := err.(*bits.Error); ok {
		return e.Err
	}
	return err
}
