package typecache

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gobitpack/bitpack/internal/plan/tree"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// Row is a row of the table that [Plan.String] prints.
type Row struct {
	Start    int    // the bit where the value starts, or -1 if it differs between messages
	Depth    int    // the number of rows that enclose this one
	Path     string // the field, or "" for the whole value
	Type     string // the Go type of the field
	Wire     string // the encoding, as the table shows it
	MinBits  int    // the smallest size in bits, with the rows that it encloses
	MaxBits  int    // the largest size in bits, or [Unbounded]
	Elements int    // the largest number of repetitions of the enclosed rows
	Part     bool   // the row belongs to a recursive type or to a member of a union, which other rows refer to
}

// Rows returns the rows of the table that [Plan.String] prints.
func (p *Plan) Rows() (rows []Row) {
	for _, r := range p.rows() {
		rows = append(rows, r.Row)
	}
	return rows
}

// noded is a row and its node.
type noded struct {
	Row
	node *tree.Node
}

func (p *Plan) rows() (rows []noded) {
	for i, part := range p.data().Tree().Parts {
		rows = addRows(rows, part.Nodes, i > 0)
	}
	return rows
}

func addRows(rows []noded, list []*tree.Node, part bool) []noded {
	for _, x := range list {
		path, wire, elements := x.Name, x.Text(), 1
		if x.Depth == 0 {
			path = x.Path // in a part it starts with the name of the type
		}
		if x.Count > 1 {
			wire = fmt.Sprintf("%d x %s", x.Count, wire)
		}
		if x.Kind.Block() && x.Kind != tree.KindMatrix && x.Kind != tree.KindPointer {
			elements = int(x.Min + x.Span)
		}
		rows = append(rows, noded{Row{x.Start, x.Depth, path, x.Type.String(), wire, x.MinBits, x.MaxBits, elements, part}, x})
		if x.Kind != tree.KindHuffman || x.Escape >= 0 { // without an escape code there are only the listed values
			rows = addRows(rows, x.Children, part)
		}
	}
	return rows
}

// nested returns the number of rows that row i encloses.
func nested(rows []noded, i int) int {
	n := i + 1
	for n < len(rows) && rows[n].Depth > rows[i].Depth {
		n++
	}
	return n - i - 1
}

// sameNested reports whether rows a and b enclose the same n rows.
func sameNested(rows []noded, a, b, n int) bool {
	shift := rows[a].Depth - rows[b].Depth
	for k := 1; k <= n; k++ {
		x := rows[b+k].Row
		x.Depth, x.Part = x.Depth+shift, rows[a+k].Part
		if rows[a+k].Row != x {
			return false
		}
	}
	return true
}

// String returns the plan as a table with a row for each op that has a value or
// bits. The columns are the bit where the op starts, if that is the same in every
// message, its size in bits, the field, the Go type and the encoding. If several
// lists or pointers have the same struct, only the first has rows for its fields, and
// the others name the first.
func (p *Plan) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%v: %s bits, %s bytes\n", p.Type(), span(p.MinBits(), p.MaxBits()), span(saturate.Bytes(p.MinBits()), saturate.Bytes(p.MaxBits())))
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "bit\tbits\tfield\ttype\twire")
	rows := p.rows()
	shown := map[reflect.Type][]int{} // the rows that enclose those of a struct, by its type
	for i := 0; i < len(rows); i++ {
		r, start := rows[i], ""
		path, wire, same := r.Path, r.Wire, 0
		if n := nested(rows, i); r.node.Kind.Block() && n > 1 {
			elem := r.node.Elem
			at := slices.IndexFunc(shown[elem], func(k int) bool { return nested(rows, k) == n && sameNested(rows, k, i, n) })
			if at >= 0 {
				wire += ", fields as in " + rows[shown[elem][at]].node.Path
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
		fmt.Fprintf(w, "%s\t%s\t%s%s\t%s\t%s\n", start, span(r.MinBits, r.MaxBits), strings.Repeat("  ", r.Depth), path, r.Type, wire)
		i += same
	}
	w.Flush()
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
