// Package custom copies values of types with a Serialize method from one message
// to another.
package custom

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Copier copies values with the settings of a codec. It is safe for concurrent
// use.
type Copier struct{ settings core.Settings }

// NewCopier returns a Copier for a codec with the given options.
func NewCopier[O core.Option](options []O) *Copier {
	c := &Copier{core.Settings{MaxDepth: core.DefaultMaxDepth}}
	core.Apply(&c.settings, options)
	return c
}

// Copy reads a value of type t from r, and writes it to w. The value has been
// read or written by the codec before. Copying it again changes only the padding
// of what is aligned in it, which depends on the bit where it begins.
func (c *Copier) Copy(w *bits.Writer, r *bits.Reader, t reflect.Type) error {
	v := reflect.New(t).Interface().(bits.Serializer)
	var settings core.Settings
	c.settings.FillNested(&settings, v, 0, 0, 0)
	settings.Linker = &core.CopiedLinks{Resolver: c.settings.Linker}
	context := &access.Context{Settings: &settings}
	reading, writing := access.ReaderContext(r), access.WriterContext(w)
	outerReading, outerWriting := *reading, *writing
	defer func() { *reading, *writing = outerReading, outerWriting }()
	*reading, *writing = context, context

	s := bits.NewReadStream(r)
	if err := v.Serialize(s); err != nil {
		return err
	}
	if s.Err() != nil {
		return s.Err()
	}
	s = bits.NewWriteStream(w)
	if err := v.Serialize(s); err != nil {
		return err
	}
	return s.Err()
}

// Silent is the option of a codec that only checks messages: no Linker learns of
// links to objects that are not known.
var Silent = core.Set(func(c *core.Settings) { c.LinksSilent = true })
