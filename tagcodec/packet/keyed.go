package packet

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// hasher computes HMAC-SHA256 under any key without allocating, which hmac.New
// does for every key. It is for one goroutine at a time.
type hasher struct {
	sha hash.Hash
	pad [sha256.BlockSize]byte
	sum [sha256.Size]byte // the last HMAC

	user   [8]byte
	reason [1]byte
}

func newHasher() hasher { return hasher{sha: sha256.New()} }

// start starts an HMAC (RFC 2104). The key has at most a block, and may be
// h.sum. The message is written to h.sha.
func (h *hasher) start(key []byte) {
	h.pad = [len(h.pad)]byte{}
	copy(h.pad[:], key)
	h.xor(0x36)
	h.sha.Reset()
	h.sha.Write(h.pad[:])
}

// finish sets h.sum to the HMAC of the message since start.
func (h *hasher) finish() {
	h.sha.Sum(h.sum[:0])
	h.xor(0x36 ^ 0x5c)
	h.sha.Reset()
	h.sha.Write(h.pad[:])
	h.sha.Write(h.sum[:])
	h.sha.Sum(h.sum[:0])
}

func (h *hasher) xor(b byte) {
	for i := range h.pad {
		h.pad[i] ^= b
	}
}

// proof sets the first proofLen bytes of h.sum to a proof. info is that of
// HKDF-Expand (RFC 5869) with the number of the only block, 1. The work depends
// on the lengths of the arguments alone.
func (h *hasher) proof(info, secret []byte, client *nonce, user uint64, more []byte) {
	h.start(nil) // HKDF-Extract without a salt
	h.sha.Write(secret)
	h.finish()
	h.start(h.sum[:])
	h.sha.Write(info)
	h.finish()
	h.start(h.sum[:])
	binary.LittleEndian.PutUint64(h.user[:], user)
	h.sha.Write(client[:])
	h.sha.Write(h.user[:])
	h.sha.Write(more)
	h.finish()
}
