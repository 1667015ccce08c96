package delta

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGolden checks that the bytes of deltas stay the same, and are the same on
// every machine.
func TestGolden(t *testing.T) {
	type small struct {
		Health uint8
		Name   string `bp:"maxlen=10"`
		Alive  bool
	}
	c := MustFor[small]()
	s := c.NewSender()
	for tick, row := range []struct {
		state small
		want  string
	}{
		{small{100, "ab", true}, "000080302079858905"},
		{small{90, "ab", true}, "010002602800"},
		{small{90, "abc", false}, "0200028217263616"},
		{small{90, "abc", false}, "03008222"},
	} {
		image, err := c.Quantize(&row.state, nil)
		require.NoError(t, err)
		data, err := s.Append(nil, uint64(tick), image)
		require.NoError(t, err)
		require.Equal(t, row.want, hex.EncodeToString(data))
		s.Ack(uint64(tick))
	}

	bodies, _, images := benchImages(300, 30)
	all := sha256.New()
	sender := bodies.NewSender()
	for tick, image := range images {
		data, err := sender.Append(nil, uint64(tick), image)
		require.NoError(t, err)
		all.Write(data)
		sender.Ack(uint64(tick))
	}
	require.Equal(t, "8f31598214f2292b", hex.EncodeToString(all.Sum(nil)[:8]))
}
