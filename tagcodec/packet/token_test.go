package packet

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRotate answers challenges issued under earlier keys.
func TestRotate(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	at := func(d time.Duration) time.Time { return testNow.Add(d) }
	rows := []struct {
		why    string
		rotate []time.Duration
		answer time.Duration
		ok     bool
	}{
		{"at once", []time.Duration{0}, 0, true},
		{"the key before", []time.Duration{time.Second}, tokenLifetime, true},
		{"the key before, too late", []time.Duration{time.Second}, tokenLifetime + time.Millisecond, false},
		{"the key before that", []time.Duration{time.Second, 2 * time.Second}, 3 * time.Second, false},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			g := testGate(p)
			j := challenged(t, p, g)
			for _, when := range row.rotate {
				g.Rotate(at(when))
			}
			_, reply, client, err := say(t, j, g, testAddress, at(row.answer))
			require.Equal(t, row.ok, client != nil)
			if !row.ok {
				require.Equal(t, ErrToken, err)
				_, err = j.Read(reply)
				require.NoError(t, err)
				_, _, client, err = say(t, j, g, testAddress, at(row.answer))
				require.NoError(t, err)
				require.NotNil(t, client, "under the key of now")
			}
		})
	}
}

// TestRotateEndsTheKey forges a token under a leaked key. After the rotation
// the token lets nobody in.
func TestRotateEndsTheKey(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	known := g.tokens.current
	g.Rotate(testNow)
	forge := func(now time.Time) *Joined {
		j := testJoin(t, p)
		ms := g.since(now).Milliseconds()
		j.response.Token = g.tokens.sign(&known, testAddress, &j.response.Nonce, ms)
		copy(j.response.Proof[:], p.clientProof(&j.hasher, testSecret, &j.response))
		_, _, client, _ := say(t, j, g, testAddress, now)
		return client
	}
	require.NotNil(t, forge(testNow), "one of before is not told from it")
	require.Nil(t, forge(testNow.Add(time.Millisecond)))
	for range 255 { // the key number repeats
		g.Rotate(testNow)
	}
	require.Equal(t, known.number, g.tokens.current.number)
	require.Nil(t, forge(testNow))
}

// TestTokensKeepTime sets the system clock back, which times of time.Now do not
// follow. It also gives the gate times from before the gate was made.
func TestTokensKeepTime(t *testing.T) {
	p := testProtocol(t, testConfig(None))
	g := testGate(p)
	for i, now := range []time.Time{time.Now(), time.Unix(0, 0), {}, time.Unix(1<<40, 0)} {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}), 4000)
		j := testJoin(t, p)
		_, challenge, _, err := say(t, j, g, from, now)
		require.NoError(t, err)
		_, err = j.Read(challenge)
		require.NoError(t, err)
		_, _, client, err := say(t, j, g, from, now)
		require.NoError(t, err)
		require.NotNil(t, client)
	}
}
