package packet

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// hasher computes HMAC-SHA256 under any key without allocating; hmac.New would
// allocate for each key. It is not safe for concurrent use.
type hasher struct {
	sha    hash.Hash
	pad    [sha256.BlockSize]byte
	digest [sha256.Size]byte // the last HMAC

	user   [8]byte
	reason [1]byte
}

func newHasher() hasher { return hasher{sha: sha256.New()} }

// start begins an HMAC (RFC 2104). The key may be h.digest, and must not be longer
// than a block. The caller then writes the message to h.sha.
func (h *hasher) start(key []byte) {
	h.pad = [len(h.pad)]byte{}
	copy(h.pad[:], key)
	h.xor(0x36)
	h.sha.Reset()
	h.sha.Write(h.pad[:])
}

// finish sets h.digest to the HMAC of the message written since start.
func (h *hasher) finish() {
	h.sha.Sum(h.digest[:0])
	h.xor(0x36 ^ 0x5c)
	h.sha.Reset()
	h.sha.Write(h.pad[:])
	h.sha.Write(h.digest[:])
	h.sha.Sum(h.digest[:0])
}

func (h *hasher) xor(b byte) {
	for i := range h.pad {
		h.pad[i] ^= b
	}
}

// proof sets the first proofLen bytes of h.digest to a proof. info is the info of
// HKDF-Expand (RFC 5869) followed by the number of its only block, 1. The
// amount of work depends only on the lengths of the arguments.
func (h *hasher) proof(info, secret []byte, client *nonce, user uint64, more []byte) {
	h.start(nil) // HKDF-Extract without a salt
	h.sha.Write(secret)
	h.finish()
	h.start(h.digest[:])
	h.sha.Write(info)
	h.finish()
	h.start(h.digest[:])
	binary.LittleEndian.PutUint64(h.user[:], user)
	h.sha.Write(client[:])
	h.sha.Write(h.user[:])
	h.sha.Write(more)
	h.finish()
}
