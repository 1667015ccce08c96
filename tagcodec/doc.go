// Package tagcodec encodes Go values as compactly as their struct tags allow
// and decodes them safely.
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
// [Marshal], [Append], [Unmarshal], [UnmarshalFirst] and [Size] accept values
// of any type. Each call looks up the plan of the type, which is the compiled
// form of its tags. A [Codec] holds the plan of a single type and needs no
// lookup.
//
// A tag consists of a kind, such as int or float, and options. If the kind is
// omitted, it follows from the Go type.
//
// # Wire format
//
// The fields of a struct are written in order, without gaps, least significant
// bit first. Zero bits pad the message to a whole number of bytes. The message
// contains no names, no types, and no lengths that both sides know from the
// tags, so both sides must agree on the tags and on the order of the fields.
// The format is the public "serialize 1.0", which is also implemented in other
// languages.
//
// A field without a tag is as wide as its Go type: a bool takes 1 bit, an int16
// takes 16 bits, and an int takes 64. Structs and arrays are written as their
// fields and elements, in order. A slice, map or string starts with its length;
// the tag must give the maximum. A pointer starts with one bit that reports
// whether it is non-nil.
//
// Unexported fields and fields tagged bp:"-" are not written. A struct with
// only unexported fields, such as [sync/atomic.Int64], is an error because none
// of it would be written.
//
// A type with a method Serialize(*bits.Stream) error reads and writes itself in
// place. A struct that embeds such a type inherits the method, so nothing else
// in that struct is written. To avoid this, turn the embedded type into a named
// field or give the struct its own Serialize method. A Serialize method that
// accepts a stream but has a different signature is an error. A Serialize
// method that calls Reset or Resume on the Reader or Writer of its stream fails
// with [ErrArgument].
//
// The bp tags of a type that encodes itself, whether by a Serialize method or
// by bp:"binary", are also checked, because its methods may pass the type to
// [Serialize].
//
// A tag key that resembles bp, such as BP or bpp, is an error. So is a malformed
// tag that contains bp.
//
// # Safety
//
// Unmarshal accepts only messages that Marshal could have written. It reports
// any other message as an [*Error] that identifies the value, its bit position
// and its bounds. It never panics, whatever the data.
//
// Unmarshal allocates memory for elements, for the target of a pointer or for a
// union member (see [RegisterUnion]) only if enough bits remain. The remaining
// bits must cover the minimum size of the new values plus the minimum size of
// the rest of the message. Memory use, running time and the length of an error
// are therefore bounded in proportion to the length of the message, whatever
// counts it contains. The amount of memory per bit depends on the type. For
// example, an element whose fields are all conditional on one bool can be
// allocated for a single bit.
//
// A Serialize method is only as safe as its own code. The values it passes to
// the function [Serialize] follow the rules of the whole message: the depth
// limit, the [Linker], the registered unions and the bits reserved for later
// values all apply. An UnmarshalBinary method receives only bytes. If it calls
// Unmarshal, those bytes are a separate message with its own settings and a
// depth that starts at 0. Such messages can be nested. Each level takes as
// little as one byte of input but a few kilobytes of stack, so keep their
// maxlen small or use a Serialize method instead.
//
// Values that take no bits, such as an integer whose min equals its max, are
// still assigned and checked. Their total memory is limited to 64 KiB per
// message plus 256 bytes per bit of the minimum message size. In an element
// that a message may repeat, the limit is 256 bytes per bit of the element. A
// type above the limit is an error when its plan is built. Array elements that
// write nothing, as in [1<<20]struct{}, cost nothing. A map never has more
// entries than its key type has values: a map[bool] has at most 2, whatever its
// maxlen.
//
// Decoded values never share memory with the data, so the caller may reuse it
// immediately.
//
// # Decoding into an existing variable
//
// Unmarshal reuses the memory of the variable it decodes into: slices, []byte
// fields, maps and the targets of pointers. The memory that the variable
// retains is bounded, whatever messages it receives:
//
//   - A slice is reallocated if its capacity is more than four times the new
//     length, unless that capacity takes 64 bytes or less.
//   - A map is reallocated if it had more entries than the new message has,
//     unless those entries take 64 bytes or less.
//   - Slices and maps that occur once in a value share an allowance of 64 KiB
//     in place of 64 bytes each. This excludes those inside elements, unions
//     and recursive types. Types with few slices and maps therefore rarely
//     reallocate, even if the lengths vary.
//
// Only memory that the decoder can see is bounded. Values that the program
// stores beyond the length of a slice are retained.
//
// # After an error
//
// After an error the variable can still be used and decoded into again. Each
// value is within its bounds, is the zero value of something absent, or has not
// changed. The values before the one named by the error come from the message.
// That value and later ones are unchanged or partly decoded. A map is unchanged
// until all its entries have been decoded. If the elements of a slice contain
// pointers, those after the failed element are set to zero, so that refused
// messages do not make the variable retain more memory. A slice that was
// shortened shows no old elements if it later grows within its capacity.
//
// # Canonical form
//
// Unmarshal followed by Marshal reproduces the same bytes, with these
// exceptions:
//
//   - an int_relative value that was sent as the full integer although a
//     shorter form fits
//   - a quantized float whose step is about as small as the spacing of floats
//     at the bound of larger magnitude, because rounding may move it to an
//     adjacent step. For a float32 the spacing is that bound times 2^-23, and
//     any range of more than 2^23+1 steps is affected; see
//     [compress.Float32.Canonical].
//   - a signaling NaN in a field of kind half
//   - an angle of more than 23 bits stored in a float32
//   - a smallest-three quaternion of more than 11 bits per component stored in
//     float32s
//   - a matrix of kind affine
//   - a link to an unknown object
//   - anything encoded by a type's own methods
//
// [typecache.Plan.Open] reports which of these a type contains.
//
// Marshal accepts every value that Unmarshal returns, and Unmarshal accepts the
// resulting message. A program that relays values therefore sends the bytes it
// received, except for the cases above. The numbers of a matrix may change in
// their last bits on each pass. A quantized float with very small steps may
// move by a few steps before it settles. A type with its own methods must be
// able to write every value it reads.
//
// # Building without unsafe
//
// Only the package internal/memory uses unsafe, to reach values by their
// offsets. The build tag purego excludes it and selects a reference interpreter
// that runs the same plans with package reflect. Bytes, values and errors are
// the same, but the interpreter is slower and allocates memory. It also differs
// where reflect is limited:
//
//   - A type is refused with a [*typecache.Error] if it embeds an unexported
//     struct that encodes itself, either by a Serialize method that is not
//     promoted or by bp:"binary". Reflect cannot call the methods of such a
//     struct.
//   - If an embedded unexported struct is absent because of if or optional, its
//     exported fields are set to zero. Its other fields, which are never
//     written, keep their values.
//   - A link that waits in a [LinkingContext] keeps its message alive, up to a
//     limit documented there.
//   - More than 65536 nested blocks fail with [ErrDepth], whatever limit
//     [WithMaxDepth] sets. A block is a value of a recursive type, or a slice, map,
//     array, pointer or interface between such values.
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
