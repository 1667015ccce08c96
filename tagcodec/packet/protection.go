package packet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"math"

	"golang.org/x/crypto/chacha20poly1305"
)

// Protection is how a protocol protects its datagrams. The package comment says
// what each protection stops and what it does not.
type Protection uint16

// The protections besides [HMAC].
const (
	None             Protection = iota << 8 // no protection
	CRC32            Protection = iota<<8 | 4
	hmacSHA256       Protection = iota << 8
	ChaCha20Poly1305 Protection = iota<<8 | chacha20poly1305.Overhead
	AES256GCM        Protection = iota<<8 | 16
)

// The bounds on the size of a truncated MAC, in bytes. An attacker who sends a
// million datagrams per second needs on average 292,000 years to guess 8 bytes.
// Guessing 4 bytes takes 36 minutes.
const (
	MinMAC = 8
	MaxMAC = sha256.Size
)

// HMAC is HMAC-SHA256 truncated to size bytes, from [MinMAC] to [MaxMAC]. The
// usual size is 16, half of the hash. HMAC panics if size is out of range.
func HMAC(size int) Protection {
	if size < MinMAC || size > MaxMAC {
		panic(fmt.Sprintf("packet: HMAC: the size is %d; it must be %d to %d", size, MinMAC, MaxMAC))
	}
	return hmacSHA256 | Protection(size)
}

func (p Protection) kind() Protection { return p &^ 0xff }

// size returns the number of bytes that the protection adds to a datagram.
func (p Protection) size() int { return int(p & 0xff) }

// prefixLen returns the number of those bytes that precede the header.
func (p Protection) prefixLen() int {
	if p.aead() {
		return 0
	}
	return p.size()
}

func (p Protection) aead() bool { return p == ChaCha20Poly1305 || p == AES256GCM }

// keyed reports whether sessions need a secret.
func (p Protection) keyed() bool { return p.kind() >= hmacSHA256 }

// last returns the last sequence number that may be sealed under one key. For
// AES-GCM it follows the limit of QUIC (RFC 9001, section 6.6).
func (p Protection) last() uint64 {
	if p == AES256GCM {
		return 1<<23 - 1
	}
	return math.MaxUint64
}

// valid reports whether p is a protection of this package.
func (p Protection) valid() bool {
	if p.kind() == hmacSHA256 {
		return p.size() >= MinMAC && p.size() <= MaxMAC
	}
	return p == None || p == CRC32 || p.aead()
}

// String returns the name of the protection, with the size of a MAC.
func (p Protection) String() string {
	switch p {
	case None:
		return "none"
	case CRC32:
		return "crc-32"
	case ChaCha20Poly1305:
		return "chacha20-poly1305"
	case AES256GCM:
		return "aes-256-gcm"
	}
	if p.valid() {
		return fmt.Sprintf("hmac-sha256 of %d bytes", p.size())
	}
	return fmt.Sprintf("%#x", uint16(p))
}

// The sizes in bytes of the key and the IV of a direction.
const (
	keySize   = 32
	nonceSize = 12
)

// guard protects the datagrams of one direction. It is not safe for concurrent
// use: it holds the scratch memory of its primitives, so that they do not
// allocate.
type guard struct {
	protection Protection
	id         [8]byte // the protocol id, little-endian
	crc        uint32  // CRC of id
	last       uint64  // the last sequence number that may be sealed

	mac      hash.Hash
	checksum [MaxMAC]byte

	aead  cipher.AEAD
	iv    [nonceSize]byte
	nonce [nonceSize]byte
}

// newGuard returns the guard of a direction, with keys derived from the secret
// and the salt. It fails only if a cryptographic primitive cannot be set up.
func newGuard(protection Protection, id uint64, direction string, secret, salt []byte) (*guard, error) {
	g := &guard{protection: protection, last: protection.last()}
	binary.LittleEndian.PutUint64(g.id[:], id)
	g.crc = crc32.ChecksumIEEE(g.id[:])
	if !protection.keyed() {
		return g, nil
	}
	info := fmt.Sprintf("bitpack packet %d, %016x, %v, %s", Format, id, protection, direction)
	keys, err := hkdf.Key(sha256.New, secret, salt, info, keySize+nonceSize)
	if err != nil {
		return nil, err
	}
	copy(g.iv[:], keys[keySize:])
	switch key := keys[:keySize]; protection.kind() {
	case hmacSHA256:
		g.mac = hmac.New(sha256.New, key)
	case ChaCha20Poly1305.kind():
		g.aead, err = chacha20poly1305.New(key)
	case AES256GCM.kind():
		var block cipher.Block
		if block, err = aes.NewCipher(key); err == nil {
			g.aead, err = cipher.NewGCM(block)
		}
	}
	return g, err
}

// seal appends a datagram to dst: the header, the protected data, and the
// checksum, MAC or tag.
func (g *guard) seal(dst []byte, kind byte, seq uint64, data []byte) []byte {
	start := len(dst)
	var room [MaxMAC]byte
	dst = append(dst, room[:g.protection.prefixLen()]...)
	dst = appendHeader(dst, kind, seq)
	if g.aead != nil {
		return g.aead.Seal(dst, g.nonceOf(kind, seq), data, g.id[:])
	}
	dst = append(dst, data...)
	g.computeChecksum(dst[start:])
	copy(dst[start:], g.checksum[:g.protection.prefixLen()])
	return dst
}

// open authenticates a datagram and returns its plaintext, which starts at
// offset at, after the header. An AEAD decrypts in place.
func (g *guard) open(datagram []byte, seq uint64, at int) ([]byte, Refusal) {
	if g.aead != nil {
		plaintext, err := g.aead.Open(datagram[at:at], g.nonceOf(datagram[0]&^lengthMask, seq), datagram[at:], g.id[:])
		if err != nil {
			return nil, ErrForged
		}
		return plaintext, 0
	}
	g.computeChecksum(datagram)
	prefixLen := g.protection.prefixLen()
	if subtle.ConstantTimeCompare(datagram[:prefixLen], g.checksum[:prefixLen]) == 1 {
		return datagram[at:], 0
	}
	if g.protection == CRC32 {
		return nil, ErrChecksum
	}
	return nil, ErrForged
}

// computeChecksum sets g.checksum to the checksum or MAC of a datagram.
func (g *guard) computeChecksum(datagram []byte) {
	data := datagram[g.protection.prefixLen():]
	switch g.protection.kind() {
	case CRC32.kind():
		binary.LittleEndian.PutUint32(g.checksum[:], crc32.Update(g.crc, crc32.IEEETable, data))
	case hmacSHA256:
		g.mac.Reset()
		g.mac.Write(g.id[:])
		g.mac.Write(data)
		g.mac.Sum(g.checksum[:0])
	}
}

// nonceOf returns the nonce of a datagram. As in TLS 1.3 (RFC 8446, section
// 5.3), the sequence number in network byte order, padded on the left, is XORed
// with the direction's IV. The first padding byte is the kind, so that the tag
// covers the whole header. Different sequence numbers give different nonces.
func (g *guard) nonceOf(kind byte, seq uint64) []byte {
	g.nonce = g.iv
	g.nonce[0] ^= kind
	low := g.nonce[nonceSize-8:]
	binary.BigEndian.PutUint64(low, seq^binary.BigEndian.Uint64(low))
	return g.nonce[:]
}
