package packet

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// countAdmits counts the calls of a gate's Admit.
func countAdmits(g *Gate) *int {
	n, admit := new(int), g.config.Admit
	g.config.Admit = func(user uint64) ([]byte, bool) { *n++; return admit(user) }
	return n
}

// TestResponseAgain repeats a response. The gate repeats its reply, returns no
// second client, and does not call Admit again.
func TestResponseAgain(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		g := testGate(p)
		admits := countAdmits(g)
		_, _, client, response, welcome := joined(t, p, g)
		require.Equal(t, 1, *admits)
		for _, late := range []time.Duration{0, time.Second, tokenLifetime} {
			reply, again, err := g.Answer(nil, testAddress, response, testNow.Add(late))
			require.NoError(t, err)
			require.Nil(t, again)
			require.Equal(t, welcome, reply)
		}
		require.Equal(t, 1, *admits)
		_, again, err := g.Answer(nil, testAddress, response, testNow.Add(tokenLifetime+time.Millisecond))
		require.Equal(t, ErrToken, err)
		require.Nil(t, again)
		_, _, other, _, _ := joined(t, p, g)
		require.NotEqual(t, client.Attempt, other.Attempt, "another client is another attempt")
	})
}

// TestForgottenAttempts has more clients join than the gate remembers. A
// response that the gate has forgotten lets nobody in, and its client needs one
// more challenge.
func TestForgottenAttempts(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := p.NewGate(GateConfig{Attempts: 3, Burst: 1000, Admit: func(uint64) ([]byte, bool) { return testSecret, true }})
	admits := countAdmits(g)
	var joins []*Join
	var said [][]byte
	var clients []*Joined
	for i := range 10 {
		now := testNow.Add(time.Duration(i) * time.Millisecond)
		j := testJoin(t, p)
		_, challenge, _, err := say(t, j, g, testAddress, now)
		require.NoError(t, err)
		_, err = j.Read(challenge)
		require.NoError(t, err)
		response, _, client, err := say(t, j, g, testAddress, now)
		require.NoError(t, err)
		require.NotNil(t, client)
		joins, said, clients = append(joins, j), append(said, response), append(clients, client)
		require.LessOrEqual(t, len(g.attempts.ring), 3)
		require.Len(t, g.attempts.at, len(g.attempts.ring))
	}
	later := testNow.Add(time.Second)
	for i, response := range said {
		before := *admits
		reply, client, err := g.Answer(nil, testAddress, response, later)
		require.Nil(t, client, "attempt %d", i)
		require.Equal(t, before, *admits)
		if i >= 7 {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, ErrToken, err)
		require.Equal(t, kindChallenge, reply[len(magic)+1])
	}
	// The first client did not receive its welcome.
	_, challenge, _, err := say(t, joins[0], g, testAddress, later)
	require.Equal(t, ErrToken, err)
	_, err = joins[0].Read(challenge)
	require.NoError(t, err)
	_, welcome, client, err := say(t, joins[0], g, testAddress, later)
	require.NoError(t, err)
	require.Equal(t, clients[0].Attempt, client.Attempt)
	require.NotEqual(t, clients[0].Session.in.guard.iv, client.Session.in.guard.iv, "other keys")
	session, err := joins[0].Read(welcome)
	require.NoError(t, err)
	requireTalk(t, session, client.Session)
}

// TestForgetsAtOnce forgets an attempt between the first and the last lookup of
// a response.
func TestForgetsAtOnce(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	g := testGate(p)
	response, err := challenged(t, p, g).Append(nil)
	require.NoError(t, err)
	admit := g.config.Admit
	g.config.Admit = func(user uint64) ([]byte, bool) {
		g.attempts.Lock()
		g.attempts.floor = g.since(testNow).Milliseconds()
		g.attempts.Unlock()
		return admit(user)
	}
	reply, client, err := g.Answer(nil, testAddress, response, testNow)
	require.Equal(t, ErrToken, err)
	require.Nil(t, client)
	require.Equal(t, kindChallenge, reply[len(magic)+1])
}

// TestReject turns away clients that the gate has let in.
func TestReject(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		for _, reason := range []Refusal{ErrFull, ErrOccupied, ErrClosed} {
			g := testGate(p)
			j := challenged(t, p, g)
			response, _, client, err := say(t, j, g, testAddress, testNow)
			require.NoError(t, err)
			reply := g.Reject([]byte("before"), client, reason)
			require.Equal(t, "before", string(reply[:6]))
			reply = reply[6:]
			require.LessOrEqual(t, len(reply), len(response))
			require.Equal(t, uint64(1), g.Counters().Refused(reason))

			again, none, err := g.Answer(nil, testAddress, response, testNow)
			require.Equal(t, reason, err)
			require.Nil(t, none)
			require.Equal(t, reply, again)

			if p.config.Protection.keyed() {
				for bit := range 8 * len(reply) {
					bad := slices.Clone(reply)
					bad[bit/8] ^= 1 << (bit % 8)
					_, err = j.Read(bad)
					var rejected *RejectedError
					if bit/8 >= 26 && bit/8 < 34 {
						continue // the protocol id is informational
					}
					require.NotErrorAs(t, err, &rejected, "bit %d", bit)
				}
			}
			session, err := j.Read(reply)
			require.Nil(t, session)
			require.ErrorIs(t, err, reason)
			require.Equal(t, &RejectedError{Reason: reason, Format: Format, Protocol: p.ID()}, err)
		}
		require.Panics(t, func() { testGate(p).Reject(nil, new(Joined), ErrForged) })
	})
}

// TestForgottenSecondResponse forgets an attempt with two responses. Neither
// response lets anyone in again.
func TestForgottenSecondResponse(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	g := testGate(p)
	g.attempts = newAttempts(1)
	j := testJoin(t, p)
	second := testNow.Add(time.Second)
	_, one, _, _ := say(t, j, g, testAddress, testNow)
	_, two, _, _ := say(t, j, g, testAddress, second)
	var responses [][]byte
	for _, challenge := range [][]byte{two, one} { // the older token arrives last
		_, err := j.Read(challenge)
		require.NoError(t, err)
		response, _, _, err := say(t, j, g, testAddress, second)
		require.NoError(t, err)
		responses = append(responses, response)
	}
	later := second.Add(time.Millisecond)
	other := testJoin(t, p)
	for range 2 {
		_, reply, _, err := say(t, other, g, testAddress, later)
		require.NoError(t, err)
		_, err = other.Read(reply)
		require.NoError(t, err)
	}
	for _, response := range responses {
		_, client, err := g.Answer(nil, testAddress, response, later)
		require.Equal(t, ErrToken, err)
		require.Nil(t, client)
	}
}
