package packet

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// GateConfig configures a [Gate].
type GateConfig struct {
	// Admit returns the secret of a user, or false if the user may not join.
	// The gate calls it only for addresses that have answered a challenge,
	// within the bounds of Rate and Burst, and possibly from several goroutines
	// at once. Its running time should not depend on whether the user exists.
	// If Admit is nil, everyone may join a protocol without keys, and nobody
	// may join one with keys.
	Admit func(user uint64) (secret []byte, ok bool)

	// Rate and Burst bound the calls of Admit for one address: at most Burst at
	// once, and Rate per second in the long run. An address is an IPv4 address
	// or an IPv6 /64 network, regardless of the port. A household shares one,
	// and so do the players in some mobile networks. A response over the limit
	// is refused with ErrBusy and gets no reply; its client tries again. 0
	// means [DefaultRate] and [DefaultBurst].
	Rate  float64
	Burst int
	// Addresses is the number of addresses whose use of Rate and Burst the gate
	// tracks, at 16 bytes each. If more addresses join at once, some wait
	// longer than they would otherwise, but none gets more than its limit. 0
	// means [DefaultAddresses].
	Addresses int
	// Attempts is the number of joins whose reply the gate remembers, at about
	// 250 bytes each. If there are more joins within the 10 seconds that a
	// token lasts, the gate forgets the oldest, and clients whose tokens are as
	// old as a forgotten one's are challenged again. 0 means [DefaultAttempts].
	Attempts int

	// Describe sends the description of the server's protocol to clients of
	// another protocol, as much of it as fits into a datagram, so that they can
	// report what differs. It makes the description public.
	Describe bool
	// Counters counts for the gate and its sessions. If it is nil, the gate
	// allocates its own.
	Counters *Counters
}

// The defaults of a [GateConfig].
const (
	DefaultRate      = 10
	DefaultBurst     = 30
	DefaultAddresses = 4096
	DefaultAttempts  = 1024
)

// Gate is the server's side of the handshake. It stores nothing for a request,
// and a bounded amount for clients that have answered a challenge. It is safe
// for concurrent use.
type Gate struct {
	p           *Protocol
	config      GateConfig
	description []byte    // DEFLATE-compressed, or nil
	start       time.Time // the origin of all times
	nobody      []byte    // random; stands in for the secret of an unknown user

	// admits makes the final decision on a client that has proved its identity.
	// It returns 0 or a reason for which proven is true. It may be nil.
	admits func(from netip.AddrPort, user uint64, attempt nonce) Refusal

	tokens   tokens
	limiter  *limiter
	attempts *attempts
}

// NewGate returns a gate of the protocol. It panics if a number in c is
// negative.
func (p *Protocol) NewGate(c GateConfig) *Gate {
	if !(c.Rate >= 0) || c.Burst < 0 || c.Addresses < 0 || c.Attempts < 0 {
		panic(fmt.Sprintf("packet: NewGate: Rate, Burst, Addresses and Attempts are %v, %d, %d and %d; they must not be negative",
			c.Rate, c.Burst, c.Addresses, c.Attempts))
	}
	c.Rate = orDefault(c.Rate, DefaultRate)
	c.Burst = orDefault(c.Burst, DefaultBurst)
	c.Addresses = orDefault(c.Addresses, DefaultAddresses)
	c.Attempts = orDefault(c.Attempts, DefaultAttempts)
	if c.Counters == nil {
		c.Counters = new(Counters)
	}
	g := &Gate{p: p, config: c, start: time.Now(), nobody: make([]byte, keySize)}
	rand.Read(g.nobody)
	g.tokens.current = newTokenKey(0)
	g.limiter = newLimiter(c.Rate, c.Burst, c.Addresses)
	g.attempts = newAttempts(c.Attempts)
	if c.Describe {
		g.description = compressed(p.description)
	}
	return g
}

