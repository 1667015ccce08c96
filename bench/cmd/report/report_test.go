package main

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobitpack/bitpack/bench"
	"github.com/gobitpack/bitpack/bench/values"
	"github.com/stretchr/testify/require"
)

// sizes returns the size of each codec as shown in a table.
func sizes[T any](t *testing.T, codecs []bench.Codec[T], list []T) map[string]string {
	t.Helper()
	m := map[string]string{}
	for _, c := range codecs {
		size, err := c.Size(list)
		require.NoError(t, err)
		m[c.Name] = bytesText(size)
	}
	return m
}

// TestBytesOfTables checks that the sizes in all tables are up to date. It
// skips the frames because the whole match takes too long.
func TestBytesOfTables(t *testing.T) {
	want := map[string]map[string]string{
		"small struct": sizes(t, bench.SmallCodecs(), values.SampleSmalls(1000)),
		"packet":       sizes(t, bench.PacketCodecs(), []values.Packet{values.SamplePacket()}),
	}
	text, err := os.ReadFile("../../REPORT.md")
	require.NoError(t, err)
	var table map[string]string
	checked := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			table = nil
			continue
		}
		codec := strings.TrimSpace(cells[1])
		if want[codec] != nil {
			table = want[codec]
		} else if size, ok := table[codec]; ok && !strings.HasPrefix(codec, "encoding/gob, each alone") {
			require.Equal(t, size, strings.TrimSpace(cells[2]), codec)
			checked++
		}
	}
	require.Equal(t, len(want["small struct"])+len(want["packet"])-2, checked, "every codec has a row in each table")
}

// TestSummary checks that the summary at the start of REPORT.md has a row for
// every codec, with up-to-date sizes.
func TestSummary(t *testing.T) {
	report, err := os.ReadFile("../../REPORT.md")
	require.NoError(t, err)
	start := bytes.Index(report, []byte("| | small struct"))
	require.Positive(t, start)
	table, _, _ := bytes.Cut(report[start:], []byte("\n\n"))

	small := sizes(t, bench.SmallCodecs(), values.SampleSmalls(1000))
	packet := sizes(t, bench.PacketCodecs(), []values.Packet{values.SamplePacket()})
	lines := strings.Split(string(table), "\n")[2:]
	names := map[string]bool{}
	for _, line := range lines {
		cells := strings.Split(line, "|")
		name := strings.TrimSpace(cells[1])
		names[name] = true
		if name != "encoding/gob, each alone" { // its size depends on the types encoded before
			require.Equal(t, small[name], strings.TrimSpace(cells[2]), name)
			require.Equal(t, packet[name], strings.TrimSpace(cells[4]), name)
		}
	}
	for _, c := range slices.Concat(slices.Collect(maps.Keys(small)), slices.Collect(maps.Keys(packet))) {
		require.True(t, names[c], "%s has no line", c)
	}
}

// bitpack must produce the smallest encoding of the small struct.
func TestSmallest(t *testing.T) {
	all := sizes(t, bench.SmallCodecs(), values.SampleSmalls(100))
	require.Equal(t, "44", all[baseline])
	for name, size := range all {
		var n float64
		_, err := fmt.Sscan(size, &n)
		require.NoError(t, err)
		require.GreaterOrEqual(t, n, 44.0, name)
	}
}

// No label may overlap another label or a dot, or lie outside the panel,
// wherever the dots are.
func TestLabels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var points []*point
		for i := range 30 {
			points = append(points, &point{
				name: strings.Repeat("x", 3+i), x: left + 60 + math.Abs(random.NormFloat64())*120, y: panelHeight - bottom - 60*random.Float64() - 40,
			})
		}
		placeLabels(points)
		for i, p := range points {
			require.GreaterOrEqual(t, p.label.x, left)
			require.LessOrEqual(t, p.label.x+p.label.w, chartWidth)
			for k, q := range points {
				require.False(t, p.label.overlaps(box{q.x - dotRadius, q.y - dotRadius, 2 * dotRadius, 2 * dotRadius}))
				require.False(t, i != k && p.label.overlaps(q.label))
			}
		}
	}
}

// TestKept checks that the program rewrites its part of REPORT.md and keeps the
// other.
func TestKept(t *testing.T) {
	report, err := os.ReadFile("../../REPORT.md")
	require.NoError(t, err)
	other := kept(string(report))
	require.Equal(t, 1, strings.Count(string(report), keptHeading))
	require.True(t, strings.HasSuffix(string(report), other))
	require.Contains(t, other, "### Datagrams")
	require.Empty(t, kept("no such heading"))
	var b strings.Builder
	writeReport(&b, nil, 1)
	require.Empty(t, kept(b.String()), "what is written has no such heading itself")
}

// TestReport checks that a short run produces tables and a chart.
func TestReport(t *testing.T) {
	tables, err := measure("no such file", 1, time.Microsecond)
	require.NoError(t, err)
	require.Len(t, tables, 2)
	var b strings.Builder
	writeReport(&b, tables, 1)
	require.Contains(t, b.String(), "\n| bitpack, Codec | 44 | ")
	require.Contains(t, b.String(), "\n| bitpack, Codec | 133 | ")
	require.Contains(t, b.String(), "\n| bitpack, generated | 133 | ")
	chart := string(drawChart(tables))
	require.Contains(t, chart, ">gotiny</text>")
	require.Contains(t, chart, ">bitpack, generated</text>")
}
