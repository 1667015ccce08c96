package packet

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// mutations calls f with every datagram made from d by flipping a bit, cutting
// at a byte, or appending a byte.
func mutations(d []byte, f func(bad []byte)) {
	for bit := range 8 * len(d) {
		bad := bytes.Clone(d)
		bad[bit/8] ^= 1 << (bit % 8)
		f(bad)
	}
	for n := range d {
		f(bytes.Clone(d[:n]))
	}
	f(append(bytes.Clone(d), 0))
}

// TestEveryMessageMutated delivers every mutation of every datagram of a
// handshake before the datagram itself. No mutation makes a session, and none
// keeps the genuine datagrams from completing the handshake.
func TestEveryMessageMutated(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		g, j := testGate(p), testJoin(t, p)
		keyed := p.config.Protection.keyed()
		var client *Joined
		var session *Session
		tries := 0
		for ; session == nil; tries++ {
			require.Less(t, tries, 5)
			question, err := j.Append(nil)
			require.NoError(t, err)
			answers := map[string]bool{}
			mutations(question, func(bad []byte) {
				reply, c, _ := g.Answer(nil, testAddress, bad, testNow)
				require.LessOrEqual(t, len(reply), len(bad))
				require.Nil(t, c)
				if len(reply) > 0 {
					answers[string(reply)] = true
				}
			})
			answer, c, err := g.Answer(nil, testAddress, question, testNow)
			require.NoError(t, err)
			if c != nil {
				require.Nil(t, client)
				client = c
			}
			for bad := range answers {
				s, _ := j.Read([]byte(bad))
				require.Nil(t, s)
			}
			mutations(answer, func(bad []byte) {
				s, _ := j.Read(bad)
				require.Nil(t, s)
			})
			session, err = j.Read(answer)
			require.NoError(t, err)
		}
		require.Equal(t, 2, tries)
		requireTalk(t, session, client.Session)
		if keyed {
			require.Equal(t, session.in.guard.iv, client.Session.out.guard.iv)
		}
	})
}

// parcel is a datagram between the server and a client's address, in either
// direction.
type parcel struct {
	client   int
	toServer bool
	data     []byte
}

// attack is a server and clients on a network that loses, repeats, reorders, damages
// and misroutes datagrams.
type attack struct {
	t           *testing.T
	p           *Protocol
	random      *rand.Rand
	queue, past []parcel
	gate        *Gate
	now         time.Time
	joins       []*Join
	sessions    []*Session // those that joins made
	clients     []*Joined  // those that gates returned
	attempts    map[*Gate]map[attemptKey]int
	ivs         map[[nonceSize]byte]bool // the IV of each direction of each session that a gate made
}

func (a *attack) send(d parcel) {
	if len(d.data) == 0 {
		return
	}
	a.past = append(a.past, d)
	for range a.random.IntN(4) { // possibly not at all
		a.queue = append(a.queue, d)
	}
	old := a.past[a.random.IntN(len(a.past))]
	switch a.random.IntN(8) {
	case 0, 1, 2:
		d.data = a.mutate(d.data, old.data)
		a.queue = append(a.queue, d)
	case 3, 4:
		a.queue = append(a.queue, old)
	case 5: // misrouted
		d.client = a.random.IntN(len(a.joins))
		a.queue = append(a.queue, d)
	}
}

// mutate cuts a datagram off, splices it with another one or flips bits.
func (a *attack) mutate(d, other []byte) []byte {
	d = bytes.Clone(d)
	switch at := a.random.IntN(min(len(d), len(other))); a.random.IntN(4) {
	case 0:
		return d[:at]
	case 1:
		return append(d[:at], other[at:]...)
	}
	for range 1 + a.random.IntN(3) {
		d[a.random.IntN(len(d))] ^= 1 << a.random.IntN(8)
	}
	return d
}

