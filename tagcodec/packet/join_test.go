package packet

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// joined returns the two ends that a handshake results in, and its last two
// datagrams.
func joined(t testing.TB, p *Protocol, g *Gate) (j *Join, session *Session, client *Joined, response, welcome []byte) {
	j = challenged(t, p, g)
	response, welcome, client, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	require.NotNil(t, client)
	session, err = j.Read(bytes.Clone(welcome))
	require.NoError(t, err)
	require.NotNil(t, session)
	return j, session, client, response, welcome
}

// requireTalk requires that two sessions are the ends of one conversation.
func requireTalk(t testing.TB, a, b *Session) {
	for _, ends := range [][2]*Session{{a, b}, {b, a}} {
		d, err := ends[0].Append(nil, testInput)
		require.NoError(t, err)
		v, err := ends[1].Decode(d)
		require.NoError(t, err)
		require.Equal(t, &testInput, v)
	}
}

// TestOneJoinOneSession gives a client that has joined everything that a server
// may have sent. Nothing makes another session or harms the one in use.
func TestOneJoinOneSession(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		g := testGate(p)
		j, session, client, response, welcome := joined(t, p, g)
		requireTalk(t, session, client.Session)
		require.Equal(t, uint64(1), g.Counters().Accepted(), "the sessions of a gate count where it does")

		again, err := j.Read(bytes.Clone(welcome))
		require.NoError(t, err)
		require.Same(t, session, again, "the same welcome is the same session")
		require.Equal(t, uint64(1), again.Sent(), "whose numbers go on")

		// A server that has forgotten the attempt welcomes the client again.
		g.attempts = newAttempts(1)
		second, other, err := g.Answer(nil, testAddress, response, testNow)
		require.NoError(t, err)
		require.NotNil(t, other)
		require.NotEqual(t, welcome, second)
		again, err = j.Read(second)
		require.Equal(t, ErrReplayed, err)
		require.Nil(t, again)

		challenge, err := g.ask(new(exchange), nil, testAddress, &j.response.Nonce, 0)
		require.NoError(t, err)
		rejection, _, _ := g.reject(new(exchange), nil, j.response.Nonce, ErrDenied, nil)
		for _, d := range [][]byte{challenge, rejection, g.Reject(nil, client, ErrFull)} {
			again, err = j.Read(d)
			require.Equal(t, ErrReplayed, err)
			require.Nil(t, again)
		}
		said, err := j.Append(nil)
		require.NoError(t, err)
		require.Equal(t, response, said)
		again, err = j.Read(bytes.Clone(welcome))
		require.NoError(t, err)
		require.Same(t, session, again)
		requireTalk(t, session, client.Session)
	})
}

// TestCopies copies the types that hold keys and sequence numbers. Copies share
// their state, so that no sequence number is used twice.
func TestCopies(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	j := challenged(t, p, g)
	other := *j
	_, welcome, client, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	one, err := j.Read(welcome)
	require.NoError(t, err)
	two, err := other.Read(welcome)
	require.NoError(t, err)
	require.Same(t, one, two)

	copied := *one
	first, err := one.Append(nil, testInput)
	require.NoError(t, err)
	second, err := copied.Append(nil, testInput)
	require.NoError(t, err)
	for _, d := range [][]byte{first, second} {
		_, err = client.Session.Decode(d)
		require.NoError(t, err)
	}
	require.Equal(t, uint64(2), one.Sent())
}

// TestSecretIsCopied changes the caller's secret after calling Join.
func TestSecretIsCopied(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	g := testGate(p)
	secret := bytes.Clone(testSecret)
	j, err := p.Join(5, secret)
	require.NoError(t, err)
	clear(secret)
	_, challenge, _, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	_, err = j.Read(challenge)
	require.NoError(t, err)
	_, _, client, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	require.NotNil(t, client)
}
