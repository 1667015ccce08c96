package packet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/internal/columns"
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
		text.WriteString("refused:\n" + columns.Format(refused))
	}
	return text.String()
}

// summary returns what does not fit into the table.
func (t *Traffic) summary() string {
	s := columns.Number(t.Datagrams, "datagram") + ", " + columns.Number(t.Bytes, "byte")
	if t.Fragments != 0 {
		s += ", " + columns.Number(t.Fragments, "fragment")
	}
	if t.Resent != 0 {
		s += ", " + columns.Number(t.Resent, "resent message")
	}
	return s
}

// table returns a table with a row for each type and each kind of overhead that
// occurred.
func (t *Traffic) table() string {
	if t.Bytes == 0 {
		return ""
	}
	share := func(bits int64) string { return columns.Percent(float64(bits) / float64(8*t.Bytes)) }
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
	return columns.Format(rows)
}
