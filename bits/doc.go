// Package bits writes and reads values of any width, packed without gaps.
//
// Bits are packed least-significant first: the first value written occupies
// the low bits of byte 0, and a value that does not fit what is left of a
// byte continues in the low bits of the next one. Writing a 3-bit 5, a bool
// true, a 10-bit 700 and an align gives
//
//	       byte 0            byte 1
//	 7 6 5 4 3 2 1 0   7 6 5 4 3 2 1 0
//	+-------+-+-----+ +---+-----------+
//	|  700  |1|  5  | |pad| 700 cont. |
//	+-------+-+-----+ +---+-----------+
//	 1 1 0 0 1 1 0 1   0 0 1 0 1 0 1 1
//
// Seen as 64-bit words the message is little-endian on every machine. It is
// ceil(bits/8) bytes long and the unused bits of its last byte are zero. This
// is the public format "serialize 1.0", byte for byte.
//
// [Writer] and [Reader] are the two directions; [Stream] runs one serialize
// function in either of them, and in a third that only measures. All of them
// keep the first error and do nothing after it, so a function may be written
// straight down and look at Err once at its end. A value read after an error
// is the smallest its range allows, so a count read from a hostile packet
// never exceeds its bound.
//
// Panics are for misuse by the programmer, such as a width of 65 bits. Nothing
// that a packet holds causes one.
package bits
