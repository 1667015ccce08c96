package packet

import (
	"errors"
	"slices"
	"testing"

	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// sealAt seals packets under a given sequence number.
func sealAt(t testing.TB, s *Session, seq uint64, packets ...any) []byte {
	s.out.next, s.out.spent = seq, false
	d, err := s.Append(nil, packets...)
	require.NoError(t, err)
	return d
}

// refusalOfHeader returns why a damaged header is refused, regardless of the
// rest, or 0.
func refusalOfHeader(p *Protocol, d []byte) Refusal {
	prefixLen, trailerLen := p.config.Protection.prefixLen(), p.trailerLen
	if len(d) < prefixLen+1+trailerLen+1 {
		return ErrTruncated
	}
	n, packets := int(d[prefixLen]&15), d[prefixLen]>>4 == 0
	switch {
	case n > 8 || d[prefixLen]>>4 > 1:
		return ErrGarbage
	case len(d) < prefixLen+1+n:
		return ErrTruncated
	case n > 0 && d[prefixLen+n] == 0:
		return ErrGarbage
	case packets && len(d) < p.minLen+n || len(d) < prefixLen+1+n+1+trailerLen:
		return ErrTruncated
	}
	return 0
}

// damaged returns the refusal of a datagram whose damage the protection
// detects.
func damaged(p *Protocol) Refusal {
	if p.config.Protection.keyed() {
		return ErrForged
	}
	return ErrChecksum
}

// TestEveryTruncation cuts a datagram at each of its bytes. Without a
// protection, the end check or the end of a packet detects the cut.
func TestEveryTruncation(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		for _, packet := range []any{&testInput, testSnapshot(4), chat{"hello, world"}} {
			client, server := pair(t, p)
			d := sealAt(t, client, 300, packet)
			for n := range d {
				cut := slices.Clone(d[:n])
				want := refusalOfHeader(p, cut)
				if want == 0 && p.config.Protection != None {
					want = damaged(p)
				}
				_, err := server.Decode(cut)
				switch {
				case want != 0:
					require.ErrorIs(t, err, want, "%T cut to %d of %d bytes", packet, n, len(d))
				case p.endCheck != nil:
					require.True(t, errors.Is(err, ErrEndCheck) || errors.Is(err, ErrTruncated), "%d of %d bytes: %v", n, len(d), err)
				default:
					require.ErrorIs(t, err, ErrTruncated, "%T cut to %d of %d bytes", packet, n, len(d))
				}
				if p.config.Protection == None {
					server.in.window = window{}
				}
			}
			v, err := server.Decode(d)
			require.NoError(t, err, "what was refused must not keep the true datagram out")
			require.NotNil(t, v)
		}
	})
}

// TestEveryBitFlip flips each bit of a datagram. Under every protection each
// flip must be refused for the right reason, and the genuine datagram must be
// accepted afterwards.
func TestEveryBitFlip(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		if p.config.Protection == None {
			t.Skip("nothing finds a flipped bit")
		}
		client, server := pair(t, p)
		d := sealAt(t, client, 0x0203, testSnapshot(4), testInput)
		for bit := range 8 * len(d) {
			bad := slices.Clone(d)
			bad[bit/8] ^= 1 << (bit % 8)
			want := refusalOfHeader(p, bad)
			if want == 0 {
				want = damaged(p)
			}
			_, err := server.Open(bad)
			require.Equal(t, want, err, "bit %d", bit)
		}
		require.Equal(t, window{}, server.in.window, "a forged sequence number must not move the window")
		c, err := server.Open(d)
		require.NoError(t, err)
		for c.More() {
			_, err = c.Next()
			require.NoError(t, err)
		}
		total := uint64(0)
		for _, n := range server.Counters().Refusals() {
			total += n
		}
		require.Equal(t, uint64(8*len(d)), total)
		require.Equal(t, uint64(2), server.Counters().Accepted())
	})
}

// TestForgedShowsNothing requires that an AEAD leaves no plaintext of a
// datagram that it refuses.
func TestForgedShowsNothing(t *testing.T) {
	for _, protection := range []Protection{ChaCha20Poly1305, AES256GCM} {
		client, server := pair(t, testProtocol(t, testConfig(protection)))
		d := sealAt(t, client, 1, testSnapshot(20))
		d[len(d)-1] ^= 1
		_, err := server.Open(d)
		require.Equal(t, ErrForged, err)
		at, end := 2, len(d)-protection.size()
		require.Equal(t, make([]byte, end-at), d[at:end], "%v", protection)
	}
}

