// Command report compares bitpack with other encodings in a single run, and
// writes the tables and a chart. Run it in the directory of the module:
//
//	go run ./cmd/report                   # print the tables, and draw report.svg
//	go run ./cmd/report -o REPORT.md      # write them
//
// The frames come from a recorded match. Without the recording their table is
// omitted.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/gobitpack/bitpack/bench"
	"github.com/gobitpack/bitpack/bench/internal/page"
	"github.com/gobitpack/bitpack/bench/values"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "file to write the tables to, in place of the standard output")
	chart := flag.String("chart", "report.svg", "file to draw the chart to, or nothing")
	match := flag.String("match", bench.MatchFile, "recorded match")
	rounds := flag.Int("rounds", 15, "rounds of each codec; the fastest counts")
	each := flag.Duration("time", 40*time.Millisecond, "time of a round for each codec and direction")
	flag.Parse()

	tables, err := measure(*match, *rounds, *each)
	if err != nil {
		log.Fatal(err)
	}
	var b strings.Builder
	writeReport(&b, tables, *rounds)
	if old, err := os.ReadFile(*out); err == nil {
		b.WriteString(kept(string(old)))
	}
	if err := page.Write(*out, b.String()); err != nil {
		log.Fatal(err)
	}
	if *chart != "" {
		if err := os.WriteFile(*chart, drawChart(tables), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// keptHeading starts the part of REPORT.md that this program does not measure.
const keptHeading = "\n## Measured by go test\n"

// kept returns the part of a report that stays when the rest is written again.
func kept(report string) string {
	i := strings.Index(report, keptHeading)
	if i < 0 {
		return ""
	}
	return report[i:]
}

// table holds the results for one type.
type table struct {
	Name    string // heading of the table
	Title   string
	Text    string
	Results []bench.Result
}

func measure(match string, rounds int, each time.Duration) ([]table, error) {
	tables := []table{
		{Name: "small struct", Title: "The small struct of a public suite", Text: smallText},
		{Name: "packet", Title: "A packet about a player", Text: packetText},
	}
	var err error
	smalls := values.SampleSmalls(1000)
	if tables[0].Results, err = bench.Measure(bench.SmallCodecs(), smalls, smalls, rounds, each); err != nil {
		return nil, fmt.Errorf("small struct: %w", err)
	}
	packets := []values.Packet{values.SamplePacket()}
	if tables[1].Results, err = bench.Measure(bench.PacketCodecs(), packets, packets, rounds, each); err != nil {
		return nil, fmt.Errorf("packet: %w", err)
	}
	frames, err := values.ReadMatch(match)
	if errors.Is(err, os.ErrNotExist) {
		log.Print("no table of frames: ", err)
		return tables, nil
	}
	if err != nil {
		return nil, err
	}
	t := table{Name: "frame", Title: "Frames of a recorded match", Text: fmt.Sprintf(frameText, len(frames))}
	t.Results, err = bench.Measure(bench.FrameCodecs(), frames, bench.Every(10, frames), rounds, each)
	if err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	return append(tables, t), nil
}
