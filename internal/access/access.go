// Package access gives the packages of this module what package bits does not
// export: the context and the data of the message that a Reader or a Writer
// works on.
package access

// Context carries a codec's state through the serialize functions it calls, so
// that the settings of the codec apply to nested values. Package bits stores it
// and calls only Fill. A Stream counts in Owed and Open the parts of a value
// that it serializes.
type Context struct {
	// Settings holds the codec's settings and the depth of the value in the
	// message. It is nil outside of a codec.
	Settings any

	// Fill returns the message's data with at least n bytes, or all the data
	// there is. It is nil if the Reader has all of the data from the start.
	Fill func(n int) []byte

	// Owed is the minimum number of bits that the values after the current one
	// need. They do not pay for its memory.
	Owed int
	// Ahead reports whether Fill may be asked for the Owed bits together with those
	// of the current value. They are surely there only if the message starts at the
	// beginning of a byte.
	Ahead bool
	// Open is the number of levels on the goroutine's stack. See MaxOpen.
	Open int
}

// MaxOpen is the maximum number of levels on the goroutine's stack. A level is
// a value that serializes itself, a function that a Stream calls for a part of
// a value, or a block of the reference interpreter. Each takes up to three
// kilobytes, and a stack overflow would end the program. In WebAssembly the
// goroutines are on the stack of the host, which has about a megabyte in a
// browser.
const MaxOpen = maxOpen

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

	// Pays reports whether n values of at least the given number of bits each are
	// left to read, besides the owed bits. If not, the Stream fails at bit.
	Pays func(stream any, bit, n, least int) bool

	// Enter opens a level and returns the context to leave it with. It returns nil
	// if the Stream has an error or too many levels are open.
	Enter func(stream any) *Context

	// Refuse fails with an error about the value at bit. A Reader moves back there.
	Refuse func(stream any, bit int, err error, value, min, max any)
)
