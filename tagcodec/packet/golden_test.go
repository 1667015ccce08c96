package packet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/chacha20poly1305"
)

// TestGoldenBytes pins the datagram of one input under each protection, sealed
// by the client of a protocol with a fixed id, under the sequence number
// 0x0203.
func TestGoldenBytes(t *testing.T) {
	golden := map[Protection]string{
		None:             "020302110c08040840",
		CRC32:            "76a886e5" + "020302110c08040840",
		HMAC(MinMAC):     "0099b0efd484ec9c" + "020302110c08040840",
		HMAC(16):         "0dbe02db69c030f232a75b80b98b3433" + "020302110c08040840",
		HMAC(MaxMAC):     "62ecd229ddd196d618cf5724c72383788af3e58d69e6aee8f671e55f86881191" + "020302110c08040840",
		ChaCha20Poly1305: "020302" + "7ab837c721065e64bb440f720ace10908c9237c9d457",
		AES256GCM:        "020302" + "947054e3fb32b6f18221cc168276d5c7184c6f457992",
	}
	for _, protection := range protections {
		t.Run(protection.String(), func(t *testing.T) {
			p := testProtocol(t, testConfig(protection))
			p.id = 0x0123456789abcdef
			client, _ := pair(t, p)
			require.Equal(t, golden[protection], hex.EncodeToString(sealAt(t, client, 0x0203, testInput)))
		})
	}
}

// inputPacket is the packet of testInput. The index 1 takes 2 bits, Tick takes
// 32, Thrust (1 is sent as 2) takes 2, Aim (0) takes 10, and Fire takes 1.
var inputPacket = []byte{1 | 0x04<<2, 0x03 << 2, 0x02 << 2, 0x01 << 2, 2 << 2, 1 << 6}

// TestWire builds datagrams independently, directly from docs/WIRE.md, and
// requires the same bytes.
func TestWire(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		hash := sha256.Sum256([]byte(wire(p.Description())))
		id := hash[:8]
		require.Equal(t, binary.LittleEndian.Uint64(id), p.ID())

		input := func(s *Session) ([]byte, error) { return s.Append(nil, testInput) }
		keepalive := func(s *Session) ([]byte, error) { return s.AppendKeepalive(nil) }
		disconnect := func(s *Session) ([]byte, error) { return s.AppendDisconnect(nil, ReasonKicked) }
		for _, row := range []struct {
			sender    *Session
			seq       uint64
			direction string
			header    []byte
			data      []byte
			seal      func(s *Session) ([]byte, error)
		}{
			{client, 0, "client to server", []byte{0}, inputPacket, input},
			{client, 0x0203, "client to server", []byte{2, 3, 2}, inputPacket, input},
			{server, 0x0203, "server to client", []byte{2, 3, 2}, inputPacket, input},
			{client, 0, "client to server", []byte{0x10}, []byte{1}, keepalive},
			{server, 0x0203, "server to client", []byte{0x12, 3, 2}, []byte{2, 3}, disconnect},
		} {
			data := slices.Clone(row.data)
			if p.config.EndCheck {
				data = append(data, hash[8:12]...)
			}
			info := fmt.Sprintf("bitpack packet 2, %016x, %v, %s", p.ID(), p.config.Protection, row.direction)
			keys, err := hkdf.Key(sha256.New, testSecret, testSalt, info, 44)
			require.NoError(t, err)
			unprotected := append(append([]byte{}, row.header...), data...)
			covered := append(append([]byte{}, id...), unprotected...)
			nonce := append([]byte{}, keys[32:]...)
			nonce[0] ^= row.header[0] & 0xf0
			for i := range 8 {
				nonce[11-i] ^= byte(row.seq >> (8 * i))
			}
			var want []byte
			switch p.config.Protection {
			case None:
				want = unprotected
			case CRC32:
				want = append(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(covered)), unprotected...)
			case ChaCha20Poly1305:
				aead, _ := chacha20poly1305.New(keys[:32])
				want = append(row.header, aead.Seal(nil, nonce, data, id)...)
			case AES256GCM:
				block, _ := aes.NewCipher(keys[:32])
				aead, _ := cipher.NewGCM(block)
				want = append(row.header, aead.Seal(nil, nonce, data, id)...)
			default:
				mac := hmac.New(sha256.New, keys[:32])
				mac.Write(covered)
				want = append(mac.Sum(nil)[:p.config.Protection.size()], unprotected...)
			}
			row.sender.out.next = row.seq
			got, err := row.seal(row.sender)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})
}

// TestGoldenDescription pins the description that the protocol id is computed
// from, and the id.
func TestGoldenDescription(t *testing.T) {
	c := testConfig(HMAC(16))
	c.EndCheck = true
	p := testProtocol(t, c)
	want := strings.TrimPrefix(`
bitpack packet 2
application "test"
version 7
protection hmac-sha256 of 16 bytes
end check
packets 1..64
type 0	snapshot
bitpack 2
int 0..4294967295	Tick
slice 0..40	Bodies
. 2 x float32 from -512 over 1024 in 4096 steps	Bodies[].Position
. int 0..1	Bodies[].AtRest
. if back 1 == 0x0	Bodies[].Velocity
. . 2 x float32 from -32 over 64 in 256 steps	Bodies[].Velocity
type 1	input
bitpack 2
int 0..4294967295	Tick
int -1..1	Thrust
angle 10 bits of 6.283185307179586	Aim
int 0..1	Fire
type 2	chat
bitpack 2
string 0..60	Text
`, "\n")
	require.Equal(t, want, p.Description())
	require.Equal(t, uint64(0x2f1574c76d2ebb8d), p.ID())
	for _, info := range p.Types() {
		require.Contains(t, wire(p.Description()), info.Plan().Text(), "the plan's text enters the id as it is")
	}
}
