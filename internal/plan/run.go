package plan

import (
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// Run is a sequence of ops that one tight loop executes together. The ops are
// scalars of fixed width, strings, byte arrays, whole-run arrays and slices, and
// conditions that enclose only such ops. Adjacent values that are sent as they are
// in memory are joined. Everything the loop needs is precomputed and stored
// together, so it does not look at the ops. A reader checks once that the data has
// enough bits for the whole run, except for the bits after a count. If the loop
// refuses a value, the ops are run one by one to find which and why.
type Run struct {
	End    int32      // the op after the run
	Bits   int        // the smallest size in bits of the values outside the run's conditions
	Rest   int        // the smallest size in bits of the ops after the run in its block
	Values []RunValue // the values, followed by a RunEnd
}

// Whole returns the run that covers the whole plan, or nil.
func (p *Plan) Whole() *Run { return p.whole }

// Gapless reports whether the plan is one scalar op whose values fill the memory
// of the type. The values of adjacent variables are then adjacent too.
func (p *Plan) Gapless() bool {
	op := &p.Ops[0]
	return op.Code.Single() && p.Ops[1].Code == CodeEnd && p.Start == 0 && op.fills(p.Type.Size())
}

// Verbatim reports whether a message has the same bits as the memory of the type.
// The memory of adjacent variables is then that of their messages.
func (p *Plan) Verbatim() bool { return p.copied }

// RunValue is a value of a Run, or a condition.
type RunValue struct {
	Off  uintptr // offset of the value from the base of the block; for RunIs and RunIsNot, of the byte to compare
	Span uint64  // the largest code; see the kinds
	Mask uint64  // the bits of a code; for RunIs and RunIsNot, the bits to compare
	Bias uint64  // subtracted from an integer when writing and added when reading; for RunIs and RunIsNot, the value to compare with
	Flip uint64  // the sign bit of a code in two's complement, which subtracting Bias has inverted; otherwise 0

	Float32 *compress.Float32 // for a RunFloat32
	Float64 *compress.Float64 // for a RunFloat64

	Op    int32 // index of the op, or -1 for memory that is sent as it is; for a RunEnd, of the op after the run
	Skip  int32 // for a condition and its RunClear, the number of following values that belong to the condition
	Width uint8 // bits of the code
	Kind  RunKind
}

// RunKind says how a value of a Run is stored and encoded.
type RunKind uint8

// The kinds of values in a run.
const (
	RunPair8     RunKind = iota // a RunInt8 and the one after it, which together have at most MostPeeked bits
	RunPair16                   // as RunPair8, for RunInt16
	RunPair32                   // as RunPair8, for RunInt32
	RunInt8                     // an integer of 8 bits in memory, signed or unsigned
	RunInt16                    // as RunInt8, of 16 bits
	RunInt32                    // as RunInt8, of 32 bits
	RunInt64                    // as RunInt8, of 64 bits
	RunFloat32                  // quantized
	RunFloat64                  // quantized
	RunLongInt64                // a RunInt64 that an unaligned load of 8 bytes may not cover
	RunIs                       // a condition that holds if byte&Mask equals Bias; Span is the smallest size in bits of its values outside inner conditions
	RunIsNot                    // a condition that holds if byte&Mask differs from Bias; Span as for RunIs
	RunIf                       // any other condition; Span as for RunIs
	RunClear                    // follows a condition: the Span bytes that a reader sets to zero if the condition does not hold
	RunText                     // a string, whose code is its length in bytes
	RunBytes                    // the Span bytes of an array, after alignment
	RunVerbatim                 // Bias bytes of memory, more than mostWords, sent as they are
	RunArray                    // the values of a whole-run op other than a slice; Span is their smallest size in bits
	RunSlice                    // a whole-run slice, whose code is its count
	RunOther                    // any other value, as its op says
	RunEnd                      // the end of the run
)

// pair marks the integers that are followed by another of the same kind. The second
// of a pair may be the first of another one: a condition that ends between them
// continues there.
func pair(values []RunValue) {
	for i := range values[:len(values)-1] {
		x, y := &values[i], &values[i+1]
		if x.Kind >= RunInt8 && x.Kind <= RunInt32 && y.Kind == x.Kind && x.Width+y.Width <= MostPeeked {
			x.Kind -= RunInt8 - RunPair8
		}
	}
}

// MostPeeked is the number of bits that a load of 8 bytes has, from whichever bit
// of its first byte they start.
const MostPeeked = 57

// packed is the Count from which an op's values get a loop of their own instead
// of one RunValue each.
const packed = 12

// FindRuns sets p.Runs, p.whole and the Run of the ops at which runs start.
func (p *Plan) FindRuns() {
	p.markVerbatim()
	n := 0 // an upper bound; an op other than these adds at most 2, or ends a run
	for i := range p.Ops {
		switch op := &p.Ops[i]; {
		case op.Code.Single() && op.Count < packed, op.isText():
			n += op.Count
		case op.Flags&FlagVerbatim != 0:
			n += mostWords/8 + 3
		default:
			n += 2
		}
	}
	f := finder{p, make([]RunValue, 0, n)}
	f.find(0, len(p.Ops))
	switch run := p.Ops[0].Run; {
	case run > 0 && p.Ops[p.Runs[run-1].End].Code == CodeEnd:
		p.whole = &p.Runs[run-1]
	case p.Ops[0].Code == CodeEnd: // no op of an empty plan has a run
		p.whole = &Run{Values: []RunValue{{Kind: RunEnd}}}
	}
}

// finder finds the runs of a plan. The values of all runs share one slice.
type finder struct {
	*Plan
	values []RunValue
}

// put appends a value. It is not copied into its callers.
//
//go:noinline
func (p *finder) put(v RunValue) { p.values = append(p.values, v) }

// find finds the runs among the ops [from, to) of a block. It starts with those
// of inner blocks, which decide whether a block has FlagWholeRun.
func (p *finder) find(from, to int) {
	for i := from; i < to; i++ {
		op := &p.Ops[i]
		block := op.Code.Encloses() && op.Code != CodeIf
		switch {
		case op.Code.Single() && op.Count >= packed, p.isElement(i+1, i+2) && p.gapless(i):
			op.Flags |= FlagWholeRun
		case block:
			p.find(i+1, int(op.End))
			if r := p.Ops[i+1].Run; r > 0 && p.isElement(i+1, int(p.Runs[r-1].End)) && !p.Runs[r-1].blocks() {
				op.Flags |= FlagWholeRun
			}
		}
		if block {
			i = int(op.End) - 1
		}
	}
	p.findIn(from, to)
}

// blocks reports whether the run contains an array or a slice. A block whose
// elements contain one lacks FlagWholeRun: after a refused value, the values before
// it would be read again for each enclosing block.
func (r *Run) blocks() bool {
	for i := range r.Values {
		if k := r.Values[i].Kind; k == RunArray || k == RunSlice {
			return true
		}
	}
	return false
}

// findIn finds the runs among the ops [from, to), except for those in inner
// blocks.
func (p *finder) findIn(from, to int) {
	for i := from; i < to; i++ {
		start := len(p.values)
		end, bits := p.extend(i, to)
		if n := len(p.values) - start; n > 1 || n == 1 && (p.values[start].Kind == RunVerbatim || p.isElement(i, end) || i == 0 && p.Ops[end].Code == CodeEnd) { // another single value gains nothing
			p.put(RunValue{Op: int32(end), Kind: RunEnd})
			pair(p.values[start:])
			p.Runs = append(p.Runs, Run{End: int32(end), Bits: bits, Rest: p.restAfter(i, end), Values: p.values[start:len(p.values):len(p.values)]})
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

// restAfter returns the smallest size in bits of the ops after [i, end) in their
// block.
func (p *Plan) restAfter(i, end int) int {
	for p.After(i) < end {
		i = p.After(i)
	}
	return int(p.Ops[i].Rest)
}

// isElement reports whether the ops [from, to) are one whole element of an array
// or a slice.
func (p *Plan) isElement(from, to int) bool {
	if from == 0 || to >= len(p.Ops) || p.Ops[to].Code != CodeNext {
		return false
	}
	opener := &p.Ops[from-1]
	return (opener.Code == CodeArray || opener.Code == CodeSlice) && int(opener.End) == to+1
}

// gapless reports whether the op after i, which must be the whole element of the
// block at i, is a scalar whose values fill the element without gaps in memory.
func (p *Plan) gapless(i int) bool {
	value := &p.Ops[i+1]
	return value.Code.Single() && value.fills(p.Elems[p.Ops[i].Aux].Size)
}

// fills reports whether the values of the op fill size bytes of memory from the
// base of the block on.
func (op *Op) fills(size uintptr) bool {
	return op.Off == 0 && uintptr(op.Count)*uintptr(op.Size) == size
}

// extend appends the values of the ops from i to the run, up to the first op that
// cannot be part of one. It returns that op, and the smallest size in bits of
// the values outside conditions.
func (p *finder) extend(i, to int) (end, bits int) {
	for i < to {
		op := &p.Ops[i]
		next, n := p.stretch(i, to)
		switch {
		case p.joins(i, n):
			p.addStretch(i, n)
			bits = saturate.Add(bits, saturate.Mul(int(n), 8))
			i = next
		case op.Code.Single() && op.Count < packed, op.isText():
			p.add(i)
			bits = saturate.Add(bits, op.Count*int(op.Bits))
			if op.isText() {
				bits = saturate.Add(bits, saturate.Mul(int(op.Bias), 8))
			}
			i++
		case op.Code == CodeBytes:
			p.put(RunValue{Off: op.Off, Span: uint64(op.Count), Op: int32(i), Kind: RunBytes})
			bits = saturate.Add(bits, saturate.Mul(op.Count, 8))
			i++
		case op.Flags&FlagWholeRun != 0:
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
			p.put(x)
			if i++; op.Code.Encloses() {
				i = int(op.End)
			}
		case op.Code == CodeIf && op.Flags&FlagPointers == 0:
			at := len(p.values)
			p.put(p.conditionOf(i))
			p.put(RunValue{Off: op.Off, Span: uint64(op.Count), Op: int32(i), Kind: RunClear})
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

// bitsOfEach returns the smallest size in bits of one value of the op at i, or of
// one element if the op is an array.
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

// isText reports whether the op is of kind string and its value is a Go string.
func (op *Op) isText() bool {
	return op.Code == CodeString && op.Flags&(FlagText|FlagSlice) == FlagText
}

// conditionOf returns the value for the CodeIf at i. The value leaves out Within,
// because a loop reaches a nested condition only if the outer one holds.
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

// add appends the values of op i.
func (p *finder) add(i int) {
	op := &p.Ops[i]
	kind, bias, flip := op.Coding()
	v := RunValue{
		Off: op.Off, Span: op.Span, Mask: 1<<op.Bits - 1, Bias: bias, Flip: flip,
		Op: int32(i), Width: op.Bits, Kind: kind,
	}
	switch kind {
	case RunFloat32:
		v.Float32 = &p.Float32s[op.Aux]
	case RunFloat64:
		v.Float64 = &p.Float64s[op.Aux]
	}
	for range op.Count {
		p.put(v)
		v.Off += uintptr(op.Size)
	}
}

// Coding returns how the values of a Single op, or a text, are coded: their kind,
// and the Bias and the Flip of a RunValue.
func (op *Op) Coding() (kind RunKind, bias, flip uint64) {
	code, bias := op.Code, op.Bias
	if code == CodeWord && op.Flags&FlagSigned != 0 && op.Bits <= 8*op.Size {
		flip = 1 << (op.Bits - 1)
		code, bias = [...]Code{1: CodeInt8, 2: CodeInt16, 4: CodeInt32, 8: CodeUint64}[op.Size], -flip
	}
	switch code {
	case CodeBool, CodeUint8, CodeInt8:
		kind = RunInt8
	case CodeUint16, CodeInt16:
		kind = RunInt16
	case CodeUint32, CodeInt32:
		kind = RunInt32
	case CodeUint64:
		if kind = RunInt64; op.Bits > MostPeeked {
			kind = RunLongInt64
		}
	case CodeFloat32:
		kind = RunFloat32
	case CodeFloat64:
		kind = RunFloat64
	case CodeString:
		kind = RunText
	default:
		kind = RunOther
	}
	return kind, bias, flip
}
