package packet

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/typename"
)

// benchSnapshot is a snapshot of 40 moving bodies, 230 bytes, and benchInput is
// an input of 6 bytes.
func benchSnapshot() *snapshot {
	s := testSnapshot(40)
	for i := range s.Bodies {
		s.Bodies[i].AtRest = false
	}
	return s
}

// perSecond reports the number of datagrams per second of a benchmark that
// handles one datagram per iteration.
func perSecond(b *testing.B) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "datagrams/s")
}

// benchEach runs a benchmark for each protection with a small packet and a
// larger one.
func benchEach(b *testing.B, f func(b *testing.B, p *Protocol, v any)) {
	for _, protection := range []Protection{None, CRC32, HMAC(16), ChaCha20Poly1305, AES256GCM} {
		p := testProtocol(b, testConfig(protection))
		for _, v := range []any{&testInput, benchSnapshot()} {
			b.Run(fmt.Sprintf("%v/%s", protection, typename.Of(p.types[p.index[typeOf(v)]].Type)), func(b *testing.B) {
				b.ReportAllocs()
				f(b, p, v)
				perSecond(b)
			})
		}
	}
}

// BenchmarkEncodeAndSeal measures what a client does for each datagram.
func BenchmarkEncodeAndSeal(b *testing.B) {
	benchEach(b, func(b *testing.B, p *Protocol, v any) {
		client, _ := pair(b, p)
		var buf []byte
		for b.Loop() {
			buf, _ = client.Append(buf[:0], v)
		}
	})
}

// BenchmarkSeal measures what a server does for each client of a broadcast.
func BenchmarkSeal(b *testing.B) {
	benchEach(b, func(b *testing.B, p *Protocol, v any) {
		client, _ := pair(b, p)
		batch := p.NewBatch()
		require.NoError(b, batch.Add(v))
		var buf []byte
		for b.Loop() {
			buf, _ = client.Seal(buf[:0], batch)
		}
	})
}

// BenchmarkDecode opens, decodes and dispatches. Copying the datagram, which an
// AEAD overwrites, stands in for reading from a socket.
func BenchmarkDecode(b *testing.B) {
	benchEach(b, func(b *testing.B, p *Protocol, v any) {
		client, server := pair(b, p)
		m := p.NewMux()
		Handle(m, func(context.Context, *snapshot) {})
		Handle(m, func(context.Context, *input) {})
		good := sealAt(b, client, 1000, v)
		benchDispatch(b, m, server, good, true, nil)
	})
}

// benchDispatch dispatches copies of a datagram. If the datagram is accepted,
// the session is made to forget its sequence number.
func benchDispatch(b *testing.B, m *Mux, s *Session, data []byte, forget bool, want error) {
	ctx := context.Background()
	buf := make([]byte, 0, len(data))
	for b.Loop() {
		buf = append(buf[:0], data...)
		if err := m.Dispatch(ctx, s, buf); !errors.Is(err, want) {
			b.Fatal(err)
		}
		if forget {
			s.in.window = window{}
		}
	}
}

// BenchmarkRefuse refuses each kind of bad datagram. All are as long as the
// snapshot of "accepted", which is the baseline.
func BenchmarkRefuse(b *testing.B) {
	for _, protection := range []Protection{None, CRC32, HMAC(16), ChaCha20Poly1305, AES256GCM} {
		p := testProtocol(b, testConfig(protection))
		client, server := pair(b, p)
		run := func(name string, m *Mux, data []byte, forget bool, want error) {
			b.Run(fmt.Sprintf("%v/%s", protection, name), func(b *testing.B) {
				b.ReportAllocs()
				benchDispatch(b, m, server, data, forget, want)
				perSecond(b)
			})
		}
		handles := p.NewMux()
		Handle(handles, func(context.Context, *snapshot) {})
		Handle(handles, func(context.Context, *input) {})
		run("accepted", handles, sealAt(b, client, 1000, testSnapshot(20)), true, nil)
		for _, bad := range badDatagrams(b, p, client, server) {
			run(bad.name, p.NewMux(), bad.data, bad.moves, bad.want)
		}
		good := sealAt(b, client, 1000, testSnapshot(20))
		_, err := server.Open(append([]byte{}, good...))
		require.NoError(b, err)
		run("replayed", handles, good, false, ErrReplayed)
		server.in.window = window{}
		if protection == None { // only the packet itself shows the fault
			run("truncated", handles, good[:len(good)-1], true, ErrTruncated)
		}

		// The smallest packet, with a value that its type does not allow, and
		// its own baseline. With a key, only holders of the key can send one.
		run("accepted input", handles, sealAt(b, client, 1000, testInput), true, nil)
		batch := p.NewBatch()
		require.NoError(b, batch.Add(testInput))
		batch.data[4] |= 3 << 2
		bad, err := client.Seal(nil, batch)
		require.NoError(b, err)
		run("invalid input", handles, bad, true, ErrInvalid)
	}
}

// BenchmarkBroadcast encodes a snapshot and seals it for a thousand clients.
func BenchmarkBroadcast(b *testing.B) {
	for _, protection := range []Protection{None, CRC32, HMAC(16), ChaCha20Poly1305, AES256GCM} {
		b.Run(protection.String(), func(b *testing.B) {
			p := testProtocol(b, testConfig(protection))
			sessions := make([]*Session, 1000)
			for i := range sessions {
				_, sessions[i] = pair(b, p)
			}
			s := benchSnapshot()
			batch := p.NewBatch()
			require.NoError(b, batch.Add(s))
			// The first use of a MAC allocates.
			require.NoError(b, Broadcast(batch, sessions, func(int, []byte) error { return nil }))
			b.ReportAllocs()
			for b.Loop() {
				batch.Reset()
				if err := batch.Add(s); err != nil {
					b.Fatal(err)
				}
				if err := Broadcast(batch, sessions, func(int, []byte) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(1000*b.N)/b.Elapsed().Seconds(), "datagrams/s")
		})
	}
}

// BenchmarkGate measures the answers to datagrams of the handshake.
func BenchmarkGate(b *testing.B) {
	p := testProtocol(b, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	request, err := testJoin(b, p).Append(nil)
	require.NoError(b, err)
	foreign := append([]byte{}, request...)
	foreign[len(head{})]++
	stale, err := challenged(b, p, testGate(p)).Append(nil)
	require.NoError(b, err)
	j := challenged(b, p, g)
	response, err := j.Append(nil)
	require.NoError(b, err)
	denied := append([]byte{}, response...)
	denied[len(denied)-1] ^= 1
	buf := make([]byte, 0, requestSize)
	for _, row := range []struct {
		name string
		data []byte
		want error
	}{
		{"garbage", request[1:], ErrStranger},
		{"truncated request", request[:100], ErrTruncated},
		{"request", request, nil},
		{"request of another protocol", foreign, ErrProtocol},
		{"response with a bad token", stale, ErrToken},
		{"response with a bad proof", denied, ErrDenied},
		{"response", response, nil},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := g.Answer(buf, testAddress, row.data, testNow); err != row.want {
					b.Fatal(err)
				}
			}
			perSecond(b)
		})
	}
}
