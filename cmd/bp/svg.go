package main

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// A drawing has a section for each type, and in it a line for each row of the
// type's table. The bar of a row begins where the row would begin if all rows
// before it had their smallest size. Rows inside of another begin with it. The solid
// part of a bar is the row's smallest size, and the hatched part is what it may take
// beyond that. All bars of a section have the same scale. A break mark shows that a
// long bar is cut.

// The measures of a drawing, in pixels.
const (
	svgMargin = 16
	svgLine   = 22  // from a row to the next
	svgBar    = 14  // the height of a bar
	svgWidth  = 480 // the longest bar
	svgChar   = 73  // the width of a letter, in tenths of a pixel
	svgSpace  = 14  // between columns

	svgSolid = 256     // the bits of the longest solid bar
	endless  = 1 << 28 // more than is shown
)

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

// svgColumns are the headings of the columns with text. The bars are before the last.
var svgColumns = [...]string{"bit", "bits", "field", ""}

// drawSVG draws the layouts of types.
func drawSVG(w io.Writer, types []wire) {
	var letters [len(svgColumns)]int
	var names []string
	height := svgMargin
	for i := range types {
		names = append(names, types[i].Type)
		height += (2+len(types[i].Rows))*svgLine + svgMargin
		for _, r := range types[i].Rows {
			for k, text := range r.cells() {
				letters[k] = max(letters[k], len(svgColumns[k]), utf8.RuneCountInString(text))
			}
		}
	}
	var at [len(svgColumns)]int
	x := svgMargin
	for k, n := range letters {
		if k == len(letters)-1 {
			x += svgWidth + svgSpace
		}
		at[k] = x
		x += n*svgChar/10 + svgSpace
	}
	fmt.Fprintf(w, svgHead, x-svgSpace+svgMargin, height, html.EscapeString("The wire of "+strings.Join(names, ", ")))
	y := svgMargin
	for i := range types {
		y = types[i].draw(w, y, at)
	}
	fmt.Fprintln(w, "</svg>")
}

// draw draws a section, and returns where the next one begins.
func (t *wire) draw(w io.Writer, y int, at [len(svgColumns)]int) int {
	const muted, bold = ` fill="#59636e"`, ` font-weight="bold"`
	text := func(x float64, y int, attributes, s string) {
		if s != "" {
			fmt.Fprintf(w, "<text x=\"%.5g\" y=\"%d\"%s xml:space=\"preserve\">%s</text>\n", x, y, attributes, html.EscapeString(s))
		}
	}
	heading, _, _ := strings.Cut(t.Plan, "\n")
	text(svgMargin, y+15, bold, heading)
	y += svgLine
	for k, x := range at {
		text(float64(x), y+15, muted, svgColumns[k])
	}
	bars, length := layOut(t.Rows)
	px := func(bit int) float64 {
		return float64(at[3]-svgSpace-svgWidth) + math.Round(float64(bit)*10*svgWidth/float64(length))/10
	}
	unit := 1
	for unit*svgWidth < 56*length { // room for the text
		unit *= 2
	}
	fmt.Fprintf(w, "<path d=\"M%.5g %dv4H%.5gv-4\" fill=\"none\" stroke=\"#59636e\"/>\n", px(0), y+svgLine-8, px(unit))
	text(px(0), y+10, muted, fmt.Sprint(unit, " bits"))
	for i := range bars {
		y += svgLine
		b := &bars[i]
		cells := b.cells()
		fmt.Fprintf(w, "<g><title>%s</title>\n", html.EscapeString(fmt.Sprintf("%s %s: %s bits, %s", b.Path, b.Type, cells[1], b.Wire)))
		for k, x := range at {
			text(float64(x), y+15, "", cells[k])
		}
		b.draw(w, y+(svgLine-svgBar)/2, px)
		fmt.Fprintln(w, "</g>")
	}
	return y + svgLine + svgMargin
}

// draw draws a bar.
func (b *svgBarOf) draw(w io.Writer, y int, px func(bit int) float64) {
	fill, more := "#0969da", "url(#more)"
	if b.Depth > 0 || b.Part {
		fill, more = "#1a7f37", "url(#more-inner)"
	}
	start, solid, end := px(b.start), px(b.solid), px(b.end)
	rect := func(from, to float64, fill string) {
		if from < to {
			fmt.Fprintf(w, "<rect x=\"%.5g\" y=\"%d\" width=\"%.4g\" height=\"%d\" fill=\"%s\"/>\n", from, y, to-from, svgBar, fill)
		}
	}
	rect(solid, end, more)
	if b.MaxBits == 0 {
		fill = "#afb8c1"
	}
	rect(start, max(solid-0.5, start+0.5), fill) // half a pixel separates it from its neighbors
	breakMark := func(cut bool, x float64) {     // two lines across a bar that is longer than it is drawn
		if cut {
			fmt.Fprintf(w, "<path d=\"M%.5g %dl4 -%dh4l-4 %dz\" fill=\"#ffffff\" stroke=\"#1f2328\" stroke-width=\"0.7\"/>\n", x, y+svgBar+2, svgBar+4, svgBar+4)
		}
	}
	breakMark(b.cutSolid, (start+solid)/2)
	breakMark(b.cutEnd, end-8)
}

// layOut returns the bars of rows, and the length of the scale in bits.
func layOut(rows []row) (bars []svgBarOf, length int) {
	next := []int{0} // where the next row of each depth begins
	part, limit, solid := "", 0, 0
	for _, r := range rows {
		if owner, _, _ := strings.Cut(r.Path, "."); r.Part && r.Depth == 0 && owner != part {
			part, next[0] = owner, 0
		}
		b := svgBarOf{row: r, start: next[r.Depth]}
		least := min(r.MinBits, svgSolid)
		b.solid, b.cutSolid = b.start+least, least < r.MinBits
		b.end = b.solid + min(r.MaxBits-r.MinBits, endless)
		if r.MaxBits < 0 {
			b.end = b.solid + endless
		}
		next = append(next[:r.Depth], b.solid, b.start)
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

// cells returns the texts of a row for svgColumns.
func (r *row) cells() [len(svgColumns)]string {
	start, span := "", fmt.Sprintf("%d..%d", r.MinBits, r.MaxBits)
	if r.Start >= 0 {
		start = fmt.Sprint(r.Start)
	}
	switch {
	case r.MaxBits < 0:
		span = fmt.Sprintf("%d+", r.MinBits)
	case r.MinBits == r.MaxBits:
		span = fmt.Sprint(r.MinBits)
	}
	return [...]string{start, span, strings.Repeat("  ", r.Depth) + shorten(cmp.Or(r.Path, "*"), 36), shorten(r.Wire, 48)}
}

// shorten cuts a text after n letters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
