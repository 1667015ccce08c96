package core

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
)

// Sentinel errors of package tagcodec, which documents them. Three of them are
// also errors of the Streams of package bits.
var (
	ErrNotCanonical = bits.ErrNotCanonical
	ErrOrder        = bits.ErrOrder
	ErrUnion        = errors.New("not a member of the union")
	ErrLink         = errors.New("no such link")
	ErrDepth        = bits.ErrDepth
	ErrArgument     = errors.New("bad argument")
)

// Errors for programs that overwrite a message or lose their place in it while
// it is being coded. Not every such mistake is detected.
var (
	ErrShared = explain(ErrArgument, "the value is in the spare capacity of dst, which the message overwrites: give one of them other memory")
	ErrReset  = explain(ErrArgument, "Serialize called Reset or Resume on the Reader or Writer of its Stream, which drops earlier values: create another one")
)

// NewMessageError returns the error of the value at a path, in bits from the start of a
// message of type t. The op is that of the call, "marshal" or "unmarshal".
// Package tagcodec, which declares the type of the error, sets NewMessageError.
var NewMessageError func(op string, t reflect.Type, path string, bit int, cause error) error

// positionUnset is the Bit of a refusal until place sets it. It distinguishes
// refusals from errors returned by a type's own methods, which place must not
// change.
const positionUnset = -1

// NewRefusal returns the error for a bad value. The function place fills in its
// position.
func NewRefusal(err error, value, min, max any) error {
	return &bits.Error{Bit: positionUnset, Err: err, Value: value, Min: min, Max: max}
}

// SetPosition sets the operation and bit of an positionUnset refusal. The op is that of
// the call, "marshal" or "unmarshal".
func SetPosition(err error, op string, bit int) {
	if cause, ok := err.(*bits.Error); ok && cause.Bit == positionUnset {
		cause.Op, cause.Bit = "read", bit
		if op == "marshal" {
			cause.Op = "write"
		}
	}
}

// explained is a SentinelOf with a cause that says more.
type explained struct{ sentinel, cause error }

func (e *explained) Error() string   { return e.sentinel.Error() + ": " + e.cause.Error() }
func (e *explained) Unwrap() []error { return []error{e.sentinel, e.cause} }

// explain returns a SentinelOf with a formatted explanation.
func explain(sentinel error, format string, args ...any) error {
	return &explained{sentinel, fmt.Errorf(format, args...)}
}

// SentinelOf returns the SentinelOf of an error made by this package or by package
// bits. It returns any other error unchanged.
func SentinelOf(err error) error {
	switch e := err.(type) {
	case *bits.Error:
		return e.Err
	case *explained:
		return e.sentinel
	}
	return err
}

// LengthError is the error for a count out of bounds.
func LengthError(op *plan.Op, n int) error {
	return NewRefusal(bits.ErrLength, n, int(op.Bias), int(op.Bias+op.Span))
}
