package bits_test

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// The packets of the article "Reading and Writing Packets", each with one
// function that writes, measures and reads.

type packetA struct{ X, Y, Z uint32 }

func (p *packetA) serialize(s *bits.Stream) {
	bits.Bits(s, &p.X, 32)
	bits.Bits(s, &p.Y, 32)
	bits.Bits(s, &p.Z, 32)
}

type packetB struct {
	NumElements int
	Elements    [32]uint32
}

func (p *packetB) serialize(s *bits.Stream) {
	bits.Count(s, &p.NumElements, 0, len(p.Elements))
	for i := range p.NumElements {
		bits.Bits(s, &p.Elements[i], 32)
	}
}

type packetC struct {
	X bool
	Y int16
	Z int32
}

func (p *packetC) serialize(s *bits.Stream) {
	s.Bool(&p.X)
	bits.Int(s, &p.Y, math.MinInt16, math.MaxInt16)
	bits.Int(s, &p.Z, math.MinInt32, math.MaxInt32)
}

type rigidBody struct {
	Position                        [3]float32
	Orientation                     [4]float32
	AtRest                          bool
	LinearVelocity, AngularVelocity [3]float32
}

func (p *rigidBody) serialize(s *bits.Stream) {
	vector := func(v []float32) {
		for i := range v {
			s.Float32(&v[i])
		}
	}
	vector(p.Position[:])
	vector(p.Orientation[:])
	s.Bool(&p.AtRest)
	if p.AtRest {
		p.LinearVelocity, p.AngularVelocity = [3]float32{}, [3]float32{}
		return
	}
	vector(p.LinearVelocity[:])
	vector(p.AngularVelocity[:])
}

func TestPackets(t *testing.T) {
	pose := rigidBody{Position: [3]float32{1, -2, 0.5}, Orientation: [4]float32{0, 0, 0, 1}}
	moving := pose
	moving.LinearVelocity = [3]float32{0, 0, -9.75}
	resting := pose
	resting.AtRest = true
	const poseHex = "0000803f" + "000000c0" + "0000003f" + "000000000000000000000000" + "0000803f"

	type packet interface{ serialize(*bits.Stream) }
	tests := []struct {
		name        string
		value, back packet
		bits        int
		hex         string
	}{
		{"PacketA", &packetA{1, 0xDEADBEEF, math.MaxUint32}, &packetA{}, 96, "01000000efbeaddeffffffff"},
		{"PacketB, empty", &packetB{}, &packetB{NumElements: 9}, 6, "00"},
		{"PacketB, two", &packetB{2, [32]uint32{1, 0x80000000}}, &packetB{}, 70, "42000000000000" + "0020"},
		{"PacketC", &packetC{true, -1, 0}, &packetC{}, 49, "ffff0000000001"},
		{"PacketC, smallest", &packetC{false, math.MinInt16, math.MinInt32}, &packetC{true, 1, 1}, 49, "00000000000000"},
		{"RigidBody at rest", &resting, &rigidBody{LinearVelocity: [3]float32{1, 2, 3}}, 225, poseHex + "01"},
		// -9.75 is 0xC11C0000. It starts at bit 289, which is bit 1 of byte 36.
		{"RigidBody moving", &moving, &rigidBody{}, 417, poseHex + strings.Repeat("00", 10) + "388201" + strings.Repeat("00", 12)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, n := writeStream(t, tt.value.serialize)
			require.Equal(t, tt.bits, n)
			require.Equal(t, tt.hex, hex.EncodeToString(data))
			r := bits.NewReader(data)
			tt.back.serialize(bits.NewReadStream(r))
			require.NoError(t, r.Finish())
			require.Equal(t, tt.value, tt.back)
			for cut := range data {
				r := bits.NewReader(inside(data[:cut], 0xFF))
				tt.back.serialize(bits.NewReadStream(r))
				require.ErrorIs(t, r.Err(), bits.ErrOverread, "%d of %d bytes", cut, len(data))
			}
		})
	}
}

// TestHostileCount checks that a count stays in its bounds whatever the packet
// claims, so that its loop ends even if the caller does not check for errors.
func TestHostileCount(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		err  error
		n    int
	}{
		{"above the bound", []byte{63, 0xFF, 0xFF, 0xFF, 0xFF}, bits.ErrLength, 0},
		{"one above the bound", []byte{33}, bits.ErrLength, 0},
		{"32 elements claimed, none sent", []byte{32}, bits.ErrOverread, 32},
		{"32 claimed, one sent", []byte{32, 0, 0, 0, 0}, bits.ErrOverread, 32},
		{"no byte at all", nil, bits.ErrOverread, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := packetB{Elements: [32]uint32{31: 7}}
			s := bits.NewReadStream(bits.NewReader(tt.data))
			p.serialize(s)
			require.ErrorIs(t, s.Err(), tt.err)
			require.Equal(t, tt.n, p.NumElements)
			if tt.n == 32 {
				require.Zero(t, p.Elements[31], "elements that are not there are zero")
			}
		})
	}

	// A list ends with a false bit. A missing bit reads as false.
	s := bits.NewReadStream(bits.NewReader([]byte{0xFF, 0xFF}))
	events, more := 0, true
	for s.Bool(&more); more; s.Bool(&more) {
		events++
	}
	require.Equal(t, 16, events)
	require.ErrorIs(t, s.Err(), bits.ErrOverread)

	// An error from the caller also ends the list.
	s = bits.NewReadStream(bits.NewReader([]byte{0xFF, 0xFF}))
	s.Bool(&more)
	s.Fail(bits.ErrRange)
	for ; more; s.Bool(&more) {
	}
	require.Same(t, bits.ErrRange, s.Err())
	require.Equal(t, 1, s.Bit())
}

// A count above its bound is refused before any element is written.
func TestWriteCountTooLarge(t *testing.T) {
	w := bits.NewAppendWriter(nil)
	s := bits.NewWriteStream(w)
	n, element := 33, uint32(1)
	for bits.Count(s, &n, 0, 32); n > 0; n-- {
		bits.Bits(s, &element, 32)
	}
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrLength, Value: 33, Min: 0, Max: 32}, s.Err())
	require.Empty(t, w.Bytes())
}
