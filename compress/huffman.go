package compress

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

const (
	maxHuffmanSymbols = 1 << 16
	maxHuffmanBits    = 32
	maxHuffmanTable   = 10 // bits of the table that decodes the common symbols
)

// Huffman is a canonical Huffman code over the symbols 0 to k-1: the code of
// whole bits with the fewest on average for symbols as frequent as their
// weights, none longer than 32 bits. It is this one of several:
//
// The weights become a tree by joining, again and again, the two lightest
// nodes to one with the sum of their weights. Of equally light nodes a symbol
// goes before a joined node, a lower symbol before a higher one, and a node
// joined earlier before one joined later. The length of a symbol's code is its
// depth. If the sum of all weights is 2^64 or more, or the longest code has
// more than 32 bits, each weight is halved, rounded up, and the tree made
// anew, as often as it takes. That costs the rarest symbols some of their
// difference and the average next to nothing.
//
// The codes follow from the lengths alone, as in RFC 1951, 3.2.2: read from the
// root, where the first bit is the highest, those of one length are
// consecutive numbers in the order of their symbols, and the first of each
// length is twice the number after the last of the length below. The shortest
// starts with zeros:
//
//	weight  length  from the root
//	   90      1      0
//	    7      2      10
//	    3      2      11
//
// Codes are given with the bit at the root lowest, to be written as they are.
type Huffman struct {
	codes []huffmanCode // by symbol
	table []huffmanCode // by the low bits of a word; n is 0 for longer codes
	mask  uint64        // of these bits
	long  []huffmanTier // the lengths that the table does not hold
	order []uint16      // symbols by length, then number
}

// huffmanCode is a code and its symbol.
type huffmanCode struct {
	code   uint32 // from the root, lowest bit first
	symbol uint16
	n      uint8
}

// huffmanTier holds the codes of one length.
type huffmanTier struct {
	end   uint64 // the number after its last code, in the high bits of 32
	first uint32 // its first code
	index int    // of the symbol of that code, in order
	n     int
}

// NewHuffman returns the code of len(weights) symbols, which must be 2 to
// 65536. The weights must be positive.
func NewHuffman(weights []uint64) (*Huffman, error) {
	if len(weights) < 2 || len(weights) > maxHuffmanSymbols {
		return nil, fmt.Errorf("a Huffman code takes 2 to %d weights, not %d", maxHuffmanSymbols, len(weights))
	}
	if i := slices.Index(weights, 0); i >= 0 {
		return nil, fmt.Errorf("weights must be positive, which that of symbol %d is not", i)
	}
	h := &Huffman{codes: make([]huffmanCode, len(weights)), order: make([]uint16, len(weights))}
	for i := range h.codes {
		h.codes[i].symbol = uint16(i)
		h.order[i] = uint16(i)
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

// setLengths sets the lengths of the codes. It reports false if the weights
// must be halved.
func (h *Huffman) setLengths(weights []uint64) bool {
	var sum, carry uint64
	for _, w := range weights {
		if sum, carry = bits.Add64(sum, w, 0); carry != 0 {
			return false
		}
	}
	k := len(weights)
	slices.SortFunc(h.order, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(weights[a], weights[b]), cmp.Compare(a, b))
	})
	// Nodes 0 to k-1 are the symbols in this order. Joined nodes follow, and
	// their weights never fall, so that the lightest node is the next of either.
	weight, parent := make([]uint64, 2*k-1), make([]int, 2*k-1)
	for i, symbol := range h.order {
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
	for i, symbol := range h.order {
		h.codes[symbol].n = uint8(depth[i])
	}
	return true
}

// setCodes sets the codes by their lengths, and the tables that decode them.
func (h *Huffman) setCodes() {
	slices.SortFunc(h.order, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(h.codes[a].n, h.codes[b].n), cmp.Compare(a, b))
	})
	tableBits := min(h.MaxBits(), maxHuffmanTable)
	h.table = make([]huffmanCode, 1<<tableBits)
	h.mask = uint64(len(h.table) - 1)
	var next uint64 // the number of the code from the root, in the high bits of 32
	for i, symbol := range h.order {
		c := &h.codes[symbol]
		n := int(c.n)
		c.code = bits.Reverse32(uint32(next))
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

// Code returns the code of a symbol in the low n bits, the bit at the root
// lowest. It panics unless the symbol is in [0, k).
func (h *Huffman) Code(symbol int) (code uint64, n int) {
	c := &h.codes[symbol]
	return uint64(c.code), int(c.n)
}

// Decode returns the symbol whose code is in the low bits of word, and the
// length n of the code. Every word starts with a code, whatever its bits: the
// caller makes sure that n bits are left to read.
func (h *Huffman) Decode(word uint64) (symbol, n int) {
	c := &h.table[word&h.mask]
	if c.n == 0 {
		c = h.decodeLong(word)
	}
	return int(c.symbol), int(c.n)
}

// decodeLong is Decode for codes that the table does not hold.
func (h *Huffman) decodeLong(word uint64) *huffmanCode {
	code := bits.Reverse32(uint32(word))
	tier := &h.long[0]
	for i := 0; uint64(code) >= tier.end; i++ {
		tier = &h.long[i+1]
	}
	return &h.codes[h.order[tier.index+int((code-tier.first)>>(maxHuffmanBits-tier.n))]]
}
