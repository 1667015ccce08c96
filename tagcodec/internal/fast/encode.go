//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// Encode appends the message of the value at base to dst. The existing bytes of
// dst do not change.
func Encode(c *core.Settings, pl *plan.Plan, base memory.Pointer, dst []byte) ([]byte, error) {
	message := core.WithRoom(pl, dst)
	buf, start := message[:cap(message)], len(message)
	var x *plan.RunValue // where the run of the whole plan stopped
	pos, word, fill := uint(start), uint64(0), uint(0)
	if r := pl.Whole(); takeRuns && r != nil {
		x, pos, word, fill = encodeRunOn(&r.Values[0], base, fill, buf, pos, word)
		if end := int(pos + (fill+7)/8); x.Kind == plan.RunEnd && end <= len(buf) && !tooLong(end-start) {
			bitio.StoreTail(buf, int(pos), end, word)
			return buf[:end], nil
		}
	}
	var out output // set field by field: a composite literal would be built elsewhere and copied, which stalls
	out.buf, out.start, out.pos, out.word, out.wordBits = buf, start, int(pos), word, fill
	var refused int32
	if x != nil {
		if out.runFrom(pl, pl.Whole(), x, elements{base, 1, 0}) && !out.tooLong() {
			return out.close(), nil
		}
		out.pos, out.word, out.wordBits = start, 0, 0
		refused = pl.Ops[0].Run
	}
	if err := encodeTo(c, pl, base, &out, refused); err != nil {
		return dst, err
	}
	return out.close(), nil
}

// EncodeFrom appends the value at base to the message that starts at dst[start]
// and has the given number of bits, which are the last of dst. It returns dst
// with the value, and the number of bits. After an error dst may have been
// overwritten from there on.
func EncodeFrom(c *core.Settings, pl *plan.Plan, base memory.Pointer, dst []byte, start, bit int) ([]byte, int, error) {
	var out output // set field by field: see Encode
	out.start = start
	out.resume(dst, bit)
	if err := encodeTo(c, pl, base, &out, 0); err != nil {
		return dst, bit, err
	}
	return out.close(), out.bit(), nil
}

// encodeTo appends the value at base to out, without the run that refused the
// value. It calls a function that allocates the frame stack, sized to the plan.
func encodeTo(c *core.Settings, pl *plan.Plan, base memory.Pointer, out *output, refused int32) error {
	var s subject // set field by field: see Encode
	s.c, s.pl, s.base = c, pl, base
	var e encoder
	e.subject, e.out, e.depth, e.refused = &s, out, c.Depth, refused
	switch frames := pl.Frames(); {
	case frames == 0:
		return e.ops()
	case frames <= fewFrames:
		return encodeFew(e)
	}
	return encodeMany(e)
}

// encodeFew has frames for a plan with few blocks.
//
//go:noinline
func encodeFew(e encoder) error {
	var few [fewFrames]frame
	e.frames = few[:]
	return e.ops()
}

// encodeMany has frames for any plan.
//
//go:noinline
func encodeMany(e encoder) error {
	var many [manyFrames]frame
	e.blocks = newBlocks(e.pl, many[:])
	return e.ops()
}

// encoder is the state of a write that executes a plan op by op. The op is a
// local variable of the loop.
type encoder struct {
	*subject
	blocks
	out     *output
	depth   int   // nesting depth, limited by MaxDepth
	refused int32 // Op.Run of the run that has refused the value, or 0
}

