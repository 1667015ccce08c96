package typecache

import "math/bits"

// A Run is a sequence of Single ops that follow each other in one block: their
// widths are known, and so is where in the run each value's bits lie. A loop
// may check once that the bits of all are there, and then take the values in
// any order; they are grouped by what their memory is, so that each group is a
// loop without a decision. The values' own bounds are checked together, and
// only where one fails need the ops be run one by one to find it.
type Run struct {
	End   int32 // the op after the run
	Bits  int   // of all values
	Ints  [4][]RunValue
	F32   []RunValue
	F64   []RunValue
	Other []RunValue // of codes that are rare in a run
	Slots []RunSlot  // the codes, in their order on the wire
}

// RunSlot is a code of a Run.
type RunSlot struct {
	Mask  uint64 // its bits
	Span  uint64 // the largest
	Width uint8
	Wide  bool // a load of 8 bytes may not hold all of it
}

// RunValue is a value of a Run.
type RunValue struct {
	Off  uintptr // from the base of the block
	Span uint64  // the largest code
	Bias uint64  // what a reader adds to a code
	Sign uint64  // the sign bit in memory, or 0

	// Sub is what a writer subtracts from memory with Sign flipped: that extends
	// the sign and removes the bias at once.
	Sub  uint64
	Slot uint8 // the number of its code
	Aux  int32
	Op   int32
}

// MaxRun is the most values in a run: a writer keeps their codes in an array.
const MaxRun = 32

// packed is the least number of values of an op that are a loop of their own
// rather than part of a run.
const packed = 12

// findRuns sets the runs of the plan and the ops that they start at.
func (p *Plan) findRuns() {
	targets := map[int32]bool{} // where something other than the op before leads to
	for i := range p.Ops {
		op := &p.Ops[i]
		op.Flags |= p.packed(i)
		if op.Code.Encloses() || op.Code == CodeCall {
			targets[op.End] = true
		}
	}
	for i := 0; i < len(p.Ops); i++ {
		run := Run{End: int32(i)}
		for int(run.End) < len(p.Ops) && run.add(p, int(run.End)) {
			if run.End++; targets[run.End] {
				break
			}
		}
		if len(run.Slots) > 1 { // one value alone gains nothing
			p.Runs = append(p.Runs, run)
			p.Ops[i].Run = int32(len(p.Runs))
			i = int(run.End) - 1
		}
	}
}

// packed returns the flag of a slice, or of an op of many values, that a loop
// of its own may take at once.
func (p *Plan) packed(i int) Flags {
	op := &p.Ops[i]
	if op.Code.Single() && op.Count >= packed {
		return Packed
	}
	if op.Code == CodeSlice && int(op.End) == i+3 && p.Ops[i+1].Code.Single() {
		if value := &p.Ops[i+1]; value.Off == 0 && uintptr(value.Count)*uintptr(value.Size) == p.Elems[op.Aux].Size {
			return Packed
		}
	}
	return 0
}

// add takes op i into the run if it belongs there.
func (r *Run) add(p *Plan, i int) bool {
	op := &p.Ops[i]
	if !op.Code.Single() || op.Flags&Packed != 0 || len(r.Slots)+op.Count > MaxRun {
		return false
	}
	for k := range op.Count {
		v := RunValue{
			Off: op.Off + uintptr(k)*uintptr(op.Size), Span: op.Span, Bias: op.Bias,
			Slot: uint8(len(r.Slots)), Aux: op.Aux, Op: int32(i),
		}
		switch {
		case op.Code == CodeFloat32:
			r.F32 = append(r.F32, v)
		case op.Code == CodeFloat64:
			r.F64 = append(r.F64, v)
		case op.Code == CodeHalf || op.Code == CodeAngle || op.Code == CodeVector || op.Code == CodeWord:
			r.Other = append(r.Other, v)
		default:
			if op.Code >= CodeInt8 && op.Code <= CodeInt32 {
				v.Sign = 1 << (8*op.Size - 1)
			}
			v.Sub = v.Sign + v.Bias
			class := bits.TrailingZeros8(op.Size)
			r.Ints[class] = append(r.Ints[class], v)
		}
		r.Slots = append(r.Slots, RunSlot{Mask: 1<<op.Bits - 1, Span: op.Span, Width: op.Bits, Wide: op.Bits > 57})
		r.Bits += int(op.Bits)
	}
	return true
}
