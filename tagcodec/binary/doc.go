// Package binary is encoding/binary with another import path: a program that
// changes the import compiles and does the same, most of it faster. Then its
// structs get bp tags, one field at a time, and the bytes shrink.
//
//	import "github.com/gobitpack/bitpack/tagcodec/binary" // was "encoding/binary"
//
//	type Player struct {
//		ID     uint32
//		Health uint16  `bp:"int,min=0,max=100"`                  // 7 bits instead of 16
//		X, Y   float32 `bp:"float,min=-1024,max=1024,res=0.01"` // 36 bits instead of 64
//		Alive  bool
//	}
//
//	err := binary.Write(w, binary.LittleEndian, &player) // 10 bytes instead of 15
//
// Every exported name of encoding/binary is here, with the same type. The byte
// orders are those of encoding/binary itself, and so are the functions for
// varints: what takes one takes the other.
//
// # Types without bp tags
//
// [Read], [Write], [Append], [Encode], [Decode] and [Size] do what those of
// encoding/binary do: the same bytes, results, errors and panics. What differs
// is the time, as each type is analyzed once, which most values gain from (a *bool
// and Size of a []uint8 take longer), and that Read and Write use a
// buffer again: a Reader or Writer that keeps the slice it is given, which the
// io package forbids, finds it overwritten.
//
// # Types with bp tags
//
// A type has tags if a field anywhere in it has one: in its structs and in
// those that arrays, slices, maps and pointers lead to. The tags are those of
// package tagcodec and so is the wire: the fields follow each other bit by bit,
// and zero bits fill the last byte. All of the type is then packed, a bool
// without a tag in 1 bit and an int32 in 32; and it may have any size: strings,
// slices and pointers can be sent. These are the differences to types without
// tags:
//
//   - Fields that are not exported, and blank ones, are not sent.
//   - A value may be refused: one out of the range of its tag, say. Append,
//     Encode and Write then fail with a [*tagcodec.Error] and Size returns -1;
//     Decode and Read fail in the same way for bytes that say such a value.
//   - The unused bits of the last byte must be zero.
//   - After an error of Encode the content of the buffer is unspecified, and
//     after one of Decode or Read that of the value, though nothing in it is
//     out of range.
//   - The byte order must be [LittleEndian], or [NativeEndian] on a machine
//     where that is the same. The wire of bits is little-endian on every
//     machine: bits that run on from one byte to the next do so from the
//     lowest, and to turn the bytes of a value around would tear it apart.
//
// A slice of values with tags has no count on the wire, as one without tags has
// none: the length of the slice that Read and Decode are given says how many
// there are. They follow each other bit by bit, as the elements of an array of
// that length do, and only the last is filled up to a whole byte.
//
// # Reading from a stream
//
// Write writes the message and nothing else: there is no length before it, so
// that what Write, Append and Encode produce is the same, Size is the size of
// it, and Read and Decode take either. It needs none, since a message says
// itself where it ends: a count comes before the elements that it counts, and a
// bit before what may be missing. Read follows the message through the plan of
// its type, and asks the Reader for as many bytes as the next step needs and
// never for one more: the byte after the message is still there for whoever
// reads next. It goes over the message twice, to find its end and to decode it,
// however long it is.
//
// For a type of one size that is one call of the Reader, as it is without tags.
// For others it may be many short ones: give Read a [bufio.Reader] if a call is
// dear, and the same one for all messages.
//
// A type with a method Serialize(*bits.Stream) error alone knows the length of
// what it reads. Read calls the method once, with a Stream whose Reader asks for
// more bytes when the method needs them. Until then [bits.Reader.Remaining] and
// [bits.Reader.Data] know only of the bytes that were asked for.
package binary
