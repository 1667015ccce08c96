package plan

import (
	"math"
	mathbits "math/bits"
	"reflect"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
)

// The claim of a value at a price is the memory, in bytes, that Unmarshal
// allocates for it, minus the price for each bit of it. It is that of the message
// for which it is largest. A claim above zero is memory that no bits pay for.
//
// Bits that depend on the value count with the fewest. A method Serialize and
// UnmarshalBinary allocate what they like, which no claim has.

// unpaid is the largest claim that is computed. Larger ones are equal to it.
const unpaid = 1 << 50

// unknownClaim is the claim of a recursive type while no value of it is known.
const unknownClaim = -1 << 60

// Claim is the claim of the messages of a plan at a price.
type Claim struct {
	Bytes int64 // of the whole message, or 0 if nothing in it allocates

	// Worst is the op that allocates most beyond what its elements pay for, if Bytes is
	// above the limit, or -1 if each pays. An element, a target or a member is of this type, takes Size bytes
	// and LeastBits bits or more.
	Worst     int
	Type      reflect.Type
	Size      uintptr
	LeastBits int
}

// Claim returns the claim of a message at a price in bytes for each bit. It stops
// early at a recursive type or a member of a union that claims more than limit.
// Measure must have been called.
func (p *Plan) Claim(price, limit int64) Claim {
	c := claimer{plan: p, price: price}
	c.result.Worst = -1
	allocates := false
	for i := range p.Ops {
		op := &p.Ops[i]
		switch op.Code {
		case CodePointer, CodeSlice, CodeMap, CodeSubset, CodeRunLength:
			allocates = true
		case CodeCall:
			c.addPart(op.End)
		case CodeUnion:
			allocates = true
			for _, start := range p.Elems[op.Aux].Union.Starts {
				c.addPart(start)
			}
		}
	}
	if !allocates {
		return c.result
	}
	// The claim of a recursive type depends on those of others. Round n is exact for
	// values of n levels. A claim that grows after as many rounds as there are types
	// has no end.
	changes := len(c.starts) > 0
	for round := 0; changes; round++ {
		changes = false
		for k := len(c.starts) - 1; k >= 0; k-- {
			start := c.starts[k]
			claim := c.block(int(start), -1)
			if claim > limit || claim > c.parts[start] && round > len(c.starts) {
				return c.blamed(unpaid)
			}
			changes = changes || claim != c.parts[start]
			c.parts[start] = claim
		}
	}
	claim := c.block(0, -1)
	if claim > limit {
		return c.blamed(claim)
	}
	c.result.Bytes = claim
	return c.result
}

// blamed returns the result for a message that claims too much, with the op to blame.
func (c *claimer) blamed(claim int64) Claim {
	for i := range c.plan.Ops {
		c.blame(i)
	}
	c.result.Bytes = claim
	return c.result
}

