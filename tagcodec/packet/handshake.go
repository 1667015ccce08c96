package packet

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The handshake, one datagram per line:
//
//	client                                               server
//	request   protocol id, nonce, padding            ->
//	          nonce, token                           <-  challenge
//	response  protocol id, nonce, token, user, proof ->
//	          nonce, server nonce, proof             <-  welcome
//
// A rejection may replace a challenge or a welcome. The layout of the datagrams
// does not depend on the protocol, so that sides of different protocols can
// report the mismatch. The server stores nothing until it accepts a response,
// and no reply is longer than the datagram it answers: a spoofed address costs
// the server no memory and gives an attacker no amplification.
//
// Sides of different formats must be able to report that, too. Three things
// must therefore never change: the head, the offset of the nonce in what a
// client sends, and the rejection with reasonFormat. The head of that rejection
// has the format of the datagram it answers, and the 8 bytes after the reason
// are the server's format.

// Format is the version of the datagram format. It covers the handshake,
// sessions and key derivation, and is part of every protocol's id.
const Format = 2

// requestSize is the length of a request in bytes.
const requestSize = DefaultMTU

// nonceLen is the number of random bytes that each side contributes to the salt
// of a session, and proofLen is the length of a truncated HMAC.
const (
	nonceLen = 16
	proofLen = 16
)

// head starts every datagram of the handshake: the magic, the format and the
// kind. The first and the fifth byte of the magic have reserved bits of a
// session's header set, so a session's datagram with its header at offset 0 or
// after a CRC-32 cannot start with the magic. A MAC has at least 8 bytes, and
// starts with the magic with probability 2^-56.
type head [9]byte

const magic = "bitpack"

// nonceAt is the offset of the nonce in what a client sends.
const nonceAt = 9 + 8

// The kinds of handshake datagrams. The kind is the last byte of the head.
const (
	kindRequest byte = iota + 1
	kindChallenge
	kindResponse
	kindWelcome
	kindRejection
)

func headOf(kind byte) (h head) {
	copy(h[:], magic)
	h[len(magic)], h[len(magic)+1] = Format, kind
	return h
}

// IsHandshake reports whether a datagram is for a [Gate] or a [Join] rather
// than for a [Session]. The datagram may be of another [Format].
func IsHandshake(datagram []byte) bool {
	return len(datagram) >= len(head{}) && string(datagram[:len(magic)]) == magic
}

type nonce [nonceLen]byte

type token struct {
	Key    uint8          // the number of the gate's key
	Issued int64          // milliseconds since the gate was made
	MAC    [proofLen]byte `bp:"bytes"`
}

// request is followed by zeros up to requestSize.
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
	Head   head   `bp:"bytes"`
	Nonce  nonce  `bp:"bytes"`
	Reason uint8  // an index into reasons
	Server uint64 // the server's protocol id, or its format
	// Description is the compressed description of the server's protocol, or
	// empty. For a reason with a proof it is the proof.
	Description []byte `bp:"bytes,maxlen=1164"`
}

// rejectionBase is the length of a rejection without a description, and
// welcomeSize is the length of a welcome.
const (
	rejectionBase = 9 + nonceLen + 1 + 8 + 2
	welcomeSize   = 9 + nonceLen + nonceLen + proofLen
)

// reasonFormat is the reason of a rejection for another format. In format 1 the
// same number means another protocol.
const reasonFormat = 13

// reasons maps the number of a reason in a rejection to its refusal.
var reasons = [...]Refusal{1: ErrProtocol, 2: ErrDenied, 3: ErrFull, 4: ErrOccupied, 5: ErrClosed, reasonFormat: ErrFormat}

// proven reports whether a rejection for r carries a proof. The server sends
// such a rejection only to clients that have proved their identity.
func proven(r Refusal) bool { return r == ErrFull || r == ErrOccupied || r == ErrClosed }

func codeOf(r Refusal) uint8 { return uint8(slices.Index(reasons[:], r)) }

// reasonOf returns the refusal for the number in a rejection, or 0.
func reasonOf(code uint8) Refusal {
	if int(code) >= len(reasons) {
		return 0
	}
	return reasons[code]
}

var (
	requests   = tagcodec.MustFor[request]()
	challenges = tagcodec.MustFor[challenge]()
	responses  = tagcodec.MustFor[response]()
	welcomes   = tagcodec.MustFor[welcome]()
	rejections = tagcodec.MustFor[rejection]()
)

// proofInfo returns the HKDF-Expand info for one kind of proof, followed by the
// block number 1.
func proofInfo(id uint64, kind string) []byte {
	return fmt.Appendf(nil, "bitpack packet %d, %016x, %s proof\x01", Format, id, kind)
}

// clientProof returns the proof that a client has its user's secret. It is
// bound to one token, and so to one address. The result is valid until the
// hasher is used again. In a protocol without keys it proves nothing.
func (p *Protocol) clientProof(h *hasher, secret []byte, r *response) []byte {
	h.proof(p.clientInfo, secret, &r.Nonce, r.User, r.Token.MAC[:])
	return h.digest[:proofLen]
}

// serverProof returns the proof that the server has the secret. It does not
// depend on the token, since a client may have answered with several.
func (p *Protocol) serverProof(h *hasher, secret []byte, r *response, server *nonce) []byte {
	h.proof(p.serverInfo, secret, &r.Nonce, r.User, server[:])
	return h.digest[:proofLen]
}

// rejectionProof returns the server's proof for a rejection, so that nobody
// else can turn the client away for that reason.
func (p *Protocol) rejectionProof(h *hasher, secret []byte, r *response, reason Refusal) []byte {
	h.reason[0] = codeOf(reason)
	h.proof(p.rejectionInfo, secret, &r.Nonce, r.User, h.reason[:])
	return h.digest[:proofLen]
}

// joined returns the session that a handshake results in.
func (p *Protocol) joined(side Side, secret []byte, client, server *nonce) (*Session, error) {
	if !p.config.Protection.keyed() {
		return p.NewSession(side, nil, nil)
	}
	return p.NewSession(side, secret, slices.Concat(client[:], server[:]))
}

// maxDescription is the maximum length in bytes of a description that is
// compressed or decompressed.
const maxDescription = 1 << 16

// compressed returns a compressed description. If it does not fit into a
// rejection, lines are dropped from the end of the description.
func compressed(description string) []byte {
	for {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression)
		io.WriteString(w, description)
		w.Close()
		if b.Len() <= requestSize-rejectionBase && len(description) <= maxDescription {
			return b.Bytes()
		}
		// Drop about a tenth from the end, and keep only whole lines.
		shorter := strings.TrimSuffix(description, cut)
		shorter = shorter[:min(len(shorter)*9/10, maxDescription-len(cut))]
		description = shorter[:strings.LastIndexByte(shorter, '\n')+1] + cut
	}
}

// decompressed is the inverse of compressed, for untrusted data. It returns
// whole lines of at most limit bytes in total, and "" if data is not valid
// DEFLATE.
func decompressed(data []byte, limit int) string {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), int64(limit)+1))
	if err != nil {
		return ""
	}
	if len(text) > limit {
		text = append(text[:bytes.LastIndexByte(text[:limit], '\n')+1], cut...)
	}
	return string(text)
}
