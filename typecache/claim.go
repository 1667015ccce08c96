package typecache

import (
	"fmt"

	"github.com/gobitpack/bitpack/internal/plan"
)

// Unmarshal allocates the elements of slices and maps, the targets of pointers and
// the members of unions when it has found the fewest bits that they take. A value
// with much that may be absent takes few bits and much memory: 1 bit for a
// [4096]uint16 that is optional. So the messages of a type may claim maxSparseEach
// bytes for each of their bits, and maxUnpaid besides.

// maxUnpaid is the largest memory, in bytes, that a message may claim without bits
// that pay for it.
const maxUnpaid = 1 << 20

// checkClaims returns an error if a message of the plan can claim more. root names
// the type of the plan.
func (b *builder) checkClaims(root name) error {
	claim := b.plan.Claim(maxSparseEach, maxUnpaid)
	if claim.Bytes <= maxUnpaid {
		return nil
	}
	if claim.Worst < 0 {
		return root.wrap(fail(MistakeMemory, "", "lower maxlen", "a message could claim more than %d bytes for each of its bits and %d besides", maxSparseEach, maxUnpaid))
	}
	op := &b.plan.Ops[claim.Worst]
	what := "an element"
	switch op.Code {
	case plan.CodeMap:
		what = "an entry"
	case plan.CodePointer:
		what = "the target"
	case plan.CodeUnion:
		what = "the " + plan.MemberName(claim.Type)
	}
	least := "1 bit"
	if claim.LeastBits != 1 {
		least = fmt.Sprintf("%d bits", claim.LeastBits)
	}
	return b.names[op.Aux].wrap(fail(MistakeMemory, "", "make what may be absent in it a slice or a pointer, which take memory only if they are sent, or lower maxlen",
		"%s of %v takes %d bytes of memory, and a message may have as little as %s for it, where messages may claim %d bytes for each bit and %d besides",
		what, b.plan.Fields[op.Field].Type, claim.Size, least, maxSparseEach, maxUnpaid))
}
