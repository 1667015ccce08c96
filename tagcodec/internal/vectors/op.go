package vectors

import (
	"math"
	"math/big"
	"slices"

	"github.com/gobitpack/bitpack/bits"
)

// Op is one step of a message: an operation of the wire format, its parameters
// and, if [Op.HasValue] returns true, its value. Each accessor applies to the
// operations that its comment names, and panics for others.
type Op struct {
	// Kind is the operation: bool, bits, int, int64, int128, uint8, uint16,
	// uint32, uint64, uint128, float, double, compressed_float, align, bytes,
	// string, wstring, int_relative or fixed.
	Kind string
	// Note describes, for people, what was written instead of a value.
	Note string

	v Value
}

// members are the names of the parameters and values of each kind of op.
var members = map[string]struct{ parameters, values []string }{
	"bool":             {nil, []string{"value"}},
	"bits":             {[]string{"bits"}, []string{"value"}},
	"int":              {[]string{"min", "max"}, []string{"value"}},
	"int64":            {[]string{"min", "max"}, []string{"value"}},
	"int128":           {[]string{"min", "max"}, []string{"value"}},
	"uint8":            {nil, []string{"value"}},
	"uint16":           {nil, []string{"value"}},
	"uint32":           {nil, []string{"value"}},
	"uint64":           {nil, []string{"value"}},
	"uint128":          {nil, []string{"value"}},
	"float":            {nil, []string{"value_bits"}},
	"double":           {nil, []string{"value_bits"}},
	"compressed_float": {[]string{"min", "max", "res"}, []string{"value_bits", "decoded_bits", "wire"}},
	"align":            {nil, nil},
	"bytes":            {[]string{"count"}, []string{"hex"}},
	"string":           {[]string{"buffer_size"}, []string{"utf8_hex"}},
	"wstring":          {[]string{"buffer_size"}, []string{"utf8_hex", "units"}},
	"int_relative":     {[]string{"type", "previous"}, []string{"current"}},
	"fixed":            {[]string{"storage", "integer_bits", "fraction_bits", "min", "max"}, []string{"value"}},
}

func newOp(v Value) Op {
	o := Op{Kind: v.Get("op").String(), v: v}
	if v.Has("note") {
		o.Note = v.Get("note").String()
	}
	known, ok := members[o.Kind]
	if !ok {
		v.bad("a known op")
	}
	for _, name := range known.parameters {
		v.Get(name)
	}
	if o.HasValue() {
		for _, name := range known.values {
			v.Get(name)
		}
	}
	for name := range v.v.(map[string]any) {
		if name != "op" && name != "note" && !slices.Contains(known.parameters, name) && !slices.Contains(known.values, name) {
			v.bad("an op that has a " + name)
		}
	}
	return o
}

// HasValue reports whether the op has a value. The op that fails in a [Reject]
// may lack it. An align never has one.
func (o Op) HasValue() bool {
	known := members[o.Kind].values
	return len(known) > 0 && o.v.Has(known[0])
}

// String returns the op's place in the file and its kind.
func (o Op) String() string { return o.v.path + " " + o.Kind }

// Width returns the width of a bits op in bits.
func (o Op) Width() int { return o.v.Get("bits").Int() }

// Min returns the smallest value of int, int64 and int128, and the smallest whole
// number of fixed.
func (o Op) Min() bits.Int128 { return o.v.Get("min").Int128() }

// Max returns the largest value of int, int64 and int128, and the largest whole
// number of fixed.
func (o Op) Max() bits.Int128 { return o.v.Get("max").Int128() }

// MinFloat returns the min of compressed_float.
func (o Op) MinFloat() float32 { return o.v.Get("min").Float32() }

// MaxFloat returns the max of compressed_float.
func (o Op) MaxFloat() float32 { return o.v.Get("max").Float32() }

// Res returns the res of compressed_float.
func (o Op) Res() float32 { return o.v.Get("res").Float32() }

// Count returns the number of bytes in a bytes op.
func (o Op) Count() int { return o.v.Get("count").Int() }

// BufferSize returns the buffer_size of string and wstring. It is one more than
// the number of bytes or UTF-16 units in the longest text.
func (o Op) BufferSize() int { return o.v.Get("buffer_size").Int() }

// Type returns the integer type of int_relative: int32 or uint32.
func (o Op) Type() string { return o.v.Get("type").String() }

// Previous returns the integer that the value of int_relative is relative to.
func (o Op) Previous() int64 { return o.v.Get("previous").Int64() }

// Storage returns the integer type of fixed, from int8 to int128.
func (o Op) Storage() string { return o.v.Get("storage").String() }

// IntegerBits returns the bits of fixed above the point, sign included.
func (o Op) IntegerBits() int { return o.v.Get("integer_bits").Int() }

// FractionBits returns the bits of fixed below the point.
func (o Op) FractionBits() int { return o.v.Get("fraction_bits").Int() }

// RawMin returns the smallest raw integer of fixed: its min, scaled.
func (o Op) RawMin() bits.Int128 { return o.scaled(o.Min()) }

// RawMax returns the largest raw integer of fixed: its max, scaled.
func (o Op) RawMax() bits.Int128 { return o.scaled(o.Max()) }

func (o Op) scaled(whole bits.Int128) bits.Int128 {
	x := new(big.Int).Lsh(whole.Big(), uint(o.FractionBits()))
	raw, err := bits.ParseInt128(x.String())
	if err != nil {
		o.v.bad("fixed with bounds that Int128 holds")
	}
	return raw
}

// Bool returns the value of bool.
func (o Op) Bool() bool { return o.v.Get("value").Bool() }

// Int returns the value of bits and of all integer ops, and the raw value of
// fixed. It panics for a uint128 above 2^127-1; use [Op.Uint] for these.
func (o Op) Int() bits.Int128 { return o.v.Get("value").Int128() }

// Uint returns the value of bits and of all integer ops. It panics if the value is
// negative.
func (o Op) Uint() bits.Uint128 { return o.v.Get("value").Uint128() }

// Pattern32 returns the bits of the value of float, and those of the value of
// compressed_float before it was written.
func (o Op) Pattern32() uint32 { return o.v.Get("value_bits").Pattern32() }

// Pattern64 returns the bits of the value of double.
func (o Op) Pattern64() uint64 { return o.v.Get("value_bits").Pattern64() }

// Decoded32 returns the bits that our reader must return for compressed_float. The
// vectors have the sum, which other implementations return. It rounds above max in some
// ranges, where ours returns max.
func (o Op) Decoded32() uint32 {
	return math.Float32bits(min(math.Float32frombits(o.v.Get("decoded_bits").Pattern32()), o.MaxFloat()))
}

// Wire returns the integer that compressed_float puts on the wire.
func (o Op) Wire() uint32 { return uint32(o.v.Get("wire").Uint64()) }

// Bytes returns the value of bytes.
func (o Op) Bytes() []byte { return o.v.Get("hex").Hex() }

// Text returns the value of string and wstring.
func (o Op) Text() string { return o.v.Get("utf8_hex").Text() }

// Units returns the UTF-16 units that wstring puts on the wire.
func (o Op) Units() []uint16 {
	list := o.v.Get("units").List()
	units := make([]uint16, len(list))
	for i, u := range list {
		units[i] = uint16(u.Uint64())
	}
	return units
}

// Current returns the value of int_relative.
func (o Op) Current() int64 { return o.v.Get("current").Int64() }