func TestReplay(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		open := func(seq uint64) error {
			_, err := server.Open(sealAt(t, client, seq, testInput))
			return err
		}
		require.NoError(t, open(0))
		require.Equal(t, ErrReplayed, open(0))
		require.NoError(t, open(255))
		require.NoError(t, open(3), "out of order")
		require.Equal(t, ErrReplayed, open(3))
		require.NoError(t, open(256))
		require.NoError(t, open(1), "255 below the highest")
		require.Equal(t, ErrReplayed, open(0), "256 below the highest")
		require.NoError(t, open(1<<20))
		require.Equal(t, ErrReplayed, open(2), "never seen, and too old to tell")
		require.Equal(t, uint64(4), server.Counters().Refused(ErrReplayed))
	})
}

// TestEndCheckTellsProtocols requires that, without any protection, the end
// check refuses a datagram of another protocol.
func TestEndCheckTellsProtocols(t *testing.T) {
	c := testConfig(None)
	c.EndCheck = true
	_, server := pair(t, testProtocol(t, c))
	c.Application = "another"
	client, _ := pair(t, testProtocol(t, c))
	_, err := server.Open(sealAt(t, client, 1000, testInput))
	require.Equal(t, ErrEndCheck, err)
	require.Equal(t, window{}, server.in.window)
}

func TestUnknownType(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		b := p.NewBatch()
		require.NoError(t, b.Add(testInput))
		b.data[0] |= 3 // no type has this index
		d, err := client.Seal(nil, b)
		require.NoError(t, err)
		_, err = server.Decode(d)
		require.Equal(t, ErrUnknownType, err)
		require.Equal(t, uint64(1), server.Counters().Refused(ErrUnknownType))

		_, err = client.Append(nil, struct{ X int }{})
		require.ErrorIs(t, err, ErrUnknownType)
		require.EqualError(t, err, "packet: the protocol has no such packet type: struct { X int }")
		_, err = client.Append(nil, &badDatagram{})
		require.EqualError(t, err, "packet: the protocol has no such packet type: *packet.badDatagram")
		_, err = client.Append(nil, nil)
		require.ErrorIs(t, err, ErrUnknownType)
		require.EqualError(t, err, "packet: the protocol has no such packet type: nil")
	})
}

// TestInvalid seals packets that their types do not allow. They are refused
// even from a sender with the keys.
func TestInvalid(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		rows := []struct {
			why    string
			packet any
			damage func(data []byte)
			reason Refusal
			cause  error
		}{
			{"Thrust of 4 is outside its range", testInput, func(d []byte) { d[4] |= 3 << 2 }, ErrInvalid, tagcodec.ErrRange},
			{"a bit after the last value", testInput, func(d []byte) { d[5] |= 0x80 }, ErrInvalid, tagcodec.ErrTrailing},
			{"39 bodies are announced and 1 follows", testSnapshot(1), func(d []byte) { d[4] |= 38 << 2 }, ErrTruncated, tagcodec.ErrOverread},
			{"text that is not UTF-8", chat{"abc"}, func(d []byte) { d[1] = 0xff }, ErrInvalid, tagcodec.ErrText},
		}
		for _, row := range rows {
			t.Run(row.why, func(t *testing.T) {
				client, server := pair(t, p)
				b := p.NewBatch()
				require.NoError(t, b.Add(row.packet))
				row.damage(b.data)
				d, err := client.Seal(nil, b)
				require.NoError(t, err)
				v, err := server.Decode(d)
				require.Nil(t, v)
				require.ErrorIs(t, err, row.reason)
				if row.reason == ErrTruncated && !p.config.Protection.keyed() {
					require.Equal(t, row.reason, err, "what anybody can send costs no memory")
				} else {
					require.ErrorIs(t, err, row.cause)
					require.Regexp(t, "^"+row.reason.Error()+": (unmarshal |"+row.cause.Error()+")", err, "the one package is that which was called")
					var e *Error
					require.ErrorAs(t, err, &e)
					require.Equal(t, typename.Of(p.types[p.index[e.Type]].Type), typename.Of(e.Type))
				}
				require.Equal(t, uint64(1), server.Counters().Refused(row.reason))
				require.Zero(t, server.Counters().Accepted())
			})
		}
	})
}

func TestRefusalTexts(t *testing.T) {
	seen := map[string]bool{}
	for r := range Refusal(numRefusals) {
		text := r.Error()
		require.NotEqual(t, "packet: ", text)
		require.False(t, seen[text], "%s is there twice", text)
		seen[text] = true
	}
	require.Equal(t, "packet: refusal 200", Refusal(200).Error())
}
