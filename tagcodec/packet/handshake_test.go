package packet

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	testNow     = time.Unix(1700000000, 0)
	testAddress = netip.MustParseAddrPort("192.0.2.7:4000")
)

// testGate admits user 5 with testSecret, without limits on the rate.
func testGate(p *Protocol) *Gate {
	return p.NewGate(GateConfig{Describe: true, Burst: 1 << 30, Admit: func(user uint64) ([]byte, bool) {
		if user != 5 {
			return nil, false
		}
		if !p.config.Protection.keyed() {
			return nil, true
		}
		return testSecret, true
	}})
}

func testJoin(t testing.TB, p *Protocol) *Join {
	var secret []byte
	if p.config.Protection.keyed() {
		secret = testSecret
	}
	j, err := p.Join(5, secret)
	require.NoError(t, err)
	return j
}

// say delivers the client's next datagram, and returns it with the reply.
func say(t testing.TB, j *Join, g *Gate, from netip.AddrPort, now time.Time) (said, reply []byte, client *Joined, err error) {
	said, err = j.Append(nil)
	require.NoError(t, err)
	reply, client, err = g.Answer(nil, from, said, now)
	require.LessOrEqual(t, len(reply), len(said), "an answer must not be longer than the question")
	return said, reply, client, err
}

// challenged returns a client that has a token for testAddress.
func challenged(t testing.TB, p *Protocol, g *Gate) *Join {
	j := testJoin(t, p)
	_, reply, _, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	_, err = j.Read(reply)
	require.NoError(t, err)
	return j
}

func TestTokens(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	rows := []struct {
		why  string
		gate *Gate
		from netip.AddrPort
		now  time.Time
		ok   bool
	}{
		{"at the last moment", g, testAddress, testNow.Add(tokenLifetime), true},
		{"too late", g, testAddress, testNow.Add(tokenLifetime + time.Millisecond), false},
		{"from the future", g, testAddress, testNow.Add(-time.Millisecond), false},
		{"from another port", g, netip.MustParseAddrPort("192.0.2.7:4001"), testNow, false},
		{"from another address", g, netip.MustParseAddrPort("192.0.2.8:4000"), testNow, false},
		{"from the same address in another form", g, netip.MustParseAddrPort("[::ffff:192.0.2.7]:4000"), testNow, true},
		{"of another server", testGate(p), testAddress, testNow, false},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			j := challenged(t, p, g)
			_, reply, client, err := say(t, j, row.gate, row.from, row.now)
			if row.ok {
				require.NoError(t, err)
				require.NotNil(t, client)
				return
			}
			require.Equal(t, ErrToken, err)
			require.Nil(t, client)
			require.NotZero(t, row.gate.Counters().Refused(ErrToken))

			// The reply carries a token that is valid for this address and
			// time.
			session, err := j.Read(reply)
			require.NoError(t, err)
			require.Nil(t, session)
			_, reply, client, err = say(t, j, row.gate, row.from, row.now)
			require.NoError(t, err)
			require.NotNil(t, client)
			session, err = j.Read(reply)
			require.NoError(t, err)
			require.NotNil(t, session)
		})
	}
}

func TestDenied(t *testing.T) {
	p := testProtocol(t, testConfig(AES256GCM))
	g := testGate(p)
	join := func(user uint64, secret []byte) error {
		j, err := p.Join(user, secret)
		require.NoError(t, err)
		_, reply, _, err := say(t, j, g, testAddress, testNow)
		require.NoError(t, err)
		_, err = j.Read(reply)
		require.NoError(t, err)
		_, reply, client, err := say(t, j, g, testAddress, testNow)
		if err == nil {
			return nil
		}
		require.Nil(t, client)
		require.Equal(t, ErrDenied, err)
		_, err = j.Read(reply)
		return err
	}
	require.NoError(t, join(5, testSecret))
	err := join(6, testSecret)
	require.ErrorIs(t, err, ErrDenied)
	require.EqualError(t, err, "packet: rejected: the user is unknown or the secret is wrong")
	require.ErrorIs(t, join(5, bytes.Repeat([]byte{1}, MinSecret)), ErrDenied)
	require.Equal(t, uint64(2), g.Counters().Refused(ErrDenied))

	none := p.NewGate(GateConfig{})
	j := challenged(t, p, none)
	_, _, _, err = say(t, j, none, testAddress, testNow)
	require.Equal(t, ErrDenied, err, "a keyed protocol has no secret for anyone")

	keyless := testProtocol(t, testConfig(CRC32))
	none = keyless.NewGate(GateConfig{})
	_, _, client, err := say(t, challenged(t, keyless, none), none, testAddress, testNow)
	require.NoError(t, err, "without keys, anyone may join")
	require.NotNil(t, client)

	for _, secret := range [][]byte{nil, testSecret[1:]} {
		_, err = p.Join(5, secret)
		require.ErrorIs(t, err, ErrSecret)
	}
	_, err = keyless.Join(5, testSecret)
	require.ErrorIs(t, err, ErrSecret)
}

