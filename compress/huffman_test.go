package compress_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
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

// cost returns the total length of all codes, each multiplied by its weight.
func cost(h *compress.Huffman, weights []uint64) (bits uint64) {
	for symbol, w := range weights {
		_, n := h.Code(symbol)
		bits += w * uint64(n)
	}
	return bits
}

// leastCost tries every complete code. Lighter symbols get codes at least as
// long as those of heavier ones. free is the unused part of the tree, in leaves
// of depth 20.
func leastCost(descending []uint64, depth int, free uint64) uint64 {
	if len(descending) == 0 {
		if free == 0 {
			return 0
		}
		return math.MaxUint64
	}
	least := uint64(math.MaxUint64)
	for n := depth; n < len(descending)+depth+1 && n < 20; n++ {
		if part := uint64(1) << (20 - n); part <= free {
			if rest := leastCost(descending[1:], n, free-part); rest != math.MaxUint64 {
				least = min(least, rest+descending[0]*uint64(n))
			}
		}
	}
	return least
}

func TestHuffmanOptimal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		weights := make([]uint64, 2+random.IntN(6))
		for i := range weights {
			weights[i] = 1 + random.Uint64N(1<<random.IntN(8))
		}
		h := newHuffman(t, weights...)
		checkHuffman(t, h)
		descending := slices.Clone(weights)
		slices.Sort(descending)
		slices.Reverse(descending)
		require.Equal(t, leastCost(descending, 1, 1<<20), cost(h, weights), "%v", weights)
	}
}

func TestHuffmanEntropy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{2, 3, 100, 1000, 5000, 65536} {
		weights, sum := make([]uint64, k), 0.0
		for i := range weights {
			weights[i] = 1 + uint64(random.ExpFloat64()*float64(random.IntN(1_000_000)))
			sum += float64(weights[i])
		}
		entropy := 0.0
		for _, w := range weights {
			entropy -= float64(w) / sum * math.Log2(float64(w)/sum)
		}
		h := newHuffman(t, weights...)
		checkHuffman(t, h)
		mean := float64(cost(h, weights)) / sum
		require.GreaterOrEqual(t, mean, entropy-1e-9, "%d symbols", k)
		require.Less(t, mean, entropy+1, "%d symbols", k)
	}
}

// Fibonacci weights give the deepest trees.
func TestHuffmanLimit(t *testing.T) {
	weights := []uint64{1, 1}
	for len(weights) < 93 {
		weights = append(weights, weights[len(weights)-1]+weights[len(weights)-2])
	}
	for _, k := range []int{32, 33, 34, 40, 90, 93} {
		h := newHuffman(t, weights[:k]...)
		checkHuffman(t, h)
		require.LessOrEqual(t, h.MaxBits(), 32, "%d symbols", k)
		if k <= 33 {
			require.Equal(t, k-1, h.MaxBits())
			continue
		}
		// Without the limit the codes have up to k-1 bits.
		limited, best, sum := new(big.Int), new(big.Int), new(big.Int)
		for i, w := range weights[:k] {
			_, n := h.Code(i)
			weight := new(big.Int).SetUint64(w)
			sum.Add(sum, weight)
			limited.Add(limited, new(big.Int).Mul(weight, big.NewInt(int64(n))))
			best.Add(best, new(big.Int).Mul(weight, big.NewInt(int64(min(k-1, k-i)))))
		}
		excess, _ := new(big.Rat).SetFrac(limited.Sub(limited, best), sum).Float64()
		require.GreaterOrEqual(t, excess, 0.0)
		require.Less(t, excess, 1e-5, "%d symbols", k)
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
		require.EqualError(t, err, row.want)
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
