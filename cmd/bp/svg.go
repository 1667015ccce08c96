package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A drawing has a section for each type, and in it a line for each row of the
// type's table. The bar of a row begins where the row would begin if all rows
// before it had their smallest size. Its solid part is the row's smallest size,
// and the hatched part is what it may take beyond that. All bars of a section
// have the same scale. Bars that would be much longer than the others are cut,
// which a break mark shows.

// The measures of a drawing, in pixels.
const (
	svgMargin  = 16
	svgLine    = 22  // from a row to the next
	svgBar     = 14  // the height of a bar
	svgWidth   = 480 // the longest bar
	svgChar    = 73  // the width of a letter, in tenths of a pixel
	svgColumns = 14  // between columns
)

// endless is more bits than a drawing shows.
const endless = 1 << 28

const svgHead = `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="12" fill="#1f2328">
<title>%[3]s</title>
<defs>
<pattern id="more" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#ddf4ff"/><rect width="2" height="6" fill="#54aeff"/></pattern>
<pattern id="more-inner" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#dafbe1"/><rect width="2" height="6" fill="#4ac26b"/></pattern>
</defs>
<rect width="%[1]d" height="%[2]d" fill="#ffffff"/>
`

// svgBarOf is the bar of a row, in bits as they are drawn.
type svgBarOf struct {
	row
	start    int  // where it begins
	solid    int  // the end of the smallest size
	end      int  // the end of the largest size
	cutSolid bool // the smallest size is longer than it is drawn
	cutEnd   bool // the largest size is
}

// svgColumnsOf are the widths of the columns with text, in letters.
type svgColumnsOf struct{ start, bits, field, wire int }

// drawSVG draws the layouts of types.
func drawSVG(w io.Writer, types []wire) {
	columns := svgColumnsOf{start: len("bit"), bits: len("bits"), field: len("field")}
	var names []string
	height := svgMargin
	for i := range types {
		names = append(names, types[i].Type)
		height += (2+len(types[i].Rows))*svgLine + svgMargin
		for _, r := range types[i].Rows {
			columns.start = max(columns.start, len(r.bit()))
			columns.bits = max(columns.bits, len(r.span()))
			columns.field = max(columns.field, utf8.RuneCountInString(r.label()))
			columns.wire = max(columns.wire, utf8.RuneCountInString(shorten(r.Wire, 48)))
		}
	}
	width := 2*svgMargin + svgWidth + 4*svgColumns + (columns.start+columns.bits+columns.field+columns.wire)*svgChar/10
	fmt.Fprintf(w, svgHead, width, height, escaped("The wire of "+strings.Join(names, ", ")))
	y := svgMargin
	for i := range types {
		y = types[i].draw(w, y, columns)
	}
	fmt.Fprintln(w, "</svg>")
}

// draw draws a section, and returns where the next one begins.
func (t *wire) draw(w io.Writer, y int, columns svgColumnsOf) int {
	heading, _, _ := strings.Cut(t.Plan, "\n")
	xBits := svgMargin + columns.start*svgChar/10 + svgColumns
	xField := xBits + columns.bits*svgChar/10 + svgColumns
	xBars := xField + columns.field*svgChar/10 + svgColumns
	xWire := xBars + svgWidth + svgColumns
	text := func(x, y int, attributes, s string) {
		fmt.Fprintf(w, "<text x=\"%d\" y=\"%d\"%s>%s</text>\n", x, y, attributes, escaped(s))
	}
	const muted, bold = ` fill="#59636e"`, ` font-weight="bold"`
	text(svgMargin, y+15, bold, heading)
	y += svgLine
	for _, column := range []struct {
		x    int
		name string
	}{{svgMargin, "bit"}, {xBits, "bits"}, {xField, "field"}} {
		text(column.x, y+15, muted, column.name)
	}
	bars, length := layOut(t.Rows)
	px := func(bit int) int { return 10*xBars + int(int64(bit)*10*svgWidth/int64(length)) } // in tenths of a pixel
	unit := 1
	for int64(unit)*svgWidth < 56*int64(length) { // the ruler has room for its numbers
		unit *= 2
	}
	if !slices.ContainsFunc(bars, func(b svgBarOf) bool { return b.cutSolid }) {
		for bit := 0; bit <= length; bit += unit {
			fmt.Fprintf(w, "<path d=\"M%s %dV%d\" stroke=\"#d1d9e0\"/>\n", tenths(px(bit)), y+svgLine-3, y+svgLine+len(bars)*svgLine)
			fmt.Fprintf(w, "<text x=\"%s\" y=\"%d\"%s text-anchor=\"middle\">%d</text>\n", tenths(px(bit)), y+15, muted, bit)
		}
	} else {
		fmt.Fprintf(w, "<path d=\"M%s %dv4h%sv-4\" fill=\"none\" stroke=\"#59636e\"/>\n", tenths(px(0)), y+svgLine-8, tenths(px(unit)-px(0)))
		fmt.Fprintf(w, "<text x=\"%s\" y=\"%d\"%s>%d bits</text>\n", tenths(px(0)), y+10, muted, unit)
	}
	y += svgLine
	for i := range bars {
		b := &bars[i]
		fmt.Fprintf(w, "<g><title>%s</title>\n", escaped(fmt.Sprintf("%s %s: %s bits, %s", b.Path, b.Type, b.span(), b.Wire)))
		text(svgMargin, y+15, muted, b.bit())
		text(xBits, y+15, muted, b.span())
		text(xField, y+15, ` xml:space="preserve"`, b.label())
		b.draw(w, y+(svgLine-svgBar)/2, px)
		text(xWire, y+15, muted, shorten(b.Wire, 48))
		fmt.Fprintln(w, "</g>")
		y += svgLine
	}
	return y + svgMargin
}

