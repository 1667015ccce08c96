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

// Code is the generated code of type T.
type Code[T any] struct{ generated plan.Generated }

// Type returns the type T.
func Type[T any]() reflect.Type { return reflect.TypeFor[T]() }

// Union says that the code is for a union of these members, at index elem of the
// plan's elements. Call it before Register.
func (code *Code[T]) Union(elem int, members ...reflect.Type) {
	if code.generated.Unions == nil {
		code.generated.Unions = map[int][]reflect.Type{}
	}
	code.generated.Unions[elem] = members
}

// MayNest reports whether values of unions may be nested in levels more levels.
func MayNest(c Settings, levels int) bool { return levels <= c.MaxDepth-c.Depth }

// Register makes the functions the code of T for plans with the given
// fingerprint. appendTo appends the message of *v to dst. read decodes data into
// *v and returns the bit after the message.
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
// that the part belongs to. start is the index in buf of the message's first byte.
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
