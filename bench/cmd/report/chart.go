package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/bench"
)

// The chart has a panel for each table, arranged vertically. Lengths are in
// pixels.
const (
	chartWidth   = 960.0
	panelHeight  = 480.0
	left, right  = 60.0, 20.0 // distance of the axes from the edges of the panel
	top, bottom  = 50.0, 50.0
	fontSize     = 11.0
	letterWidth  = 6.3 // average, a little wider than most fonts
	labelHeight  = 13.0
	dotRadius    = 4.5
	legendHeight = 34.0
)

// colors are meant for the light background that is part of the chart.
var colors = map[bench.Kind]string{
	bench.Reflection: "#2563eb",
	bench.Generated:  "#15803d",
	bench.ByHand:     "#b45309",
}

const ownColor = "#dc2626"

// point is the dot and label of a codec in a panel.
type point struct {
	name  string
	color string
	x, y  float64
	label box
}

// box is a rectangle with its top left corner and size.
type box struct{ x, y, w, h float64 }

func (a box) overlaps(b box) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
}

// nearest returns the point in the box that is nearest to (x, y).
func (a box) nearest(x, y float64) (float64, float64) {
	return min(max(x, a.x), a.x+a.w), min(max(y, a.y), a.y+a.h)
}

func drawChart(tables []table) []byte {
	var b bytes.Buffer
	height := legendHeight + panelHeight*float64(len(tables))
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%[1]g" height="%[2]g" `+
		`font-family="Helvetica, Arial, sans-serif" font-size="%g">`+"\n", chartWidth, height, fontSize)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#ffffff" stroke="#d4d4d8"/>`+"\n")
	drawLegend(&b)
	for i, t := range tables {
		fmt.Fprintf(&b, `<g transform="translate(0 %.0f)">`+"\n", legendHeight+panelHeight*float64(i))
		drawPanel(&b, t)
		fmt.Fprintf(&b, "</g>\n")
	}
	fmt.Fprintf(&b, "</svg>\n")
	return b.Bytes()
}

func drawLegend(b *bytes.Buffer) {
	x := left
	for _, entry := range []struct{ color, text string }{
		{ownColor, "bitpack"}, {colors[bench.Reflection], "reflection"}, {colors[bench.Generated], "generated code"},
		{colors[bench.ByHand], "by hand"},
	} {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="22" r="%g" fill="%s"/>`, x, dotRadius, entry.color)
		fmt.Fprintf(b, `<text x="%.1f" y="26" fill="#18181b">%s</text>`+"\n", x+9, entry.text)
		x += 9 + letterWidth*float64(len(entry.text)) + 24
	}
	fmt.Fprintf(b, `<text x="%.1f" y="26" text-anchor="end" fill="#52525b">lower and further left is better</text>`+"\n",
		chartWidth-right)
}

func drawPanel(b *bytes.Buffer, t table) {
	var times, sizes []float64
	for _, r := range t.Results {
		times = append(times, float64(r.Time()))
		sizes = append(sizes, r.Bytes)
	}
	xs := newAxis(times, left, chartWidth-right)
	ys := newAxis(sizes, panelHeight-bottom, top)

	fmt.Fprintf(b, `<text x="%g" y="30" font-size="14" font-weight="bold" fill="#18181b">%s</text>`+"\n", left,
		html.EscapeString(t.Title))
	for _, v := range xs.ticks() {
		x := xs.at(v)
		fmt.Fprintf(b, `<path d="M%.1f %gV%g" stroke="#e4e4e7"/>`, x, top, panelHeight-bottom)
		fmt.Fprintf(b, `<text x="%.1f" y="%g" text-anchor="middle" fill="#52525b">%s</text>`+"\n", x, panelHeight-bottom+16,
			timeText(v))
	}
	for _, v := range ys.ticks() {
		y := ys.at(v)
		fmt.Fprintf(b, `<path d="M%g %.1fH%g" stroke="#e4e4e7"/>`, left, y, chartWidth-right)
		fmt.Fprintf(b, `<text x="%g" y="%.1f" text-anchor="end" fill="#52525b">%.0f</text>`+"\n", left-6, y+4, v)
	}
	fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle" fill="#52525b">time to marshal and unmarshal</text>`+"\n",
		(left+chartWidth-right)/2, panelHeight-bottom+34)
	fmt.Fprintf(b, `<text transform="translate(16 %g) rotate(-90)" text-anchor="middle" fill="#52525b">bytes</text>`+"\n",
		(top+panelHeight-bottom)/2)

	var points []*point
	for _, r := range t.Results {
		p := &point{name: r.Name, color: colors[r.Kind], x: xs.at(float64(r.Time())), y: ys.at(r.Bytes)}
		if r.Name == "bitpack" || strings.HasPrefix(r.Name, "bitpack, ") {
			p.color = ownColor
		}
		points = append(points, p)
	}
	placeLabels(points)
	for _, p := range points {
		x, y := p.label.nearest(p.x, p.y)
		if math.Hypot(x-p.x, y-p.y) > 2*dotRadius {
			fmt.Fprintf(b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="0.7" opacity="0.6"/>`+"\n",
				p.x, p.y, x, y, p.color)
		}
	}
	for _, p := range points {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"/>`, p.x, p.y, dotRadius, p.color)
		weight := ""
		if p.color == ownColor {
			weight = ` font-weight="bold"`
		}
		// A squeezed label is better than two overlapping ones.
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"%s textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n",
			p.label.x+2, p.label.y+labelHeight-3, p.color, weight, p.label.w-4, html.EscapeString(p.name))
	}
}