// TestWrongProtocol turns away a client whose type has another tag, and tells
// the client which.
func TestWrongProtocol(t *testing.T) {
	c := testConfig(ChaCha20Poly1305)
	server := testProtocol(t, c)
	changed := MustNew(c, Of[snapshot](), Of[wider](), Of[chat]())
	g := testGate(server)
	j := testJoin(t, changed)
	_, reply, client, err := say(t, j, g, testAddress, testNow)
	require.Equal(t, ErrProtocol, err)
	require.Nil(t, client)
	require.Equal(t, uint64(1), g.Counters().Refused(ErrProtocol))

	_, err = j.Read(reply)
	require.ErrorIs(t, err, ErrProtocol)
	var rejected *RejectedError
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, server.ID(), rejected.Protocol)
	require.Equal(t, []Difference{{Type: "wider", Field: "Thrust", Ours: "int -1..2", Theirs: "int -1..1"}}, rejected.Differences)
	require.EqualError(t, err, fmt.Sprintf("packet: rejected: the other side uses another protocol (its protocol id is %016x); "+
		"wider.Thrust: int -1..2 here, int -1..1 there", server.ID()))

	silent := server.NewGate(GateConfig{})
	_, reply, _, _ = say(t, j, silent, testAddress, testNow)
	_, err = j.Read(reply)
	require.ErrorAs(t, err, &rejected)
	require.Empty(t, rejected.Differences)

	// A response for another protocol than the request.
	late := challenged(t, server, g)
	_, reply, _, err = say(t, late, testGate(changed), testAddress, testNow)
	require.Equal(t, ErrProtocol, err)
	_, err = late.Read(reply)
	require.ErrorIs(t, err, ErrProtocol)

	// A request that was damaged in transit is no reason to give up.
	same := testJoin(t, server)
	said, err := same.Append(nil)
	require.NoError(t, err)
	said[len(head{})] ^= 1 // the protocol id
	reply, _, err = g.Answer(nil, testAddress, said, testNow)
	require.Equal(t, ErrProtocol, err)
	_, err = same.Read(reply)
	require.Equal(t, ErrGarbage, err)
}

// TestLongDescriptions truncates a description that does not fit into a
// rejection.
func TestLongDescriptions(t *testing.T) {
	var long strings.Builder
	long.WriteString("type 0\tlong\n")
	for i := range 3000 {
		fmt.Fprintf(&long, "%d int %d..%d\tField%d\n", i, i*i, i*i*i, i^0x155)
	}
	data := compressed(long.String())
	require.LessOrEqual(t, len(data), requestSize-rejectionBase)
	text := decompressed(data, maxDescription)
	rest, ok := strings.CutSuffix(text, cut)
	require.True(t, ok)
	require.True(t, strings.HasPrefix(long.String(), rest))
	require.Greater(t, len(rest), 2000)
	require.Empty(t, Diff(long.String(), text))

	short := testProtocol(t, testConfig(None)).Description()
	require.Equal(t, short, decompressed(compressed(short), maxDescription))
	require.Empty(t, decompressed([]byte{1, 2, 3}, maxDescription))
	bomb := compressed(strings.Repeat("a", maxDescription-2) + "\n")
	require.Len(t, decompressed(bomb, maxDescription), maxDescription-1)
	require.LessOrEqual(t, len(decompressed(compressed(strings.Repeat(strings.Repeat("a", 99)+"\n", 2000)), maxDescription)), maxDescription)

	r := rejection{Description: make([]byte, requestSize-rejectionBase)}
	full, err := rejections.Append(nil, &r)
	require.NoError(t, err)
	require.Len(t, full, requestSize, "a rejection is as long as a request at most")
	require.Equal(t, requestSize, rejections.MaxSize())
}

// TestJoinIgnores gives a client datagrams that are not for it, and requires
// that it continues.
func TestJoinIgnores(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	g := testGate(p)
	j, other := challenged(t, p, g), challenged(t, p, g)
	_, welcome, _, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	_, err = other.Read(welcome)
	require.Equal(t, ErrStranger, err, "another client's")
	challenge, err := g.ask(new(exchange), nil, testAddress, &nonce{1}, 0)
	require.NoError(t, err)
	_, err = j.Read(challenge)
	require.Equal(t, ErrStranger, err)
	for _, r := range []rejection{
		{Nonce: nonce{1}, Reason: codeOf(ErrDenied)},
		{Nonce: j.response.Nonce, Reason: codeOf(ErrFull)},
		{Nonce: j.response.Nonce, Reason: codeOf(ErrFull), Description: make([]byte, proofLen)},
		{Nonce: j.response.Nonce, Reason: codeOf(ErrFormat), Server: Format},
		{Nonce: j.response.Nonce, Reason: 0},
		{Nonce: j.response.Nonce, Reason: uint8(len(reasons))},
		{Nonce: j.response.Nonce, Reason: 255},
	} {
		r.Head = headOf(kindRejection)
		data, err := rejections.Append(nil, &r)
		require.NoError(t, err)
		_, err = j.Read(data)
		var rejected *RejectedError
		require.Regexp(t, "^packet: (unmarshal rejection.|the )", err)
		require.NotErrorAs(t, err, &rejected)
	}
	session, err := j.Read(welcome)
	require.NoError(t, err)
	require.NotNil(t, session)
}

// TestHeadStartsNoSession requires that no datagram of a session without a MAC
// can be mistaken for one of the handshake: its header would be malformed.
func TestHeadStartsNoSession(t *testing.T) {
	for _, protection := range protections {
		if at := protection.prefixLen(); at < MinMAC {
			_, _, _, refusal := readHeader([]byte(magic)[at:])
			require.Equal(t, ErrGarbage, refusal, protection)
		}
	}
	require.Less(t, len(magic), MinMAC)
}
