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

// tokenLifetime is how long a client has to answer a challenge.
const tokenLifetime = 10 * time.Second

// tokens issues and checks the tokens of a gate. Times are in milliseconds
// since the gate was made.
type tokens struct {
	mu                sync.Mutex
	current, previous tokenKey
	signed            [addressLen + nonceLen + 8]byte
	digest            [sha256.Size]byte
}

// tokenKey is a key that only the gate knows.
type tokenKey struct {
	number uint8
	mac    hash.Hash // nil if there is no previous key
	last   int64     // for a previous key, the time when it was replaced
}

func newTokenKey(number uint8) tokenKey {
	key := make([]byte, keySize)
	rand.Read(key) // never fails
	return tokenKey{number: number, mac: hmac.New(sha256.New, key)}
}

// rotate makes the current key the previous one and generates a new key.
func (t *tokens) rotate(now int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.previous = t.current
	t.previous.last = now
	t.current = newTokenKey(t.current.number + 1)
}

// issue returns a token for an address and a client's nonce. The token carries
// everything that check needs.
func (t *tokens) issue(from netip.AddrPort, n *nonce, now int64) token {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sign(&t.current, from, n, now)
}

// check reports whether a token is for an address and a nonce and has not
// expired. A token under the previous key must have been issued before that key
// was replaced.
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
	key.mac.Sum(t.digest[:0])
	return token{Key: key.number, Issued: issued, MAC: [proofLen]byte(t.digest[:proofLen])}
}

// addressLen is the length in bytes of an address and port.
const addressLen = 16 + 2

// addressOf returns the bytes of an address and port. An IPv4 address and its
// IPv4-mapped IPv6 form give the same bytes.
func addressOf(a netip.AddrPort) (b [addressLen]byte) {
	ip := a.Addr().As16()
	copy(b[:], ip[:])
	binary.LittleEndian.PutUint16(b[len(ip):], a.Port())
	return b
}
