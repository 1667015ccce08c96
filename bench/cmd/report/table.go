package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/bench"
	"github.com/gobitpack/bitpack/bench/internal/page"
)

const (
	smallText = "Name, birthday, phone, siblings, spouse and money of `alecthomas/go_serialization_benchmarks`, with its " +
		"distribution of values: 1000 names of 16 and phone numbers of 10 hexadecimal digits, 0 to 4 siblings, a time in " +
		"nanoseconds and a float64. The tags say that much, and no more: `maxlen=16`, `maxlen=10`, `min=0,max=4`."
	packetText = "Position, orientation, state, 9 event ids and 64 bytes of payload. The floats have the steps of the tags; " +
		"without tags they are whole floats. What gotiny and vtprotobuf, unsafe read of the payload is a part of the message."
	frameText = "A ball and six to eight cars: %d frames of Rocket League, in the widths that hold every value. " +
		"The bytes are the mean of all frames, the times that of every tenth."
)

// baseline is the codec to which the others are compared.
const baseline = "bitpack, Codec"

func writeReport(w io.Writer, tables []table, rounds int) {
	fmt.Fprintf(w, "# bitpack and other encodings\n\n")
	fmt.Fprintf(w, "Written by `go run ./cmd/report -o REPORT.md`, which draws [report.svg](report.svg) as well.\n\n")
	fmt.Fprintf(w, "%s, %d cores, %s/%s, %s.\n\n", page.CPU(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	fmt.Fprintf(w, "Times are the fastest of %d rounds, each of which goes through all codecs; other machines have other times, "+
		"and the ratios hold better than the times. A codec must give back every value, read over another one, before it is "+
		"timed. Marshal writes into a reused buffer, and unmarshal into a reused variable, where the "+
		"codec can. The last column but one is the time to marshal and unmarshal, as a multiple of that of \"%s\".\n\n",
		rounds, baseline)
	fmt.Fprintf(w, "\"bitpack, Codec\" is `Codec.Append` and `Codec.Unmarshal`, and \"bitpack\" is `Marshal` and `Unmarshal`. "+
		"\"bitpack, generated\" is a Codec as well, of a type with the code that `bp gen` writes. "+
		"\"Texts share the message\" means that strings point into the bytes that were read, which must not change after; "+
		"all others copy them. FlatBuffers and Cap'n Proto let a program read single fields of a message in place; here they "+
		"copy every field to a Go value, as the others do, and write it from one.\n")
	fmt.Fprintf(w, "\n## In short\n\nBytes, and nanoseconds to marshal and unmarshal, of the types below:\n\n")
	writeSummary(w, tables)
	for _, t := range tables {
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n", t.Title, t.Text)
		writeTable(w, t)
	}
	fmt.Fprintf(w, "\n## Versions\n\n%s", versions())
}

// writeSummary writes one table of all types, with a row for each codec.
func writeSummary(w io.Writer, tables []table) {
	var names []string
	header, rule := "| ", "|---"
	for _, t := range tables {
		header += fmt.Sprintf("| %s | ns ", t.Name)
		rule += "|--:|--:"
		for _, r := range t.Results {
			if !slices.Contains(names, r.Name) {
				names = append(names, r.Name)
			}
		}
	}
	fmt.Fprintf(w, "%s|\n%s|\n", header, rule)
	for _, name := range names {
		fmt.Fprintf(w, "| %s ", name)
		for _, t := range tables {
			if r, ok := find(t.Results, name); ok {
				fmt.Fprintf(w, "| %s | %d ", bytesText(r.Bytes), r.Time())
			} else {
				fmt.Fprint(w, "| | ")
			}
		}
		fmt.Fprintln(w, "|")
	}
}

func writeTable(w io.Writer, t table) {
	fmt.Fprintf(w, "| %s | bytes | marshal ns | allocs | unmarshal ns | allocs | time | |\n", t.Name)
	fmt.Fprintf(w, "|---|--:|--:|--:|--:|--:|--:|---|\n")
	own, _ := find(t.Results, baseline)
	for _, r := range t.Results {
		notes := string(r.Kind)
		if r.Notes != "" {
			notes += ": " + r.Notes
		}
		fmt.Fprintf(w, "| %s | %s | %d | %.0f | %d | %.0f | %.2f | %s |\n", r.Name, bytesText(r.Bytes),
			r.Marshal.Time, r.Marshal.Allocs, r.Unmarshal.Time, r.Unmarshal.Allocs, float64(r.Time())/float64(own.Time()), notes)
	}
}

// bytesText formats a size with one decimal, or none if it is a whole number.
func bytesText(n float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0") }

func find(results []bench.Result, name string) (r bench.Result, ok bool) {
	i := slices.IndexFunc(results, func(r bench.Result) bool { return r.Name == name })
	if i < 0 {
		return r, false
	}
	return results[i], true
}

// versions lists the versions of the modules in this program.
func versions() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, m := range info.Deps {
		if m.Replace == nil {
			fmt.Fprintf(&b, "* %s %s\n", m.Path, m.Version)
		}
	}
	return b.String()
}
