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

// tokenLifetime is how long a challenge may be answered.
const tokenLifetime = 10 * time.Second

// tokens makes and checks the tokens of a gate. Times are milliseconds since
// the gate was made.
type tokens struct {
	mu                sync.Mutex
	current, previous tokenKey
	signed            [addressLen + nonceLen + 8]byte
	sum               [sha256.Size]byte
}

// tokenKey is a key that nobody else has.
type tokenKey struct {
	number uint8
	mac    hash.Hash // nil if there is no such key
	last   int64     // the time of the last token under a previous key
}

func newTokenKey(number uint8) tokenKey {
	key := make([]byte, keySize)
	rand.Read(key) // never fails
	return tokenKey{number: number, mac: hmac.New(sha256.New, key)}
}

// rotate replaces the key.
func (t *tokens) rotate(now int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.previous = t.current
	t.previous.last = now
	t.current = newTokenKey(t.current.number + 1)
}

// issue returns a token for an address and a client's nonce. It carries
// everything that check needs.
func (t *tokens) issue(from netip.AddrPort, n *nonce, now int64) token {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sign(&t.current, from, n, now)
}

// check reports whether a token is for an address and a nonce, and has not
// expired. One under the previous key must be as old as that key.
func (t *tokens) check(from netip.AddrPort, n *nonce, got *token, now int64) bool {
	if age := now - got.Issued; age < 0 || age > tokenLifetime.Milliseconds() {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	key := &t.current
	if got.Key != key.number {
		key = &t.previous
		if key.mac == nil || got.Key != key.number || got.Issued > key.last {
			return false
		}
	}
	want := t.sign(key, from, n, got.Issued)
	return subtle.ConstantTimeCompare(want.MAC[:], got.MAC[:]) == 1
}

func (t *tokens) sign(key *tokenKey, from netip.AddrPort, n *nonce, issued int64) token {
	address := addressOf(from)
	signed := append(t.signed[:0], address[:]...)
	signed = append(signed, n[:]...)
	signed = binary.LittleEndian.AppendUint64(signed, uint64(issued))
	key.mac.Reset()
	key.mac.Write(signed)
	key.mac.Sum(t.sum[:0])
	return token{Key: key.number, Issued: issued, MAC: [proofLen]byte(t.sum[:proofLen])}
}

// addressLen is the length of an address and port.
const addressLen = 16 + 2

// addressOf returns the bytes of an address: the same for an IPv4 address in
// whatever form the socket writes it.
func addressOf(a netip.AddrPort) (b [addressLen]byte) {
	ip := a.Addr().As16()
	copy(b[:], ip[:])
	binary.LittleEndian.PutUint16(b[len(ip):], a.Port())
	return b
}
