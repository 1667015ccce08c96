package bench

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// roundTrip fails unless a codec gives back the packet, into a destination that
// holds another one. It returns the message.
func roundTrip(t testing.TB, c Codec[Packet], p Packet) []byte {
	t.Helper()
	data, err := c.Marshal(nil, &p)
	require.NoError(t, err)
	data = append([]byte(nil), data...)
	old := SamplePacket()
	require.NoError(t, c.Unmarshal(data, &old))
	require.Equal(t, p, old)
	return data
}

// The bytes are those of the C++ implementation of serialize 1.0.
func TestGolden(t *testing.T) {
	p := SamplePacket()
	data, err := tagcodec.Marshal(&p)
	require.NoError(t, err)
	require.Equal(t, "f0debc9a7856341200b899e9b54f19be0adc852cc3516ebb000d1a2734414e5b13000000406cde8da7d8bc1bcf449b"+
		"a936b179375e1d58c585893653edf514e11462f36e3c002f5e8dbceb1a4978a7d605346392c1f01f4e7dacdb0a396897c6f5245382b1"+
		"e00f3e6d9ccbfa295887b6e5144372a1d0ff2e5d8cbbea194877a6d504336291", hex.EncodeToString(data))
}

// Every codec carries every packet, so that the comparison is one of equals.
func TestRoundTrip(t *testing.T) {
	for _, c := range Codecs() {
		t.Run(c.Name, func(t *testing.T) {
			roundTrip(t, c, SamplePacket())
			random := rand.New(rand.NewPCG(1, 2))
			for range 100 {
				p := SamplePacket()
				p.Sequence = random.Uint64()
				p.Health = random.Int32N(1001)
				p.Weapon = uint8(random.UintN(16))
				p.Firing = random.UintN(2) == 1
				p.Events = p.Events[:1+random.IntN(9)] // an empty slice and a nil one are the same to some
				p.Payload[random.IntN(64)]++
				roundTrip(t, c, p)
			}
		})
	}
}

// The table is the one in README.md. Of the bytes, 100 are payload and event ids, which have no smaller form.
func TestSizes(t *testing.T) {
	var table strings.Builder
	for _, c := range Codecs() {
		fmt.Fprintf(&table, "%-36s%4d bytes\n", c.Name, len(roundTrip(t, c, SamplePacket())))
	}
	t.Logf("\n%s", table.String())
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), table.String())
}

func BenchmarkMarshal(b *testing.B) {
	for _, c := range Codecs() {
		b.Run(c.Name, func(b *testing.B) {
			p := SamplePacket()
			size := len(roundTrip(b, c, p))
			var buf []byte
			var err error
			b.ReportAllocs()
			for b.Loop() {
				if buf, err = c.Marshal(buf, &p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	for _, c := range Codecs() {
		b.Run(c.Name, func(b *testing.B) {
			data := roundTrip(b, c, SamplePacket())
			var p Packet
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Unmarshal(data, &p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(data)), "bytes")
		})
	}
}
