package packet

import (
	"encoding/binary"
	mathbits "math/bits"
)

// The header of a datagram is one byte followed by the sequence number:
//
//	bits 0 to 3    n, the bytes of the sequence number, 0 to 8
//	bits 4 and 5   the kind of the datagram
//	bits 6 and 7   zero
//
// The upper half of a valid byte is never 6. It is 6 in the first and the fifth
// byte of the handshake's magic; see [IsHandshake].
const (
	kindData    byte = 0 << 4 // packets
	kindControl byte = 1 << 4 // a Control
	kindAcks    byte = 2 << 4 // added to the kind of a datagram that starts with an ack section

	lengthMask = 0x0f
)

// maxHeader is the length in bytes of the longest header.
const maxHeader = 1 + 8

// appendHeader appends a header. The sequence number is little-endian and as
// short as possible.
func appendHeader(dst []byte, kind byte, seq uint64) []byte {
	n := (mathbits.Len64(seq) + 7) / 8
	var header [maxHeader]byte
	header[0] = kind | byte(n)
	binary.LittleEndian.PutUint64(header[1:], seq)
	return append(dst, header[:1+n]...)
}

// readSequence reads the header at the start of data, which must not be empty.
// It returns the sequence number and the length of the header. It refuses a
// sequence number that is longer than necessary, so that each kind and number
// has one header.
func readSequence(data []byte) (seq uint64, n int, refusal Refusal) {
	n = int(data[0] & lengthMask)
	switch {
	case n > 8:
		return 0, 0, ErrGarbage
	case len(data) < 1+n:
		return 0, 0, ErrTruncated
	}
	for i := n; i > 0; i-- {
		seq = seq<<8 | uint64(data[i])
	}
	if n > 0 && data[n] == 0 {
		return 0, 0, ErrGarbage
	}
	return seq, 1 + n, 0
}
