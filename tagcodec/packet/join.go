package packet

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"math"
	"strings"
	"sync"
)

// Join is the client's side of the handshake. It does no input or output: the
// client sends what [Join.Append] returns, repeatedly, until [Join.Read]
// returns a session or a [*RejectedError]. It is safe for concurrent use.
//
// A Join makes one session. Each further session needs a new Join, which has
// its own nonce and therefore different keys.
type Join struct{ *joining }

// joining is a pointer in Join, so that copies of a Join share their state.
type joining struct {
	p      *Protocol
	secret []byte

	mu       sync.Mutex
	hasher   hasher
	response response // its Token is zero until the server has sent one
	session  *Session // nil until the server has let the client in
	server   nonce    // the server's nonce of the session

	// Read decodes into these.
	challenge challenge
	welcome   welcome
	rejection rejection
}

// Join starts a handshake for a user. The secret is the one that the server's
// Admit returns for that user, and must be empty for protocols without keys.
func (p *Protocol) Join(user uint64, secret []byte) (*Join, error) {
	keyed := p.config.Protection.keyed()
	switch {
	case keyed && len(secret) < MinSecret:
		return nil, fmt.Errorf("%w: the secret has %d bytes; it must have at least %d", ErrSecret, len(secret), MinSecret)
	case !keyed && len(secret) > 0:
		return nil, fmt.Errorf("%w: a protocol with protection %v takes no secret", ErrSecret, p.config.Protection)
	}
	j := &joining{p: p, secret: bytes.Clone(secret), hasher: newHasher(),
		response: response{Head: headOf(kindResponse), Protocol: p.id, User: user}}
	rand.Read(j.response.Nonce[:]) // never fails
	return &Join{j}, nil
}

// Append appends the datagram to send now: a request, or a response once the
// server has sent a token.
func (j *Join) Append(dst []byte) ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.response.Token == (token{}) {
		r := request{Head: headOf(kindRequest), Protocol: j.p.id, Nonce: j.response.Nonce}
		start := len(dst)
		dst, err := requests.Append(dst, &r)
		if err != nil {
			return dst, err
		}
		var padding [requestSize]byte
		return append(dst, padding[len(dst)-start:]...), nil
	}
	return responses.Append(dst, &j.response)
}

