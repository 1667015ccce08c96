package genrt

import (
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
)

// Settings are the settings of the codec that calls generated code.
type Settings = *core.Settings

// Part is a sequence of ops, from Part[0] up to and not including Part[1], that
// generated code leaves to the engine.
type Part = [2]int

// Code is the generated code of type T. A generated file has a variable of it for
// each type, and registers it in an init function.
type Code[T any] struct{ generated plan.Generated }

// Type returns the type T, for [Code.Union].
func Type[T any]() reflect.Type { return reflect.TypeFor[T]() }

// Union names the members of a union that the code knows. Codecs for which the
// union has other members do not use the code. elem is the index of the union in
// the Elems of the plan. Union must be called before Register.
func (code *Code[T]) Union(elem int, members ...reflect.Type) {
	if code.generated.Unions == nil {
		code.generated.Unions = map[int][]reflect.Type{}
	}
	code.generated.Unions[elem] = members
}

// DepthAllows reports whether the depth limit of the codec leaves room for the given
// number of levels. Each value of a union inside of another one is a level.
func DepthAllows(c Settings, levels int) bool { return levels <= c.MaxDepth-c.Depth }

// Register makes the functions the code of T for plans with the given fingerprint.
//
// appendTo appends the message of *v to dst, and returns the number of bits of the
// last byte that are not used. read decodes data without its last unused bits into
// *v, and returns the bit after the message. Both return false for what they leave
// to the engine. The parts are those of [AppendPart] and [ReadPart].
func (code *Code[T]) Register(fingerprint string,
	appendTo func(c Settings, v *T, dst []byte) (out []byte, unused uint, ok bool),
	read func(c Settings, v *T, data []byte, unused int) (bit int, ok bool),
	parts ...Part,
) {
	typed := &engine.Code[T]{Append: appendTo, Read: read}
	code.generated = plan.Generated{Fingerprint: fingerprint, Parts: parts, Unions: code.generated.Unions, Code: typed, Untyped: typed.Untyped()}
	plan.Register(reflect.TypeFor[T](), &code.generated)
}

// AppendPart lets the engine write a part of *v, which is the value or an element
// that the part belongs to. part is its index in the parts of Register, and start is
// the index in buf of the message's first byte. AppendPart returns false if the
// engine refuses the part.
func AppendPart[T, E any](code *Code[T], part int, c Settings, v *E, buf []byte, start, pos int, w uint64, n uint) ([]byte, int, uint64, uint, bool) {
	bit := 8*(pos-start) + int(n)
	buf = Close(buf, pos, w, n)
	buf, bit, err := engine.EncodeFrom(c, code.generated.Plans[part], engine.VariableOf(v), buf, start, bit)
	if err != nil {
		return nil, 0, 0, 0, false
	}
	pos, n = start+bit>>6<<3, uint(bit&63)
	w = 0
	for i := len(buf) - 1; i >= pos; i-- {
		w = w<<8 | uint64(buf[i])
	}
	return buf[:cap(buf)], pos, w, n, true
}

// ReadPart lets the engine read a part of *v, which starts at bit. rest is the
// number of bits that the values after the block around the part need. ReadPart
// returns the bit after the part, or a negative number.
func ReadPart[T, E any](code *Code[T], part int, c Settings, v *E, data []byte, bit, rest int) int {
	settings := c
	if rest > 0 {
		settings = reserving.Get().(Settings)
		*settings = *c
		settings.ReservedBits = saturate.Add(c.ReservedBits, rest)
	}
	bit, err := engine.Decode(settings, code.generated.Plans[part], engine.VariableOf(v), data, bit)
	if rest > 0 {
		*settings = core.Settings{}
		reserving.Put(settings)
	}
	if err != nil {
		return -1
	}
	return bit
}

// reserving is a pool of settings for parts before other values. A value without
// methods of its own does not retain them.
var reserving = sync.Pool{New: func() any { return new(core.Settings) }}
