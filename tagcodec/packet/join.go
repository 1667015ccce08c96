package packet

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
)

// Join is the client's side of the handshake. It does no input or output: the
// client sends what [Join.Append] returns, again and again until
// [Join.Read] returns a session or a [*RejectedError]. It is for one goroutine
// at a time.
type Join struct {
	p        *Protocol
	secret   []byte
	response response // its Token is zero until the server has sent one
}

// Join starts a handshake of a user with the secret that the server knows of
// it. Protocols without keys take no secret.
func (p *Protocol) Join(user uint64, secret []byte) (*Join, error) {
	if keyed := p.config.Protection.keyed(); keyed && len(secret) < MinSecret || !keyed && len(secret) > 0 {
		return nil, fmt.Errorf("%w: %v, and a secret of %d bytes", ErrSecret, p.config.Protection, len(secret))
	}
	j := &Join{p: p, secret: secret, response: response{Head: headOf(kindResponse), Protocol: p.id, User: user}}
	rand.Read(j.response.Nonce[:]) // which never fails
	return j, nil
}

// Append appends the datagram to send now.
func (j *Join) Append(dst []byte) ([]byte, error) {
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

// Read reads a datagram of the server. It returns the session when the server
// lets the client in, and a [*RejectedError] when it does not. It returns
// neither when the server has answered the request: then there is another
// datagram to send. Any other error is about a datagram that is no answer to
// this client, which goes on waiting.
func (j *Join) Read(datagram []byte) (*Session, error) {
	if !IsHandshake(datagram) {
		return nil, ErrStranger
	}
	switch datagram[len(magic)] {
	case kindChallenge:
		var c challenge
		if err := challenges.Unmarshal(datagram, &c); err != nil {
			return nil, err
		}
		if c.Nonce != j.response.Nonce {
			return nil, ErrStranger
		}
		return nil, j.challenged(c.Token)
	case kindWelcome:
		var w welcome
		if err := welcomes.Unmarshal(datagram, &w); err != nil {
			return nil, err
		}
		return j.welcomed(&w)
	case kindRejection:
		var r rejection
		if err := rejections.Unmarshal(datagram, &r); err != nil {
			return nil, err
		}
		return nil, j.rejected(&r)
	}
	return nil, ErrGarbage
}

func (j *Join) challenged(t token) (err error) {
	j.response.Token = t
	j.response.Proof, err = j.p.clientProof(j.secret, &j.response)
	return err
}

func (j *Join) welcomed(w *welcome) (*Session, error) {
	proof, err := j.p.serverProof(j.secret, &j.response, w.Server)
	if err != nil {
		return nil, err
	}
	if w.Nonce != j.response.Nonce || subtle.ConstantTimeCompare(proof[:], w.Proof[:]) == 0 {
		return nil, ErrStranger
	}
	return j.p.joined(ClientSide, j.secret, w.Nonce, w.Server)
}

// rejected makes the error of a rejection. Nothing proves who sent it but the
// nonce, which only those see who can keep the client from joining anyway.
func (j *Join) rejected(r *rejection) error {
	reason := Refusal(r.Reason)
	switch {
	case r.Nonce != j.response.Nonce:
		return ErrStranger
	case reason == ErrProtocol && r.Protocol == j.p.id:
		return ErrGarbage // the request was damaged on its way
	case reason != ErrProtocol && reason != ErrDenied:
		return ErrGarbage
	}
	e := &RejectedError{Reason: reason, Protocol: r.Protocol}
	if len(r.Description) > 0 {
		e.Differences = Diff(j.p.description, decompressed(r.Description))
	}
	return e
}

// RejectedError says that a server turned a client away.
type RejectedError struct {
	Reason   Refusal // ErrProtocol or ErrDenied
	Protocol uint64  // the id of the server's protocol
	// Differences are those of the client's protocol and the server's, as far as
	// the server describes its own.
	Differences []Difference
}

// Error returns the reason and the differences.
func (e *RejectedError) Error() string {
	s := "packet: turned away: " + refusalTexts[e.Reason]
	if e.Reason == ErrProtocol {
		s += fmt.Sprintf(", %016x", e.Protocol)
	}
	for _, d := range e.Differences {
		s += "; " + d.String()
	}
	return s
}

// Unwrap returns the reason.
func (e *RejectedError) Unwrap() error { return e.Reason }