// placeLabels places each label so that it overlaps no other label and no dot.
// A label goes to the first free place on a spiral around its dot. The most
// crowded dots come first.
func placeLabels(points []*point) {
	var taken []box
	for _, p := range points {
		taken = append(taken, box{p.x - dotRadius - 1, p.y - dotRadius - 1, 2*dotRadius + 2, 2*dotRadius + 2})
	}
	order := slices.Clone(points)
	slices.SortStableFunc(order, func(a, b *point) int { return neighbours(points, b) - neighbours(points, a) })
	for _, p := range order {
		p.label = freePlace(p, taken)
		taken = append(taken, p.label)
	}
}

func neighbours(points []*point, p *point) (n int) {
	for _, q := range points {
		if math.Abs(p.x-q.x) < 120 && math.Abs(p.y-q.y) < 30 {
			n++
		}
	}
	return n
}

func freePlace(p *point, taken []box) box {
	w := letterWidth*float64(len(p.name)) + 4
	for distance := dotRadius + 2; distance < panelHeight; distance += 3 {
		for step := range 24 {
			// Go from right to left, alternating between above and below.
			angle := math.Pi / 24 * float64(step) * float64(1-step%2*2)
			if step%2 == 1 {
				angle -= math.Pi / 24
			}
			dx, dy := math.Cos(angle), math.Sin(angle)
			// Place the center so that the border is at this distance.
			x := p.x + dx*(distance+w/2) - w/2
			y := p.y + dy*(distance+labelHeight/2) - labelHeight/2
			b := box{x, y, w, labelHeight}
			inside := x > left && x+w < chartWidth-2 && y > top-10 && y+labelHeight < panelHeight-bottom
			if inside && !slices.ContainsFunc(taken, b.overlaps) {
				return b
			}
		}
	}
	panic("no place for the label of " + p.name)
}

// axis maps values to pixels on a logarithmic scale.
type axis struct{ low, high, from, to float64 }

func newAxis(values []float64, from, to float64) axis {
	// Leave room at the ends for dots and labels.
	return axis{slices.Min(values) / 1.25, slices.Max(values) * 1.25, from, to}
}

func (a axis) at(v float64) float64 {
	return a.from + (a.to-a.from)*math.Log(v/a.low)/math.Log(a.high/a.low)
}

// ticks returns round values, more of them on a short axis.
func (a axis) ticks() (ticks []float64) {
	steps := []float64{1, 2, 5}
	if a.high/a.low < 30 {
		steps = []float64{1, 1.5, 2, 3, 4, 5, 7}
	}
	for power := math.Pow(10, math.Floor(math.Log10(a.low))); power < a.high; power *= 10 {
		for _, step := range steps {
			if v := step * power; v > a.low && v < a.high {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

func timeText(ns float64) string {
	if ns >= 1000 {
		return fmt.Sprintf("%g µs", ns/1000)
	}
	return fmt.Sprintf("%g ns", ns)
}
