package tagcodec

import (
	"reflect"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Field reads or writes *v in place, as a struct field with the given bp tag. v must
// be a non-nil pointer. Field lets a Serialize method use any tag for part of what it
// sends:
//
//	func (b *Body) Serialize(s *bits.Stream) error {
//		tagcodec.Field(s, &b.Position, "float,min=-256,max=255,res=0.01")
//		s.Bool(&b.AtRest)
//		if !b.AtRest {
//			tagcodec.Field(s, &b.Velocity, "float,min=-10,max=10,res=0.01")
//		}
//		return s.Err()
//	}
//
// The bits, the limits and the errors are those of a field with this tag. An
// empty tag is the same as none. Options that refer to other fields are errors:
// if, to, pred, key and step. If the tag is wrong, the error wraps a
// [*typecache.Error]. Every other error is an [*Error]. Its path has the name of the
// field if *v is a field or an element of the value that serializes itself. Like the
// methods of [bits.Stream], Field does nothing after an error, and its error becomes
// that of the Stream.
//
// The options of the codec apply to *v as described for [Serialize].
//
// The tag is parsed in the first call with this tag and type. Later calls find the
// result in a cache and allocate nothing. The cache has 1024 tags, so tags should
// be constants. A call for an integer takes about 18 times as long as a field with
// this tag and 6 times as long as a method of the Stream, so a struct with tags is
// better where it can say the same.
//
// A link whose object is not known is set later, by a [Patch]. *v must then still be
// where the message was decoded. In a map entry or in a value that an interface
// holds it is a copy that the Patch does not reach.
func Field(s *bits.Stream, v any, tag string) {
	if s.Err() != nil {
		return
	}
	outer := core.SettingsOf(s)
	pl, base, err := destinationOf(outer, v, tag)
	if err == nil {
		err = transfer(&defaultSettings, pl, base, s, 0) // a field needs no more than its op checks
	}
	if err != nil {
		s.Fail(located(err, outer, v))
	}
}

// located returns an error of Field with the name of the field that v points to, if
// it belongs to a value that serializes itself.
func located(err error, outer *core.Settings, v any) error {
	e, ok := err.(*Error)
	switch {
	case !ok:
	case e.misuse:
		e.Op = "serialize"
	case outer != nil:
		field := reflect.ValueOf(v).Elem()
		own := typename.Of(field.Type())
		if path := core.PathIn(outer.Self, field); path != "" {
			e.Path = core.ShortPath(own + path + strings.TrimPrefix(e.Path, own))
		}
	}
	return err
}
