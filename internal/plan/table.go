package plan

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gobitpack/bitpack/internal/saturate"
)

// Row is a row of the table of a plan. It describes an op that has a value or
// bits.
type Row struct {
	Start    int    // the bit where the op starts, or -1 if it differs between messages
	Depth    int    // the number of ops that enclose this one
	Path     string // the field, or "" for the whole value
	Type     string // the Go type of the field
	Wire     string // the encoding
	MinBits  int    // the smallest size in bits, with the rows that it encloses
	MaxBits  int    // the largest size in bits, or Unbounded
	Elements int    // the largest number of repetitions of the enclosed rows
	Part     bool   // the row belongs to a recursive type or to a member of a union, which others refer to
}

// Rows returns the rows of the table of the plan.
func (p *Plan) Rows() []Row {
	m := measurer{plan: p, members: map[int32]sizeRange{}} // subs is nil, so the smallest size of a recursive type counts as 0
	rows, _ := m.rows()
	return rows
}

// Tagged returns the largest size of a message in bits and the rows of the table, as
// far as tags determine them: unions and values with a Serialize method count as
// nothing.
func (p *Plan) Tagged() (maxBits int, rows []Row) {
	m := measurer{plan: p, members: map[int32]sizeRange{}, tagged: true}
	maxBits = m.ops(0, 0).max
	rows, _ = m.rows()
	return maxBits, rows
}

// rows returns the rows of the table of the plan, and what [Plan.Walk] says about the
// op of each.
func (m *measurer) rows() (rows []Row, steps []Step) {
	p := m.plan
	at, ended := sizeRange{}, false
	unused := 0 // the op before this one encodes other values than those of a Huffman code, which has no others
	p.Walk(func(step Step) {
		i, depth := step.Op, step.Depth
		op := &p.Ops[i]
		ended = ended || op.Code == CodeEnd
		if op.Code.Ends() || op.Code == CodePresent || i < unused {
			return
		}
		if op.Code == CodeHuffman && p.Huffmans[op.Aux].Escape < 0 {
			unused = int(op.End)
		}
		start := -1 // unknown: inside a block, for example, it depends on the element
		e := m.op(i, unknownPhase)
		if depth == 0 && !ended && at.min == at.max {
			start = at.min
			e = m.op(i, at.phase)
		}
		if depth == 0 {
			at = at.then(e)
		}
		f := &p.Fields[op.Field]
		path := step.Name
		if depth == 0 {
			path = step.Path // after CodeEnd it starts with the name of the called type
		}
		rows = append(rows, Row{Start: start, Depth: depth, Path: path, Type: f.Type.String(), Wire: p.wire(i),
			MinBits: e.min, MaxBits: e.max, Elements: op.Repeats(), Part: ended})
		steps = append(steps, step)
	})
	return rows, steps
}

// nested returns the number of rows that row i encloses.
func nested(rows []Row, i int) int {
	n := i + 1
	for n < len(rows) && rows[n].Depth > rows[i].Depth {
		n++
	}
	return n - i - 1
}

// sameNested reports whether rows a and b enclose the same n rows.
func sameNested(rows []Row, a, b, n int) bool {
	shift := rows[a].Depth - rows[b].Depth
	for k := 1; k <= n; k++ {
		x := rows[b+k]
		x.Depth, x.Part = x.Depth+shift, rows[a+k].Part
		if rows[a+k] != x {
			return false
		}
	}
	return true
}

// Table returns the plan as a table with a row for each op that has a value or
// bits. The columns are the bit where the op starts, if that is the same in every
// message, its size in bits, the field, the Go type and the encoding. The rows of a
// struct in a list, or behind a pointer, are shown once. Where they would be
// repeated, the encoding names the field that has them. It is not
// called String, because the linker would then keep it in every program that uses
// fmt.
func (p *Plan) Table() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%v: %s bits, %s bytes\n", p.Type, span(p.MinBits, p.MaxBits), span(saturate.Bytes(p.MinBits), saturate.Bytes(p.MaxBits)))
	t := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "bit\tbits\tfield\ttype\twire")
	m := measurer{plan: p, members: map[int32]sizeRange{}} // as in Rows
	rows, steps := m.rows()
	shown := map[reflect.Type][]int{} // the rows that enclose those of a struct, by its type
	for i := 0; i < len(rows); i++ {
		r, start := rows[i], ""
		path, wire, same := r.Path, r.Wire, 0
		if op := &p.Ops[steps[i].Op]; op.Code.Block() && nested(rows, i) > 1 {
			elem, n := p.Elems[op.Aux].Type, nested(rows, i)
			at := slices.IndexFunc(shown[elem], func(k int) bool { return nested(rows, k) == n && sameNested(rows, k, i, n) })
			if at >= 0 {
				wire += ", fields as in " + steps[shown[elem][at]].Path
				same = n
			} else {
				shown[elem] = append(shown[elem], i)
			}
		}
		if r.Start >= 0 {
			start = strconv.Itoa(r.Start)
		}
		if path == "" {
			path = "*"
		}
		fmt.Fprintf(t, "%s\t%s\t%s%s\t%s\t%s\n", start, span(r.MinBits, r.MaxBits), strings.Repeat("  ", r.Depth), path, r.Type, wire)
		i += same
	}
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
