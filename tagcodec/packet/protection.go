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

// Protection is what guards the datagrams of a protocol. The package comment
// says what each stops, and what it does not.
type Protection uint16

// The protections, other than those of [HMAC].
const (
	None             Protection = iota << 8 // nothing
	CRC32            Protection = iota<<8 | 4
	hmacSHA256       Protection = iota << 8
	ChaCha20Poly1305 Protection = iota<<8 | chacha20poly1305.Overhead
	AES256GCM        Protection = iota<<8 | 16
)

// The lengths that a MAC may be truncated to. One who sends a million datagrams
// a second has guessed 4 bytes after two hours, and 8 bytes, on average, after
// 292,000 years.
const (
	MinMAC = 8
	MaxMAC = sha256.Size
)

// HMAC is HMAC-SHA256 truncated to size bytes, of [MinMAC] to [MaxMAC]. Half
// of the hash, 16, is the usual choice.
func HMAC(size int) Protection {
	if size < MinMAC || size > MaxMAC {
		panic(fmt.Sprintf("packet: a MAC must have %d to %d bytes, not %d", MinMAC, MaxMAC, size))
	}
	return hmacSHA256 | Protection(size)
}

func (p Protection) kind() Protection { return p &^ 0xff }

// size returns the bytes that the protection adds to a datagram.
func (p Protection) size() int { return int(p & 0xff) }

// front returns how many of them stand before the data.
func (p Protection) front() int {
	if p.aead() {
		return 0
	}
	return p.size()
}

func (p Protection) aead() bool { return p == ChaCha20Poly1305 || p == AES256GCM }

// keyed reports whether sessions need a secret.
func (p Protection) keyed() bool { return p.kind() >= hmacSHA256 }

// last returns the last sequence number that may be sealed under one key. The
// limit of AES-GCM is that of QUIC (RFC 9001, section 6.6).
func (p Protection) last() uint64 {
	if p == AES256GCM {
		return 1<<23 - 1
	}
	return math.MaxUint64
}

// valid reports whether p is one of the package's.
func (p Protection) valid() bool {
	if p.kind() == hmacSHA256 {
		return p.size() >= MinMAC && p.size() <= MaxMAC
	}
	return p == None || p == CRC32 || p.aead()
}

// String returns the name of the protection and the bytes it adds.
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
	if p.kind() == hmacSHA256 {
		return fmt.Sprintf("hmac-sha256 of %d bytes", p.size())
	}
	return fmt.Sprintf("protection %#x", uint16(p))
}

// The bytes that the keys of one direction are made of.
const (
	keySize   = 32
	nonceSize = 12
)

// guard protects the datagrams of one direction. It is for one goroutine at a
// time: it keeps what its primitives need between calls, so that none of them
// takes memory.
type guard struct {
	protection Protection
	id         [8]byte // the protocol id, little-endian
	crc        uint32  // of id
	last       uint64  // the last sequence number that may be sealed

	mac hash.Hash
	sum [MaxMAC]byte

	aead  cipher.AEAD
	aad   [8 + maxHeader]byte // the id and the header
	iv    [nonceSize]byte
	nonce [nonceSize]byte
}

// newGuard returns the guard of a direction, whose keys come from the secret
// and the salt. It fails only where the primitives refuse to work at all.
func newGuard(protection Protection, id uint64, direction string, secret, salt []byte) (*guard, error) {
	g := &guard{protection: protection, last: protection.last()}
	binary.LittleEndian.PutUint64(g.id[:], id)
	g.crc = crc32.ChecksumIEEE(g.id[:])
	copy(g.aad[:], g.id[:])
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

// seal appends the datagram of a kind and a sequence number to dst.
func (g *guard) seal(dst []byte, kind byte, seq uint64, plain []byte) []byte {
	start := len(dst)
	var room [MaxMAC]byte
	dst = append(dst, room[:g.protection.front()]...)
	dst = appendHeader(dst, kind, seq)
	if g.aead != nil {
		return g.aead.Seal(dst, g.nonceOf(seq), plain, g.associated(dst[start:]))
	}
	dst = append(dst, plain...)
	g.tag(dst[start:])
	copy(dst[start:], g.sum[:g.protection.front()])
	return dst
}

// open returns the plaintext of a datagram whose header ends before the byte
// at. It overwrites the ciphertext with it.
func (g *guard) open(datagram []byte, seq uint64, at int) ([]byte, Refusal) {
	if g.aead != nil {
		plain, err := g.aead.Open(datagram[at:at], g.nonceOf(seq), datagram[at:], g.associated(datagram[:at]))
		if err != nil {
			return nil, ErrForged
		}
		return plain, 0
	}
	g.tag(datagram)
	front := g.protection.front()
	if subtle.ConstantTimeCompare(datagram[:front], g.sum[:front]) == 1 {
		return datagram[at:], 0
	}
	if g.protection == CRC32 {
		return nil, ErrChecksum
	}
	return nil, ErrForged
}

// tag computes what stands in front of a datagram.
func (g *guard) tag(datagram []byte) {
	data := datagram[g.protection.front():]
	switch g.protection.kind() {
	case CRC32.kind():
		binary.LittleEndian.PutUint32(g.sum[:], crc32.Update(g.crc, crc32.IEEETable, data))
	case hmacSHA256:
		g.mac.Reset()
		g.mac.Write(g.id[:])
		g.mac.Write(data)
		g.mac.Sum(g.sum[:0])
	}
}

// associated returns the associated data of a datagram with a header.
func (g *guard) associated(header []byte) []byte {
	return g.aad[:len(g.id)+copy(g.aad[len(g.id):], header)]
}

// nonceOf makes the nonce of a sequence number as TLS 1.3 does (RFC 8446,
// section 5.3): the number in network byte order, padded on the left, and the
// direction's IV, combined by XOR. Different numbers give different nonces.
func (g *guard) nonceOf(seq uint64) []byte {
	g.nonce = g.iv
	low := g.nonce[nonceSize-8:]
	binary.BigEndian.PutUint64(low, seq^binary.BigEndian.Uint64(low))
	return g.nonce[:]
}
