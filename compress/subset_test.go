package compress_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

func TestIndexRows(t *testing.T) {
	rows := []struct {
		name                 string
		previous, index, max int
		code                 uint64
		n                    int
	}{
		{"the first element", -1, 0, 1000, 0b1, 1},
		{"first of 01", 0, 2, 1000, 0b00_10, 4},
		{"last of 01", 0, 5, 1000, 0b11_10, 4},
		{"last of 00001", 0, 61, 1000, 0b11111_10000, 10},
		{"first of 000001", 0, 62, 1000, 0b000000_100000, 12},
		{"last of 000001", 0, 125, 1000, 0b111111_100000, 12},
		{"first of 000000", 0, 126, 1000, 0b000000, 16},
		{"the sentinel after none, the largest difference", -1, 1000, 1000, 875 << 6, 16},
		{"the last tier with one value takes no bits", -1, 125, 125, 0, 6},
		{"with two", -1, 126, 126, 1 << 6, 7},
		{"a large array", -1, 1 << 30, 1 << 30, (1<<30 - 125) << 6, 36},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			code, n := compress.EncodeIndex(row.previous, row.index, row.max)
			require.Equal(t, row.code, code)
			require.Equal(t, row.n, n)
			for _, rest := range []uint64{0, math.MaxUint64} {
				index, m, ok := compress.DecodeIndex(code|rest<<n, row.previous, row.max)
				require.True(t, ok)
				require.Equal(t, row.index, index)
				require.Equal(t, n, m)
			}
		})
	}
}

func TestIndexRefuses(t *testing.T) {
	for _, row := range [][3]int{{5, 5, 10}, {5, 4, 10}, {5, 11, 10}, {10, 11, 10}} {
		_, n := compress.EncodeIndex(row[0], row[1], row[2])
		require.Zero(t, n, "%v", row)
	}
	rows := []struct {
		name          string
		word          uint64
		previous, max int
		n             int
	}{
		{"past the sentinel", 0b1, 10, 10, 1},
		{"a tier that passes max", 0b11_10, 0, 4, 4},
		{"the last tier where it is empty", 0, -1, 100, 6},
		{"the last tier past max", 1023 << 6, -1, 1000, 16},
		{"the last tier past max after another", 800 << 6, 100, 1000, 16},
	}
	for _, row := range rows {
		_, n, ok := compress.DecodeIndex(row.word, row.previous, row.max)
		require.False(t, ok, row.name)
		require.Equal(t, row.n, n, row.name)
	}
}

func TestSubsetCheapest(t *testing.T) {
	rows := []struct {
		name       string
		max        int
		present    []int
		want       compress.Subset
		wantBits   int
		wantString string
	}{
		{"none of none", 0, nil, compress.SubsetBitmap, 0, "bitmap"},
		{"none of many: of count and sentinel the first", 1000, nil, compress.SubsetIndex, 10, "index"},
		{"one at each end", 128, []int{0, 127}, compress.SubsetRelative, 10, "relative"},
		{"one that the ladder makes long", 1023, []int{500}, compress.SubsetIndex, 20, "index"},
		{"one of 2^10: the sentinel takes a bit more", 1024, []int{600}, compress.SubsetIndex, 21, "index"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			cost := compress.NewSubsetCost(row.max)
			for _, index := range row.present {
				cost.Add(index)
			}
			require.Equal(t, row.want, cost.Cheapest())
			require.Equal(t, row.wantBits, cost.Bits(row.want))
			require.Equal(t, row.wantString, row.want.String())
		})
	}
	require.Equal(t, "sentinel", compress.SubsetSentinel.String())
	require.Equal(t, "unknown", compress.Subset(5).String())
}

func FuzzDecodeIndex(f *testing.F) {
	f.Add(uint64(0), -1, 125)
	f.Add(uint64(math.MaxUint64), 7, 1000)
	f.Fuzz(func(t *testing.T, word uint64, previous, max int) {
		if max < 0 || int64(max) > 1<<51 || previous < -1 || previous >= max {
			return
		}
		index, n, ok := compress.DecodeIndex(word, previous, max)
		require.True(t, n >= 1 && n <= 57)
		if !ok {
			return
		}
		code, m := compress.EncodeIndex(previous, index, max)
		require.Equal(t, n, m)
		require.Equal(t, word&(1<<n-1), code)
	})
}

func ExampleSubsetCost() {
	cost := compress.NewSubsetCost(1000)
	for _, index := range []int{3, 4, 5, 90} {
		cost.Add(index)
	}
	for s := compress.SubsetBitmap; s <= compress.SubsetRelative; s++ {
		fmt.Println(s, cost.Bits(s))
	}
	fmt.Println("cheapest:", cost.Cheapest())
	// Output:
	// bitmap 1000
	// index 50
	// sentinel 50
	// relative 34
	// cheapest: relative
}
