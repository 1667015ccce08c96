package vectors

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobitpack/bitpack/bits"
)

// Value is a part of a vector file: an object, a list, a bool, a number, a string
// or a bit pattern. A method panics, naming the place in the file, if the value
// does not have the form that the method needs. No test is valid with a malformed
// file.
type Value struct {
	path string // the place in the file, for panics
	v    any    // as decoded by encoding/json with UseNumber
}

func (v Value) bad(want string) {
	panic(fmt.Sprintf("vectors: %s: %v is not %s", v.path, v.v, want))
}

// Has reports whether the value is an object that has the member.
func (v Value) Has(name string) bool {
	object, _ := v.v.(map[string]any)
	_, ok := object[name]
	return ok
}

// Get returns a member of the object.
func (v Value) Get(name string) Value {
	object, ok := v.v.(map[string]any)
	if !ok {
		v.bad("an object")
	}
	member, ok := object[name]
	if !ok {
		v.bad("an object with a member " + name)
	}
	return Value{v.path + "." + name, member}
}

// List returns the elements of the list.
func (v Value) List() []Value {
	list, ok := v.v.([]any)
	if !ok {
		v.bad("a list")
	}
	elements := make([]Value, len(list))
	for i := range list {
		elements[i] = Value{fmt.Sprintf("%s[%d]", v.path, i), list[i]}
	}
	return elements
}

// String returns a string, or the text of a number as written in the file.
func (v Value) String() string {
	switch x := v.v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	}
	v.bad("a string or a number")
	return ""
}

// Bool returns true or false.
func (v Value) Bool() bool {
	b, ok := v.v.(bool)
	if !ok {
		v.bad("true or false")
	}
	return b
}

// Int128 returns a signed integer. In the file it is a number or a decimal
// string.
func (v Value) Int128() bits.Int128 {
	x, err := bits.ParseInt128(v.String())
	if err != nil {
		v.bad("an Int128")
	}
	return x
}

// Uint128 is like Int128 for an unsigned integer.
func (v Value) Uint128() bits.Uint128 {
	x, err := bits.ParseUint128(v.String())
	if err != nil {
		v.bad("a Uint128")
	}
	return x
}

// Int64 is like Int128 for an integer of 64 bits.
func (v Value) Int64() int64 {
	x := v.Int128()
	if x.Hi != int64(x.Lo)>>63 {
		v.bad("an int64")
	}
	return int64(x.Lo)
}

// Uint64 is like Uint128 for an integer of 64 bits.
func (v Value) Uint64() uint64 {
	x := v.Uint128()
	if x.Hi != 0 {
		v.bad("a uint64")
	}
	return x.Lo
}

// Int returns a length or a width.
func (v Value) Int() int { return int(v.Int64()) }

// Pattern32 returns the bits of a float32, written as "0x" and 8 digits.
func (v Value) Pattern32() uint32 { return uint32(v.pattern(8)) }

// Pattern64 returns the bits of a float64, written as "0x" and 16 digits.
func (v Value) Pattern64() uint64 { return v.pattern(16) }

func (v Value) pattern(digits int) uint64 {
	text, ok := strings.CutPrefix(v.String(), "0x")
	x, err := strconv.ParseUint(text, 16, 64)
	if !ok || err != nil || len(text) != digits {
		v.bad(fmt.Sprintf("a pattern of %d hex digits", digits))
	}
	return x
}

// Float32 returns the float32 with the bit pattern in the file or, if the file has
// a number, the nearest float32.
func (v Value) Float32() float32 {
	number, ok := v.v.(json.Number)
	if !ok {
		return math.Float32frombits(v.Pattern32())
	}
	x, err := strconv.ParseFloat(number.String(), 32)
	if err != nil {
		v.bad("a float32")
	}
	return float32(x)
}

// Float64 returns the float64 with the bit pattern in the file.
func (v Value) Float64() float64 { return math.Float64frombits(v.Pattern64()) }

// Written returns the value of a quantized float before it was written.
func (v Value) Written() float32 { return v.Get("value_bits").Float32() }

// Decoded returns the value that every reader must return for a quantized float.
func (v Value) Decoded() float32 { return v.Get("decoded_bits").Float32() }

// Hex decodes a hex string.
func (v Value) Hex() []byte {
	b, err := hex.DecodeString(v.String())
	if err != nil {
		v.bad("hex")
	}
	return b
}

// Text decodes a hex string of UTF-8.
func (v Value) Text() string {
	b := v.Hex()
	if !utf8.Valid(b) {
		v.bad("the hex of UTF-8")
	}
	return string(b)
}
