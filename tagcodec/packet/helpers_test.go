package packet

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The packets of the tests. There are three types, so that their index takes 2
// bits and one index has no type.
type snapshot struct {
	Tick   uint32
	Bodies []body `bp:"maxlen=40"`
}

type body struct {
	Position [2]float32 `bp:"float,min=-512,max=512,res=0.25"`
	AtRest   bool
	Velocity [2]float32 `bp:"float,min=-32,max=32,res=0.25,if=!AtRest"`
}

type input struct {
	Tick   uint32
	Thrust int     `bp:"int,min=-1,max=1"`
	Aim    float32 `bp:"angle,bits=10"`
	Fire   bool
}

type chat struct {
	Text string `bp:"maxlen=60"`
}

func testSnapshot(bodies int) *snapshot {
	s := &snapshot{Tick: 77}
	for i := range bodies {
		s.Bodies = append(s.Bodies, body{Position: [2]float32{float32(i), -float32(i)}, AtRest: i%2 == 0})
		if !s.Bodies[i].AtRest {
			s.Bodies[i].Velocity = [2]float32{float32(i), 1}
		}
	}
	return s
}

var testInput = input{Tick: 0x01020304, Thrust: 1, Fire: true}

var (
	testSecret = bytes.Repeat([]byte{0x5e}, MinSecret)
	testSalt   = bytes.Repeat([]byte{0xa5}, MinSalt)
)

// protections are those that the tests run with, weakest first.
var protections = []Protection{None, CRC32, HMAC(MinMAC), HMAC(16), HMAC(MaxMAC), ChaCha20Poly1305, AES256GCM}

// testConfig returns a config with a protection.
func testConfig(p Protection) Config {
	return Config{Application: "test", Version: 7, Protection: p, MTU: DefaultMTU}
}

func testProtocol(t testing.TB, c Config) *Protocol {
	p, err := New(c, Of[snapshot](), Of[input](), Of[chat]())
	require.NoError(t, err)
	return p
}

// pair returns the two ends of a conversation. It lifts the limit on sequence
// numbers; see TestLastSequence.
func pair(t testing.TB, p *Protocol) (client, server *Session) {
	var secret, salt []byte
	if p.config.Protection.keyed() {
		secret, salt = testSecret, testSalt
	}
	client, err := p.NewSession(ClientSide, secret, salt)
	require.NoError(t, err)
	server, err = p.NewSession(ServerSide, secret, salt)
	require.NoError(t, err)
	for _, s := range []*Session{client, server} {
		s.out.guard.last, s.in.guard.last = math.MaxUint64, math.MaxUint64
	}
	return client, server
}

// eachProtection runs a test with every protection, with and without the end
// check.
func eachProtection(t *testing.T, f func(t *testing.T, p *Protocol)) {
	for _, protection := range protections {
		for _, end := range []bool{false, true} {
			c := testConfig(protection)
			c.EndCheck = end
			name := protection.String()
			if end {
				name += ", end check"
			}
			t.Run(name, func(t *testing.T) { f(t, testProtocol(t, c)) })
		}
	}
}
