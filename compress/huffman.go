package compress

import (
	"cmp"
	mathbits "math/bits"
	"slices"
)

const (
	maxHuffmanSymbols = 1 << 16
	maxHuffmanBits    = 32
	maxHuffmanTable   = 10 // bits of the table that decodes short codes
)

// Huffman is a canonical Huffman code for the symbols 0 to k-1. No code is
// longer than 32 bits. Of all codes with a whole number of bits per symbol, a
// Huffman code has the lowest average length for the given weights. The rules
// below select one code among several with the same average.
//
// The tree is built from the weights by repeatedly joining the two lightest
// nodes into one with the sum of their weights. Among nodes of equal weight,
// symbols come before joined nodes, lower symbols before higher ones, and
// earlier joined nodes before later ones. The length of a symbol's code is its
// depth. If the sum of all weights is 2^64 or more, or the longest code has
// more than 32 bits, each weight is halved, rounding up, and the tree is
// rebuilt. This repeats as often as necessary. Halving makes the weights of the
// rarest symbols less distinct and hardly changes the average.
//
// The codes follow from the lengths alone, as in RFC 1951, section 3.2.2. Read
// from the root, with the first bit as the highest, the codes of one length are
// consecutive numbers in symbol order. The first code of each length is twice
// the number after the last code of the length below. The shortest code is all
// zeros:
//
//	weight  length  from the root
//	   90      1      0
//	    7      2      10
//	    3      2      11
//
// Methods return codes with the root bit lowest, ready to be written.
type Huffman struct {
	codes []huffmanCode // by symbol
	table []huffmanCode // indexed by the low bits of a word; n is 0 for longer codes
	mask  uint64        // selects the bits that index table
	long  []huffmanTier // code lengths that exceed the table
	order []uint16      // symbols by code length, then by number
}

// huffmanCode is a code and its symbol.
type huffmanCode struct {
	code   uint32 // root bit lowest
	symbol uint16
	n      uint8
}

// huffmanTier describes the codes of one length.
type huffmanTier struct {
	end   uint64 // the number after the last code, aligned to the high end of 32 bits
	first uint32 // the first code, aligned like end
	index int    // index in order of the symbol with the first code
	n     int
}

// NewHuffman returns a code for len(weights) symbols, which must be 2 to 65536.
// The weights must be positive.
func NewHuffman(weights []uint64) (*Huffman, error) {
	if len(weights) < 2 || len(weights) > maxHuffmanSymbols {
		return nil, failed("a Huffman code needs 2 to %d weights, not %d", maxHuffmanSymbols, len(weights))
	}
	if i := slices.Index(weights, 0); i >= 0 {
		return nil, failed("the weight of symbol %d is 0; weights must be positive", i)
	}
	h := &Huffman{codes: make([]huffmanCode, len(weights)), order: make([]uint16, len(weights))}
	for i := range h.codes {
		h.codes[i].symbol = uint16(i)
	}
	weights = slices.Clone(weights)
	for !h.setLengths(weights) {
		for i := range weights {
			weights[i] -= weights[i] / 2
		}
	}
	h.setCodes()
	return h, nil
}

// setLengths sets the lengths of the codes. It returns false if the weights
// must be halved.
func (h *Huffman) setLengths(weights []uint64) bool {
	var sum, carry uint64
	for _, w := range weights {
		if sum, carry = mathbits.Add64(sum, w, 0); carry != 0 {
			return false
		}
	}
	k := len(weights)
	symbols := h.sorted(func(a, b int) int { return cmp.Compare(weights[a], weights[b]) })
	// Nodes 0 to k-1 are the symbols in this order, and joined nodes follow.
	// The weights of joined nodes never decrease, so the lightest node is the
	// next symbol or the next joined node.
	weight, parent := make([]uint64, 2*k-1), make([]int, 2*k-1)
	for i, symbol := range symbols {
		weight[i] = weights[symbol]
	}
	symbol, joined := 0, k
	for node := k; node < len(weight); node++ {
		for range 2 {
			next := &joined
			if symbol < k && (joined == node || weight[symbol] <= weight[joined]) {
				next = &symbol
			}
			weight[node] += weight[*next]
			parent[*next] = node
			*next++
		}
	}
	depth := make([]int, len(weight))
	for node := len(weight) - 2; node >= 0; node-- {
		depth[node] = depth[parent[node]] + 1
	}
	if slices.Max(depth) > maxHuffmanBits {
		return false
	}
	for i, symbol := range symbols {
		h.codes[symbol].n = uint8(depth[i])
	}
	return true
}

// sorted returns the symbols in the order of compare. Equal ones remain in theirs.
func (h *Huffman) sorted(compare func(a, b int) int) []int {
	symbols := make([]int, len(h.codes))
	for i := range symbols {
		symbols[i] = i
	}
	slices.SortStableFunc(symbols, compare)
	return symbols
}

// setCodes sets the codes from their lengths and builds the decoding tables.
func (h *Huffman) setCodes() {
	symbols := h.sorted(func(a, b int) int { return cmp.Compare(h.codes[a].n, h.codes[b].n) })
	for i, symbol := range symbols {
		h.order[i] = uint16(symbol)
	}
	tableBits := min(h.MaxBits(), maxHuffmanTable)
	h.table = make([]huffmanCode, 1<<tableBits)
	h.mask = uint64(len(h.table) - 1)
	var next uint64 // the next code, aligned to the high end of 32 bits
	for i, symbol := range h.order {
		c := &h.codes[symbol]
		n := int(c.n)
		c.code = mathbits.Reverse32(uint32(next))
		first := uint32(next)
		next += 1 << (maxHuffmanBits - n)
		if n <= tableBits {
			for word := int(c.code); word < len(h.table); word += 1 << n {
				h.table[word] = *c
			}
			continue
		}
		if len(h.long) == 0 || h.long[len(h.long)-1].n != n {
			h.long = append(h.long, huffmanTier{first: first, index: i, n: n})
		}
		h.long[len(h.long)-1].end = next
	}
}

// Symbols returns the number of symbols.
func (h *Huffman) Symbols() int { return len(h.codes) }

// MinBits returns the length of the shortest code.
func (h *Huffman) MinBits() int { return int(h.codes[h.order[0]].n) }

// MaxBits returns the length of the longest code.
func (h *Huffman) MaxBits() int { return int(h.codes[h.order[len(h.order)-1]].n) }

// Code returns the code of a symbol in the low n bits of code, with the root
// bit lowest. It panics unless the symbol is in [0, k).
func (h *Huffman) Code(symbol int) (code uint64, n int) {
	c := &h.codes[symbol]
	return uint64(c.code), int(c.n)
}

// Decode returns the symbol whose code is in the low bits of word, and the
// length n of the code. Every word starts with some code, so the caller must
// check that n bits are left to read.
func (h *Huffman) Decode(word uint64) (symbol, n int) {
	c := &h.table[word&h.mask]
	if c.n == 0 {
		c = h.decodeLong(word)
	}
	return int(c.symbol), int(c.n)
}

// decodeLong is Decode for codes longer than the table's.
func (h *Huffman) decodeLong(word uint64) *huffmanCode {
	code := mathbits.Reverse32(uint32(word))
	tier := &h.long[0]
	for i := 0; uint64(code) >= tier.end; i++ {
		tier = &h.long[i+1]
	}
	return &h.codes[h.order[tier.index+int((code-tier.first)>>(maxHuffmanBits-tier.n))]]
}