// ops executes the plan.
func (e *encoder) ops() error {
	pl, o := e.pl, e.out
	ops, value := pl.Ops, 0
	var err error
	for pc := pl.Start; ; {
		op := &ops[pc]
		if takeRuns && op.Run > 0 && op.Run != e.refused {
			if r := &pl.Runs[op.Run-1]; o.run(pl, r, elements{e.base, 1, 0}) {
				pc = int(r.End)
				continue
			}
		}
		pc++
		p := e.base.At(op.Off)
		switch op.Code {
		case plan.CodeIf:
			if !conditionHolds(pl, op.Aux, e.base) {
				pc = int(op.End)
			}
			continue
		case plan.CodeOptional:
			if isZero(pl, pc, int(op.End), e.base, false) {
				o.put(0, 1)
				pc = int(op.End)
			} else {
				o.put(1, 1)
			}
		case plan.CodePresent:
		case plan.CodeCommon, plan.CodeHuffman:
			var listed bool
			if listed, err = encodeListed(pl, op, p, o); listed {
				pc = int(op.End)
			}
		case plan.CodeString:
			err = encodeText(op, p, o)
		case plan.CodeScale:
			if err = encodeScale(pl, op, pc, e.base, o); err == nil {
				pc = int(op.End)
			}
		case plan.CodeRunLength:
			if value, err = e.runLength(op, &ops[pc], p); err == nil {
				pc = int(op.End)
			}
		case plan.CodeCustom:
			err = e.custom(op, p)
		case plan.CodeArray:
			pc = e.openArray(op, p, pc)
			continue
		case plan.CodeSlice:
			pc, err = e.openSlice(op, p, pc)
		case plan.CodeMap:
			pc, err = e.openMap(op, p, pc)
		case plan.CodePointer:
			pc = e.openPointer(op, p, pc)
			continue
		case plan.CodeSubset:
			pc, err = e.openSubset(op, p, pc)
		case plan.CodeUnion:
			pc, err = e.openUnion(op, p, pc)
		case plan.CodeMatrix:
			err = e.openMatrix(p, pc)
		case plan.CodeCall:
			pc, err = e.openCall(op, p, pc)
		case plan.CodeNext:
			pc = e.nextElement(pc)
			continue
		case plan.CodeEnd:
			if !o.tooLong() {
				return nil
			}
			err = core.NewRefusal(bits.ErrOverflow, nil, nil, nil)
		default:
			if op.Count == 1 && op.Code.Single() {
				var v uint64
				if v, err = encodeSingle(pl, op, p); err == nil {
					o.put(v, uint(op.Bits))
					continue
				}
			} else {
				value, err = e.values(op, p)
			}
		}
		if err != nil {
			return report("marshal", pl, e.all(), failure{pc - 1, value, o.bit(), err})
		}
	}
}

// values writes the values of an op that opens no block. On an error it returns
// the index of the value.
func (e *encoder) values(op *plan.Op, p memory.Pointer) (int, error) {
	pl, o := e.pl, e.out
	if takeRuns && op.Flags&plan.FlagWholeRun != 0 && encodePacked(pl, op, p, op.Count, o) {
		return 0, nil
	}
	if !op.Code.Values() {
		return 0, e.rare(op, p)
	}
	for i := range op.Count {
		at := p.At(uintptr(i) * uintptr(op.Size))
		var err error
		switch signed := op.Flags&plan.FlagSigned != 0; op.Code {
		case plan.CodeWide:
			err = encodeWide(&pl.Wides[op.Aux], op, at, o)
		case plan.CodeVarint:
			encodeVarint(load(at, op.Size, signed), signed, o)
		case plan.CodeRelative:
			err = e.relative(op, at)
		default:
			if op.Code.PrefixCoded() {
				encodePrefixCoded(op, at, o)
				break
			}
			var v uint64
			if v, err = encodeSingle(pl, op, at); err == nil {
				o.put(v, uint(op.Bits))
			}
		}
		if err != nil {
			return i, err
		}
	}
	return 0, nil
}

// rare writes the single value of an op that cannot repeat.
func (e *encoder) rare(op *plan.Op, p memory.Pointer) (err error) {
	pl, o := e.pl, e.out
	v := op.Bias // the value of a CodeConst
	switch op.Code {
	case plan.CodeConst:
	case plan.CodeAlign:
		o.align()
		return nil
	case plan.CodeBytes:
		o.raw(p.Array(op.Count))
		return nil
	case plan.CodeCString, plan.CodeString, plan.CodeWString:
		return encodeText(op, p, o)
	case plan.CodeBinary:
		return encodeBinary(op, p.Value(pl.Fields[op.Field].Type), o)
	case plan.CodeLink:
		v, err = core.EncodeLink(e.c.Linker, int(op.Bits), p.Value(pl.Fields[op.Field].Type))
	default:
		panic(core.UnhandledCode("write", op.Code))
	}
	if err == nil {
		o.put(v, uint(op.Bits))
	}
	return err
}
