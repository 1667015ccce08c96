package packet

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// GateConfig is what a [Gate] is made with.
type GateConfig struct {
	// Admit returns the secret of a user, or false for one who may not join. The
	// gate calls it for addresses that have answered a challenge, within the
	// bounds of Rate and Burst, from any number of goroutines at once. Its own
	// time should not depend on whether there is such a user. If it is nil,
	// everyone may join a protocol without keys, and nobody any other.
	Admit func(user uint64) (secret []byte, ok bool)

	// Rate and Burst bound how often Admit is called for one address: Burst times
	// at once, and Rate times per second in the long run. An address is an IPv4
	// address or an IPv6 network of 64 bits, whatever the port. All players of a
	// household, and of some mobile networks, share one. A response beyond that is
	// refused with ErrBusy and without a reply, and its client tries again. 0 is
	// for [DefaultRate] and [DefaultBurst].
	Rate  float64
	Burst int
	// Addresses is the number of addresses for which the gate remembers what Rate
	// and Burst leave them, at 16 bytes each. If more than that join at once, some
	// have to wait longer, and none less. 0 is for [DefaultAddresses].
	Addresses int
	// Attempts is the number of joins for which the gate remembers its answer, at
	// about 250 bytes each. If there are more within the 10 seconds of a token,
	// clients that were challenged before the oldest of them are challenged again.
	// 0 is for [DefaultAttempts].
	Attempts int

	// Describe sends those who speak another protocol the description of the
	// server's, as far as it fits into a datagram, so that they see what differs.
	// It makes the description public.
	Describe bool
	// Counters is where the gate and its sessions count, or nil.
	Counters *Counters
}

// The defaults of a [GateConfig].
const (
	DefaultRate      = 10
	DefaultBurst     = 30
	DefaultAddresses = 4096
	DefaultAttempts  = 1024
)

// Gate is the server's side of the handshake. It keeps no state for those who
// knock, a bounded state for those who answer a challenge, and is safe for
// concurrent use.
type Gate struct {
	p           *Protocol
	config      GateConfig
	description []byte    // compressed
	start       time.Time // all times are since then
	nobody      []byte    // the secret of unknown users, which nobody has

	// admits has the last word on a client that has proved who it is. It returns
	// 0 or a reason that is proven. It may be nil.
	admits func(from netip.AddrPort, user uint64, attempt nonce) Refusal

	tokens   tokens
	limiter  *limiter
	attempts *attempts
}

