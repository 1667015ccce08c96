// Package access lets the packages of this module reach what package bits does
// not export: the context of the message that a Reader or a Writer is working on.
package access

// Context is what a codec tells the serialize functions that it calls. Package
// bits only carries it, so that a part of a message is read or written by the
// rules of the whole.
type Context struct {
	// Settings are the codec's, with how deep in the message the value lies. They
	// are nil outside of a codec.
	Settings any

	// Fill returns the message's data with at least n bytes, or with as many as
	// there are. It is nil where a Reader has all of the data from the start.
	Fill func(n int) []byte
}

// Package bits sets these functions. Their argument is a *bits.Reader or a
// *bits.Writer.
var (
	// ReaderContext and WriterContext return where the context is kept. It
	// survives Reset and Resume.
	ReaderContext, WriterContext func(any) **Context

	// Intact returns a mark that the caller may set, and that Reset and Resume
	// clear.
	Intact func(any) *bool

	// Grows reports whether a Writer replaces its buffer by a larger one when it is
	// full, so that Resume may put another in its place.
	Grows func(writer any) bool

	// Need reads more data until a Reader has n bits left, and reports whether it
	// has.
	Need func(reader any, n int) bool
)
