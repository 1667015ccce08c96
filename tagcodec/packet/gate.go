package packet

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"net/netip"
	"sync"
	"time"
)

// GateConfig is what a [Gate] is made with.
type GateConfig struct {
	// Admit returns the secret of a user, or false for one who may not join. It
	// is called when the user's address is known to be true, by any number of
	// goroutines at once. Where it is nil, everyone may join a protocol without
	// keys, and no one another.
	Admit func(user uint64) (secret []byte, ok bool)
	// Describe sends those who speak another protocol the description of the
	// server's, as far as it fits into a datagram, so that they see what differs.
	// It makes the description public.
	Describe bool
	// Counters is where the gate and its sessions count, or nil.
	Counters *Counters
}

// Gate is the server's side of the handshake. It keeps no state for those who
// knock, and is safe for concurrent use.
type Gate struct {
	p           *Protocol
	config      GateConfig
	description []byte // compressed

	mu  sync.Mutex
	mac hash.Hash // of tokens, under a key that nobody else has
	sum [sha256.Size]byte
}

// NewGate returns a gate of the protocol.
func (p *Protocol) NewGate(c GateConfig) *Gate {
	if c.Counters == nil {
		c.Counters = new(Counters)
	}
	key := make([]byte, keySize)
	rand.Read(key) // which never fails
	g := &Gate{p: p, config: c, mac: hmac.New(sha256.New, key)}
	if c.Describe {
		g.description = compressed(p.description)
	}
	return g
}

// Counters returns where the gate and its sessions count.
func (g *Gate) Counters() *Counters { return g.config.Counters }

// Joined is a client that a gate let in.
type Joined struct {
	User    uint64
	Session *Session
	// Attempt tells one [Join] from another. A client that did not hear the
	// welcome answers the challenge again: if its address has a session of the
	// same attempt already, the server keeps that one, and sends the reply that
	// it sent before.
	Attempt [nonceLen]byte
}

// Answer reads a datagram of the handshake and appends the reply to it, if it
// deserves one, to dst. It is never longer than the datagram. When the client
// is let in, Answer returns it with the reply. An error says why the client is
// refused; a reply that comes with it tells the client so.
func (g *Gate) Answer(dst []byte, from netip.AddrPort, datagram []byte, now time.Time) (reply []byte, client *Joined, err error) {
	reply, client, err = g.answer(dst, from, datagram, now)
	if r, ok := err.(Refusal); ok {
		g.config.Counters.Refuse(r)
	}
	return reply, client, err
}

// exchange is what a gate needs to answer one datagram. It is used again, so
// that those who only knock cost no memory.
type exchange struct {
	request   request
	response  response
	challenge challenge
	rejection rejection
	signed    [18 + nonceLen + 8]byte // by a token
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func (g *Gate) answer(dst []byte, from netip.AddrPort, datagram []byte, now time.Time) ([]byte, *Joined, error) {
	if !IsHandshake(datagram) {
		return dst, nil, ErrStranger
	}
	kind, want := datagram[len(magic)], 0
	switch kind {
	case kindRequest:
		want = requestSize
	case kindResponse:
		want = responses.MaxSize()
	default:
		return dst, nil, ErrGarbage
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
		reply, err := g.ask(x, dst, from, x.request.Nonce, now)
		return reply, nil, err
	}
	if err := responses.Unmarshal(datagram, &x.response); err != nil {
		return dst, nil, err
	}
	return g.admit(x, dst, from, now)
}

// ask appends a challenge, whose token only the owner of the address receives.
func (g *Gate) ask(x *exchange, dst []byte, from netip.AddrPort, n nonce, now time.Time) ([]byte, error) {
	x.challenge = challenge{Head: headOf(kindChallenge), Nonce: n, Token: g.token(x, from, n, now.UnixMilli())}
	return challenges.Append(dst, &x.challenge)
}

// admit lets a client in whose response is right. What costs the most, or
// takes memory, comes last: a client's address is known to be true before it
// is asked who it is.
func (g *Gate) admit(x *exchange, dst []byte, from netip.AddrPort, now time.Time) ([]byte, *Joined, error) {
	r := &x.response
	if r.Protocol != g.p.id {
		return g.reject(x, dst, r.Nonce, ErrProtocol, nil)
	}
	age := now.UnixMilli() - r.Token.Issued
	want := g.token(x, from, r.Nonce, r.Token.Issued)
	if subtle.ConstantTimeCompare(want.MAC[:], r.Token.MAC[:]) == 0 || age < 0 || age > tokenLifetime.Milliseconds() {
		reply, err := g.ask(x, dst, from, r.Nonce, now)
		if err != nil {
			return dst, nil, err
		}
		return reply, nil, ErrToken
	}
	var secret []byte
	ok := g.config.Admit == nil && !g.p.config.Protection.keyed()
	if g.config.Admit != nil {
		secret, ok = g.config.Admit(r.User)
	}
	if !ok {
		return g.reject(x, dst, r.Nonce, ErrDenied, nil)
	}
	proof, err := g.p.clientProof(secret, r)
	if err != nil {
		return dst, nil, err
	}
	if subtle.ConstantTimeCompare(proof[:], r.Proof[:]) == 0 {
		return g.reject(x, dst, r.Nonce, ErrDenied, nil)
	}
	return g.welcome(dst, r, secret)
}

// welcome makes the session of a client. The server's nonce is a new one each
// time, so that a response that is sent again, by whomever, gives other keys.
func (g *Gate) welcome(dst []byte, r *response, secret []byte) ([]byte, *Joined, error) {
	w := welcome{Head: headOf(kindWelcome), Nonce: r.Nonce}
	rand.Read(w.Server[:])
	var err error
	if w.Proof, err = g.p.serverProof(secret, r, w.Server); err != nil {
		return dst, nil, err
	}
	s, err := g.p.joined(ServerSide, secret, r.Nonce, w.Server)
	if err != nil {
		return dst, nil, err
	}
	s.CountIn(g.config.Counters)
	reply, err := welcomes.Append(dst, &w)
	return reply, &Joined{User: r.User, Session: s, Attempt: r.Nonce}, err
}

func (g *Gate) reject(x *exchange, dst []byte, n nonce, reason Refusal, description []byte) ([]byte, *Joined, error) {
	x.rejection = rejection{Head: headOf(kindRejection), Nonce: n, Reason: uint8(reason), Protocol: g.p.id, Description: description}
	reply, err := rejections.Append(dst, &x.rejection)
	if err != nil {
		return dst, nil, err
	}
	return reply, nil, reason
}

// token returns the token for an address and a client's nonce. It carries all
// that the server needs to know it again.
func (g *Gate) token(x *exchange, from netip.AddrPort, n nonce, issued int64) (t token) {
	t.Issued = issued
	signed := appendAddress(x.signed[:0], from)
	signed = append(signed, n[:]...)
	signed = binary.LittleEndian.AppendUint64(signed, uint64(issued))
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mac.Reset()
	g.mac.Write(signed)
	copy(t.MAC[:], g.mac.Sum(g.sum[:0]))
	return t
}