// Read reads a datagram from the server. It returns the session when the server
// lets the client in, and a [*RejectedError] when the server turns it away.
// After a challenge it returns neither, and [Join.Append] returns a new
// datagram to send. Any other error means that the datagram is not a valid
// reply to this client, which should keep waiting.
//
// After Read has returned a session, the same welcome returns the same session,
// and everything else is refused with [ErrReplayed]. A different welcome
// answers an older response, or comes from a server that has restarted. Nothing
// proves that it is newer: if it made a session, anyone who replays datagrams
// could end the session in use. A client whose server has restarted receives
// nothing more in its session and should start another Join.
func (j *Join) Read(datagram []byte) (*Session, error) {
	if !IsHandshake(datagram) {
		return nil, ErrStranger
	}
	if datagram[len(magic)] != Format {
		return nil, ErrFormat
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	kind := datagram[len(magic)+1]
	if j.session != nil && kind != kindWelcome {
		return nil, ErrReplayed
	}
	switch kind {
	case kindChallenge:
		if err := challenges.Unmarshal(datagram, &j.challenge); err != nil {
			return nil, failed("", err)
		}
		return nil, j.challenged()
	case kindWelcome:
		if err := welcomes.Unmarshal(datagram, &j.welcome); err != nil {
			return nil, failed("", err)
		}
		return j.welcomed()
	case kindRejection:
		if err := rejections.Unmarshal(datagram, &j.rejection); err != nil {
			return nil, failed("", err)
		}
		return nil, j.rejected()
	}
	return nil, ErrGarbage
}

func (j *joining) challenged() error {
	r := &j.response
	if j.challenge.Nonce != r.Nonce {
		return ErrStranger
	}
	r.Token = j.challenge.Token
	copy(r.Proof[:], j.p.clientProof(&j.hasher, j.secret, r))
	return nil
}

func (j *joining) welcomed() (*Session, error) {
	r, w := &j.response, &j.welcome
	if w.Nonce != r.Nonce {
		return nil, ErrStranger
	}
	proof := j.p.serverProof(&j.hasher, j.secret, r, &w.Server)
	if subtle.ConstantTimeCompare(proof, w.Proof[:]) == 0 {
		return nil, ErrStranger
	}
	if j.session != nil {
		if w.Server != j.server {
			return nil, ErrReplayed
		}
		return j.session, nil
	}
	s, err := j.p.joined(ClientSide, j.secret, &w.Nonce, &w.Server)
	if err != nil {
		return nil, err
	}
	j.session, j.server = s, w.Server
	return s, nil
}

// rejected returns the error for a rejection. A rejection after the client's
// proof is authentic. Any other proves only that its sender has seen the
// client's nonce, and anyone who can see the nonce could keep the client from
// joining anyway.
func (j *joining) rejected() error {
	r := &j.rejection
	reason := reasonOf(r.Reason)
	switch {
	case r.Nonce != j.response.Nonce:
		return ErrStranger
	case reason == 0, reason == ErrProtocol && r.Server == j.p.id, reason == ErrFormat && (r.Server == Format || r.Server > math.MaxUint8),
		reason == ErrDenied && len(r.Description) > 0:
		return ErrGarbage // or the server answered a datagram damaged in transit
	}
	if proven(reason) {
		proof := j.p.rejectionProof(&j.hasher, j.secret, &j.response, reason)
		if subtle.ConstantTimeCompare(proof, r.Description) == 0 {
			return ErrStranger
		}
		return &RejectedError{Reason: reason, Format: Format, Protocol: r.Server}
	}
	e := &RejectedError{Reason: reason, Format: Format, Protocol: r.Server}
	if reason == ErrFormat {
		e.Format, e.Protocol = int(r.Server), 0
	}
	// Diff needs the server's description up to the first difference. Up to
	// there only the names can differ in length, so the limit leaves room for
	// longer names.
	ours := j.p.description
	if theirs := decompressed(r.Description, min(2*len(ours)+1024, maxDescription)); theirs != "" {
		e.Differences = Diff(ours, theirs)
	}
	return e
}

// RejectedError reports that a server turned a client away.
type RejectedError struct {
	Reason   Refusal // ErrFormat, ErrProtocol, ErrDenied, ErrFull, ErrOccupied or ErrClosed
	Format   int     // the format that the server speaks
	Protocol uint64  // the id of the server's protocol, or 0 with ErrFormat
	// Differences are the differences between the client's protocol and the
	// server's, as far as the server sent its description.
	Differences []Difference
}

// maxRejected bounds the total length in bytes of the differences that Error
// lists. The first is always listed.
const maxRejected = 1000

// Error returns the reason and the differences.
func (e *RejectedError) Error() string {
	var s strings.Builder
	s.WriteString("packet: rejected: ")
	s.WriteString(strings.TrimPrefix(e.Reason.Error(), "packet: "))
	switch e.Reason {
	case ErrProtocol:
		fmt.Fprintf(&s, " (its protocol id is %016x)", e.Protocol)
	case ErrFormat:
		fmt.Fprintf(&s, " (its format is %d, ours is %d)", e.Format, Format)
	}
	listed := 0
	for i, d := range e.Differences {
		text := d.String()
		if listed += len(text); i > 0 && listed > maxRejected {
			fmt.Fprintf(&s, "; and %d more", len(e.Differences)-i)
			break
		}
		s.WriteString("; " + text)
	}
	return s.String()
}

// Unwrap returns the reason.
func (e *RejectedError) Unwrap() error { return e.Reason }