// TestHandshakeUnderAttack runs handshakes over a bad network, with a server
// that rotates its key, forgets attempts and restarts. It requires that
//
//   - no join makes two sessions, and no attempt makes two while the gate remembers it;
//   - no two sessions of a side share a key, so that no key is used twice with the
//     same sequence number;
//   - each client's session is one that the server made for its attempt, and works in
//     both directions;
//   - each handshake ends once the network is good.
func TestHandshakeUnderAttack(t *testing.T) {
	for _, protection := range protections {
		t.Run(protection.String(), func(t *testing.T) {
			for seed := range uint64(effort.Rounds(t, 1)) {
				a := &attack{t: t, p: testProtocol(t, testConfig(protection)), now: testNow, random: rand.New(rand.NewPCG(seed, 7)),
					attempts: map[*Gate]map[attemptKey]int{}, ivs: map[[nonceSize]byte]bool{}}
				a.restart()
				a.run()
				a.settle()
				a.check()
			}
		})
	}
}

func (a *attack) restart() {
	admit := testGate(a.p).config.Admit
	a.gate = a.p.NewGate(GateConfig{Admit: admit, Burst: 1 << 30, Describe: true})
	a.attempts[a.gate] = map[attemptKey]int{}
}

func (a *attack) run() {
	for range 12 {
		a.joins = append(a.joins, testJoin(a.t, a.p))
		a.sessions = append(a.sessions, nil)
	}
	for step := range 1500 {
		a.now = a.now.Add(time.Duration(a.random.IntN(20)) * time.Millisecond)
		switch {
		case step%200 == 199:
			a.gate.Rotate(a.now)
		case step%100 == 50 && step < 1100:
			a.restart()
		}
		i := a.random.IntN(len(a.joins))
		if a.sessions[i] == nil || a.random.IntN(10) == 0 {
			said, err := a.joins[i].Append(nil)
			require.NoError(a.t, err)
			a.send(parcel{i, true, said})
		}
		for range 3 {
			if n := len(a.queue); n > 0 {
				i := a.random.IntN(n)
				d := a.queue[i]
				a.queue[i] = a.queue[n-1]
				a.queue = a.queue[:n-1]
				a.deliver(d)
			}
		}
	}
}

func (a *attack) deliver(d parcel) {
	data := bytes.Clone(d.data)
	if d.toServer {
		reply, client, _ := a.gate.Answer(nil, testAddressOf(d.client), data, a.now)
		require.LessOrEqual(a.t, len(reply), len(data))
		if client != nil {
			a.joined(client)
		}
		a.send(parcel{d.client, false, reply})
		return
	}
	s, err := a.joins[d.client].Read(data)
	if s == nil {
		return
	}
	require.NoError(a.t, err)
	if a.sessions[d.client] == nil {
		a.sessions[d.client] = s
	}
	require.Same(a.t, a.sessions[d.client], s, "one join, one session")
}

func (a *attack) joined(client *Joined) {
	a.clients = append(a.clients, client)
	a.attempts[a.gate][client.key]++
	require.Equal(a.t, 1, a.attempts[a.gate][client.key], "one attempt, one session")
	if !a.p.config.Protection.keyed() {
		return
	}
	for _, g := range []*guard{client.Session.in.guard, client.Session.out.guard} {
		require.NotZero(a.t, g.iv)
		require.False(a.t, a.ivs[g.iv], "keys of before")
		a.ivs[g.iv] = true
	}
}

// settle lets each client complete its handshake over a good network.
func (a *attack) settle() {
	for i, j := range a.joins {
		for tries := 0; a.sessions[i] == nil; tries++ {
			require.Less(a.t, tries, 5, "the handshake does not end")
			said, err := j.Append(nil)
			require.NoError(a.t, err)
			reply, client, err := a.gate.Answer(nil, testAddressOf(i), said, a.now)
			if err != nil {
				require.Equal(a.t, ErrToken, err)
			}
			if client != nil {
				a.joined(client)
			}
			a.sessions[i], err = j.Read(reply)
			require.NoError(a.t, err)
		}
	}
}

func (a *attack) check() {
	for i, s := range a.sessions {
		var ends []*Joined
		for _, c := range a.clients {
			if c.Attempt == a.joins[i].response.Nonce && c.User == 5 && (s.out.guard.iv == c.Session.in.guard.iv) {
				ends = append(ends, c)
			}
		}
		require.NotEmpty(a.t, ends)
		if a.p.config.Protection.keyed() {
			require.Len(a.t, ends, 1)
		}
		requireTalk(a.t, s, ends[0].Session)
	}
}
