package plan

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gobitpack/bitpack/internal/saturate"
)

// Table returns the plan as a table with a row for each op that has a value or
// bits. The columns are the bit where the op starts, if that is the same in every
// message, its size in bits, the field, the Go type and the encoding. It is not
// called String, because fmt and with it every program would hold on to it.
func (p *Plan) Table() string {
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
		start := "" // unknown: inside a block, for example, it depends on the element
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

// span formats a range of sizes.
func span(lo, hi int) string {
	switch {
	case hi == Unbounded:
		return fmt.Sprintf("%d+", lo)
	case lo == hi:
		return strconv.Itoa(lo)
	}
	return fmt.Sprintf("%d..%d", lo, hi)
}

// wire describes what an op puts on the wire, for people.
func (p *Plan) wire(i int) string {
	op := &p.Ops[i]
	s := op.Text(p)
	if op.Count > 1 && op.Code.Values() {
		s = fmt.Sprintf("%d x %s", op.Count, s)
	}
	return s
}
