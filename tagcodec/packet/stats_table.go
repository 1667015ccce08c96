package packet

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobitpack/bitpack/internal/typename"
)

// String returns the statistics as tables, one for each direction, and one of the
// refusals if there are any.
func (s Stats) String() string {
	var text strings.Builder
	text.WriteString("sent: " + s.Sent.summary())
	if s.Delivered != 0 || s.Lost != 0 {
		fmt.Fprintf(&text, ", %d delivered, %d lost", s.Delivered, s.Lost)
		if s.Late != 0 {
			fmt.Fprintf(&text, " (%d of them arrived late)", s.Late)
		}
	}
	text.WriteString("\n" + s.Sent.table() + "received: " + s.Received.summary() + "\n" + s.Received.table())
	var refused [][]string
	for r, n := range s.Refusals() {
		refused = append(refused, []string{refusalTexts[r], strconv.FormatUint(n, 10)})
	}
	if len(refused) > 0 {
		text.WriteString("refused:\n" + table(refused))
	}
	return text.String()
}

// summary returns what does not fit into the table.
func (t *Traffic) summary() string {
	s := number(t.Datagrams, "datagram") + ", " + number(t.Bytes, "byte")
	if t.Fragments != 0 {
		s += ", " + number(t.Fragments, "fragment")
	}
	if t.Resent != 0 {
		s += ", " + number(t.Resent, "resent message")
	}
	return s
}

// number returns n with what is counted.
func number(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.FormatInt(n, 10) + " " + what
}

// table returns a table with a row for each type and each kind of overhead that
// occurred.
func (t *Traffic) table() string {
	if t.Bytes == 0 {
		return ""
	}
	share := func(bits int64) string { return percent(float64(bits) / float64(8*t.Bytes)) }
	rows := [][]string{{"", "packets", "mean bits", "largest", "bits", "share"}}
	for i := range t.Types {
		if c := &t.Types[i]; c.Packets != 0 {
			rows = append(rows, []string{typename.Of(c.Type), strconv.FormatInt(c.Packets, 10),
				strconv.FormatFloat(c.Mean(), 'f', 1, 64), strconv.FormatInt(c.Largest, 10), strconv.FormatInt(c.Bits, 10), share(c.Bits)})
		}
	}
	for _, part := range t.Overhead.parts() {
		if bits := *part.bits; bits != 0 {
			rows = append(rows, []string{part.name, "", "", "", strconv.FormatInt(bits, 10), share(bits)})
		}
	}
	return table(rows)
}

// percent returns a share as a percentage.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

// table returns rows of cells as lines of columns. The first column is aligned to
// the left, and the others to the right.
func table(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&text, "  %-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(&text, "  %*s", widths[i+1], cell)
		}
		text.WriteByte('\n')
	}
	return text.String()
}