func orDefault[T int | float64](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// Counters returns the counters of the gate and its sessions.
func (g *Gate) Counters() *Counters { return g.config.Counters }

// Rotate replaces the key that signs tokens. Tokens issued under the previous
// key stay valid for their 10 seconds; tokens under older keys are refused at
// once. A server that runs for a long time may call Rotate from time to time,
// so that a leaked key soon becomes useless. Keys are never stored: after a
// restart a server refuses all earlier tokens.
func (g *Gate) Rotate(now time.Time) { g.tokens.rotate(g.since(now).Milliseconds()) }

func (g *Gate) since(now time.Time) time.Duration { return now.Sub(g.start) }

// Joined is a client that a gate has let in.
type Joined struct {
	User    uint64
	Session *Session
	// Attempt identifies a [Join]. A gate returns a client twice for the same
	// attempt only if it has forgotten the attempt and the client has answered
	// a new challenge: see [GateConfig].
	Attempt [nonceLen]byte

	key    attemptKey
	number uint64
	secret []byte
}

// Answer reads a datagram of the handshake and appends the reply to dst, if
// there is one. The reply is never longer than the datagram. When Answer lets a
// client in, it returns the client with the reply. If the same response arrives
// again, Answer returns the same reply but no client, so that a repeated
// response can neither make a second session nor bring back a client that has
// left. An error says why the datagram is refused; the reply returned with it,
// if any, tells the client the same.
//
// All values of now must come from one clock. Those of [time.Now] are
// monotonic, and stay right when the system clock is set.
func (g *Gate) Answer(dst []byte, from netip.AddrPort, datagram []byte, now time.Time) (reply []byte, client *Joined, err error) {
	reply, client, err = g.answer(dst, from, datagram, g.since(now))
	if r, ok := err.(Refusal); ok {
		g.config.Counters.Refuse(r)
	}
	return reply, client, err
}

// Reject turns away a client that Answer has returned. It appends the
// rejection, which the caller sends instead of Answer's reply, and counts the
// reason. Repeated responses of the client get the same rejection. The reason
// must be [ErrFull], [ErrOccupied] or [ErrClosed]; Reject panics for any other.
func (g *Gate) Reject(dst []byte, client *Joined, reason Refusal) []byte {
	if !proven(reason) {
		panic(fmt.Sprintf("packet: Reject: the reason must be ErrFull, ErrOccupied or ErrClosed, not %q", reason.Error()))
	}
	x := exchanges.Get().(*exchange)
	defer exchanges.Put(x)
	x.response.Nonce, x.response.User = client.Attempt, client.User
	start := len(dst)
	dst, _, _ = g.turnAway(x, dst, client.secret, reason)
	g.config.Counters.Refuse(reason)
	g.attempts.Lock()
	defer g.attempts.Unlock()
	if e := g.attempts.find(&client.key); e != nil && e.number == client.number {
		e.answer(dst[start:], reason)
	}
	return dst
}

// exchange holds what a gate needs to answer one datagram. Exchanges are
// pooled, so that a refusal allocates nothing.
type exchange struct {
	request   request
	response  response
	challenge challenge
	rejection rejection
	welcome   welcome
	hasher    hasher
}

var exchanges = sync.Pool{New: func() any { return &exchange{hasher: newHasher()} }}

func (g *Gate) answer(dst []byte, from netip.AddrPort, datagram []byte, now time.Duration) ([]byte, *Joined, error) {
	if !IsHandshake(datagram) {
		return dst, nil, ErrStranger
	}
	format, kind, want := datagram[len(magic)], datagram[len(magic)+1], 0
	switch kind {
	case kindRequest:
		want = requestSize
	case kindResponse:
		want = responses.MaxSize()
	default:
		return dst, nil, ErrGarbage
	}
	if format != Format {
		return g.rejectFormat(dst, datagram)
	}
	switch {
	case len(datagram) < want:
		return dst, nil, ErrTruncated
	case len(datagram) > want:
		return dst, nil, ErrTooLong
	}
	// A datagram of this kind and length is a request or response, whatever its
	// contents.
	x := exchanges.Get().(*exchange)
	defer exchanges.Put(x)
	if kind == kindRequest {
		if _, err := requests.UnmarshalFirst(datagram, &x.request); err != nil {
			return dst, nil, failed("", err)
		}
		if x.request.Protocol != g.p.id {
			return g.reject(x, dst, x.request.Nonce, ErrProtocol, g.description)
		}
		reply, err := g.ask(x, dst, from, &x.request.Nonce, now)
		return reply, nil, err
	}
	if err := responses.Unmarshal(datagram, &x.response); err != nil {
		return dst, nil, failed("", err)
	}
	return g.admit(x, dst, from, now)
}

// ask appends a challenge. Only the owner of the address receives its token.
func (g *Gate) ask(x *exchange, dst []byte, from netip.AddrPort, n *nonce, now time.Duration) ([]byte, error) {
	x.challenge = challenge{Head: headOf(kindChallenge), Nonce: *n, Token: g.tokens.issue(from, n, now.Milliseconds())}
	return challenges.Append(dst, &x.challenge)
}

// askAgain challenges a client whose token is not accepted.
func (g *Gate) askAgain(x *exchange, dst []byte, from netip.AddrPort, now time.Duration) ([]byte, *Joined, error) {
	reply, err := g.ask(x, dst, from, &x.response.Nonce, now)
	if err != nil {
		return dst, nil, err
	}
	return reply, nil, ErrToken
}

// admit lets a client in if its response is valid. The checks run in order of
// cost: the token proves the client's address before the gate looks up the
// attempt. Admit, the proof and the keys come last, and the limiter bounds them
// for each address.
func (g *Gate) admit(x *exchange, dst []byte, from netip.AddrPort, now time.Duration) ([]byte, *Joined, error) {
	r := &x.response
	if r.Protocol != g.p.id {
		return g.reject(x, dst, r.Nonce, ErrProtocol, nil)
	}
	if !g.tokens.check(from, &r.Nonce, &r.Token, now.Milliseconds()) {
		return g.askAgain(x, dst, from, now)
	}
	key := attemptOf(from, r)
	if !g.p.config.Protection.keyed() {
		key.user = 0 // without keys, anyone can change the user
	}
	reply, done, err := g.attempts.repeated(dst, &key, r)
	switch {
	case err == ErrToken:
		return g.askAgain(x, dst, from, now)
	case done:
		return reply, nil, err
	case !g.limiter.allow(from.Addr(), int64(now)):
		return dst, nil, ErrBusy
	}
	secret, err := g.authenticate(x)
	if err == ErrDenied {
		return g.reject(x, dst, r.Nonce, ErrDenied, nil)
	}
	if err != nil {
		return dst, nil, err
	}
	if g.admits != nil {
		if refusal := g.admits(from, r.User, r.Nonce); refusal != 0 {
			return g.turnAway(x, dst, secret, refusal)
		}
	}
	reply, client, err := g.join(x, dst, &key, secret)
	if err == ErrToken {
		return g.askAgain(x, dst, from, now)
	}
	return reply, client, err
}

// authenticate returns the secret of a response's user, or ErrDenied. For an
// unknown user it checks the proof against g.nobody, which takes the same work
// as an invalid proof of a known user.
func (g *Gate) authenticate(x *exchange) (secret []byte, err error) {
	r, keyed := &x.response, g.p.config.Protection.keyed()
	ok := !keyed
	if g.config.Admit != nil {
		secret, ok = g.config.Admit(r.User)
	}
	if ok && keyed && len(secret) < MinSecret {
		return nil, fmt.Errorf("%w: Admit returned a secret of %d bytes; it must have at least %d", ErrSecret, len(secret), MinSecret)
	}
	if !ok {
		secret = g.nobody
	}
	proof := g.p.clientProof(&x.hasher, secret, r)
	if subtle.ConstantTimeCompare(proof, r.Proof[:]) == 0 || !ok {
		return nil, ErrDenied
	}
	return secret, nil
}

// join makes the session of a response whose proof is valid. If the attempt
// already has a session, from another response or from a concurrent call with
// this one, join repeats the reply. It returns ErrToken if the gate may have
// forgotten the attempt.
func (g *Gate) join(x *exchange, dst []byte, key *attemptKey, secret []byte) ([]byte, *Joined, error) {
	r, w := &x.response, &x.welcome
	g.attempts.Lock()
	defer g.attempts.Unlock()
	if e := g.attempts.find(key); e != nil {
		e.issued, e.proof = max(e.issued, r.Token.Issued), r.Proof
		reply, err := e.again(dst)
		return reply, nil, err
	}
	if g.attempts.stale(r) {
		return dst, nil, ErrToken
	}
	// The server's nonce makes the salt new even if the client repeats
	// everything else.
	*w = welcome{Head: headOf(kindWelcome), Nonce: r.Nonce}
	rand.Read(w.Server[:]) // never fails
	copy(w.Proof[:], g.p.serverProof(&x.hasher, secret, r, &w.Server))
	s, err := g.p.joined(ServerSide, secret, &r.Nonce, &w.Server)
	if err != nil {
		return dst, nil, err
	}
	s.CountIn(g.config.Counters)
	reply, err := welcomes.Append(dst, w)
	if err != nil {
		return dst, nil, err
	}
	e := g.attempts.add(key, r)
	e.answer(reply[len(dst):], 0)
	return reply, &Joined{User: r.User, Session: s, Attempt: r.Nonce, key: *key, number: e.number, secret: secret}, nil
}

// reject appends a rejection and returns its reason.
func (g *Gate) reject(x *exchange, dst []byte, n nonce, reason Refusal, description []byte) ([]byte, *Joined, error) {
	x.rejection = rejection{Head: headOf(kindRejection), Nonce: n, Reason: codeOf(reason), Server: g.p.id, Description: description}
	reply, err := rejections.Append(dst, &x.rejection)
	if err != nil {
		return dst, nil, err
	}
	return reply, nil, reason
}

// turnAway appends a rejection that carries a proof.
func (g *Gate) turnAway(x *exchange, dst, secret []byte, reason Refusal) ([]byte, *Joined, error) {
	return g.reject(x, dst, x.response.Nonce, reason, g.p.rejectionProof(&x.hasher, secret, &x.response, reason))
}

// rejectFormat answers a datagram of another format, unless the answer would be
// longer than the datagram. In every format, the nonce is at the same offset and
// this rejection has the same layout. The rejection's head has the format of the
// datagram.
func (g *Gate) rejectFormat(dst, datagram []byte) ([]byte, *Joined, error) {
	if len(datagram) < rejectionBase {
		return dst, nil, ErrFormat
	}
	x := exchanges.Get().(*exchange)
	defer exchanges.Put(x)
	x.rejection = rejection{Head: headOf(kindRejection), Reason: codeOf(ErrFormat), Server: Format}
	x.rejection.Head[len(magic)] = datagram[len(magic)]
	copy(x.rejection.Nonce[:], datagram[nonceAt:])
	if rejectionBase+len(g.description) <= len(datagram) {
		x.rejection.Description = g.description
	}
	reply, err := rejections.Append(dst, &x.rejection)
	if err != nil {
		return dst, nil, err
	}
	return reply, nil, ErrFormat
}
