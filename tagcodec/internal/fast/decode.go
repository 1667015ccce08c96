//go:build !purego

package fast

import (
	"math"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// mostBytes is the maximum length of a message in bytes. It keeps bit positions
// within an int.
const mostBytes = math.MaxInt/8 - 8

// DecodeWhole decodes data into the value at base if one run covers the whole
// plan. It returns the bit after the value. If it returns false, the caller
// must call DecodeOps, which handles other plans and reports errors.
func DecodeWhole(pl *plan.Plan, base memory.Pointer, data []byte) (bit int, ok bool) {
	if r := pl.Whole(); takeRuns && r != nil && len(data) <= mostBytes {
		return decodeRun(pl, r, elements{base, 1, 0}, data, 0, 0)
	}
	return 0, false
}

// DecodeOps decodes data into the value at base after DecodeWhole has returned
// false for them. It does not try the run of the whole plan again. It returns
// the bit after the value.
func DecodeOps(c *core.Settings, pl *plan.Plan, base memory.Pointer, data []byte) (int, error) {
	var refused int32
	if pl.Whole() != nil {
		refused = pl.Ops[0].Run
	}
	return decode(c, pl, base, data, 0, refused)
}

// Decode decodes data from bit into the value at base and returns the bit after
// it.
func Decode(c *core.Settings, pl *plan.Plan, base memory.Pointer, data []byte, bit int) (int, error) {
	var refused int32
	if r := pl.Whole(); takeRuns && r != nil && len(data) <= mostBytes {
		if end, ok := decodeRun(pl, r, elements{base, 1, 0}, data, bit, c.ReservedBits); ok {
			return end, nil
		}
		refused = pl.Ops[0].Run
	}
	return decode(c, pl, base, data, bit, refused)
}

// decode is Decode without the run that refused data. It calls a function that
// allocates the frame stack, sized to the plan.
func decode(c *core.Settings, pl *plan.Plan, base memory.Pointer, data []byte, bit int, refused int32) (int, error) {
	var s subject // set field by field: see Encode
	s.c, s.pl, s.base, s.data = c, pl, base, data[:min(len(data), mostBytes)]
	var d decoder
	d.subject, d.depth, d.reserved, d.refused = &s, c.Depth, c.ReservedBits, refused
	switch frames := pl.Frames(); {
	case frames == 0:
		return d.ops(bit)
	case frames <= fewFrames:
		return decodeFew(d, bit)
	}
	return decodeMany(d, bit)
}

// decodeFew has frames for a plan with few blocks.
//
//go:noinline
func decodeFew(d decoder, bit int) (int, error) {
	var few [fewFrames]frame
	d.frames = few[:]
	return d.ops(bit)
}

// decodeMany has frames for any plan.
//
//go:noinline
func decodeMany(d decoder, bit int) (int, error) {
	var many [manyFrames]frame
	d.blocks = newBlocks(d.pl, many[:])
	return d.ops(bit)
}

// decoder is the state of a read that executes a plan op by op. The op and the
// bit are local variables of the loop.
type decoder struct {
	*subject
	blocks
	depth int // nesting depth, limited by MaxDepth

	// reserved is the minimum size of everything after the innermost block, in
	// all enclosing blocks. Those bits may not be used to justify another
	// allocation.
	reserved int

	// sent is the position of the latest optional value that was present. An
	// outer optional value can be zero only if the inner ones were absent.
	sent int

	refused int32 // Op.Run of the run that has refused the data, or 0
}

// ops executes the plan on the data from bit and returns the bit after the
// value. On an error it returns the bit where it occurred.
func (d *decoder) ops(bit int) (int, error) {
	pl, data := d.pl, d.data
	ops, end, value := pl.Ops, 8*len(data), 0
	var err error
	for pc := pl.Start; ; {
		op := &ops[pc]
		if takeRuns && op.Run > 0 && op.Run != d.refused {
			r := &pl.Runs[op.Run-1]
			if next, ok := decodeRun(pl, r, elements{d.base, 1, 0}, data, bit, saturate.Add(d.reserved, r.Rest)); ok {
				bit, pc = next, int(r.End)
				continue
			}
		}
		pc++
		p := d.base.At(op.Off)
		switch op.Code {
		case plan.CodeIf:
			if !conditionHoldsOnRead(pl, op.Aux, d.base) {
				clearValue(pl, op, p)
				pc = int(op.End)
			}
			continue
		case plan.CodeOptional:
			if bit == end {
				err = overread(1, 0)
				break
			}
			if bitAt(data, bit) {
				d.sent = bit
			} else {
				clearValue(pl, op, p)
				pc = int(op.End)
			}
			bit++
		case plan.CodePresent:
			if isZero(pl, int(op.Aux)+1, pc-1, d.base, true) {
				bit, err = d.sent, core.NewRefusal(core.ErrNotCanonical, nil, nil, nil)
			}
		case plan.CodeCommon, plan.CodeHuffman:
			var done bool
			if bit, done, err = d.listed(op, p, bit); done {
				pc = int(op.End)
			}
		case plan.CodeScale:
			if bit, err = decodeScale(pl, op, pc, d.base, data, bit); err == nil {
				pc = int(op.End)
			}
		case plan.CodeString:
			bit, err = decodeText(pl, op, p, data, bit)
		case plan.CodeRunLength:
			if bit, value, err = d.runLength(op, &ops[pc], p, bit); err == nil {
				pc = int(op.End)
			}
		case plan.CodeCustom:
			bit, err = d.custom(op, p, bit)
		case plan.CodeArray:
			pc, bit = d.openArray(op, p, pc, bit)
			continue
		case plan.CodeSlice:
			pc, bit, err = d.openSlice(op, p, pc, bit)
		case plan.CodeMap:
			pc, bit, err = d.openMap(op, p, pc, bit)
		case plan.CodePointer:
			pc, bit, err = d.openPointer(op, p, pc, bit)
		case plan.CodeSubset:
			pc, bit, err = d.openSubset(op, p, pc, bit)
		case plan.CodeUnion:
			pc, bit, err = d.openUnion(op, p, pc, bit)
		case plan.CodeMatrix:
			d.enter(op, pc-1, newMatrix())
			continue
		case plan.CodeCall:
			pc, err = d.openCall(op, p, pc)
		case plan.CodeNext:
			pc, bit, err = d.nextElement(pc, bit)
		case plan.CodeEnd:
			return bit, nil
		default:
			if width := int(op.Bits); op.Count == 1 && op.Code.Single() && width <= end-bit {
				if err = decodeSingle(pl, op, p, bitio.PeekWord(data, bit)&(1<<op.Bits-1)); err == nil {
					bit += width
					continue
				}
			} else {
				value, bit, err = d.values(op, p, bit)
			}
		}
		if err != nil {
			return bit, d.fail(failure{pc - 1, value, bit, err})
		}
	}
}

// fail ends a read. It returns the error of the message.
func (d *decoder) fail(f failure) error {
	clearRest(d.pl, d.all())
	if d.c.SentinelErrors {
		return failureSentinel(f.err)
	}
	return report("unmarshal", d.pl, d.all(), f)
}

// values reads the values of an op that opens no block. On success it returns
// the bit after the last value. On an error it returns the index of the value
// and the bit where it failed.
func (d *decoder) values(op *plan.Op, p memory.Pointer, bit int) (int, int, error) {
	pl, data := d.pl, d.data
	if takeRuns && op.Flags&plan.FlagWholeRun != 0 {
		if next, ok := decodePacked(pl, op, p, op.Count, data, bit); ok {
			return 0, next, nil
		}
	}
	if !op.Code.Values() {
		bit, err := d.rare(op, p, bit)
		return 0, bit, err
	}
	width, end := int(op.Bits), 8*len(data)
	for i := range op.Count {
		at := p.At(uintptr(i) * uintptr(op.Size))
		next, err := bit, error(nil)
		switch op.Code {
		case plan.CodeWide:
			next, err = decodeWide(&pl.Wides[op.Aux], op, at, data, bit)
		case plan.CodeVarint:
			next, err = decodeVarint(op, at, data, bit)
		case plan.CodeRelative:
			next, err = d.relative(op, at, bit)
		default:
			if op.Code.PrefixCoded() {
				next, err = decodePrefixCoded(op, at, data, bit)
				break
			}
			if width > end-bit {
				return i, bit, overread(width, end-bit)
			}
			next += width
			err = decodeSingle(pl, op, at, bitio.PeekWord(data, bit)&(1<<op.Bits-1))
		}
		if err != nil {
			return i, bit, err
		}
		bit = next
	}
	return 0, bit, nil
}

// rare reads the single value of an op that cannot repeat. It returns the bit
// after the value, or the bit where it failed.
func (d *decoder) rare(op *plan.Op, p memory.Pointer, bit int) (int, error) {
	pl, data := d.pl, d.data
	switch op.Code {
	case plan.CodeAlign:
		_, next, err := take(data, bit, 0)
		return next, err
	case plan.CodeBytes:
		raw, next, err := take(data, bit, op.Count)
		copy(p.Array(op.Count), raw)
		return next, err
	case plan.CodeCString, plan.CodeString, plan.CodeWString, plan.CodeBinary:
		return decodeText(pl, op, p, data, bit)
	}
	width, left := int(op.Bits), 8*len(data)-bit
	if width > left {
		return bit, overread(width, left)
	}
	v := bitio.PeekWord(data, bit) & (1<<op.Bits - 1)
	var err error
	switch op.Code {
	case plan.CodeLink:
		err = setLink(d.c.Linker, pl, op, p.Value(pl.Fields[op.Field].Type), v, d.all())
	case plan.CodeConst:
		if v != op.Bias && op.Flags&plan.FlagReserved != 0 {
			err = core.NewRefusal(bits.ErrPadding, v, op.Bias, op.Bias)
		} else if v != op.Bias {
			err = core.NewRefusal(bits.ErrCheck, v, op.Bias, op.Bias)
		}
	default:
		panic(core.UnhandledCode("read", op.Code))
	}
	if err != nil {
		return bit, err
	}
	return bit + width, nil
}
