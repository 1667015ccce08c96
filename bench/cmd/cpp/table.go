package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/bench/internal/page"
)

// across returns f of each build's times of a message and direction.
func (c *comparison) across(message, direction int, f func(ns [sideCount]float64) float64) []float64 {
	list := make([]float64, len(c.best))
	for i, best := range c.best {
		list[i] = f(best[message][direction])
	}
	return list
}

// table returns the results as a document.
func (c *comparison) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# bitpack and C++\n\n")
	fmt.Fprintf(&b, "Written by `go run ./cmd/cpp -o CPP.md`: bitpack and serialize, the C++ implementation of its wire.\n\n")
	fmt.Fprintf(&b, "%s, %s/%s, %s; %s, -O3.\n\n", page.CPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), version(c.compiler))
	if strings.HasPrefix(c.compiler, "g++") {
		fmt.Fprintf(&b, "clang++ is not installed: these figures are of g++.\n\n")
	}
	fmt.Fprintf(&b, "Nanoseconds of a message, and ratios of times, by the fastest of %d interleaved rounds; each figure is the median of "+
		"%d builds of the Go side that differ in the layout of their functions. A loop goes through %d different messages. "+
		"All sides have read and written the same bytes before. C++ as released does not check what it writes; with write checks its "+
		"assertions trap. Both check what they read.\n\n", c.rounds, c.builds, variants)
	fmt.Fprintf(&b, "| message | bytes | | C++ ns | C++, checks ns | bitpack ns | to C++ | to C++, checks | generated ns | to C++ | to C++, checks | builds |\n")
	fmt.Fprintf(&b, "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for i, m := range c.messages {
		for k, direction := range directions {
			fmt.Fprintf(&b, "| %s | %d | %s |", m.title, len(m.timed[0]), direction)
			ns := func(side int) {
				fmt.Fprintf(&b, " %.1f |", median(c.across(i, k, func(ns [sideCount]float64) float64 { return ns[side] })))
			}
			ratios := func(side, to int) []float64 {
				return c.across(i, k, func(ns [sideCount]float64) float64 { return ns[side] / ns[to] })
			}
			ns(released)
			ns(checked)
			for _, side := range []int{engine, withCode} {
				ns(side)
				fmt.Fprintf(&b, " %.2f | %.2f |", median(ratios(side, released)), median(ratios(side, checked)))
			}
			all := ratios(withCode, released)
			fmt.Fprintf(&b, " %.2f to %.2f |\n", slices.Min(all), slices.Max(all))
		}
	}
	fmt.Fprintf(&b, "\nThe last column has the ratios of the generated code to C++ as released in all builds.\n")
	return b.String()
}

// version returns the first line of what a compiler says about its version.
func version(compiler string) string {
	output, err := exec.Command(compiler, "--version").Output()
	if err != nil {
		return compiler
	}
	line, _, _ := strings.Cut(string(output), "\n")
	return line
}
