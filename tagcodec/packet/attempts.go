package packet

import (
	"crypto/subtle"
	"math"
	"net/netip"
	"sync"
)

// attempts remembers the joins that a gate let in and its replies to them, so
// that each makes one session. It holds at most max of them and forgets the
// oldest first. A token as old as that of a forgotten attempt is then refused,
// so that no response is let in twice.
type attempts struct {
	sync.Mutex
	at    map[attemptKey]int // index in ring
	ring  []attempt
	next  int // index of the oldest, once the ring is full
	max   int
	floor int64 // the time of the newest token of the forgotten attempts
	made  uint64
}

// attemptKey identifies an attempt by the client's address, nonce and user.
type attemptKey struct {
	address [addressLen]byte
	nonce   nonce
	user    uint64
}

func attemptOf(from netip.AddrPort, r *response) attemptKey {
	return attemptKey{addressOf(from), r.Nonce, r.User}
}

// attempt is a remembered join and the reply to its responses.
type attempt struct {
	key    attemptKey
	number uint64         // as in its Joined
	issued int64          // the time of the newest token that the client has used
	proof  [proofLen]byte // of the last response
	reason Refusal        // 0 if the client was let in
	length uint8
	reply  [max(welcomeSize, rejectionBase+proofLen)]byte
}

func newAttempts(n int) *attempts {
	return &attempts{at: map[attemptKey]int{}, max: n, floor: math.MinInt64}
}

// find returns the attempt with the given key, or nil.
func (a *attempts) find(key *attemptKey) *attempt {
	if i, ok := a.at[*key]; ok {
		return &a.ring[i]
	}
	return nil
}

// add remembers an attempt and returns it, still without a reply. If there is
// no room, it forgets the oldest attempt.
func (a *attempts) add(key *attemptKey, r *response) *attempt {
	i := len(a.ring)
	if i < a.max {
		a.ring = append(a.ring, attempt{})
	} else {
		i = a.next
		a.next = (a.next + 1) % a.max
		old := &a.ring[i]
		delete(a.at, old.key)
		a.floor = max(a.floor, old.issued)
	}
	a.made++
	a.at[*key] = i
	a.ring[i] = attempt{key: *key, number: a.made, issued: r.Token.Issued, proof: r.Proof}
	return &a.ring[i]
}

// stale reports whether the response of an unknown attempt may have been let in
// before.
func (a *attempts) stale(r *response) bool { return r.Token.Issued <= a.floor }

// answer sets the reply to the attempt's responses.
func (e *attempt) answer(reply []byte, reason Refusal) {
	e.length = uint8(copy(e.reply[:], reply))
	e.reason = reason
}

// again appends the reply to dst.
func (e *attempt) again(dst []byte) ([]byte, error) {
	dst = append(dst, e.reply[:e.length]...)
	if e.reason != 0 {
		return dst, e.reason
	}
	return dst, nil
}

// repeated appends the reply to a response that the gate has answered before,
// and reports whether it has. It returns ErrToken if the attempt is unknown and
// the response is stale.
func (a *attempts) repeated(dst []byte, key *attemptKey, r *response) (reply []byte, done bool, err error) {
	a.Lock()
	defer a.Unlock()
	e := a.find(key)
	switch {
	case e == nil && a.stale(r):
		return dst, false, ErrToken
	case e == nil || subtle.ConstantTimeCompare(e.proof[:], r.Proof[:]) == 0:
		return dst, false, nil
	}
	reply, err = e.again(dst)
	return reply, true, err
}
