package packet

import (
	"bytes"
	"compress/flate"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGateGarbage sends datagrams that are not part of a handshake.
func TestGateGarbage(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	request, err := testJoin(t, p).Append(nil)
	require.NoError(t, err)
	response, err := challenged(t, p, g).Append(nil)
	require.NoError(t, err)
	welcome := slices.Clone(response)
	welcome[len(magic)+1] = kindWelcome
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

// TestHandshakeWire parses the datagrams of a handshake as docs/WIRE.md
// describes them, and recomputes the proofs.
func TestHandshakeWire(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	g, j := testGate(p), testJoin(t, p)
	id := binary.LittleEndian.AppendUint64(nil, p.ID())
	user := binary.LittleEndian.AppendUint64(nil, 5)
	proof := func(who string, parts ...[]byte) []byte {
		key, err := hkdf.Key(sha256.New, testSecret, nil, fmt.Sprintf("bitpack packet 2, %016x, %s proof", p.ID(), who), 32)
		require.NoError(t, err)
		mac := hmac.New(sha256.New, key)
		mac.Write(bytes.Join(parts, nil))
		return mac.Sum(nil)[:16]
	}
	start := func(kind byte) []byte { return append([]byte("bitpack\x02"), kind) }

	request, challenge, _, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	nonce := request[17:33]
	require.Equal(t, slices.Concat(start(1), id, nonce, make([]byte, 1200-33)), request)
	token := challenge[25:]
	require.Len(t, token, 25)
	require.Equal(t, slices.Concat(start(2), nonce, token), challenge)

	_, err = j.Read(challenge)
	require.NoError(t, err)
	response, welcome, client, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	require.Equal(t, slices.Concat(start(3), id, nonce, token, user, proof("client", nonce, user, token[9:])), response)
	serverNonce := welcome[25:41]
	require.Equal(t, slices.Concat(start(4), nonce, serverNonce, proof("server", nonce, user, serverNonce)), welcome)

	session, err := p.NewSession(ServerSide, testSecret, slices.Concat(nonce, serverNonce))
	require.NoError(t, err)
	require.Equal(t, sealAt(t, session, 0, testInput), sealAt(t, client.Session, 0, testInput))

	foreign := slices.Clone(request)
	foreign[9]++
	rejection, _, err := g.Answer(nil, testAddress, foreign, testNow)
	require.Equal(t, ErrProtocol, err)
	text := rejection[36:]
	require.Equal(t, slices.Concat(start(5), nonce, []byte{1}, id, []byte{byte(len(text)), byte(len(text) >> 8)}, text), rejection)
	description, err := io.ReadAll(flate.NewReader(bytes.NewReader(text)))
	require.NoError(t, err)
	require.Equal(t, p.Description(), string(description))

	// The numbers of the reasons are part of the wire.
	require.Equal(t, [...]Refusal{1: ErrProtocol, 2: ErrDenied, 3: ErrFull, 4: ErrOccupied, 5: ErrClosed, 13: ErrFormat}, reasons)

	full := g.Reject(nil, client, ErrFull)
	proven := proof("rejection", nonce, user, []byte{3})
	require.Equal(t, slices.Concat(start(5), nonce, []byte{3}, id, []byte{16, 0}, proven), full)
}
