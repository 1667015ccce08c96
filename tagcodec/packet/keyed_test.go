package packet

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHasher compares HMACs and proofs with those of the standard library.
func TestHasher(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	some := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	h := newHasher()
	for n := range 200 {
		key, message := some(n%(sha256.BlockSize+1)), some(n)
		mac := hmac.New(sha256.New, key)
		mac.Write(message)
		h.start(key)
		h.sha.Write(message)
		h.finish()
		require.Equal(t, mac.Sum(nil), h.digest[:])

		secret, info, more := some(n), some(n%70), some(16)
		client := nonce(some(nonceLen))
		proofKey, err := hkdf.Key(sha256.New, secret, nil, string(info), sha256.Size)
		require.NoError(t, err)
		mac = hmac.New(sha256.New, proofKey)
		mac.Write(slices.Concat(client[:], []byte{4, 3, 2, 1, 0, 0, 0, 0}, more))
		h.proof(append(info, 1), secret, &client, 0x01020304, more)
		require.Equal(t, mac.Sum(nil), h.digest[:])
	}
}

// countingHash counts the operations on a hash.
type countingHash struct {
	hash.Hash
	blocks, resets, sums int
}

func (c *countingHash) Write(p []byte) (int, error) {
	c.blocks += len(p)
	return c.Hash.Write(p)
}

func (c *countingHash) Reset() { c.resets++; c.Hash.Reset() }

func (c *countingHash) Sum(b []byte) []byte { c.sums++; return c.Hash.Sum(b) }

// TestUnknownUsersCostTheSame counts the work for an unknown user and for a
// wrong proof of a known one. Neither the timing nor the reply may tell them
// apart.
func TestUnknownUsersCostTheSame(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		g := testGate(p)
		admits := countAdmits(g)
		j := challenged(t, p, g)
		work := func(user uint64, proof byte) (c countingHash, err error) {
			x := &exchange{hasher: newHasher(), response: j.response}
			x.response.User, x.response.Proof[3] = user, x.response.Proof[3]^proof
			if !p.config.Protection.keyed() && user == 5 {
				x.response.Proof[4] ^= 1
			}
			c.Hash = x.hasher.sha
			x.hasher.sha = &c
			_, err = g.authenticate(x)
			c.Hash = nil
			return c, err
		}
		wrong, err := work(5, 1)
		require.Equal(t, ErrDenied, err)
		unknown, err := work(6, 1)
		require.Equal(t, ErrDenied, err)
		require.NotZero(t, wrong.blocks)
		if p.config.Protection.keyed() {
			// The secrets have different lengths, all within one block.
			unknown.blocks -= keySize - len(testSecret)
		} else {
			unknown.blocks -= keySize
		}
		require.Equal(t, wrong, unknown)
		require.Equal(t, 2, *admits)

		var replies [][]byte
		for _, user := range []uint64{5, 6} {
			response := j.response
			response.User, response.Proof = user, [proofLen]byte{}
			said, err := responses.Append(nil, &response)
			require.NoError(t, err)
			reply, client, err := g.Answer(nil, testAddress, said, testNow)
			require.Equal(t, ErrDenied, err)
			require.Nil(t, client)
			replies = append(replies, reply)
		}
		require.Equal(t, replies[0], replies[1])
	})
}

// TestNobodysSecret proves the identity of an unknown user with g.nobody, as if
// the client had guessed that secret. The gate must still deny it.
func TestNobodysSecret(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	g := testGate(p)
	j, err := p.Join(6, g.nobody)
	require.NoError(t, err)
	_, challenge, _, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	_, err = j.Read(challenge)
	require.NoError(t, err)
	_, _, client, err := say(t, j, g, testAddress, testNow)
	require.Equal(t, ErrDenied, err)
	require.Nil(t, client)
	require.False(t, bytes.Equal(g.nobody, testGate(p).nobody))
}

// TestShortSecret has Admit return a secret that is too short for a session.
func TestShortSecret(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	g := p.NewGate(GateConfig{Admit: func(uint64) ([]byte, bool) { return testSecret[1:], true }})
	_, reply, client, err := say(t, challenged(t, p, g), g, testAddress, testNow)
	require.ErrorIs(t, err, ErrSecret)
	require.Nil(t, client)
	require.Empty(t, reply)
}
