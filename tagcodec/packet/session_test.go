package packet

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSessionSecrets(t *testing.T) {
	rows := []struct {
		why          string
		protection   Protection
		secret, salt []byte
		ok           bool
	}{
		{"no keys, no secret", None, nil, nil, true},
		{"a secret for a CRC protects nothing", CRC32, testSecret, testSalt, false},
		{"a salt for a CRC", CRC32, nil, testSalt, false},
		{"a MAC needs a secret", HMAC(16), nil, testSalt, false},
		{"a MAC needs a salt", HMAC(16), testSecret, nil, false},
		{"a secret that is too short", AES256GCM, testSecret[1:], testSalt, false},
		{"a salt that is too short", AES256GCM, testSecret, testSalt[1:], false},
		{"both", AES256GCM, testSecret, testSalt, true},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			s, err := testProtocol(t, testConfig(row.protection)).NewSession(ClientSide, row.secret, row.salt)
			if row.ok {
				require.NoError(t, err)
				require.NotNil(t, s)
				return
			}
			require.ErrorIs(t, err, ErrSecret)
			require.Nil(t, s)
		})
	}
	_, err := testProtocol(t, testConfig(None)).NewSession(2, nil, nil)
	require.EqualError(t, err, "packet: invalid side 2")
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		dst := append(make([]byte, 0, 100), "before"...)
		d, err := client.Append(dst, testInput)
		require.NoError(t, err)
		require.Equal(t, "before", string(d[:6]))
		v, err := server.Decode(d[6:])
		require.NoError(t, err)
		require.Equal(t, &testInput, v)

		for _, bad := range [][]any{{}, {input{Thrust: 2}}, {testInput, 3}, {(*input)(nil)}} {
			d, err = client.Append(dst, bad...)
			require.Error(t, err)
			require.Equal(t, "before", string(d))
		}
		_, err = client.Append(dst)
		require.Equal(t, ErrEmpty, err)
		require.Equal(t, uint64(1), client.Sent(), "what cannot be sent takes no number")
	})
}

func TestDecodeReuses(t *testing.T) {
	client, server := pair(t, testProtocol(t, testConfig(CRC32)))
	var snap snapshot
	in := input{Tick: 1, Thrust: -1, Aim: 1}
	v, err := server.Decode(sealAt(t, client, 0, testInput), &snap, nil, (*chat)(nil), &in)
	require.NoError(t, err)
	require.Same(t, &in, v)
	require.Equal(t, testInput, in, "no old data may show")

	v, err = server.Decode(sealAt(t, client, 1, chat{"hi"}), &snap, (*chat)(nil), chat{"a value is no place"})
	require.NoError(t, err)
	require.Equal(t, &chat{"hi"}, v, "new, because no value was given to reuse")
}

// TestConcurrent seals in several goroutines with one session, and delivers
// each datagram twice to the other in several more. Each must be accepted once,
// and no sequence number may be sent twice.
func TestConcurrent(t *testing.T) {
	const senders, each = 4, 50 // fewer datagrams than the window covers
	for _, protection := range protections {
		t.Run(protection.String(), func(t *testing.T) {
			p := testProtocol(t, testConfig(protection))
			client, server := pair(t, p)
			sealed := make(chan []byte, senders*each)
			var sending sync.WaitGroup
			for range senders {
				sending.Go(func() {
					for range each {
						d, err := client.Append(nil, &testInput)
						if err != nil {
							t.Error(err)
						}
						sealed <- d
					}
				})
			}
			sending.Wait()
			close(sealed)
			var all [][]byte
			for d := range sealed {
				all = append(all, d, bytes.Clone(d))
			}
			var receiving sync.WaitGroup
			for i := range senders {
				receiving.Go(func() {
					for k := i; k < len(all); k += senders {
						server.Decode(all[k])
					}
				})
			}
			receiving.Wait()
			require.Equal(t, uint64(senders*each), client.Sent())
			require.Equal(t, uint64(senders*each), server.Counters().Accepted())
			require.Equal(t, uint64(senders*each), server.Counters().Refused(ErrReplayed))
		})
	}
}