// draw draws a bar.
func (b *svgBarOf) draw(w io.Writer, y int, px func(bit int) int) {
	fill, more := "#0969da", "more"
	if b.Depth > 0 || b.Part {
		fill, more = "#1a7f37", "more-inner"
	}
	rect := func(from, to int, fill string) {
		if from < to {
			fmt.Fprintf(w, "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"%s\"/>\n", tenths(from), y, tenths(to-from), svgBar, fill)
		}
	}
	start, solid, end := px(b.start), px(b.solid), px(b.end)
	rect(solid, max(end, solid), "url(#"+more+")")
	switch {
	case b.MaxBits == 0:
		rect(start, start+5, "#afb8c1")
	case b.MinBits > 0:
		rect(start, max(solid-5, start+10), fill) // half a pixel separates it from its neighbors
	default:
		rect(start, start+5, fill)
	}
	if b.cutSolid {
		breakMark(w, (start+solid)/2, y)
	}
	if b.cutEnd {
		breakMark(w, end-80, y)
	}
}

// breakMark draws two lines across a bar that is longer than it is drawn.
func breakMark(w io.Writer, x, y int) {
	fmt.Fprintf(w, "<path d=\"M%s %dl4 -%dh4l-4 %dz\" fill=\"#ffffff\" stroke=\"#1f2328\" stroke-width=\"0.7\"/>\n", tenths(x), y+svgBar+2, svgBar+4, svgBar+4)
}

// layOut returns the bars of rows, and the length of the scale in bits.
func layOut(rows []row) (bars []svgBarOf, length int) {
	// A bar is cut if it is much longer than the usual one.
	var usual []int
	for _, r := range rows {
		if r.Depth == 0 && !r.Part && r.MinBits > 0 {
			usual = append(usual, r.MinBits)
		}
	}
	slices.Sort(usual)
	longest := 256
	if len(usual) > 0 {
		longest = max(longest, 16*min(usual[(len(usual)-1)/2], endless/16))
	}
	next := []int{0} // where the next row of each depth begins
	part, limit, solid := "", 0, 0
	for i, r := range rows {
		if owner, _, _ := strings.Cut(r.Path, "."); r.Part && r.Depth == 0 && owner != part {
			part, next[0] = owner, 0
		}
		b := svgBarOf{row: r, start: next[r.Depth]}
		least := min(r.MinBits, longest)
		b.cutSolid = least < r.MinBits
		b.solid = b.start + least
		b.end = b.solid + min(r.MaxBits-r.MinBits, endless)
		if r.MaxBits < 0 {
			b.end = b.solid + endless
		}
		next = append(next[:r.Depth], b.solid, b.start+min(ownBits(rows, i), least))
		limit, solid = max(limit, b.end), max(solid, b.solid)
		bars = append(bars, b)
	}
	length = max(8, min(limit, max(2*solid, solid+256)))
	for i := range bars {
		if b := &bars[i]; b.end > length {
			b.end, b.cutEnd = length, true
		}
	}
	return bars, length
}

// ownBits returns the bits of a row before those of the rows that it encloses, such
// as the count of a slice.
func ownBits(rows []row, i int) int {
	inner := 0
	for _, r := range rows[i+1:] {
		if r.Depth <= rows[i].Depth {
			break
		}
		if r.Depth == rows[i].Depth+1 {
			if r.MaxBits < 0 {
				return 0
			}
			inner += r.MaxBits
		}
	}
	if n := rows[i].Elements; inner > 0 && n > rows[i].MaxBits/inner {
		return 0
	}
	return max(0, rows[i].MaxBits-rows[i].Elements*inner)
}

// bit returns the bit where a row starts, or "".
func (r *row) bit() string {
	if r.Start < 0 {
		return ""
	}
	return fmt.Sprint(r.Start)
}

// span returns the size of a row in bits.
func (r *row) span() string {
	switch {
	case r.MaxBits < 0:
		return fmt.Sprintf("%d+", r.MinBits)
	case r.MinBits == r.MaxBits:
		return fmt.Sprint(r.MinBits)
	}
	return fmt.Sprintf("%d..%d", r.MinBits, r.MaxBits)
}

// label returns the name of a row, indented.
func (r *row) label() string {
	name := r.Path
	if name == "" {
		name = "*"
	}
	return strings.Repeat("  ", r.Depth) + shorten(name, 36)
}

// shorten cuts a text after n letters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// tenths formats a number of tenths.
func tenths(v int) string {
	if v%10 == 0 {
		return fmt.Sprint(v / 10)
	}
	return fmt.Sprintf("%d.%d", v/10, v%10)
}

// escaped returns a text for XML.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder returns no errors
	return b.String()
}
