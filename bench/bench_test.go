package bench

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bench/internal/capnpgen"
	"github.com/gobitpack/bitpack/bench/values"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// The bytes come from the C++ implementation of serialize 1.0.
func TestGolden(t *testing.T) {
	p := values.SamplePacket()
	data, err := tagcodec.Marshal(&p)
	require.NoError(t, err)
	require.Equal(t, "f0debc9a7856341200b899e9b54f19be0adc852cc3516ebb000d1a2734414e5b13000000406cde8da7d8bc1bcf449b"+
		"a936b179375e1d58c585893653edf514e11462f36e3c002f5e8dbceb1a4978a7d605346392c1f01f4e7dacdb0a396897c6f5245382b1"+
		"e00f3e6d9ccbfa295887b6e5144372a1d0ff2e5d8cbbea194877a6d504336291", hex.EncodeToString(data))
}

// packets returns the sample packet and variations that quantization preserves.
func packets() []values.Packet {
	random := rand.New(rand.NewPCG(1, 2))
	list := []values.Packet{values.SamplePacket()}
	for range 100 {
		p := values.SamplePacket()
		p.Sequence = random.Uint64()
		p.Health = random.Int32N(1001)
		p.Weapon = uint8(random.UintN(16))
		p.Firing = random.UintN(2) == 1
		p.Events = p.Events[:1+random.IntN(9)] // never empty, because some encodings do not tell an empty slice from nil
		p.Payload[random.IntN(64)]++
		list = append(list, p)
	}
	return list
}

var matchFile = flag.String("match", MatchFile, "recorded match")

// match returns some frames of the recorded match, or sample frames if there is
// no recording.
func match(t testing.TB) []values.Frame {
	frames, err := values.ReadMatch(*matchFile)
	if errors.Is(err, os.ErrNotExist) {
		return values.SampleFrames(100)
	}
	require.NoError(t, err)
	require.Len(t, frames, 10664)
	return Every(107, frames)
}

// Every codec must round trip every value, so that the comparison is fair.
func TestRoundTrip(t *testing.T) {
	t.Run("small", func(t *testing.T) { roundTrip(t, SmallCodecs(), values.SampleSmalls(100)) })
	t.Run("packet", func(t *testing.T) { roundTrip(t, PacketCodecs(), packets()) })
	t.Run("frame", func(t *testing.T) { roundTrip(t, FrameCodecs(), match(t)) })
}

// A decoded text must not share the message's memory unless the notes say so.
func TestTextsAreCopied(t *testing.T) {
	list := values.SampleSmalls(1)
	for _, c := range SmallCodecs() {
		t.Run(c.Name, func(t *testing.T) {
			session := c.Open(list)
			data, err := session.Marshal(nil, 0)
			require.NoError(t, err)
			data = slices.Clone(data)
			require.NoError(t, session.Unmarshal(data))
			clear(data)
			if strings.Contains(c.Notes, "texts share the message") {
				require.NotEqual(t, list[0], session.Value())
			} else {
				require.Equal(t, list[0], session.Value())
			}
		})
	}
}

// A Cap'n Proto message that is cut off, or is followed by more data, must be
// refused. The module's unpacking function accepts some packed messages that are
// cut off.
func TestCapnpFrame(t *testing.T) {
	f := capnpCode[values.Packet, capnpgen.Packet]{capnpgen.NewRootPacket, capnpgen.ReadRootPacket, setPacket, getPacket}.functions()
	want := values.SamplePacket()
	data, err := f.marshal(nil, &want)
	require.NoError(t, err)
	var got values.Packet
	for n := range data {
		require.Error(t, f.unmarshal(data[:n], &got), "%d bytes", n)
	}
	require.Error(t, f.unmarshal(append(slices.Clone(data), make([]byte, 8)...), &got))
	require.NoError(t, f.unmarshal(data, &got))
	require.Equal(t, want, got)
}

func roundTrip[T any](t *testing.T, codecs []Codec[T], list []T) {
	t.Helper()
	for _, c := range codecs {
		t.Run(c.Name, func(t *testing.T) {
			_, err := c.Size(list)
			require.NoError(t, err)
		})
	}
}

// TestSizes checks the packet sizes shown in REPORT.md, which has a row for
// every codec.
func TestSizes(t *testing.T) {
	list := []values.Packet{values.SamplePacket()}
	report, err := os.ReadFile("REPORT.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(report), "\n| packet | bytes |")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var sizes strings.Builder
	for _, c := range PacketCodecs() {
		size, err := c.Size(list)
		require.NoError(t, err)
		fmt.Fprintf(&sizes, "%-36s%4.0f bytes\n", c.Name, size)
		if c.Name != "encoding/gob, each alone" { // its bytes depend on the other types of the program
			require.Contains(t, table, fmt.Sprintf("\n| %s | %.0f |", c.Name, size))
		}
	}
	t.Logf("\n%s", sizes.String())
}
