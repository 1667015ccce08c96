// Package access gives the packages of this module what package bits does not
// export: the context and the data of the message that a Reader or a Writer
// works on.
package access

// Context carries a codec's state through the serialize functions it calls, so
// that the settings of the codec apply to nested values. Package bits stores it
// and calls only Fill.
type Context struct {
	// Settings holds the codec's settings and the depth of the value in the
	// message. It is nil outside of a codec.
	Settings any

	// Fill returns the message's data with at least n bytes, or all the data
	// there is. It is nil if the Reader has all of the data from the start.
	Fill func(n int) []byte

	// Ahead is nil, or the number of bits after the current value that will surely
	// come. Fill is asked for them together with those of the value.
	Ahead *int
}

// Package bits sets these functions. They take a *bits.Reader, a *bits.Writer or
// a *bits.Stream.
var (
	// ReaderContext and WriterContext return the location of the context
	// pointer. Reset and Resume keep the context.
	ReaderContext, WriterContext func(any) **Context

	// Untouched returns the location of a flag for the caller to set. Reset and
	// Resume clear it.
	Untouched func(any) *bool

	// Grows reports whether a Writer replaces a full buffer with a larger one.
	// Resume may give such a Writer another buffer.
	Grows func(writer any) bool

	// Data returns the data of a Reader from the first byte of the message.
	Data func(reader any) []byte
	// Ensure reports whether a Reader has n bits left. If data is still arriving,
	// it first waits for them.
	Ensure func(reader any, n int) bool

	// Refuse fails with an error about the value at bit. A Reader moves back there.
	Refuse func(stream any, bit int, err error, value, min, max any)
)
