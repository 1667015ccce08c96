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
// tags, so both sides must agree on the tags and on the order of the fields:
// [Codec.Hash] tells whether they do. [Codec.Explain] shows what each bit of a
// message means, and a [Profile] what each field costs. The format is the public
// "serialize 1.0", which is also implemented in other languages.
//
// A field without a tag is as wide as its Go type: a bool takes 1 bit, an int16
// takes 16 bits, and an int takes 64. Structs and arrays are written as their
// fields and elements, in order. A slice, map or string starts with its length;
// the tag must give the maximum. A pointer starts with one bit that reports
// whether it is non-nil.
//
// Unexported fields and fields tagged bp:"-" are not written. A struct with
// only unexported fields, such as [sync/atomic.Int64], is an error because
// nothing of it would be written.
//
// A type with a method Serialize(*bits.Stream) error reads and writes itself in
// place. A struct that embeds such a type inherits the method, so nothing else
// in that struct is written. To avoid this, turn the embedded type into a named
// field or give the struct its own Serialize method. A Serialize method that
// accepts a stream but has a different signature is an error. A Serialize
// method that calls Reset or Resume on the Reader or Writer of its stream fails
// with [ErrArgument].
//
// Such a type may also have a method MaxBits() int, which returns the most bits
// that Serialize reads or writes, wherever in a byte it starts: each alignment
// takes up to 7. A value that takes more fails with [ErrLength], and the sizes of
// messages and the budgets of package packet are bounded. Without the method a
// value may take any number of bits. The method is called on a zero value when
// a plan is built. It may ask the codec of another type, which must not hold its
// own type, and should not use variables that may not be initialized by then. A
// type with its own Serialize that embeds a type with MaxBits needs its own
// MaxBits too.
//
// A Serialize method codes a part with tags by [Serialize], and any variable by
// the text of a tag with [Field].
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
// the functions [Serialize] and [Field] follow the rules of the whole message: the depth
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
// # What a message does not detect
//
// Nearly every combination of bits is a valid message of a compact type. So
// damage, another version of the type and fields that have changed places often
// give other values in place of an error. Something around the message detects
// each of them:
//
//   - Damage: a CRC, MAC or AEAD of package packet, or a checksum next to the
//     messages of a file.
//   - Forgery: a MAC or an AEAD of package packet.
//   - Another version: [Codec.Hash]. Compare it once for each connection, and
//     store it at the start of a file. The protocol id of package packet
//     contains the hashes of all its types.
//   - Swapped fields with equal tags: the hash does not contain names, so it
//     stays the same. The file bp.lock does contain them; docs/TOOLS.md in the
//     repository describes it.
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
//   - a value of kind relative that was sent as the full integer although a
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
// # Generated code
//
// The command "bp gen" writes straight-line Go code for the types of a package.
// Once it is linked, this package uses it for these types, except in codecs with a
// Linker. Programs do not change. Bytes, values and errors are the same, in less
// time. Code that was made for another version of a type is not used.
// docs/TOOLS.md in the repository describes the command.
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
// A tag has the form bp:"kind,option=value,...". If the kind is omitted, the Go
// type and the options determine it: int or uint for integers, float for
// floats, string for strings and bytes for a []byte. bp:"-" omits the field.
// docs/TAGS.md in the repository lists the bounds of every option, with
// examples and their sizes in bits.
//
// Kinds of scalars:
//
//   - int, uint: an integer in [min, max], or the low bits of one
//   - enum: an integer in [0, max]
//   - fixed: a fixed-point number in an integer with frac fraction bits; min and
//     max are in whole units
//   - varint: an integer in groups of 7 bits, zigzag-encoded if signed
//   - expgolomb: an integer in the Exp-Golomb code of order k, which takes k+1 bits
//     below 2^k and 2 more for each doubling; zigzag-encoded if signed
//   - relative: an integer greater than another one, which is the constant base,
//     an earlier field (option to), or the same field of the previous element
//     (option chain)
//   - float: a float in [min, max], with steps of at most res or a width of bits
//   - half: a float32 as IEEE binary16, which is infinite from 65520 on
//   - angle: a float within one turn, with a width of bits or steps of at most
//     res; unit is rad or deg
//
// Kinds of text and bytes:
//
//   - string: UTF-8 without zero bytes, in a string or []byte
//   - wstring: the same text as UTF-16 units, in a string
//   - cstring: the same text in a [N]byte, where a zero byte ends it
//   - bytes: any bytes, in a [N]byte, []byte or string
//   - binary: the result of the type's AppendBinary or MarshalBinary method
//
// Kinds of geometry:
//
//   - quat: a rotation as the smallest three components of a quaternion, or with
//     mode=sign as x, y, z and the sign of w
//   - unit: a vector of length 1 as a point on an octahedron
//   - affine: a translation, rotation and scale, or the matrix composed of them
//
// Kinds of references:
//
//   - union: an interface that holds one of its registered types
//   - link: a pointer or interface, sent as the network id of its object
//
// Kinds of fields of type struct{}, which may be named _:
//
//   - align: zero bits up to the next byte
//   - reserved: zero bits; bits is their number
//   - const: a constant, given by value and bits
//   - check: a 32-bit constant that detects when the two sides are out of step;
//     value overrides the default
//
// Options of numbers:
//
//   - min, max: the bounds, inclusive
//   - bits: the width in bits
//   - res: the maximum step size
//   - frac: the number of fraction bits of fixed
//   - k: the order of expgolomb; the default is 0
//   - unit: the unit of an angle, rad or deg
//   - base, to, chain: the integer that a relative one is coded against
//   - mode: the form of a quat, which is sign or three; the default is three
//   - value: the value of a const or check
//
// Options of sequences:
//
//   - maxlen, minlen: the bounds of a length; maxlen is required
//   - elem., key.: prefixes of options for the elements, and for a map's keys;
//     elem.kind and key.kind set their kind
//   - subset: only the present elements are sent. Their indices take the form
//     bitmap, index, sentinel or relative. With auto, each message uses the
//     shortest form.
//   - rle: equal neighbors are sent once, with their number; for scalars of a
//     fixed size
//   - by: the bool field that reports whether an element of a subset is present
//
// Options of presence:
//
//   - if: the field is sent only if a condition on an earlier bool or integer
//     holds: Field, !Field, Field==K, Field!=K or Field&M
//   - optional: 1 bit, followed by the value unless it is zero
//   - common: a short code for each listed value, as in common=0|7
//   - huffman: a Huffman code for the listed values and their weights, as in
//     huffman=0:90|1:7|*:3, where * is the escape code
//
// Options for package delta, which do not affect messages:
//
//   - pred: how a value is predicted: hold, lin or vel:Field
//   - key: the integer identifies an element of a slice
//   - step: with auto, the elements are sampled at ticks of their own
//
// The smallest-three form of a quat cannot represent zero components, because
// its grid has an even number of codes. The identity is therefore decoded as a
// small rotation: 0.275 degrees at 9 bits. With mode=sign the identity is exact.
// Similarly, a float with bits and symmetric bounds cannot represent zero. With
// res it can if the number of steps is even.
package tagcodec
