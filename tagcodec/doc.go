// Package tagcodec marshals Go values to the smallest wire that their struct
// tags allow, and reads them back safely.
//
//	type Player struct {
//		Health int32      `bp:"int,min=0,max=100"`                       // 7 bits
//		Pos    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`       // 54 bits
//		AtRest bool                                                      // 1 bit
//		Vel    [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=!AtRest"` // 0 or 30 bits
//	}
//
//	data, err := tagcodec.Marshal(&player)   // 8 or 12 bytes
//	err = tagcodec.Unmarshal(data, &player)
//
// [Marshal], [Append], [Unmarshal], [UnmarshalFirst] and [Size] take any value.
// A [Codec] of one type does the same without looking anything up.
//
// # The wire
//
// Values follow each other without gaps, least-significant bit first, in the
// order of the struct's fields; a message is filled up to whole bytes with
// zero bits. The tags and the order of the fields are all that the two sides
// must have in common: neither names nor types nor lengths that both know are
// sent. The format is the public "serialize 1.0", so that the other side may
// be written in another language.
//
// A field without a tag takes the bits that its Go type has: a bool 1, an
// int16 16, an int 64. Fields that are not exported are left out, and so are
// those tagged bp:"-". A struct that has none but fields that are not exported,
// such as an atomic.Int64, is refused: nothing of it would be sent. Structs and
// arrays are their fields and elements in order; a slice, a map and a string
// have a count before them, whose bound the tag must give; a pointer has one
// bit before it that says whether it is set.
//
// A type with a method Serialize(*bits.Stream) error writes and reads itself,
// in place. A struct that embeds such a type has the method too and is sent by
// it alone: give the field a name, or the struct a Serialize of its own. A
// struct whose Serialize takes a stream, but has another signature, is refused.
// A Serialize that calls Reset or Resume of its stream's Reader or Writer fails
// with [ErrArgument].
// The bp tags of a type that encodes itself, by this method or by bp:"binary",
// are checked as well, since its method may hand them to [Serialize].
//
// A tag whose key is nearly bp, such as BP or bpp, is refused, and so is a
// malformed tag that mentions bp.
//
// # Safety
//
// Unmarshal accepts what Marshal could have written and refuses all else with
// an [*Error] that says which value is wrong, at which bit, and what its
// bounds are. It never panics, whatever the data.
//
// Unmarshal takes memory for elements, for what a pointer refers to and for a
// member of a union only after it has found the bits that these take at least,
// besides the bits that everything after them in the message still needs. The
// memory that a message takes therefore grows with its length, whatever it
// claims. So do the time and the length of its error. How much memory a bit may
// stand for depends on the type: an element whose values a condition may take
// away takes its memory for one bit.
//
// A method Serialize is as safe as it is written. What it hands to the function
// [Serialize] is read by the rules of the whole message: the depth, the [Linker],
// the unions and the bits that others need all count. A method UnmarshalBinary
// gets bytes alone. If it calls Unmarshal, that is a message of its own, with
// settings of its own and a depth that starts at 0. Such forms can nest in each
// other, a byte or more for each level and a few kilobytes of the goroutine's
// stack: keep their maxlen small, or give the type a Serialize instead.
//
// Values that take no bits at all, such as an integer with min equal to max, are
// set and checked without any bits to pay for it. A type may have 64 KiB of them
// in a message and 256 bytes for each bit that the message takes at least; in an
// element that a packet may repeat, 256 bytes for each bit of the element. A type
// with more is refused with its plan. Array elements that put nothing on the
// wire, as in [1<<20]struct{}, cost nothing. A map has no more entries than its
// keys have values: a map[bool] has 2, whatever its maxlen.
//
// Nothing that was read refers to the data, which may be used again at once.
//
// # Reading into the same variable again
//
// Unmarshal reuses the memory of the variable: slices, []byte fields, maps, and
// what pointers refer to. What the variable keeps is bounded, whatever messages
// it is given. A slice with room for more than four times the elements of the
// message is replaced by one of their number, unless its room takes 64 bytes or
// less. A map that had more entries than the message has is replaced in the same
// way. The slices and maps that a value has once, and not in elements of others
// nor in a union or a recursive type, share 64 kB instead of having 64 bytes
// each: a variable of few of them seldom takes memory again, however the lengths
// vary. Memory that a program reaches by other ways is not counted: what it puts
// into a slice behind its length stays there.
//
// # After a failure
//
// What a refused message leaves in the variable can be used, and read into
// again. Every value is within its bounds, or is the zero that stands for what
// is not there, or what the variable held before. The values in front of the
// one that the error names are those of the message. That one and those behind
// it are as they were, or partly read; a map is as it was until all its entries
// are read. Elements that hold pointers become zero behind the one that was
// refused, in a slice, so that refused messages do not make a variable grow
// either. A slice that was shortened shows no old elements if it grows into its
// capacity.
//
// # What the format leaves open
//
// Marshalling what was unmarshalled gives the same bytes again, but for what
// the format leaves open: an int_relative that was sent as the integer itself
// though a shorter form fits; a quantized float with a step about as narrow as
// the spacing of floats at the bound farther from zero, whose rounding may reach
// the next step (of float32, that bound times 2^-23, and any of more than 2^23+1
// steps: see [compress.Float32.Canonical]); a signaling NaN of kind half; an
// angle of a float32 of more than 23 bits; a smallest-three quaternion of float32
// of more than 11 bits; a matrix of kind affine; a link to an object that nobody
// knows; and what a type's own methods leave open. [typecache.Plan.Open] tells
// which of these a type has.
//
// Marshal accepts every value that Unmarshal returns, and Unmarshal accepts that
// message. A program that passes values on sends the same bytes as the program
// before it, unless the plan has a matrix, whose numbers may change in their
// last bits each time, or a quantized float with such fine steps, which may move
// by a few of them before it stays. A type that has methods of its own must
// accept on writing what it accepts on reading.
//
// # Without unsafe
//
// Values are reached by their offsets in memory, in package internal/memory
// alone. A program that is built with the tag purego is without it, and
// without any use of unsafe: a plain interpreter of the same plans does the
// work with package reflect. The bytes, values and errors are the same. It is
// slower, takes memory for its own work, and differs where reflect does not
// reach:
//
//   - A type with an embedded struct that is not exported and encodes itself,
//     by a method Serialize that is not promoted or by bp:"binary", is refused
//     with a [*typecache.Error]: its methods cannot be called.
//   - Where such a struct is absent, by if or optional, its exported fields
//     become zero, and the others, which are never sent, stay as they are.
//   - A link that waits in a [LinkingContext] keeps its message alive, up to a
//     bound that it states.
//   - More than 65536 blocks in each other (values of recursive types, and the
//     slices, maps, arrays, pointers and interfaces between them) are refused
//     with [ErrDepth], whatever [WithMaxDepth] says.
//
// # Tags
//
// A tag is bp:"kind,option=value,...". The kind may be left out, and is then that
// of the Go type or of the options: int or uint for integers, float for floats,
// string for strings, bytes for a []byte. bp:"-" leaves the field out. The
// repository's docs/TAGS.md has the bounds of every option, and examples with
// their bits.
//
// Kinds of scalars:
//
//   - int, uint: an integer in [min, max], or in its low bits
//   - enum: an integer in [0, max]
//   - fixed: a fixed-point integer of frac fraction bits, in whole units [min, max]
//   - varint: an integer in groups of 7 bits, zigzag if signed
//   - relative: an integer above another one: the constant base, the earlier field
//     to, or in a chain the same field of the element before
//   - float: a float in [min, max] in steps of res, or in bits
//   - half: a float32 as IEEE binary16
//   - angle: a float around the circle in bits, or in steps of res, in the unit rad
//     or deg
//
// Kinds of text and bytes:
//
//   - string: UTF-8 without zeros, in a string or []byte
//   - wstring: the same as UTF-16 units, in a string
//   - cstring: the same up to the first zero, in a [N]byte
//   - bytes: any bytes, in a [N]byte, []byte or string
//   - binary: what the type's MarshalBinary or AppendBinary returns
//
// Kinds of geometry:
//
//   - quat: a rotation in smallest three, or with mode=sign as x, y, z and the
//     sign of w
//   - unit: a vector of length 1 as a point of an octahedron
//   - affine: a translation, rotation and scale, or a matrix of them
//
// Kinds of references:
//
//   - union: an interface that holds one of its registered types
//   - link: a pointer or interface as the network id of an object
//
// Kinds of fields of type struct{}, which may be named _:
//
//   - align: zero bits up to the next byte
//   - reserved: zero bits
//   - const: the constant value in bits
//   - check: a known 32-bit value, or value
//
// Options of numbers:
//
//   - min, max: the bounds, both included
//   - bits: the width
//   - res: the largest step
//   - frac: the fraction bits of fixed
//   - unit: the unit of an angle, rad or deg
//   - base, to, chain: what relative is relative to
//   - mode: the code of a quat, sign
//   - value: the value of a const or check
//
// Options of sequences:
//
//   - maxlen, minlen: the bounds of a count; maxlen is required
//   - elem., key.: prefixes of options for the elements, and for a map's keys;
//     elem.kind and key.kind name their kind
//   - subset: only the present elements, their indices sent as bitmap, index,
//     sentinel, relative or auto, which is the shortest
//   - by: the bool field that says which elements of a subset are present
//
// Options of presence:
//
//   - if: nothing unless the condition holds: Field, !Field, Field==K, Field!=K or
//     Field&M, of an earlier bool or integer
//   - optional: 1 bit, and the value unless it is zero
//   - common: a short code for each listed value, as in common=0|7
//   - huffman: a Huffman code over listed values by weight, as in
//     huffman=0:90|1:7|*:3, where * is the escape code
//
// Smallest three returns the identity slightly rotated, by 0.275 degrees at 9
// bits, because its grid has an even number of codes and so no zero. With
// mode=sign the identity is exact. A float with bits has no exact zero between
// symmetric bounds for the same reason; with a res that makes an even number of
// steps it has one.
package tagcodec
