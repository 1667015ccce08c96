// Package columns formats tables of statistics.
package columns

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Number returns n with what is counted.
func Number(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.FormatInt(n, 10) + " " + what
}

// Percent returns a share as a percentage.
func Percent(share float64) string { return Tenths(100*share) + "%" }

// Tenths formats x with one decimal.
func Tenths(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// Format returns rows of cells as lines of columns. The first column is aligned to
// the left, and the others to the right.
func Format(rows [][]string) string {
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
