package core

import (
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/errtext"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/values"
)

// Sentinel errors of package tagcodec, which documents them.
var (
	ErrNotCanonical = bits.ErrNotCanonical
	ErrOrder        = errors.New("map keys are not sorted, or one repeats")
	ErrUnion        = errors.New("not a member of the union")
	ErrLink         = errors.New("no such link")
	ErrDepth        = errors.New("nested too deeply")
	ErrArgument     = errors.New("bad argument")
)

// ErrShared and ErrReset report mistakes of a program: it overwrites a message,
// or loses its place in it, while the message is being written or read. Not
// every such mistake is detected.
var (
	ErrShared = Explain(ErrArgument, "the value is in the spare capacity of dst, which the message overwrites: give one of them other memory")
	ErrReset  = Explain(ErrArgument, "Serialize called Reset or Resume on the Reader or Writer of its Stream, which drops earlier values: create another one")
)

// NewMessageError returns the error of the value at a path in a message of type
// t. The value starts at bit, counted from the start of the message. op is the
// call, "marshal" or "unmarshal". Package tagcodec sets NewMessageError,
// because it declares the type of the error.
var NewMessageError func(op string, t reflect.Type, path string, bit int, cause error) error

// positionUnset is the Bit of a refusal until SetPosition sets it. It
// distinguishes refusals from errors returned by a type's own methods, which
// SetPosition must not change.
const positionUnset = -1

// NewRefusal returns the error for a bad value with its bounds. SetPosition
// fills in the position. It has many callers, into which it would be copied.
//
//go:noinline
func NewRefusal(err error, value, min, max any) error {
	return &bits.Error{Bit: positionUnset, Err: err, Value: value, Min: min, Max: max}
}

// SetPosition sets the operation and bit of a refusal that has no position yet.
// It does nothing to other errors. op is the call, "marshal" or "unmarshal".
func SetPosition(err error, op string, bit int) {
	if cause, ok := err.(*bits.Error); ok && cause.Bit == positionUnset {
		cause.Op, cause.Bit = "read", bit
		if op == "marshal" {
			cause.Op = "write"
		}
	}
}

// explained is a sentinel error with a cause that says more.
type explained struct{ sentinel, cause error }

// Error returns the sentinel's text and that of the cause.
func (e *explained) Error() string { return e.sentinel.Error() + ": " + errtext.Bare(e.cause) }

// Unwrap returns the sentinel and the cause.
func (e *explained) Unwrap() []error { return []error{e.sentinel, e.cause} }

// Explain returns a sentinel error with a formatted explanation.
//
//go:noinline
func Explain(sentinel error, format string, args ...any) error {
	return &explained{sentinel, errtext.New(format, args...)}
}

// SentinelOf returns the sentinel that an error of this package or of package
// bits wraps. It returns any other error unchanged.
func SentinelOf(err error) error {
	switch e := err.(type) {
	case *bits.Error:
		return e.Err
	case *explained:
		return e.sentinel
	}
	return err
}

// BinaryTooLong returns the error for a binary form of n bytes, which are more than
// the plan allows.
func BinaryTooLong(op *plan.Op, n int) error {
	fix := "its type needs a smaller binary form" // plans allow no more
	if n <= plan.MaxLen {
		fix = "the binary form of the value needs maxlen=" + strconv.Itoa(n) + " or more"
	}
	return &bits.Error{Bit: positionUnset, Err: bits.ErrLength, Value: n, Min: int(op.Bias), Max: int(op.Bias + op.Span), Fix: fix}
}

// BadText returns the error for text that is not valid.
func BadText(text string) error {
	i, b := bitio.BadByte(text)
	return NewRefusal(bits.ErrText, bits.BadText{Index: i, Unit: b}, nil, nil)
}

// UnlistedError returns the error for a value that a code does not list.
//
//go:noinline
func UnlistedError(v reflect.Value) error {
	return &bits.Error{Bit: positionUnset, Err: bits.ErrRange, Value: values.Plain(v), Fix: values.FixUnlisted}
}

// ListedError returns the error for a listed value of type t that a message does not
// have as a listed value.
//
//go:noinline
func ListedError(t reflect.Type, listed *plan.Value) error {
	var v any
	switch x, k := listed.Mem[0], t.Kind(); {
	case k == reflect.Bool:
		v = x != 0
	case k == reflect.String:
		v = listed.Text
	case k == reflect.Float32:
		v = math.Float32frombits(uint32(x))
	case k == reflect.Float64:
		v = math.Float64frombits(x)
	case t == plan.Uint128Type:
		v = bits.Uint128{Lo: x, Hi: listed.Mem[1]}
	case t == plan.Int128Type:
		v = bits.Int128{Lo: x, Hi: int64(listed.Mem[1])}
	case k >= reflect.Int && k <= reflect.Int64:
		v = int64(x)
	default:
		v = x
	}
	return &bits.Error{Bit: positionUnset, Err: bits.ErrNotCanonical, Value: v, Fix: values.FixListed}
}

// CheckLength returns an error if a count is out of bounds.
func CheckLength(op *plan.Op, n int) error {
	if uint64(n)-op.Bias > op.Span {
		return LengthError(op, n)
	}
	return nil
}

// LengthError returns the error for a count out of bounds.
//
//go:noinline
func LengthError(op *plan.Op, n int) error {
	return NewRefusal(bits.ErrLength, n, int(op.Bias), int(op.Bias+op.Span))
}
