package typecache

import (
	"slices"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// A Run is a sequence of ops that hold scalars of known widths, conditions on
// such, strings, bytes, and arrays and slices that are Packed. A reader checks
// once that the bits of all of them are there, other than those behind a count,
// and all that a value needs is worked out and stands together. A loop takes the
// values of a run without looking at their ops; only where a value is refused
// need the ops be run one by one, to say which and why.
type Run struct {
	End    int32      // the op after the run
	Bits   int        // the least bits of the values that no condition of the run may leave out
	Rest   int        // the least bits of the ops that follow the run in its block
	Values []RunValue // and a RunEnd behind them
}

// Whole returns the run that is all of the plan, or nil.
func (p *Plan) Whole() *Run { return p.whole }

// RunValue is a value of a Run, or a condition.
type RunValue struct {
	Off  uintptr // of the value from the base of the block; for a RunIs or a RunIsNot, of what it compares
	Span uint64  // the largest code; see the kinds
	Mask uint64  // the bits of a code, or those that a RunIs or a RunIsNot compares
	Bias uint64  // what a writer subtracts from an integer and a reader adds, or what a RunIs or a RunIsNot compares with

	Float32 *compress.Float32 // for a RunFloat32
	Float64 *compress.Float64 // for a RunFloat64

	Op    int32
	Skip  int32 // the values that follow a condition, or its RunClear, and are its own
	Width uint8 // the number of bits
	Kind  RunKind
}

// RunKind is what a value of a Run is in memory.
type RunKind uint8

// The kinds.
const (
	RunUint8 RunKind = iota
	RunUint16
	RunUint32
	RunInt8
	RunInt16
	RunInt32
	RunInt64   // and unsigned ones
	RunFloat32 // quantized
	RunFloat64 // quantized
	RunWide    // a RunInt64 that a load of 8 bytes may not hold
	RunIs      // a condition that holds where the Mask of a byte is Bias; Span is the bits of the values that it alone may leave out
	RunIsNot   // or is not
	RunIf      // any other, with such a Span
	RunClear   // behind a condition: the Span bytes that a reader sets to zero where it does not hold
	RunText    // a string, whose code is its count
	RunBytes   // the Span bytes of an array, after alignment
	RunArray   // the values of Op, which is Packed and no slice; they take Span bits at least
	RunSlice   // a slice that is Packed, whose code is its count
	RunOther   // what Op says
	RunEnd     // behind the last
)

// packed is the least number of values of an op that are a loop of their own
// rather than part of a run.
const packed = 12

// findRuns sets the runs of the plan and the ops that they start at.
func (p *Plan) findRuns() {
	n := 0 // as many as there can be: what is no value may end a run
	for i := range p.Ops {
		if op := &p.Ops[i]; op.Code.Single() && op.Count < packed || op.isText() {
			n += op.Count
		} else {
			n += 2
		}
	}
	f := finder{p, make([]RunValue, 0, n)}
	f.find(0, len(p.Ops))
	if run := p.Ops[0].Run; run > 0 && p.Ops[p.Runs[run-1].End].Code == CodeEnd {
		p.whole = &p.Runs[run-1]
	}
}

// finder finds runs, whose values stand behind each other.
type finder struct {
	*Plan
	values []RunValue
}

// find sets the runs among the ops [from, to) of a block, after those in the
// blocks among them.
func (p *finder) find(from, to int) {
	for i := from; i < to; i++ {
		op := &p.Ops[i]
		block := op.Code.Encloses() && op.Code != CodeIf
		switch {
		case op.Code.Single() && op.Count >= packed, p.isElement(i+1, i+2) && p.gapless(i):
			op.Flags |= Packed
		case block:
			p.find(i+1, int(op.End))
			if r := p.Ops[i+1].Run; r > 0 && p.isElement(i+1, int(p.Runs[r-1].End)) && !p.Runs[r-1].blocks() {
				op.Flags |= Packed
			}
		}
		if block {
			i = int(op.End) - 1
		}
	}
	p.findIn(from, to)
}

// blocks reports whether the run has values that are many. A block of such
// elements is not Packed: where one is refused, those before it would be read
// once more for every block around it.
func (r *Run) blocks() bool {
	return slices.ContainsFunc(r.Values, func(x RunValue) bool { return x.Kind == RunArray || x.Kind == RunSlice })
}

// findIn sets the runs among the ops [from, to).
func (p *finder) findIn(from, to int) {
	for i := from; i < to; i++ {
		start := len(p.values)
		end, bits := p.extend(i, to)
		if n := len(p.values) - start; n > 1 || n == 1 && p.isElement(i, end) { // one value alone gains nothing
			p.values = append(p.values, RunValue{Op: int32(end), Kind: RunEnd})
			p.Runs = append(p.Runs, Run{End: int32(end), Bits: bits, Rest: p.restAfter(i, end), Values: slices.Clip(p.values[start:])})
			p.Ops[i].Run = int32(len(p.Runs))
		} else {
			p.values = p.values[:start]
		}
		if i = max(i, end); i == to {
			break
		}
		if op := &p.Ops[i]; op.Code.Encloses() {
			if op.Code == CodeIf {
				p.findIn(i+1, int(op.End))
			}
			i = int(op.End) - 1
		}
	}
}

// restAfter returns the least bits that follow the ops [i, end) in their block.
func (p *Plan) restAfter(i, end int) int {
	for p.after(i) < end {
		i = p.after(i)
	}
	return int(p.Ops[i].Rest)
}

// isElement reports whether the ops [from, to) are all of what an array or a
// slice repeats.
func (p *Plan) isElement(from, to int) bool {
	if from == 0 || to >= len(p.Ops) || p.Ops[to].Code != CodeNext {
		return false
	}
	open := &p.Ops[from-1]
	return (open.Code == CodeArray || open.Code == CodeSlice) && int(open.End) == to+1
}

// gapless reports whether the elements of the block at i, each one op, are
// values that follow each other in memory without gaps.
func (p *Plan) gapless(i int) bool {
	value := &p.Ops[i+1]
	return value.Code.Single() && value.Off == 0 && uintptr(value.Count)*uintptr(value.Size) == p.Elems[p.Ops[i].Aux].Size
}

// extend takes the values of the ops from i on, and returns the op that it does
// not take and the bits of those that no condition among them may leave out.
func (p *finder) extend(i, to int) (end, bits int) {
	for i < to {
		op := &p.Ops[i]
		switch {
		case op.Code.Single() && op.Count < packed, op.isText():
			p.add(i)
			bits = saturate.Add(bits, op.Count*int(op.Bits))
			if op.isText() {
				bits = saturate.Add(bits, saturate.Mul(int(op.Bias), 8))
			}
			i++
		case op.Code == CodeBytes:
			p.values = append(p.values, RunValue{Off: op.Off, Span: uint64(op.Count), Op: int32(i), Kind: RunBytes})
			bits = saturate.Add(bits, saturate.Mul(op.Count, 8))
			i++
		case op.Flags&Packed != 0:
			x := RunValue{Off: op.Off, Op: int32(i), Kind: RunArray}
			own := 0
			if op.Code == CodeSlice {
				own = saturate.Add(int(op.Bits), saturate.Mul(int(op.Bias), p.Elems[op.Aux].MinBits))
				x.Kind, x.Span, x.Mask, x.Bias, x.Width = RunSlice, op.Span, 1<<op.Bits-1, op.Bias, op.Bits
			} else {
				own = saturate.Mul(op.Count, p.bitsOfEach(i))
				x.Span = uint64(own)
			}
			bits = saturate.Add(bits, own)
			p.values = append(p.values, x)
			if i++; op.Code.Encloses() {
				i = int(op.End)
			}
		case op.Code == CodeIf && op.Flags&Pointers == 0:
			at := len(p.values)
			p.values = append(p.values, p.conditionOf(i), RunValue{Off: op.Off, Span: uint64(op.Count), Op: int32(i), Kind: RunClear})
			next, own := p.extend(i+1, int(op.End))
			if next < int(op.End) {
				p.values = p.values[:at]
				return i, bits
			}
			x, n := &p.values[at], int32(len(p.values)-at-1)
			x.Skip, x.Span, p.values[at+1].Skip = n, uint64(own), n-1
			i = next
		default:
			return i, bits
		}
	}
	return i, bits
}

// bitsOfEach returns the bits that a value of the op at i takes at least, or an
// element of the array there.
func (p *Plan) bitsOfEach(i int) int {
	op, first := &p.Ops[i], &p.Ops[i+1]
	switch {
	case op.Code != CodeArray:
		return int(op.Bits)
	case first.Run > 0:
		return p.Runs[first.Run-1].Bits
	}
	return saturate.Mul(first.Count, int(first.Bits))
}

// isText reports whether the op is a string in memory.
func (op *Op) isText() bool {
	return op.Code == CodeString && op.Flags&(Text|Slice) == Text
}

// conditionOf returns the CodeIf at i, which is reached only where the condition
// holds that it is within.
func (p *Plan) conditionOf(i int) RunValue {
	c := &p.Conds[p.Ops[i].Aux]
	x := RunValue{Op: int32(i), Kind: RunIf}
	if c.Size > 1 || c.Guard >= 0 {
		return x
	}
	x.Off, x.Mask, x.Bias, x.Kind = c.Off, 0xFF, c.Value&0xFF, RunIs
	switch c.Test {
	case AnyOf:
		x.Mask, x.Bias, x.Kind = c.Value&0xFF, 0, RunIsNot
	case NotEqual:
		x.Kind = RunIsNot
	}
	return x
}

// add takes the values of op i.
func (p *finder) add(i int) {
	op := &p.Ops[i]
	v := RunValue{
		Off: op.Off, Span: op.Span, Mask: 1<<op.Bits - 1, Bias: op.Bias,
		Op: int32(i), Width: op.Bits, Kind: RunOther,
	}
	switch op.Code {
	case CodeFloat32:
		v.Kind, v.Float32 = RunFloat32, &p.Float32s[op.Aux]
	case CodeFloat64:
		v.Kind, v.Float64 = RunFloat64, &p.Float64s[op.Aux]
	case CodeBool, CodeUint8:
		v.Kind = RunUint8
	case CodeUint16:
		v.Kind = RunUint16
	case CodeUint32:
		v.Kind = RunUint32
	case CodeUint64:
		if v.Kind = RunInt64; op.Bits > 57 {
			v.Kind = RunWide
		}
	case CodeInt8:
		v.Kind = RunInt8
	case CodeInt16:
		v.Kind = RunInt16
	case CodeInt32:
		v.Kind = RunInt32
	case CodeString:
		v.Kind = RunText
	}
	for range op.Count {
		p.values = append(p.values, v)
		v.Off += uintptr(op.Size)
	}
}
