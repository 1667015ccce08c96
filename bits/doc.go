// Package bits reads and writes bit-packed values of any width.
//
// Bits are packed least-significant first. The first value written occupies the
// low bits of byte 0, and a value that does not fit in the rest of a byte
// continues in the low bits of the next one. Writing a 3-bit 5, a bool true, a
// 10-bit 700 and an align gives
//
//	       byte 0            byte 1
//	 7 6 5 4 3 2 1 0   7 6 5 4 3 2 1 0
//	+-------+-+-----+ +---+-----------+
//	|  700  |1|  5  | |pad| 700 cont. |
//	+-------+-+-----+ +---+-----------+
//	 1 1 0 0 1 1 0 1   0 0 1 0 1 0 1 1
//
// A message of n bits is ceil(n/8) bytes long, and the unused bits of its last
// byte are zero. Seen as 64-bit words, it is little-endian on every machine.
// This is the public format "serialize 1.0", byte for byte.
//
// A [Writer] writes and a [Reader] reads. A [Stream] runs one serialize
// function in either direction, or only measures. All of them keep the first
// error and do nothing after it, so a function can make all its calls and check
// Err once at the end. A value read after an error is the smallest in its
// range, so a count read from a hostile packet never exceeds its bound.
//
// A Stream has what hand-written serialize functions mostly need. For anything
// else, package tagcodec has Field, which codes a variable of a Stream by the text
// of a struct tag: lists, maps, pointers, rotations and so on.
//
// Functions panic only on misuse by the programmer, such as a width of 65 bits.
// No packet, whatever its contents, causes a panic.
package bits
