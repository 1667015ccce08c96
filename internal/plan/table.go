package plan

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// String returns the plan as a table with a row for each op that has a value or
// bits. The columns are the bit where the op starts, if that is the same in every
// message, its size in bits, the field, the Go type and the encoding.
func (p *Plan) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%v: %s bits, %s bytes\n", p.Type, span(p.MinBits, p.MaxBits), span(saturate.Bytes(p.MinBits), saturate.Bytes(p.MaxBits)))
	m := measurer{plan: p, members: map[int32]sizeRange{}} // subs is nil, so the smallest size of a recursive type counts as 0
	t := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "bit\tbits\tfield\ttype\twire")
	at, ended := sizeRange{}, false
	p.Walk(func(step Step) {
		i, depth := step.Op, step.Depth
		op := &p.Ops[i]
		ended = ended || op.Code == CodeEnd
		if op.Code.Ends() || op.Code == CodePresent {
			return
		}
		start := "" // unknownPhase: inside a block, for example, it depends on the element
		e := m.op(i, unknownPhase)
		if depth == 0 && !ended && at.min == at.max {
			start = strconv.Itoa(at.min)
			e = m.op(i, at.phase)
		}
		if depth == 0 {
			at = at.then(e)
		}
		f := &p.Fields[op.Field]
		path := f.Path
		if depth == 0 {
			path = step.Path // after CodeEnd it starts with the name of the called type
		}
		if path == "" {
			path = "*"
		}
		fmt.Fprintf(t, "%s\t%s\t%s%s\t%v\t%s\n", start, span(e.min, e.max), strings.Repeat("  ", depth), path, f.Type, p.wire(i))
	})
	t.Flush()
	return s.String()
}

func span(lo, hi int) string {
	switch {
	case hi == Unbounded:
		return fmt.Sprintf("%d+", lo)
	case lo == hi:
		return strconv.Itoa(lo)
	}
	return fmt.Sprintf("%d..%d", lo, hi)
}

// listedIn returns the values that a CodeCommon or a CodeHuffman lists.
func (p *Plan) listedIn(op *Op) []Value {
	if op.Code == CodeHuffman {
		return p.Huffmans[op.Aux].Values
	}
	return p.Commons[op.Aux]
}

func (p *Plan) shownCommon(op *Op) string {
	var list []string
	for i := range p.Commons[op.Aux] {
		list = append(list, p.shownValue(op, &p.Commons[op.Aux][i]))
	}
	return "common " + strings.Join(list, "|")
}

func (p *Plan) shownHuffman(op *Op) string {
	h := &p.Huffmans[op.Aux]
	var list []string
	for i := range h.Values {
		text := "*"
		if i != h.Escape {
			text = p.shownValue(op, &h.Values[i])
		}
		_, n := h.Code.Code(i)
		list = append(list, fmt.Sprintf("%s:%d", text, n))
	}
	return "huffman, value:bits " + strings.Join(list, "|")
}

func (p *Plan) shownUnion(op *Op) string {
	var list []string
	for _, t := range p.Elems[op.Aux].Union.Types {
		list = append(list, MemberName(t))
	}
	return "union " + strings.Join(list, "|")
}

// shownRef names the field that r refers to.
func (p *Plan) shownRef(r *Ref) string {
	if r.Op < 0 {
		return fmt.Sprintf("#%d", r.Op)
	}
	return p.Fields[p.Ops[r.Op].Field].Path
}

// shownCond formats a condition as in a tag.
func (p *Plan) shownCond(c *Cond) string {
	field := p.shownRef(&c.Ref)
	value := strconv.FormatUint(c.Value, 10)
	if c.Signed {
		value = strconv.FormatInt(int64(c.Value), 10)
	}
	switch {
	case c.Test == AnyOf:
		return field + "&" + value
	case c.Test == NotEqual && c.Value == 0:
		return field
	case c.Test == Equal && c.Value == 0:
		return "!" + field
	case c.Test == NotEqual:
		return field + "!=" + value
	}
	return field + "==" + value
}

// shownValue formats a listed value of op, a CodeCommon or a CodeHuffman, as in a
// tag.
func (p *Plan) shownValue(op *Op, v *Value) string {
	t := p.elemType(&p.Ops[op.End-1])
	switch x := v.Mem[0]; {
	case t == Int128Type:
		return bits.Int128{Lo: x, Hi: int64(v.Mem[1])}.String()
	case t == Uint128Type:
		return bits.Uint128{Lo: x, Hi: v.Mem[1]}.String()
	case t.Kind() == reflect.Bool:
		return strconv.FormatBool(x != 0)
	case t.Kind() == reflect.Float32:
		return decimal(math.Float32frombits(uint32(x)), 32)
	case t.Kind() == reflect.Float64:
		return decimal(math.Float64frombits(x), 64)
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return strconv.FormatInt(int64(x), 10)
	case t.Kind() == reflect.String:
		return strconv.Quote(v.Text)
	default:
		return strconv.FormatUint(x, 10)
	}
}
