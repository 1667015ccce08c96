package typecache

// MaxOps is the largest number of ops in a plan. A type is planned again
// wherever it occurs, so a type graph without recursion can need exponentially
// many ops: one of n levels, each with two pointers to the next, needs 2^n. A
// type that needs more gives an [*Error] before time or memory is spent on the
// rest. A listed value, a member of a union, and a field that puts nothing on
// the wire count as one op each. A plan of this size takes about 10 MB, and
// refusing a larger one allocates about 50 MB.
const MaxOps = 1 << 16

// oversized returns an error if n more ops would make the plan larger than
// [MaxOps]. It is called before each value is planned.
func (b *builder) oversized(n int) error {
	if b.size+n <= MaxOps {
		return nil
	}
	whole := b.plan.Type.Name() // not String, which may be exponentially long for an unnamed type
	if whole == "" {
		whole = "the whole type"
	}
	return fail(MistakeSize, "", "hold values of one type in an array or a slice, which plans it once, or send parts as messages of their own",
		"the plan of %s needs more than %d ops, because a type is planned again wherever it occurs", whole, MaxOps)
}
