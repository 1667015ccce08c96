// Package genrt is what the code that "bp gen" writes calls. It is for generated
// code only: its functions check few of their arguments, and they change together
// with the generator.
//
// Generated code handles only success. A function that meets a value it cannot
// write, or a message it cannot read, returns false, and the engine of package
// tagcodec runs the plan of the type from the start. So all errors, and the
// destination after an error, are those of the engine.
//
// The functions here refuse in two ways. One that reads returns the bit after what
// it has read, or a negative number. Any other one that may refuse returns false as
// its last result, except that the codes of floats have [Wrong] and Reserve returns
// nil. After a refusal the other results mean nothing.
//
// While code writes a message, its state is in four local variables: buf, the
// message and its spare capacity in full length; pos, the index in buf of the
// next whole word; w, the bits that do not yet fill a word; and n, their number,
// which is below 64. Code that never has to move the buffer has an array in place
// of buf: out, with room for the longest message. There pos is an index in out, and
// is set only where it is not a constant.
//
// While code reads one, it has data, the message; end, the number of its bits; and
// bit, the next one. A message of fewer than 8 bytes is copied, so that data always
// has 8.
package genrt