// BytesPerBit returns the smallest price at which no message claims memory that its
// bits do not pay for.
func (p *Plan) BytesPerBit() int {
	lo, hi := int64(0), int64(math.MaxInt32)
	if p.Claim(hi, unpaid-1).Bytes > 0 {
		return Unbounded
	}
	for lo < hi {
		if mid := (lo + hi) / 2; p.Claim(mid, unpaid-1).Bytes > 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return int(lo)
}

// claimer computes claims.
type claimer struct {
	plan   *Plan
	price  int64
	starts []int32         // the first ops of recursive types and of members of unions
	parts  map[int32]int64 // their claims
	result Claim
	most   int64 // what the op to blame allocates beyond what its elements pay for
}

// addPart notes a recursive type or a member of a union.
func (c *claimer) addPart(start int32) {
	if _, ok := c.parts[start]; ok {
		return
	}
	if c.parts == nil {
		c.parts = map[int32]int64{}
	}
	c.parts[start] = unknownClaim
	c.starts = append(c.starts, start)
}

// blame makes op i the one to blame if its elements allocate more beyond what they
// pay for than those of any op before it.
func (c *claimer) blame(i int) {
	op := &c.plan.Ops[i]
	if !op.Code.Block() && op.Code != CodeUnion {
		return
	}
	elem := &c.plan.Elems[op.Aux]
	worse := func(t reflect.Type, size uintptr, bits, repeats int) {
		over := limited(limited(int64(size)-limited(c.price, int64(bits)), 1), int64(repeats))
		if over > c.most {
			c.most = over
			c.result.Worst, c.result.Type, c.result.Size, c.result.LeastBits = i, t, size, bits
		}
	}
	switch op.Code {
	case CodeMap:
		worse(elem.Type.Field(1).Type, mapSlots*(elem.Size+1), elem.MinBits, op.Repeats())
	case CodeSlice:
		worse(elem.Type, elem.Size, elem.MinBits, op.Repeats())
	case CodePointer:
		worse(elem.Type, elem.Size, elem.MinBits+1, 1)
	case CodeSubset:
		bits := 0
		if !elem.Subset.Auto && elem.Subset.Mode == compress.SubsetBitmap {
			bits = 1
		}
		if elem.Subset.Pointers {
			worse(elem.Type, elem.Type.Size(), elem.MinBits+bits, op.Repeats())
		} else if op.Flags&FlagSlice != 0 {
			worse(elem.Type, elem.Size, bits, op.Repeats())
		}
	case CodeUnion:
		for k, t := range elem.Union.Types {
			worse(t, memberSize(elem.Union, k), elem.Union.MinBits[k]+int(op.Bits), 1)
		}
	}
}

// memberSize returns the memory of the variable that member k of a union is read
// into.
func memberSize(u *Union, k int) uintptr {
	t := u.Types[k]
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Size()
}

// limited returns a claim times a count, within the limits of claims.
func limited(claim, n int64) int64 {
	high, low := mathbits.Mul64(uint64(max(claim, -claim)), uint64(n))
	if high > 0 || low > unpaid {
		low = unpaid
	}
	if claim < 0 {
		return -int64(low)
	}
	return int64(low)
}

// block returns the claim of the ops [i, end) of a block or, if end is -1, of those
// from i to the end of their block.
func (c *claimer) block(i, end int) int64 {
	sum := int64(0)
	for ; !c.plan.Closes(i, end); i = c.plan.After(i) {
		claim := c.op(i)
		if claim == unknownClaim {
			return unknownClaim
		}
		sum = limited(sum+claim, 1)
	}
	return sum
}

// op returns the claim of op i and the ops that it encloses.
func (c *claimer) op(i int) int64 {
	op := &c.plan.Ops[i]
	switch op.Code {
	case CodeIf:
		return max(0, c.block(i+1, int(op.End)))
	case CodeOptional:
		return max(0, c.block(i+1, int(op.End))) - c.price
	case CodePointer:
		return max(0, c.with(c.plan.Elems[op.Aux].Size, c.block(i+1, -1))) - c.price
	case CodeMatrix:
		return c.block(i+1, -1)
	case CodeArray:
		if inner := c.block(i+1, -1); inner != unknownClaim {
			return limited(inner, int64(op.Count))
		}
		return unknownClaim
	case CodeSlice:
		return c.list(op, c.with(c.plan.Elems[op.Aux].Size, c.block(i+1, -1)))
	case CodeMap:
		return c.mapping(i)
	case CodeSubset:
		return c.subset(i)
	case CodeRunLength:
		return c.runLength(i)
	case CodeUnion:
		most, u := int64(0), c.plan.Elems[op.Aux].Union
		for k, start := range u.Starts {
			most = max(most, c.with(memberSize(u, k), c.parts[start]))
		}
		return most - limited(c.price, int64(op.Bits))
	case CodeCall:
		return c.parts[op.End]
	}
	m := measurer{plan: c.plan}
	return -limited(c.price, int64(m.op(i, unknownPhase).min))
}

// with returns the claim of a variable of size bytes whose value claims inner.
func (c *claimer) with(size uintptr, inner int64) int64 {
	if inner == unknownClaim {
		return unknownClaim
	}
	return limited(inner+int64(size), 1)
}

// list returns the claim of op, which has a count and elements that claim each.
func (c *claimer) list(op *Op, each int64) int64 {
	least, most := int64(op.Bias), int64(op.Bias+op.Span)
	all := -limited(c.price, int64(op.Bits))
	switch {
	case each > 0:
		return limited(each, most) + all
	case least > 0 && each == unknownClaim:
		return unknownClaim
	case least > 0:
		return limited(each, least) + all
	}
	return all
}

// A map has room for up to 16/7 times its entries, and for 8 at least.
const (
	mapSlots  = 3
	mapHeader = 48
)

// mapping returns the claim of the CodeMap at op i.
func (c *claimer) mapping(i int) int64 {
	op := &c.plan.Ops[i]
	slot := c.plan.Elems[op.Aux].Size + 1
	entry := c.block(i+1, -1) // once: maps may nest deeply
	all := c.list(op, c.with(mapSlots*slot, entry))
	first := c.with(mapHeader+8*slot, entry)
	if least := int64(op.Bias); least > 1 && first != unknownClaim {
		first = limited(first, 1) + limited(entry, least-1)
	}
	if op.Bias+op.Span == 0 || first == unknownClaim {
		return all
	}
	return max(all, first-limited(c.price, int64(op.Bits)))
}

// subset returns the claim of the CodeSubset at op i. Absent elements of a slice
// take memory as well.
func (c *claimer) subset(i int) int64 {
	op := &c.plan.Ops[i]
	elem := &c.plan.Elems[op.Aux]
	each := c.block(i+1, -1)
	if elem.Subset.Pointers {
		each = c.with(elem.Type.Size(), each)
	}
	each = max(0, each)
	if op.Flags&FlagSlice != 0 {
		each += int64(elem.Size)
	}
	own := int64(1) // the bits of a count, a mode or a first step
	if !elem.Subset.Auto && elem.Subset.Mode == compress.SubsetBitmap {
		each, own = each-c.price, 0
	}
	least, most := op.Lengths()
	all := limited(each, int64(least))
	if each > 0 {
		all = limited(each, int64(most))
	}
	if least == 0 {
		own = 0
	}
	return all - limited(c.price, own+int64(op.countBits()))
}

// runLength returns the claim of the CodeRunLength at op i, whose elements are in
// stretches as long as possible.
func (c *claimer) runLength(i int) int64 {
	op := &c.plan.Ops[i]
	least, most := op.Lengths()
	size := int64(0)
	if op.Flags&FlagSlice != 0 {
		size = int64(c.plan.Elems[op.Aux].Size)
	}
	claim := int64(unknownClaim)
	for _, n := range [...]int{least, max(least, min(most, bitio.MaxStretch)), most} {
		paid := bitio.StretchBits(n, int(c.plan.Ops[i+1].Bits))
		claim = max(claim, limited(size, int64(n))-limited(c.price, int64(paid)))
	}
	return claim - limited(c.price, int64(op.countBits()))
}
