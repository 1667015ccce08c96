package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// lockLine is a line of a type in bp.lock.
type lockLine struct {
	wire  string   // what it says about the wire
	paths []string // of the fields
}

// pathMark is between what a line of the file says about the wire and the paths of
// the fields.
const pathMark = " # "

// String returns the line of the file.
func (l lockLine) String() string {
	return strings.TrimRight(fmt.Sprintf("\t%-32s%s%s", l.wire, pathMark, strings.Join(l.paths, ", ")), " #")
}

// parseLine parses a line of the file.
func parseLine(line string) (l lockLine) {
	line = strings.TrimPrefix(line, "\t")
	if i := strings.LastIndex(line, pathMark); i >= 0 {
		for _, path := range splitTypes(line[i+len(pathMark):]) { // type arguments may have commas
			l.paths = append(l.paths, strings.TrimSpace(path))
		}
		line = line[:i]
	}
	l.wire = strings.TrimRight(line, " ")
	return l
}

// depth returns the number of lines that enclose the line.
func (l lockLine) depth() int {
	return (len(l.wire) - len(strings.TrimLeft(l.wire, ". "))) / len(". ")
}

// parseLines parses the lines of a type. A line about several fields becomes one
// for each of them, so that a field among them shows as one line.
func parseLines(text []string) (all []lockLine) {
	for i, line := range text {
		l := parseLine(line)
		indent := strings.Repeat(". ", l.depth())
		count, what, _ := strings.Cut(l.wire[len(indent):], " x ")
		encloses := i+1 < len(text) && parseLine(text[i+1]).depth() > l.depth()
		if n, err := strconv.Atoi(count); err != nil || n != len(l.paths) || encloses {
			all = append(all, l)
			continue
		}
		for _, path := range l.paths {
			all = append(all, lockLine{indent + what, []string{path}})
		}
	}
	return all
}

// likeness returns 0 for lines that differ in the wire, and most for those that are
// equal.
func likeness(a, b lockLine) int {
	switch {
	case a.wire != b.wire:
		return 0
	case !slices.Equal(a.paths, b.paths):
		return 1 // a field was renamed, or it is another one
	}
	return 3
}

// maxCells bounds the memory that diff takes.
const maxCells = 1 << 24

// diff returns the lines of before that are gone, and those of now that are new. It
// keeps as many lines as it can, and rather those that are about the same fields.
// each is called for both in the order of the file.
func diff(before, now []lockLine, each func(l lockLine, isNew bool)) {
	for len(before) > 0 && len(now) > 0 && likeness(before[0], now[0]) == 3 {
		before, now = before[1:], now[1:]
	}
	for len(before) > 0 && len(now) > 0 && likeness(before[len(before)-1], now[len(now)-1]) == 3 {
		before, now = before[:len(before)-1], now[:len(now)-1]
	}
	width := len(now) + 1
	kept := make([]int32, 0)
	if (len(before)+1)*width <= maxCells {
		kept = make([]int32, (len(before)+1)*width) // the likeness of before[i:] and now[k:] at i*width+k
	}
	at := func(i, k int) int32 {
		if len(kept) == 0 {
			return 0
		}
		return kept[i*width+k]
	}
	for i := len(before) - 1; i >= 0 && len(kept) > 0; i-- {
		for k := len(now) - 1; k >= 0; k-- {
			best := max(at(i+1, k), at(i, k+1))
			if like := likeness(before[i], now[k]); like > 0 {
				best = max(best, at(i+1, k+1)+int32(like))
			}
			kept[i*width+k] = best
		}
	}
	for i, k := 0, 0; i < len(before) || k < len(now); {
		switch {
		case i < len(before) && k < len(now) && at(i, k) > 0 && at(i, k) == at(i+1, k+1)+int32(likeness(before[i], now[k])) && likeness(before[i], now[k]) > 0:
			i, k = i+1, k+1
		case i < len(before) && (k == len(now) || at(i+1, k) >= at(i, k+1)):
			each(before[i], false)
			i++
		default:
			each(now[k], true)
			k++
		}
	}
}

// renaming is a field that was called old and is called new.
type renaming struct{ old, new string }

// renamings compares the names in the lines of a type, before and now, whose wires are
// the same. A field that has moved has the place of another one.
func renamings(before, now []string) (renamed, moved []renaming) {
	if len(before) != len(now) {
		return nil, nil // the hash does not belong to the lines
	}
	had, has := map[string]bool{}, map[string]bool{}
	var all []renaming
	for i := range before {
		a, b := parseLine(before[i]).paths, parseLine(now[i]).paths
		for _, path := range a {
			had[path] = true
		}
		for _, path := range b {
			has[path] = true
		}
		if len(a) != len(b) { // an array in place of single fields, for example
			a, b = []string{strings.Join(a, ", ")}, []string{strings.Join(b, ", ")}
		}
		for k := range a {
			if r := (renaming{a[k], b[k]}); r.old != r.new && !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	for _, r := range all {
		if had[r.new] || has[r.old] {
			moved = append(moved, r)
		} else {
			renamed = append(renamed, r)
		}
	}
	return renamed, moved
}
