package tagcodec

import (
	"fmt"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Link serializes a pointer or interface as the network id of its object, in n
// bits. A nil is id 0. It is what the tag link does in a field, for use in a
// Serialize method:
//
//	func (c *Cat) Serialize(s *bits.Stream) error {
//		s.String(&c.Name, 15)
//		tagcodec.Link(s, &c.Home, 10)
//		return s.Err()
//	}
//
// The [Linker] of the codec that calls the method knows the ids. Without one,
// only nil can be written or read, and anything else fails with [ErrLink]. If
// the object of an id is not known, *v becomes nil and the Linker learns of it
// when the message is accepted. The [Patch] then sets *v, which must still be
// where the message was decoded: in a map entry or in a value that an interface
// holds, it is a copy that the Patch does not reach.
//
// Link panics if T is not a pointer or interface type, or if n is not in
// [1, 64].
func Link[T any](s *bits.Stream, v *T, n int) {
	field := reflect.ValueOf(v).Elem()
	if k := field.Kind(); k != reflect.Pointer && k != reflect.Interface {
		panic(fmt.Sprintf("tagcodec: Link: a link is a pointer or an interface, not a %v", field.Type()))
	}
	if n < 1 || n > 64 {
		panic(fmt.Sprintf("tagcodec: Link: an id has 1 to 64 bits, not %d", n))
	}
	var linker core.Resolver
	if c := core.SettingsOf(s); c != nil {
		linker = c.Linker
	}
	bit := s.Bit()
	if !s.Reading() {
		id, err := core.EncodeLink(linker, n, field)
		if err != nil {
			core.SetPosition(err, "marshal", bit)
			s.Fail(err)
			return
		}
		s.Writer().WriteBits(id, n)
		return
	}
	id := s.Reader().ReadBits(n)
	if s.Err() != nil {
		field.SetZero()
		return
	}
	in := core.OwnStorage(field)
	core.Overwrite(linker, field, func() *core.Storage { return in })
	s.Fail(core.Resolve(linker, field, id, func() (string, core.FieldRef) {
		return typename.Of(field.Type()), core.NewFieldRef(field, in)
	}))
}
