package packet

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGateGarbage sends what is no part of a handshake.
func TestGateGarbage(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	request, err := testJoin(t, p).Append(nil)
	require.NoError(t, err)
	response, err := challenged(t, p, g).Append(nil)
	require.NoError(t, err)
	welcome := slices.Clone(response)
	welcome[len(magic)] = kindWelcome
	rows := []struct {
		why  string
		data []byte
		want Refusal
	}{
		{"nothing", nil, ErrStranger},
		{"no head", request[:8], ErrStranger},
		{"another magic", append([]byte{'B'}, request[1:]...), ErrStranger},
		{"a datagram of a session", sealAt(t, mustSession(t, p), 9, testInput), ErrStranger},
		{"a request that is too short to be answered", request[:requestSize-1], ErrTruncated},
		{"a request that is too long", append(slices.Clone(request), 0), ErrTooLong},
		{"a response that is too short", response[:len(response)-1], ErrTruncated},
		{"a response that is too long", append(slices.Clone(response), 0), ErrTooLong},
		{"what a server says", welcome, ErrGarbage},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			before := g.Counters().Refused(row.want)
			reply, client, err := g.Answer([]byte("before"), testAddress, row.data, testNow)
			require.Equal(t, row.want, err)
			require.Nil(t, client)
			require.Equal(t, "before", string(reply), "garbage deserves no answer")
			require.Equal(t, before+1, g.Counters().Refused(row.want))
		})
	}
}

func mustSession(t testing.TB, p *Protocol) *Session {
	client, _ := pair(t, p)
	return client
}

// TestEveryResponseBit flips each bit of a response: none may let anyone in.
func TestEveryResponseBit(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	g := testGate(p)
	response, err := challenged(t, p, g).Append(nil)
	require.NoError(t, err)
	for bit := range 8 * len(response) {
		bad := slices.Clone(response)
		bad[bit/8] ^= 1 << (bit % 8)
		_, client, err := g.Answer(nil, testAddress, bad, testNow)
		require.Error(t, err, "bit %d", bit)
		require.Nil(t, client)
	}
	_, client, err := g.Answer(nil, testAddress, response, testNow)
	require.NoError(t, err)
	require.NotNil(t, client)
}
