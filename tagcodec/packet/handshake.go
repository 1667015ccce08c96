package packet

import (
	"bytes"
	"compress/flate"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The handshake, each line a datagram:
//
//	client                                               server
//	request   protocol id, nonce, padding            ->
//	          nonce, token                           <-  challenge
//	response  protocol id, nonce, token, user, proof ->
//	          nonce, server nonce, proof             <-  welcome
//
// or, in place of a challenge or a welcome, a rejection. None of them depends
// on the protocol, so that sides of different protocols can tell each other
// so. The server keeps nothing until it accepts a response, and answers none
// with more bytes than were sent: a spoofed address costs it no memory and
// gains an attacker no traffic.

// requestSize is the length of a request.
const requestSize = DefaultMTU

// nonceLen is the length of the random bytes that each side adds to the salt
// of a session, proofLen that of a truncated HMAC.
const (
	nonceLen = 16
	proofLen = 16
)

// tokenLifetime is how long a challenge may be answered.
const tokenLifetime = 10 * time.Second

// head starts every datagram of the handshake. Its first and its fifth byte
// are no lengths of a sequence number, so that it starts no datagram of a
// session: its protection stands before the length in none or four bytes, or
// in the eight or more of a MAC, which are these with a probability of 2^-64.
type head [9]byte

const magic = "bitpack\x01"

// The kinds of handshake datagrams, the last byte of the head.
const (
	kindRequest byte = iota + 1
	kindChallenge
	kindResponse
	kindWelcome
	kindRejection
)

func headOf(kind byte) (h head) {
	copy(h[:], magic)
	h[len(magic)] = kind
	return h
}

// IsHandshake reports whether a datagram is for a [Gate] or a [Join] rather
// than for a [Session].
func IsHandshake(datagram []byte) bool {
	return len(datagram) >= len(head{}) && string(datagram[:len(magic)]) == magic
}

type nonce [nonceLen]byte

type token struct {
	Issued int64          // Unix time in milliseconds
	MAC    [proofLen]byte `bp:"bytes"`
}

// request is followed by zeros, up to requestSize.
type request struct {
	Head     head `bp:"bytes"`
	Protocol uint64
	Nonce    nonce `bp:"bytes"`
}

type challenge struct {
	Head  head  `bp:"bytes"`
	Nonce nonce `bp:"bytes"`
	Token token
}

type response struct {
	Head     head `bp:"bytes"`
	Protocol uint64
	Nonce    nonce `bp:"bytes"`
	Token    token
	User     uint64
	Proof    [proofLen]byte `bp:"bytes"`
}

type welcome struct {
	Head   head           `bp:"bytes"`
	Nonce  nonce          `bp:"bytes"`
	Server nonce          `bp:"bytes"`
	Proof  [proofLen]byte `bp:"bytes"`
}

type rejection struct {
	Head     head  `bp:"bytes"`
	Nonce    nonce `bp:"bytes"`
	Reason   uint8
	Protocol uint64 // of the server
	// Description is that of the server's protocol, compressed, or nothing.
	Description []byte `bp:"bytes,maxlen=1164"`
}

// rejectionBase is the length of a rejection without a description.
const rejectionBase = 9 + nonceLen + 1 + 8 + 2

var (
	requests   = tagcodec.MustFor[request]()
	challenges = tagcodec.MustFor[challenge]()
	responses  = tagcodec.MustFor[response]()
	welcomes   = tagcodec.MustFor[welcome]()
	rejections = tagcodec.MustFor[rejection]()
)

// clientProof is the HMAC with which a client shows that it has the secret of
// its user. It is for one token, and so for one address.
func (p *Protocol) clientProof(secret []byte, r *response) ([proofLen]byte, error) {
	return p.proof("client", secret, r.Nonce, r.User, r.Token.MAC[:])
}

// serverProof is the HMAC with which the server shows the same. It is for any
// token that the client answers with, which may have several.
func (p *Protocol) serverProof(secret []byte, r *response, server nonce) ([proofLen]byte, error) {
	return p.proof("server", secret, r.Nonce, r.User, server[:])
}

// proof is an HMAC that for a protocol without keys shows nothing, and is
// checked all the same.
func (p *Protocol) proof(label string, secret []byte, client nonce, user uint64, more []byte) (sum [proofLen]byte, err error) {
	key, err := hkdf.Key(sha256.New, secret, nil, fmt.Sprintf("bitpack packet 1, %016x, %s proof", p.id, label), keySize)
	if err != nil {
		return sum, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(client[:])
	mac.Write(binary.LittleEndian.AppendUint64(nil, user))
	mac.Write(more)
	copy(sum[:], mac.Sum(nil))
	return sum, nil
}

// joined makes the session that a handshake ends with.
func (p *Protocol) joined(side Side, secret []byte, client, server nonce) (*Session, error) {
	if !p.config.Protection.keyed() {
		return p.NewSession(side, nil, nil)
	}
	return p.NewSession(side, secret, append(client[:], server[:]...))
}

// appendAddress appends an address as it enters a token: an IPv4 address in
// the same form however the socket writes it.
func appendAddress(dst []byte, a netip.AddrPort) []byte {
	ip := a.Addr().As16()
	return binary.LittleEndian.AppendUint16(append(dst, ip[:]...), a.Port())
}

// maxDescription bounds what a compressed description may grow to.
const maxDescription = 1 << 16

// compressed returns a description, or as many lines of it as fit into a
// rejection.
func compressed(description string) []byte {
	for {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression)
		io.WriteString(w, description)
		w.Close()
		if b.Len() <= requestSize-rejectionBase && len(description) <= maxDescription {
			return b.Bytes()
		}
		// The last tenth of it goes, up to the end of a line.
		shorter := strings.TrimSuffix(description, cut)
		shorter = shorter[:min(len(shorter)*9/10, maxDescription-len(cut))]
		description = shorter[:strings.LastIndexByte(shorter, '\n')+1] + cut
	}
}

// decompressed is the reverse, of bytes that anyone may have sent.
func decompressed(data []byte) string {
	r := flate.NewReader(bytes.NewReader(data))
	text, err := io.ReadAll(io.LimitReader(r, maxDescription))
	if err != nil {
		return ""
	}
	return string(text)
}
