// Package binary is a drop-in replacement for encoding/binary. A program that
// changes the import path compiles and does the same, mostly faster. Its structs
// can then get bp tags, one field at a time, and their encoding shrinks.
//
//	import "github.com/gobitpack/bitpack/tagcodec/binary" // was "encoding/binary"
//
//	type Player struct {
//		ID     uint32
//		Health uint16  `bp:"int,min=0,max=100"`                 // 7 bits instead of 16
//		X, Y   float32 `bp:"float,min=-1024,max=1024,res=0.01"` // 36 bits instead of 64
//		Alive  bool
//	}
//
//	err := binary.Write(w, binary.LittleEndian, &player) // 10 bytes instead of 15
//
// The package exports every name of encoding/binary, with the same type. The
// byte orders and the varint functions are those of encoding/binary itself, so
// their values are interchangeable.
//
// # Types without bp tags
//
// [Read], [Write], [Append], [Encode], [Decode] and [Size] do the same as in
// encoding/binary: the bytes, results, errors and panics are equal. There are
// two differences. Each type is analyzed only once, which saves time for most
// values; a *bool and the Size of a []uint8 take longer. And Read and Write
// reuse a buffer, so a Reader or Writer that retains the slice it is given,
// which package io forbids, finds the slice overwritten.
//
// # Types with bp tags
//
// A type has tags if any field in it has one, including the fields of structs
// reached through arrays, slices, maps and pointers. The tags and the wire
// format are those of package tagcodec: fields are packed bit by bit, and zero
// bits fill the last byte. One tag makes the whole type packed: a bool without
// a tag takes 1 bit and an int32 takes 32. The type may have any size, so
// strings, slices and pointers can be sent. These are the differences from
// types without tags:
//
//   - A blank or unexported field that encoding/binary would write must have a tag:
//     a field _ struct{} tagged bp:"reserved,bits=32" keeps the place of 4 bytes, and
//     bp:"-" leaves a field out. Without one, every call fails with an
//     error that wraps a [*typecache.Error].
//   - A value can be invalid, for instance out of the range of its tag. Append, Encode
//     and Write then fail with an error that wraps a [*tagcodec.Error], and Size
//     returns -1. Decode and Read fail in the same way if the bytes encode an invalid
//     value.
//   - The unused bits of the last byte must be zero.
//   - After an error of Encode, the contents of the buffer are unspecified. After an
//     error of Decode or Read, the value is unspecified, but nothing in it is out of
//     range.
//   - The byte order must be [LittleEndian], or [NativeEndian] on a little-endian
//     machine. The packed format is little-endian on every machine: a value that
//     crosses a byte boundary starts with its low bits, and reversing its bytes would
//     tear it apart.
//
// A slice of values with tags has no count on the wire, like a slice of values
// without tags. The length of the slice passed to Read or Decode determines the
// number of elements. They are packed bit by bit like the elements of an array
// of that length, and only the last one is padded to a whole byte.
//
// # Reading from a stream
//
// Write writes only the message, without a length before it. Write, Append and
// Encode therefore produce the same bytes, Size returns their number, and Read
// and Decode accept the output of each. A length is not needed, because a
// message determines its own end: each count precedes the elements that it
// counts, and a bit precedes each optional value. Read asks the Reader for the
// bytes that must come in any case and for no others, so the byte after the
// message remains for the next reader.
//
// A message of a type of fixed size takes one call of the Reader, as without
// tags. Read decodes other messages while they arrive, which is slower. It then
// calls the Reader for each count or condition that tells whether more bytes
// follow. The elements of a slice are read together as far as possible. Pass Read
// a [bufio.Reader], and the same one for all messages. Read then needs no call if
// the message is in the buffer, and decodes it at full speed. The same is true of
// a [bytes.Buffer] and a [bytes.Reader].
//
// A type with a method Serialize(*bits.Stream) error decides for itself how many
// bits it reads. Read calls the method once, with a Stream whose Reader gets
// more bytes when the method needs them. Until then [bits.Reader.Remaining]
// counts only the bytes read so far.
package binary