// NewGate returns a gate of the protocol. It panics if a number in c is
// negative.
func (p *Protocol) NewGate(c GateConfig) *Gate {
	if !(c.Rate >= 0) || c.Burst < 0 || c.Addresses < 0 || c.Attempts < 0 {
		panic("packet: NewGate: a negative number")
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

// Counters returns where the gate and its sessions count.
func (g *Gate) Counters() *Counters { return g.config.Counters }

// Rotate replaces the key of the gate's tokens. Those under the key before it
// are accepted until they expire, after 10 seconds, and no older ones. A server
// that runs for long may call it from time to time, so that a key that becomes
// known is of no use later. The key is never stored: after a restart a server
// refuses all tokens from before.
func (g *Gate) Rotate(now time.Time) { g.tokens.rotate(g.since(now).Milliseconds()) }

func (g *Gate) since(now time.Time) time.Duration { return now.Sub(g.start) }

// Joined is a client that a gate let in.
type Joined struct {
	User    uint64
	Session *Session
	// Attempt tells one [Join] from another. A gate returns a client twice for
	// the same attempt only if the client has been challenged again after the gate
	// had forgotten it: see [GateConfig].
	Attempt [nonceLen]byte

	key    attemptKey
	number uint64
	secret []byte
}

// Answer reads a datagram of the handshake and appends the reply to it, if it
// deserves one, to dst. The reply is never longer than the datagram. When a
// client is let in, Answer returns it with the reply, once: a repeated response
// gets the same reply and returns no client, so that it can neither make a
// second session nor bring back a client that has left. An error says why the
// datagram is refused; a reply that comes with it tells the client so.
//
// The times that are passed must come from one clock. Those of [time.Now] are
// right even when the system's clock is set.
func (g *Gate) Answer(dst []byte, from netip.AddrPort, datagram []byte, now time.Time) (reply []byte, client *Joined, err error) {
	reply, client, err = g.answer(dst, from, datagram, g.since(now))
	if r, ok := err.(Refusal); ok {
		g.config.Counters.Refuse(r)
	}
	return reply, client, err
}

// Reject appends the datagram that tells a client which Answer returned that
// the server does not want it, to be sent in place of Answer's reply, and counts
// the reason. Repeated responses of the client get the same. The reason is
// [ErrFull], [ErrOccupied] or [ErrClosed]; Reject panics for any other.
func (g *Gate) Reject(dst []byte, client *Joined, reason Refusal) []byte {
	if !proven(reason) {
		panic(fmt.Sprintf("packet: Reject: %v is no reason", reason))
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

// exchange is what a gate needs to answer one datagram. Exchanges are reused,
// so that a refusal allocates nothing.
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
	// Whatever else such a datagram holds, it is one.
	x := exchanges.Get().(*exchange)
	defer exchanges.Put(x)
	if kind == kindRequest {
		if _, err := requests.UnmarshalFirst(datagram, &x.request); err != nil {
			return dst, nil, err
		}
		if x.request.Protocol != g.p.id {
			return g.reject(x, dst, x.request.Nonce, ErrProtocol, g.description)
		}
		reply, err := g.ask(x, dst, from, &x.request.Nonce, now)
		return reply, nil, err
	}
	if err := responses.Unmarshal(datagram, &x.response); err != nil {
		return dst, nil, err
	}
	return g.admit(x, dst, from, now)
}

// ask appends a challenge, whose token only the owner of the address receives.
func (g *Gate) ask(x *exchange, dst []byte, from netip.AddrPort, n *nonce, now time.Duration) ([]byte, error) {
	x.challenge = challenge{Head: headOf(kindChallenge), Nonce: *n, Token: g.tokens.issue(from, n, now.Milliseconds())}
	return challenges.Append(dst, &x.challenge)
}

// askAgain challenges a client whose token is of no use.
func (g *Gate) askAgain(x *exchange, dst []byte, from netip.AddrPort, now time.Duration) ([]byte, *Joined, error) {
	reply, err := g.ask(x, dst, from, &x.response.Nonce, now)
	if err != nil {
		return dst, nil, err
	}
	return reply, nil, ErrToken
}

// admit lets a client in whose response is right. The checks are in the order
// of their cost: the client's address is known to be true before the gate looks
// for its attempt, and Admit, the proof and the keys come after that, as often
// as the address may have them.
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
		key.user = 0 // which anyone may change
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

// authenticate returns the secret of a response's user, or ErrDenied. It does
// the same for an unknown user, with a secret that nobody has, as for a wrong
// proof.
func (g *Gate) authenticate(x *exchange) (secret []byte, err error) {
	r, keyed := &x.response, g.p.config.Protection.keyed()
	ok := !keyed
	if g.config.Admit != nil {
		secret, ok = g.config.Admit(r.User)
	}
	if ok && keyed && len(secret) < MinSecret {
		return nil, fmt.Errorf("%w: Admit returned %d bytes, and a secret needs %d", ErrSecret, len(secret), MinSecret)
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

// join makes the session of a response whose proof is right, unless another
// response of its attempt, or the same one at the same time, has made it. It
// returns ErrToken if it cannot know.
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
	// The salt is new even if everything else comes back.
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

// reject appends a rejection, and returns its reason.
func (g *Gate) reject(x *exchange, dst []byte, n nonce, reason Refusal, description []byte) ([]byte, *Joined, error) {
	x.rejection = rejection{Head: headOf(kindRejection), Nonce: n, Reason: codeOf(reason), Server: g.p.id, Description: description}
	reply, err := rejections.Append(dst, &x.rejection)
	if err != nil {
		return dst, nil, err
	}
	return reply, nil, reason
}

// turnAway appends a rejection for a reason that is proven.
func (g *Gate) turnAway(x *exchange, dst, secret []byte, reason Refusal) ([]byte, *Joined, error) {
	return g.reject(x, dst, x.response.Nonce, reason, g.p.rejectionProof(&x.hasher, secret, &x.response, reason))
}

// rejectFormat answers a datagram of another format, if it has room for the
// answer. All formats have the nonce at the same place, and the same rejection
// of another format, whose head is that of the question.
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
