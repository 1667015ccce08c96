package tagcodec_test

import (
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// The packets of the articles "Building a Game Network Protocol", in two
// versions: tagged structs (PacketA and others, in the vectors) and handwritten
// Serialize methods as in the articles. Both give the same bytes, so the two
// sides of a connection may use different versions.

type handA struct{ X, Y, Z uint32 }

func (p *handA) Serialize(s *bits.Stream) error {
	bits.Bits(s, &p.X, 32)
	bits.Bits(s, &p.Y, 32)
	bits.Bits(s, &p.Z, 32)
	return s.Err()
}

type handB struct{ Elements []uint32 }

func (p *handB) Serialize(s *bits.Stream) error {
	n := len(p.Elements)
	bits.Count(s, &n, 0, 32)
	if s.Reading() {
		p.Elements = make([]uint32, n)
	}
	for i := range p.Elements {
		bits.Bits(s, &p.Elements[i], 32)
	}
	return s.Err()
}

type handC struct {
	X bool
	Y int16
	Z int32
}

func (p *handC) Serialize(s *bits.Stream) error {
	s.Bool(&p.X)
	bits.Int(s, &p.Y, math.MinInt16, math.MaxInt16)
	bits.Int(s, &p.Z, math.MinInt32, math.MaxInt32)
	return s.Err()
}

type handBody struct {
	Position        [3]float32
	Orientation     [4]float32
	AtRest          bool
	LinearVelocity  [3]float32
	AngularVelocity [3]float32
}

func (p *handBody) Serialize(s *bits.Stream) error {
	vector := func(v []float32) {
		for i := range v {
			s.Float32(&v[i])
		}
	}
	vector(p.Position[:])
	vector(p.Orientation[:])
	s.Bool(&p.AtRest)
	if !p.AtRest {
		vector(p.LinearVelocity[:])
		vector(p.AngularVelocity[:])
	} else if s.Reading() {
		p.LinearVelocity, p.AngularVelocity = [3]float32{}, [3]float32{}
	}
	return s.Err()
}

// articleRow is a packet in both versions, with its expected encoding.
type articleRow[Tagged, Hand any] struct {
	name   string
	tagged Tagged
	hand   Hand
	layout string
	hex    string
}

// serializer is a pointer to a type that serializes itself.
type serializer[T any] interface {
	*T
	bits.Serializer
}

func runArticle[Tagged, Hand any, P serializer[Hand]](t *testing.T, rows []articleRow[Tagged, Hand]) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			want, n := wireOf(tt.layout)
			require.Equal(t, tt.hex, hex.EncodeToString(want), "the row contradicts itself")

			data, err := tagcodec.Marshal(&tt.tagged)
			require.NoError(t, err)
			require.Equal(t, want, data, "by tags")
			data, err = tagcodec.Marshal(&tt.hand)
			require.NoError(t, err)
			require.Equal(t, want, data, "by hand, called by the codec")
			w := bits.NewAppendWriter(nil)
			require.NoError(t, P(&tt.hand).Serialize(bits.NewWriteStream(w)))
			require.Equal(t, want, w.Bytes(), "by hand")
			require.Equal(t, n, w.Bit())

			var tagged Tagged
			require.NoError(t, tagcodec.Unmarshal(want, &tagged))
			require.Equal(t, tt.tagged, tagged)
			var hand Hand
			require.NoError(t, tagcodec.Unmarshal(want, &hand))
			require.Equal(t, tt.hand, hand)
			for cut := range want {
				require.ErrorIs(t, tagcodec.Unmarshal(want[:cut], &tagged), tagcodec.ErrOverread)
				require.ErrorIs(t, tagcodec.Unmarshal(want[:cut], &hand), tagcodec.ErrOverread)
			}
		})
	}
}

func TestArticlePacketA(t *testing.T) {
	runArticle(t, []articleRow[PacketA, handA]{
		{"zero", PacketA{}, handA{}, "0:32 0:32 0:32", "000000000000000000000000"},
		{"each its own", PacketA{1, 0xDEADBEEF, math.MaxUint32}, handA{1, 0xDEADBEEF, math.MaxUint32},
			"1:32 0xDEADBEEF:32 0xFFFFFFFF:32", "01000000efbeaddeffffffff"},
	})
}

