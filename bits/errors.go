package bits

import (
	"errors"
	"fmt"

	"github.com/gobitpack/bitpack/internal/bitio"
)

// Sentinels for errors.Is. Each is the Err of an [Error].
var (
	// ErrOverread means that a read needs more bits than the data has left.
	ErrOverread = errors.New("read past the end of the data")
	// ErrOverflow means that a write does not fit in the buffer, or that the
	// message has more bits than an int can count.
	ErrOverflow = errors.New("the buffer is full")
	// ErrRange means that a value is outside its range.
	ErrRange = errors.New("value out of range")
	// ErrLength means that a count or a length is outside its bounds.
	ErrLength = errors.New("length out of bounds")
	// ErrPadding means that padding or reserved bits are not zero.
	ErrPadding = errors.New("padding is not zero")
	// ErrText means that text is not valid UTF-8 or UTF-16, or contains a zero.
	// The Value of the error is a [BadText].
	ErrText = errors.New("bad text")
	// ErrCheck means that a value known to both sides is wrong: the sides
	// disagree on the format or on the position in the message.
	ErrCheck = errors.New("check failed")
	// ErrTrailing means that bytes or nonzero bits follow the message.
	ErrTrailing = errors.New("data after the end of the message")
	// ErrNotCanonical means that a value is not in its canonical encoding, the
	// only form in which it may be sent.
	ErrNotCanonical = errors.New("not the canonical encoding")
)

// Error reports a value or an operation that a Writer or a Reader refused.
type Error struct {
	Op  string // "read" or "write"
	Bit int    // start of the value, in bits from the start of the message
	Err error  // one of the package's sentinels

	// Value is the refused value, and Min and Max are the bounds it violates.
	// All three are nil if the error is not about a value. Integers are int64,
	// uint64, Int128 or Uint128, lengths are int, and floats are float32 or
	// float64. A Value read from a packet may have the next wider type that
	// holds it. An integer of 129 bits has a type with the methods String and
	// Big() *big.Int. For a float that is not finite, Min and Max are nil.
	//
	// For ErrOverread, Value is the number of bits needed, at most math.MaxInt,
	// and Max is the number of bits left. For ErrText, Value is a BadText. For a
	// value that a code does not list, it is that value, which may have any type.
	Value, Min, Max any

	// Fix says what is wrong with the value or what to change, if the value tells.
	// Otherwise it is empty.
	Fix string
}

// Error returns the operation, the bit position and the reason.
func (e *Error) Error() string {
	return fmt.Sprintf("bits: %s at bit %d: %s", e.Op, e.Bit, e.Reason())
}

// Reason returns what is wrong without the position, for example "value out of
// range: 130 is outside [0, 100]".
func (e *Error) Reason() string {
	switch {
	case e.Value == nil:
		return e.Err.Error()
	case e.Err == ErrOverread:
		return fmt.Sprintf("%v: %v more bits needed, %v left", e.Err, e.Value, e.Max)
	case e.Err == ErrPadding:
		return fmt.Sprintf("%v: it is %#x", e.Err, e.Value)
	case e.Err == ErrCheck:
		return fmt.Sprintf("%v: is %#x, should be %#x", e.Err, e.Value, e.Min)
	}
	reason := fmt.Sprintf("%v: %v", e.Err, e.Value)
	if text, ok := e.Value.(string); ok && e.Fix != "" { // a value, and not a description of one
		reason = fmt.Sprintf("%v: %.64q", e.Err, text)
	}
	if e.Min != nil && e.Max != nil {
		reason += fmt.Sprintf(" is outside [%v, %v]", e.Min, e.Max)
	}
	if e.Fix != "" {
		reason += ": " + e.Fix
	}
	return reason
}

// BadText is the Value of an [Error] with ErrText.
type BadText struct {
	Index int    // of the first bad byte or UTF-16 unit in the text
	Unit  uint32 // the byte or unit: 0, or not part of valid UTF-8 or UTF-16
	UTF16 bool   // the text was read as UTF-16, and Index counts units
}

// String names the byte or unit, for example "byte 3 is zero" or "byte 3 (0xff)
// is not UTF-8".
func (b BadText) String() string {
	name, form := "byte", "UTF-8"
	if b.UTF16 {
		name, form = "unit", "UTF-16"
	}
	if b.Unit == 0 {
		return fmt.Sprintf("%s %d is zero", name, b.Index)
	}
	return fmt.Sprintf("%s %d (%#02x) is not %s", name, b.Index, b.Unit, form)
}

// badBytes returns the BadText of a text that is not valid.
func badBytes(text string) BadText {
	i, b := bitio.BadByte(text)
	return BadText{Index: i, Unit: b}
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }
