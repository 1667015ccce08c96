package packet

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

func TestWindowEdges(t *testing.T) {
	rows := []struct {
		why      string
		accepted []uint64
		seq      uint64
		fresh    bool
	}{
		{"0 is the first number of all", nil, 0, true},
		{"0 once", []uint64{0}, 0, false},
		{"nothing below was seen when the first that arrives is not 0", []uint64{3}, 0, true},
		{"each once", []uint64{3, 0}, 0, false},
		{"255 below the highest is the last in the window", []uint64{255}, 0, true},
		{"256 below the highest is outside", []uint64{256}, 0, false},
		{"outside moves with the highest", []uint64{256}, 1, true},
		{"seen, at the last place of the window", []uint64{0, 255}, 0, false},
		{"a jump of the whole window forgets all", []uint64{0, 1, 2, 258}, 3, true},
		{"a jump of less keeps what is left", []uint64{0, 1, 2, 257}, 2, false},
		{"shifts of whole words keep the bits", []uint64{10, 10 + 64}, 10, false},
		{"shifts of whole words free the rest", []uint64{10, 10 + 64}, 11, true},
		{"the highest number there is", []uint64{math.MaxUint64 - 1}, math.MaxUint64, true},
		{"after it, itself is seen", []uint64{math.MaxUint64}, math.MaxUint64, false},
		{"after it, nothing wraps around", []uint64{math.MaxUint64}, 0, false},
		{"after it, the one before is still fresh", []uint64{math.MaxUint64}, math.MaxUint64 - 1, true},
		{"from the first to the last", []uint64{0, math.MaxUint64}, math.MaxUint64 - 255, true},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			var w window
			for _, seq := range row.accepted {
				require.True(t, w.fresh(seq), "%d must be fresh to be accepted", seq)
				w.accept(seq)
			}
			require.Equal(t, row.fresh, w.fresh(row.seq))
		})
	}
}

// TestWindowAsASet compares the window with a set of all accepted numbers.
func TestWindowAsASet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range effort.Rounds(t, 8) {
		var w window
		seen := map[uint64]bool{}
		top, any := uint64(0), false
		base := random.Uint64() >> random.UintN(64) >> 1
		for range 3000 {
			seq := base + random.Uint64N(40)
			if base > 300 && random.UintN(4) == 0 {
				seq = base - random.Uint64N(300)
			}
			base += random.Uint64N(3)
			if random.UintN(100) == 0 {
				base += random.Uint64N(600)
			}
			want := !seen[seq] && (!any || seq > top || top-seq < WindowSize)
			require.Equal(t, want, w.fresh(seq), "%d after %d", seq, top)
			if want {
				w.accept(seq)
				seen[seq], any, top = true, true, max(top, seq)
			}
		}
	}
}

// readHeader reads a header as Session.Open does.
func readHeader(data []byte) (kind byte, seq uint64, n int, refusal Refusal) {
	if kind = data[0] &^ lengthMask; kind > kindControl {
		return 0, 0, 0, ErrGarbage
	}
	seq, n, refusal = readSequence(data)
	return kind, seq, n, refusal
}

func TestHeaderForms(t *testing.T) {
	rows := []struct {
		kind byte
		seq  uint64
		want []byte
	}{
		{kindData, 0, []byte{0}},
		{kindData, 1, []byte{1, 1}},
		{kindData, 255, []byte{1, 0xff}},
		{kindControl, 0, []byte{0x10}},
		{kindControl, 256, []byte{0x12, 0, 1}},
		{kindData, 0x123456, []byte{3, 0x56, 0x34, 0x12}},
		{kindData, 1 << 32, []byte{5, 0, 0, 0, 0, 1}},
		{kindData, math.MaxUint64, []byte{8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
	}
	for _, row := range rows {
		data := appendHeader([]byte{9}, row.kind, row.seq)[1:]
		require.Equal(t, row.want, data)
		kind, seq, n, refusal := readHeader(append(data, 0xee))
		require.Zero(t, refusal)
		require.Equal(t, row.kind, kind)
		require.Equal(t, row.seq, seq)
		require.Equal(t, len(row.want), n)
		if len(data) > 1 {
			_, _, _, refusal = readHeader(data[:len(data)-1])
			require.Equal(t, ErrTruncated, refusal)
		}
	}
	for _, bad := range [][]byte{{1, 0}, {2, 5, 0}, {0x11, 0}, {8, 1, 2, 3, 4, 5, 6, 7, 0}} {
		_, _, _, refusal := readHeader(append(bad, make([]byte, 16)...))
		require.Equal(t, ErrGarbage, refusal, "% x", bad)
	}
	for first := range 256 {
		_, _, _, refusal := readHeader(append([]byte{byte(first)}, bytes.Repeat([]byte{1}, 16)...))
		want := Refusal(0)
		if first&15 > 8 || first>>4 > 1 {
			want = ErrGarbage
		}
		require.Equal(t, want, refusal, "%#x", first)
	}
}
