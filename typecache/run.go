package typecache

import "math/bits"

// A Run is a sequence of Single ops that follow each other in one block. Their
// widths are known, so that a reader checks once that the bits of all of them
// are there, and all that a value needs is worked out and stands together. A
// loop takes the values of a run without looking at their ops; only where a
// value is refused need the ops be run one by one, to say which and why.
type Run struct {
	End    int32 // the op after the run
	Bits   int   // of all values
	Values []RunValue
}

// RunValue is a value of a Run.
type RunValue struct {
	Off  uintptr // from the base of the block
	Span uint64  // the largest code
	Mask uint64  // the bits of a code
	Bias uint64  // what a reader of an integer adds to the code
	Sign uint64  // the sign bit of an integer in memory, or 0

	// Sub is what a writer subtracts from an integer in memory with Sign
	// flipped: that extends the sign and removes the bias at once.
	Sub   uint64
	Aux   int32 // as that of its op
	Op    int32
	Width uint8 // the number of bits
	Wide  bool  // a load of 8 bytes may not hold all of them
	Kind  RunKind
}

// RunKind is what a value of a Run is in memory.
type RunKind uint8

// The kinds.
const (
	RunInt8 RunKind = iota
	RunInt16
	RunInt32
	RunInt64
	RunFloat32 // quantized by Float32s[Aux]
	RunFloat64 // quantized by Float64s[Aux]
	RunVector  // of Vectors[Aux]
	RunOther   // what Op says
)

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
		if len(run.Values) > 1 { // one value alone gains nothing
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
	if !op.Code.Single() || op.Flags&Packed != 0 {
		return false
	}
	v := RunValue{
		Off: op.Off, Span: op.Span, Mask: 1<<op.Bits - 1, Bias: op.Bias,
		Aux: op.Aux, Op: int32(i), Width: op.Bits, Wide: op.Bits > 57,
	}
	switch op.Code {
	case CodeFloat32:
		v.Kind = RunFloat32
	case CodeFloat64:
		v.Kind = RunFloat64
	case CodeVector:
		v.Kind = RunVector
	case CodeHalf, CodeAngle, CodeWord:
		v.Kind = RunOther
	case CodeInt8, CodeInt16, CodeInt32:
		v.Sign = 1 << (8*op.Size - 1)
		fallthrough
	default:
		v.Sub = v.Sign + v.Bias
		v.Kind = RunInt8 + RunKind(bits.TrailingZeros8(op.Size))
	}
	for range op.Count {
		r.Values = append(r.Values, v)
		r.Bits += int(op.Bits)
		v.Off += uintptr(op.Size)
	}
	return true
}
