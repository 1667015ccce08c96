package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// The reference interpreter is the oracle for the fast loops. With the build
// tag purego it is compared with itself, and only the golden tests check the
// bytes.

// plainUnmarshal decodes all of data into v with the reference interpreter.
func referenceUnmarshal(c *settings, p *typecache.Data, v reflect.Value, data []byte) error {
	r := bits.NewReader(data)
	if err := plainRead(c, p, v, r); err != nil {
		return err
	}
	if err := r.Finish(); err != nil {
		return newMessageError("unmarshal", p.Type, typename.Of(p.Type), r.Bit(), err)
	}
	return nil
}

// settings returns the settings that the options make.
func settingsWith(opts ...Option) settings {
	c := settings{maxDepth: DefaultMaxDepth}
	for _, o := range opts {
		o(&c)
	}
	return c
}

var standard = &settings{maxDepth: DefaultMaxDepth}

// serializeInside passes a pointer to Serialize, as a method inside a message does.
func serializeInside(c *settings, v reflect.Value, s *bits.Stream) error {
	var at **access.Context
	if s.Reading() {
		at = access.ReaderContext(s.Reader())
	} else {
		at = access.WriterContext(s.Writer())
	}
	*at = &access.Context{Settings: c}
	defer func() { *at = nil }()
	return Serialize(s, v.Interface())
}
