package packet

import (
	"encoding/binary"
	"math/bits"
)

// maxHeader is the length of the header of the highest sequence number.
const maxHeader = 1 + 8

// appendSequence appends the header of a datagram: a byte that says how many
// bytes the sequence number takes, and these, the lowest first.
func appendSequence(dst []byte, seq uint64) []byte {
	n := (bits.Len64(seq) + 7) / 8
	var header [maxHeader]byte
	header[0] = byte(n)
	binary.LittleEndian.PutUint64(header[1:], seq)
	return append(dst, header[:1+n]...)
}

// readSequence reads the header that data starts with, of which there is one
// byte at least, and returns its length. A sequence number has one form only,
// so that it need not be authenticated in any other way than as the nonce.
func readSequence(data []byte) (seq uint64, n int, refusal Refusal) {
	n = int(data[0])
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
