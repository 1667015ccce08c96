package tagcodec_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// The formulas of the book chapter for numbers in fixed point. They truncate.
func chapterEncode(v, min, precision float32) uint32 { return uint32((v - min) / precision) }

func chapterDecode(code uint32, min, precision float32) float32 {
	return float32(float32(code)*precision) + min
}

// reread returns what a reader gets for a value.
func reread[T any](t *testing.T, v T) (got T) {
	t.Helper()
	data, err := tagcodec.Marshal(&v)
	require.NoError(t, err)
	require.NoError(t, tagcodec.Unmarshal(data, &got))
	return got
}

// A coordinate is off by at most half a step, and by a whole one in the chapter.
// Both have 40001 codes, in 16 bits.
func TestChapterRounding(t *testing.T) {
	type packet struct {
		X float32 `bp:"float,min=-2000,max=2000,res=0.1"`
	}
	require.Equal(t, 16, tagcodec.MustFor[packet]().MaxBits())
	random := rand.New(rand.NewPCG(1, 2))
	var ours, theirs float64
	for range 20_000 {
		x := float32(random.Float32()*4000) - 2000 // not fused, or machines differ
		ours = max(ours, math.Abs(float64(reread(t, packet{x}).X)-float64(x)))
		theirs = max(theirs, math.Abs(float64(chapterDecode(chapterEncode(x, -2000, 0.1), -2000, 0.1))-float64(x)))
	}
	require.InDelta(t, 0.05, ours, 0.0004)
	require.InDelta(t, 0.1, theirs, 0.0004)

	require.Equal(t, uint32(40000), chapterEncode(2000, -2000, 0.1), "the last of the 40001 codes")
	require.InDelta(t, 0.1, reread(t, packet{0.09}).X, 2e-4)
	require.InDelta(t, 0, chapterDecode(chapterEncode(0.09, -2000, 0.1), -2000, 0.1), 1e-4)
}

// The 49 bits of a rotation are x, y, z and the sign of w, as in the chapter, on
// another grid. It has a zero, and its points have a w. The chapter's grid has
// 65535 steps, so that zero is between two codes, and it truncates, so that the
// sum of the squares may exceed 1.
func TestChapterQuaternion(t *testing.T) {
	type packet struct {
		Q [4]float32 `bp:"quat,mode=sign,bits=16"`
	}
	require.Equal(t, 49, tagcodec.MustFor[packet]().MaxBits())
	const precision = 2.0 / 65535
	there := func(v float32) float32 { return chapterDecode(chapterEncode(v, -1, precision), -1, precision) }

	identity := packet{[4]float32{0, 0, 0, 1}}
	require.Equal(t, identity, reread(t, identity))
	require.Equal(t, float32(-1.5258789e-05), there(0))

	third := float32(-1 / math.Sqrt(3))
	x := float64(there(third))
	require.True(t, math.IsNaN(math.Sqrt(1-3*x*x)), "the w of the chapter")
	got := reread(t, packet{[4]float32{third, third, third, 0}}).Q
	for _, v := range got[:3] {
		require.InDelta(t, third, v, 4e-5)
	}
	require.InDelta(t, 0, got[3], 0.01)
	sum := 0.0
	for _, v := range got {
		sum += float64(v) * float64(v)
	}
	require.InDelta(t, 1, sum, 1e-6)
}

// The article asserts that text is shorter than the buffer less one. Text may
// fill it up to the zero byte.
func TestArticleString(t *testing.T) {
	type packet struct {
		Name [8]byte `bp:"cstring"`
	}
	full := packet{[8]byte{'1', '2', '3', '4', '5', '6', '7'}}
	require.Equal(t, full, reread(t, full))
	_, err := tagcodec.Marshal(packet{[8]byte{'1', '2', '3', '4', '5', '6', '7', '8'}})
	require.ErrorIs(t, err, tagcodec.ErrLength)
}

