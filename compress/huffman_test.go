package compress_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

func newHuffman(t testing.TB, weights ...uint64) *compress.Huffman {
	t.Helper()
	h, err := compress.NewHuffman(weights)
	require.NoError(t, err)
	return h
}

// fromRoot returns the bits of a symbol's code as text, starting at the root.
func fromRoot(h *compress.Huffman, symbol int) string {
	code, n := h.Code(symbol)
	var s strings.Builder
	for i := range n {
		s.WriteByte('0' + byte(code>>i&1))
	}
	return s.String()
}

func TestHuffmanRows(t *testing.T) {
	rows := []struct {
		name    string
		weights []uint64
		codes   []string
	}{
		{"two symbols", []uint64{1, 1}, []string{"0", "1"}},
		{"two common values and the escape", []uint64{90, 7, 3}, []string{"0", "10", "11"}},
		{"equal weights, the lower symbols join first", []uint64{1, 1, 1}, []string{"10", "11", "0"}},
		{"a symbol goes before a joined node", []uint64{1, 1, 2, 2}, []string{"00", "01", "10", "11"}},
		{"the last symbol ties with the joined node", []uint64{1, 1, 2, 3}, []string{"110", "111", "10", "0"}},
		// The code of ABCDEFGH with the lengths 3,3,3,3,3,2,4,4, from RFC 1951,
		// section 3.2.2.
		{"the example of the RFC", []uint64{8, 8, 8, 8, 8, 16, 4, 4}, []string{"010", "011", "100", "101", "110", "00", "1110", "1111"}},
		{"weights whose sum has 65 bits", []uint64{math.MaxUint64, 1, math.MaxUint64}, []string{"10", "11", "0"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			h := newHuffman(t, row.weights...)
			codes := make([]string, h.Symbols())
			for i := range codes {
				codes[i] = fromRoot(h, i)
			}
			require.Equal(t, row.codes, codes)
			checkHuffman(t, h)
		})
	}
}

// checkHuffman checks that the code is complete and in canonical order, and
// that every symbol decodes whatever follows it.
func checkHuffman(t testing.TB, h *compress.Huffman) {
	t.Helper()
	kraft, longest, shortest := uint64(0), 0, 99
	order := make([]int, h.Symbols())
	for symbol := range order {
		order[symbol] = symbol
		code, n := h.Code(symbol)
		kraft += 1 << (32 - n)
		longest, shortest = max(longest, n), min(shortest, n)
		for _, rest := range []uint64{0, math.MaxUint64, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA} {
			again, m := h.Decode(code | rest<<n)
			if again != symbol || m != n {
				require.Failf(t, "decode", "%d has %d bits but decodes to %d in %d", symbol, n, again, m)
			}
		}
	}
	require.Equal(t, uint64(1<<32), kraft, "Kraft's sum")
	require.Equal(t, longest, h.MaxBits())
	require.Equal(t, shortest, h.MinBits())
	slices.SortStableFunc(order, func(a, b int) int {
		_, n := h.Code(a)
		_, m := h.Code(b)
		return n - m
	})
	for i, symbol := range order[1:] {
		if before := fromRoot(h, order[i]); before >= fromRoot(h, symbol) {
			require.Failf(t, "order", "%d has %s and %d %s", order[i], before, symbol, fromRoot(h, symbol))
		}
	}
}

// Fibonacci weights give the deepest trees. Above 32 bits the weights are halved.
func TestHuffmanLimit(t *testing.T) {
	weights := []uint64{1, 1}
	for len(weights) < 93 {
		weights = append(weights, weights[len(weights)-1]+weights[len(weights)-2])
	}
	for k, longest := range map[int]int{32: 31, 33: 32, 34: 17, 40: 20, 90: 32, 93: 32} {
		h := newHuffman(t, weights[:k]...)
		checkHuffman(t, h)
		require.Equal(t, longest, h.MaxBits(), "%d symbols", k)
	}
}

func TestHuffmanConstructorErrors(t *testing.T) {
	rows := []struct {
		weights []uint64
		want    string
	}{
		{nil, "a Huffman code needs 2 to 65536 weights, not 0"},
		{[]uint64{1}, "a Huffman code needs 2 to 65536 weights, not 1"},
		{make([]uint64, 65537), "a Huffman code needs 2 to 65536 weights, not 65537"},
		{[]uint64{1, 2, 0}, "the weight of symbol 2 is 0; weights must be positive"},
	}
	for _, row := range rows {
		_, err := compress.NewHuffman(row.weights)
		require.EqualError(t, err, "compress: "+row.want)
	}
}

func FuzzHuffman(f *testing.F) {
	f.Add([]byte{90, 7, 3}, uint64(5))
	f.Add([]byte{63, 62, 61, 60, 0, 0, 1, 2, 3, 5, 8, 13}, uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, exponents []byte, word uint64) {
		weights := make([]uint64, len(exponents))
		for i, e := range exponents {
			weights[i] = 1<<(e&63) + uint64(e>>6)
		}
		h, err := compress.NewHuffman(weights)
		if err != nil {
			return
		}
		checkHuffman(t, h)
		symbol, n := h.Decode(word)
		code, m := h.Code(symbol)
		require.Equal(t, m, n)
		require.Equal(t, code, word&(1<<n-1), "every word starts with a code")
	})
}

func ExampleHuffman() {
	h, err := compress.NewHuffman([]uint64{90, 7, 3})
	if err != nil {
		panic(err)
	}
	for symbol := range h.Symbols() {
		code, n := h.Code(symbol)
		fmt.Printf("%d: %0*b\n", symbol, n, code)
	}
	fmt.Println(h.Decode(0b01_0_11))
	// Output:
	// 0: 0
	// 1: 01
	// 2: 11
	// 2 2
}
