package packet

import (
	"encoding/binary"
	"math/bits"
)

// The header of a datagram is a byte and the sequence number:
//
//	bits 0 to 3    n, the bytes of the sequence number, 0 to 8
//	bits 4 and 5   the kind of the datagram
//	bits 6 and 7   zero
//
// Kinds 2 and 3 and the two highest bits are reserved. The upper half of the
// byte is never 6, which is that of the first and fifth byte of the handshake's
// magic: see [IsHandshake].
const (
	kindData    byte = 0 << 4 // packets
	kindControl byte = 1 << 4 // a Control

	lengthMask = 0x0f
)

// maxHeader is the length of the header of the highest sequence number.
const maxHeader = 1 + 8

// appendHeader appends the header of a datagram: its kind, the length of the
// sequence number, and the sequence number, lowest byte first.
func appendHeader(dst []byte, kind byte, seq uint64) []byte {
	n := (bits.Len64(seq) + 7) / 8
	var header [maxHeader]byte
	header[0] = kind | byte(n)
	binary.LittleEndian.PutUint64(header[1:], seq)
	return append(dst, header[:1+n]...)
}

// readHeader reads the header at the start of data, which must have at least
// one byte, and returns its length n. Each kind and sequence number has one
// header only.
func readHeader(data []byte) (kind byte, seq uint64, n int, refusal Refusal) {
	kind, n = data[0]&^lengthMask, int(data[0]&lengthMask)
	switch {
	case kind > kindControl || n > 8:
		return 0, 0, 0, ErrGarbage
	case len(data) < 1+n:
		return 0, 0, 0, ErrTruncated
	}
	for i := n; i > 0; i-- {
		seq = seq<<8 | uint64(data[i])
	}
	if n > 0 && data[n] == 0 {
		return 0, 0, 0, ErrGarbage
	}
	return kind, seq, 1 + n, 0
}