// Velocities of zero after the bit of a moving body are accepted as in the
// article, but not by optional. The hash covers velocities unless a method
// serializes them.
func TestAtRest(t *testing.T) {
	type byField struct {
		AtRest bool
		Motion Velocities `bp:"if=!AtRest"`
	}
	type byFieldInHalves struct {
		AtRest bool
		Motion Velocities `bp:"half,if=!AtRest"`
	}
	type byOptional struct {
		Motion Velocities `bp:"optional"`
	}
	moving := make([]byte, 25)
	field, method := byField{Motion: Velocities{Linear: [3]float32{1}}}, Motion{Linear: [3]float32{1}}
	require.NoError(t, tagcodec.Unmarshal(moving, &field))
	require.Zero(t, field)
	require.NoError(t, tagcodec.Unmarshal(moving, &method))
	require.Zero(t, method)
	moving[0] = 1
	require.ErrorIs(t, tagcodec.Unmarshal(moving, new(byOptional)), tagcodec.ErrNotCanonical)

	text := func(v any) string {
		plan, err := typecache.Of(reflect.TypeOf(v))
		require.NoError(t, err)
		return plan.Text()
	}
	require.Contains(t, text(field), "6 x float32\n")
	require.Contains(t, text(byFieldInHalves{}), "6 x half\n")
	require.Contains(t, text(byOptional{}), "6 x float32\n")
	require.Equal(t, "bitpack 2\ncustom tagcodec_test.Motion\n", text(method))
}

// A base class with a method that serializes it lends the method to the struct
// that embeds it. A named field is a part like any other.
func TestBaseClass(t *testing.T) {
	type embedded struct {
		baseClass
		Health uint8
	}
	type named struct {
		Base   baseClass
		Health uint8
	}
	data, err := tagcodec.Marshal(embedded{baseClass{7}, 9})
	require.NoError(t, err)
	require.Equal(t, []byte{7}, data, "Health is not sent")
	data, err = tagcodec.Marshal(named{baseClass{7}, 9})
	require.NoError(t, err)
	require.Equal(t, []byte{7, 9}, data)
	require.Equal(t, named{baseClass{7}, 9}, reread(t, named{baseClass{7}, 9}))
}

type baseClass struct{ ID uint8 }

func (b *baseClass) Serialize(s *bits.Stream) error {
	bits.Bits(s, &b.ID, 8)
	return s.Err()
}

// The packet of the article with an array beside its count: a Serialize method
// sends as many elements as there are, with the bytes of a slice with maxlen.
func TestArticlePacketBAsWritten(t *testing.T) {
	_, err := tagcodec.For[struct {
		NumElements int        `bp:"int,min=0,max=32"`
		Elements    [32]uint32 `bp:"maxlen=32"`
	}]()
	require.Error(t, err, "no tag sends a part of an array by the count beside it")

	v := countedArray{NumElements: 2, Elements: [32]uint32{1, 0x80000000}}
	got, err := tagcodec.Marshal(&v)
	require.NoError(t, err)
	want, err := tagcodec.Marshal(PacketB{[]uint32{1, 0x80000000}})
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, v, reread(t, v))
	var read countedArray
	require.ErrorIs(t, tagcodec.Unmarshal([]byte{33, 0, 0, 0, 0}, &read), tagcodec.ErrLength)
	_, err = tagcodec.Marshal(countedArray{NumElements: 33})
	require.ErrorIs(t, err, tagcodec.ErrLength)
	read.Elements[1] = 5
	require.NoError(t, tagcodec.Unmarshal([]byte{0}, &read))
	require.Zero(t, read, "no old elements")
}

// countedArray is PacketB as in the article.
type countedArray struct {
	NumElements int
	Elements    [32]uint32
}

func (p *countedArray) Serialize(s *bits.Stream) error {
	bits.Count(s, &p.NumElements, 0, len(p.Elements))
	if s.Err() != nil {
		return s.Err() // NumElements may still be too large
	}
	for i := range p.NumElements {
		bits.Bits(s, &p.Elements[i], 32)
	}
	if s.Reading() {
		clear(p.Elements[p.NumElements:])
	}
	return s.Err()
}