func TestArticlePacketB(t *testing.T) {
	full := slices.Repeat([]uint32{3}, 32)
	// An element starts at bit 6 of a byte, so its low two bits are the top
	// bits of that byte.
	fullHex := "e0" + strings.Repeat("000000c0", 31) + "00000000"
	runArticle(t, []articleRow[PacketB, handB]{
		{"two", PacketB{[]uint32{1, 0x80000000}}, handB{[]uint32{1, 0x80000000}}, "2:6 1:32 0x80000000:32", "420000000000000020"},
		{"one", PacketB{[]uint32{math.MaxUint32}}, handB{[]uint32{math.MaxUint32}}, "1:6 0xFFFFFFFF:32", "c1ffffff3f"},
		{"full", PacketB{full}, handB{full}, "32:6" + strings.Repeat(" 3:32", 32), fullHex},
	})

	// Zero elements decode as nil with one reader and as an empty slice with
	// the other.
	for _, v := range []any{PacketB{}, handB{}} {
		data, err := tagcodec.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, []byte{0}, data)
	}
	for n := range 64 {
		claim := append([]byte{byte(n)}, make([]byte, 128)...)[:(6+32*min(n, 32)+7)/8]
		for _, v := range []any{new(PacketB), new(handB)} {
			err := tagcodec.Unmarshal(claim, v)
			if n <= 32 {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, tagcodec.ErrLength, "a count of %d is above the array of the article", n)
			}
		}
	}
	for _, v := range []any{PacketB{make([]uint32, 33)}, handB{make([]uint32, 33)}} {
		_, err := tagcodec.Marshal(v)
		require.ErrorIs(t, err, tagcodec.ErrLength)
	}
}

func TestArticlePacketC(t *testing.T) {
	runArticle(t, []articleRow[PacketC, handC]{
		{"the least", PacketC{false, math.MinInt16, math.MinInt32}, handC{false, math.MinInt16, math.MinInt32},
			"0 0:16 0:32", "00000000000000"},
		{"the largest", PacketC{true, math.MaxInt16, math.MaxInt32}, handC{true, math.MaxInt16, math.MaxInt32},
			"1 0xFFFF:16 0xFFFFFFFF:32", "ffffffffffff01"},
		{"around zero", PacketC{true, -1, 0}, handC{true, -1, 0}, "1 0x7FFF:16 0x80000000:32", "ffff0000000001"},
	})
}

func TestArticleRigidBody(t *testing.T) {
	const (
		pose    = "[00 00 80 3f 00 00 00 c0 00 00 00 3f] 0:64 0:32 [00 00 80 3f]" // 1, -2, 0.5; 0, 0, 0, 1
		poseHex = "0000803f000000c00000003f0000000000000000000000000000803f"
	)
	tagged := RigidBody{Position: [3]float32{1, -2, 0.5}, Orientation: [4]float32{3: 1}}
	hand := handBody{Position: [3]float32{1, -2, 0.5}, Orientation: [4]float32{3: 1}}
	resting, restingByHand := tagged, hand
	resting.AtRest, restingByHand.AtRest = true, true
	moving, movingByHand := tagged, hand
	moving.LinearVelocity[2], movingByHand.LinearVelocity[2] = -9.75, -9.75
	moving.AngularVelocity[0], movingByHand.AngularVelocity[0] = 2, 2
	runArticle(t, []articleRow[RigidBody, handBody]{
		{"at rest", resting, restingByHand, pose + " 1", poseHex + "01"},
		// -9.75 is 0xC11C0000 and 2 is 0x40000000. They do not start at a whole
		// byte.
		{"moving", moving, movingByHand, pose + " 0 0:64 0xC11C0000:32 0x40000000:32 0:64",
			poseHex + "00000000000000000000388201000080000000000000000000"},
	})

	// At rest the velocities are not sent, whatever they hold. The reader sets
	// its own to zero.
	stale := resting
	stale.LinearVelocity = [3]float32{1, 2, 3}
	staleByHand := restingByHand
	staleByHand.LinearVelocity = [3]float32{1, 2, 3}
	want, _ := wireOf(pose + " 1")
	for _, v := range []any{&stale, &staleByHand} {
		data, err := tagcodec.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, want, data)
		require.NoError(t, tagcodec.Unmarshal(data, v))
	}
	require.Equal(t, resting, stale)
	require.Equal(t, restingByHand, staleByHand)
}
