package plan

import (
	"math"
	"slices"

	"github.com/gobitpack/bitpack/internal/saturate"
)

// ElementKeys returns the first ops of the fields with the option key that each
// element of the slice at op i has. Fields of structs in the element are among
// them, and those of lists in it are not.
func (p *Plan) ElementKeys(i int) (keys []int) {
	for k := i + 1; k < int(p.Ops[i].End); k = p.After(k) {
		if slices.ContainsFunc(p.Hints, func(h Hint) bool { return h.Key && int(h.First) == k }) {
			keys = append(keys, k)
		}
	}
	return keys
}

// SecondKey returns the problem and the fix of an option key if the field first has
// one too.
func SecondKey(first string) (problem, fix string) {
	return "is given to " + first + " as well, and one field identifies an element",
		"keep one, or put both into one integer, such as y*width+x, and key that"
}

// PossibleKeys returns the number of different keys that op i can write, at most
// MaxLen.
func (p *Plan) PossibleKeys(i int) int {
	op := &p.Ops[i]
	switch op.Code {
	case CodeOptional: // zero, or a value of the op that follows
		n := p.PossibleKeys(i + 1)
		if value := &p.Ops[i+1]; value.Code.Single() && -value.Bias <= value.Span {
			return n // zero is one of these values
		}
		return min(n+1, MaxLen)
	case CodeCommon:
		return p.PossibleKeys(i + 1)
	case CodeHuffman:
		if h := &p.Huffmans[op.Aux]; h.Escape < 0 {
			return len(h.Values)
		}
		return p.PossibleKeys(i + 1)
	case CodeRelative:
		r := &p.Relatives[op.Aux]
		return int(max(0, min(r.Max-max(r.Min-1, r.Base), MaxLen)))
	case CodeVarint:
		return int(min(uint64(math.MaxUint64)>>(64-WireBits(p.elemType(op))), MaxLen-1)) + 1
	case CodeString:
		if op.Flags&FlagText != 0 {
			return texts(op, 127, 1920, 61440, 1<<20) // UTF-8 without NUL: the runes of 1, 2, 3 and 4 bytes
		}
		return texts(op, 256)
	case CodeWString:
		return texts(op, 1<<16-1-2048, 1<<20) // UTF-16 without NUL: the runes of 1 and 2 units
	}
	if !op.Code.Single() && !op.Code.PrefixCoded() {
		panic("plan: no way to count the keys of " + op.Code.String())
	}
	return int(min(op.Span, MaxLen-1)) + 1
}

// texts returns the number of different texts of the lengths that op allows, at
// most MaxLen. runes[k] is the number of different runes that take k+1 units.
func texts(op *Op, runes ...int) (sum int) {
	all := []int{1} // the number of texts of each length
	for n := 0; n <= int(op.Bias+op.Span); n++ {
		if n > 0 {
			of := 0
			for k, count := range runes[:min(n, len(runes))] {
				of = saturate.Add(of, saturate.Mul(all[n-1-k], count))
			}
			all = append(all, of)
		}
		if all[n] >= MaxLen || sum >= MaxLen {
			return MaxLen // greater lengths have at least as many texts as n
		}
		if n >= int(op.Bias) {
			sum += all[n]
		}
	}
	return min(sum, MaxLen)
}
