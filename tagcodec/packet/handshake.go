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
//
// So that sides of different formats can tell each other so, too, this must
// stay as it is in every format: the head; where the nonce is in what a client
// sends; and a rejection whose reason is reasonFormat, where the head has the
// format of the question and the 8 bytes after the reason the server's format.

// Format is the version of the format of datagrams: of the handshake, of
// sessions, and of how keys are made. It is part of every protocol's id.
const Format = 2

// requestSize is the length of a request.
const requestSize = DefaultMTU

// nonceLen is the length of the random bytes that each side adds to the salt
// of a session, proofLen that of a truncated HMAC.
const (
	nonceLen = 16
	proofLen = 16
)

// head starts every datagram of the handshake: the magic, the format and the
// kind. Its first and its fifth byte are no lengths of a sequence number, so
// that it starts no datagram of a session: its protection stands before the
// length in none or four bytes, or in the eight or more of a MAC, which start
// with the magic with a probability of 2^-56.
type head [9]byte

const magic = "bitpack"

// nonceAt is where a client's nonce is in what it sends.
const nonceAt = 9 + 8

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
	h[len(magic)], h[len(magic)+1] = Format, kind
	return h
}

// IsHandshake reports whether a datagram is for a [Gate] or a [Join] rather
// than for a [Session]. It may be of another format.
func IsHandshake(datagram []byte) bool {
	return len(datagram) >= len(head{}) && string(datagram[:len(magic)]) == magic
}

type nonce [nonceLen]byte

type token struct {
	Key    uint8          // the number of the gate's key
	Issued int64          // milliseconds since the gate was made
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
	Head   head   `bp:"bytes"`
	Nonce  nonce  `bp:"bytes"`
	Reason uint8  // an index of reasons
	Server uint64 // the protocol id of the server, or its format
	// Description is that of the server's protocol, compressed, or nothing; or
	// the proof of a reason that comes after the client's.
	Description []byte `bp:"bytes,maxlen=1164"`
}

// rejectionBase is the length of a rejection without a description, and
// welcomeSize that of a welcome.
const (
	rejectionBase = 9 + nonceLen + 1 + 8 + 2
	welcomeSize   = 9 + nonceLen + nonceLen + proofLen
)

// reasonFormat is the reason of a rejection of another format. Format 1 has
// this number for another protocol.
const reasonFormat = 13

// reasons are the refusals that a rejection may tell, by their numbers in it.
var reasons = [...]Refusal{1: ErrProtocol, 2: ErrDenied, 3: ErrFull, 4: ErrOccupied, 5: ErrClosed, reasonFormat: ErrFormat}

// proven reports whether the rejection for a reason has a proof: the server
// gives it to those alone who have proved who they are.
func proven(r Refusal) bool { return r == ErrFull || r == ErrOccupied || r == ErrClosed }

func codeOf(r Refusal) uint8 { return uint8(slices.Index(reasons[:], r)) }

// reasonOf returns the refusal of a number in a rejection, or 0.
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

// proofInfo returns the info of the key of one kind of proof, with the number
// of the block.
func proofInfo(id uint64, kind string) []byte {
	return fmt.Appendf(nil, "bitpack packet %d, %016x, %s proof\x01", Format, id, kind)
}

// clientProof returns the proof with which a client shows that it has the
// secret of its user. It is for one token, and so for one address. It is valid
// until the hasher is used again, and shows nothing in a protocol without keys.
func (p *Protocol) clientProof(h *hasher, secret []byte, r *response) []byte {
	h.proof(p.clientInfo, secret, &r.Nonce, r.User, r.Token.MAC[:])
	return h.sum[:proofLen]
}

// serverProof returns the proof with which the server shows the same. It is for
// any token that the client answers with, which may have several.
func (p *Protocol) serverProof(h *hasher, secret []byte, r *response, server *nonce) []byte {
	h.proof(p.serverInfo, secret, &r.Nonce, r.User, server[:])
	return h.sum[:proofLen]
}

// rejectionProof returns the proof of the server for a reason: nobody else can
// turn the client away for it.
func (p *Protocol) rejectionProof(h *hasher, secret []byte, r *response, reason Refusal) []byte {
	h.reason[0] = codeOf(reason)
	h.proof(p.rejectionInfo, secret, &r.Nonce, r.User, h.reason[:])
	return h.sum[:proofLen]
}

// joined makes the session that a handshake ends with.
func (p *Protocol) joined(side Side, secret []byte, client, server *nonce) (*Session, error) {
	if !p.config.Protection.keyed() {
		return p.NewSession(side, nil, nil)
	}
	return p.NewSession(side, secret, slices.Concat(client[:], server[:]))
}

// maxDescription bounds the description that a rejection may hold.
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

// decompressed is the inverse, for bytes that anyone may have sent. It returns
// whole lines of at most limit bytes together, and "" for what is not DEFLATE.
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
