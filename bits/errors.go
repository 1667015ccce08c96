package bits

import (
	"errors"
	"fmt"
)

// The facts an [Error] reports, for errors.Is.
var (
	// ErrOverread says that a read needs more bits than the data has left.
	ErrOverread = errors.New("read past the end of the data")
	// ErrOverflow says that a write needs more room than the buffer has left, or
	// than an int can count in bits.
	ErrOverflow = errors.New("the buffer is full")
	// ErrRange says that a value lies outside its range.
	ErrRange = errors.New("value out of range")
	// ErrLength says that a count or a length lies outside its bounds.
	ErrLength = errors.New("length out of bounds")
	// ErrPadding says that padding or reserved bits are not zero.
	ErrPadding = errors.New("nonzero padding")
	// ErrText says that text is not valid UTF-8 or UTF-16, or holds a zero.
	ErrText = errors.New("bad text")
	// ErrCheck says that a value which both sides know is another one: the
	// sides do not agree on the format, or on where in the message they are.
	ErrCheck = errors.New("check failed")
	// ErrTrailing says that bytes or nonzero bits follow the message.
	ErrTrailing = errors.New("data after the end of the message")
)

// Error tells what a Writer or a Reader refused.
type Error struct {
	Op  string // "read" or "write"
	Bit int    // where the value starts, in bits from the start of the message
	Err error  // one of the package's sentinels

	// Value is what was refused, and Min and Max the bounds it violates. All
	// three are nil where the fact is not about a value. Integers are int64,
	// uint64, Int128 or Uint128, lengths int, and floats float32 or float64; a
	// Value from a packet may be of the next wider type that holds it, up to
	// *big.Int. A float that is not finite is outside without bounds.
	// For ErrOverread, Value is the bits needed, as far as an int can count them,
	// and Max the bits left.
	Value, Min, Max any
}

// Error returns the operation, the bit and the reason.
func (e *Error) Error() string {
	return fmt.Sprintf("bits: %s at bit %d: %s", e.Op, e.Bit, e.Reason())
}

// Reason says what is wrong without saying where: "value out of range: 130 is
// outside [0, 100]".
func (e *Error) Reason() string {
	switch {
	case e.Value == nil:
		return e.Err.Error()
	case e.Err == ErrOverread:
		return fmt.Sprintf("%v: %v more bits needed, %v left", e.Err, e.Value, e.Max)
	case e.Min == nil || e.Max == nil:
		return fmt.Sprintf("%v: %v", e.Err, e.Value)
	}
	return fmt.Sprintf("%v: %v is outside [%v, %v]", e.Err, e.Value, e.Min, e.Max)
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }
