package packet

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// TestAdmitIsBounded has one address answer challenges as fast as it can, with
// wrong proofs and many ports, and counts the calls of Admit.
func TestAdmitIsBounded(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	admits := 0
	g := p.NewGate(GateConfig{Rate: 5, Burst: 20, Admit: func(uint64) ([]byte, bool) { admits++; return testSecret, true }})
	flood := func(from netip.AddrPort, now time.Time, times int) {
		j := testJoin(t, p)
		_, challenge, _, err := say(t, j, g, from, now)
		require.NoError(t, err)
		_, err = j.Read(challenge)
		require.NoError(t, err)
		response, err := j.Append(nil)
		require.NoError(t, err)
		for i := range times {
			binary.LittleEndian.PutUint32(response[len(response)-4:], binary.LittleEndian.Uint32(response[len(response)-4:])+uint32(min(i, 1)))
			reply, client, err := g.Answer(nil, from, response, now)
			if err == ErrBusy {
				require.Empty(t, reply)
			}
			if client != nil {
				require.Zero(t, i)
			}
		}
	}
	flood(testAddress, testNow, 1000)
	require.Equal(t, 20, admits)
	require.Equal(t, uint64(980), g.Counters().Refused(ErrBusy))
	flood(netip.AddrPortFrom(testAddress.Addr(), 9), testNow, 100)
	require.Equal(t, 20, admits, "another port is no other address")
	for i := range 100 {
		flood(testAddress, testNow.Add(time.Duration(i+1)*100*time.Millisecond), 10)
	}
	require.Equal(t, 20+5*10, admits, "ten seconds later")

	admits = 0
	flood(netip.MustParseAddrPort("192.0.2.8:4000"), testNow, 30)
	require.Equal(t, 20, admits, "another address has its own")
	admits = 0
	flood(netip.MustParseAddrPort("[2001:db8::1]:4000"), testNow, 15)
	flood(netip.MustParseAddrPort("[2001:db8::ffff:ffff:ffff:ffff]:4000"), testNow, 15)
	require.Equal(t, 20, admits, "a network of 64 bits is one address")
	flood(netip.MustParseAddrPort("[2001:db8:0:1::1]:4000"), testNow, 30)
	require.Equal(t, 40, admits, "and the next another")
}

// TestLimiterBounds has more addresses than the table has slots ask at random
// times. None gets more than its limit, and together they get no more than the
// slots allow.
func TestLimiterBounds(t *testing.T) {
	const rate, burst, slots = 10, 5, 16
	for seed := range uint64(effort.Rounds(t, 3)) {
		random := rand.New(rand.NewPCG(seed, 1))
		l := newLimiter(rate, burst, slots)
		require.Len(t, l.slots, slots)
		addresses := 1 + random.IntN(100)
		got := make([][]int64, addresses)
		total, now := 0, int64(random.Uint32())
		start := now
		for range 20000 {
			now += random.Int64N(int64(2 * time.Millisecond))
			i := random.IntN(1 + random.IntN(addresses)) // some more often than others
			var ip [4]byte
			binary.BigEndian.PutUint32(ip[:], uint32(i))
			if l.allow(netip.AddrFrom4(ip), now) {
				got[i] = append(got[i], now)
				total++
			}
		}
		elapsed := float64(now-start) / float64(time.Second)
		require.LessOrEqual(t, float64(total), slots*(burst+rate*elapsed))
		require.Positive(t, total)
		for _, times := range got {
			used, last := 0.0, start // a reference leaky bucket
			for _, now := range times {
				used = max(0, used-rate*float64(now-last)/float64(time.Second)) + 1
				last = now
				require.LessOrEqual(t, used, burst+1e-6)
			}
		}
		require.Len(t, l.slots, slots)
	}
}

// TestLimiterClock sets the clock back and uses extreme settings.
func TestLimiterClock(t *testing.T) {
	a := testAddress.Addr()
	l := newLimiter(1, 3, 1)
	require.Len(t, l.slots, slotsPerSet)
	for _, now := range []int64{int64(time.Hour), 0, -int64(1000 * time.Hour)} {
		start := now
		for !l.allow(a, now) {
			now += int64(100 * time.Millisecond)
		}
		require.LessOrEqual(t, now-start, int64(time.Second), "from %v", time.Duration(start))
		for range 3 {
			l.allow(a, now)
		}
		require.False(t, l.allow(a, now))
	}
	for _, rate := range []float64{1e-300, 1e-9, 1e9, 1e300, math.Inf(1)} {
		for _, burst := range []int{1, math.MaxInt} {
			l := newLimiter(rate, burst, 1)
			require.True(t, l.allow(a, 0), "%v, %d", rate, burst)
			require.Equal(t, burst > 1, l.allow(a, 0), "%v, %d", rate, burst)
			require.True(t, l.allow(a, int64(time.Hour)), "%v, %d", rate, burst)
		}
	}
}

func TestNetwork(t *testing.T) {
	seen := map[uint64]string{}
	for _, same := range [][]string{
		{"192.0.2.7", "::ffff:192.0.2.7"},
		{"192.0.2.8"},
		{"0.0.0.0"},
		{"::", "::1", "::192.0.2.7"},
		{"2001:db8::", "2001:db8::ffff:ffff:ffff:ffff", "2001:db8::1%eth0"},
		{"2001:db8:0:1::"},
		{"fe80::1%eth0", "fe80::2%eth1"},
	} {
		want := network(netip.MustParseAddr(same[0]))
		require.Empty(t, seen[want], same[0])
		seen[want] = same[0]
		for _, a := range same {
			require.Equal(t, want, network(netip.MustParseAddr(a)), a)
		}
	}
	network(netip.Addr{})
}

func TestNewGateRefuses(t *testing.T) {
	p := testProtocol(t, testConfig(None))
	for _, c := range []GateConfig{{Rate: -1}, {Rate: math.NaN()}, {Burst: -1}, {Addresses: -1}, {Attempts: -1}} {
		require.Panics(t, func() { p.NewGate(c) })
	}
}
