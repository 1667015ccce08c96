// Command builds measures how much faster the main benchmarks are with a CPU
// profile and with GOAMD64=v3 than in an ordinary build. It first runs the
// tests of golden bytes in each build. Run it in the directory of the module:
//
//	go run ./cmd/builds                 # print the table
//	go run ./cmd/builds -o BUILDS.md    # write it
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bench/internal/page"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "file to write, in place of the standard output")
	rounds := flag.Int("rounds", 61, "rounds of each build; the fastest counts")
	flag.Parse()
	table, err := compare(*rounds)
	if err != nil {
		log.Fatal(err)
	}
	if err := page.Write(*out, table); err != nil {
		log.Fatal(err)
	}
}

// build is a set of compiler options.
type build struct {
	name  string
	level string // value of GOAMD64
	pgo   string // value of the -pgo flag
}

func compare(rounds int) (string, error) {
	dir, err := os.MkdirTemp("", "builds")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	profile := filepath.Join(dir, "default.pgo")
	builds := []build{
		{"ordinary", "v1", "off"},
		{"profile", "v1", profile},
		{"v3", "v3", "off"},
		{"v3, profile", "v3", profile},
	}
	times := make([]map[string][]float64, len(builds))
	var names []string
	for i, b := range builds {
		times[i] = map[string][]float64{}
		if err := b.golden(); err != nil {
			return "", err
		}
		if err := b.goTest(".", "-c", "-o", b.program(dir)); err != nil {
			return "", err
		}
		if i == 0 { // its profile is for the other builds
			if _, err := b.bench(dir, "-test.benchtime=1s", "-test.cpuprofile="+profile); err != nil {
				return "", err
			}
		}
	}
	for range rounds {
		for i, b := range builds {
			results, err := b.bench(dir, "-test.benchtime=5ms")
			if err != nil {
				return "", err
			}
			names = names[:0]
			for _, r := range results {
				names = append(names, r.name)
				times[i][r.name] = append(times[i][r.name], r.ns)
			}
		}
	}
	return table(builds, names, times, rounds), nil
}

func (b build) program(dir string) string {
	return filepath.Join(dir, strings.ReplaceAll(b.name, ", ", "-"))
}

// golden runs the golden-bytes tests of the library and of this module.
func (b build) golden() error {
	for _, module := range []string{"..", "."} {
		if err := b.goTest(module, "-run", "Golden|Vectors|Articles", "./..."); err != nil {
			return err
		}
	}
	return nil
}

func (b build) goTest(module string, args ...string) error {
	cmd := exec.Command("go", append([]string{"test", "-pgo=" + b.pgo}, args...)...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOAMD64="+b.level)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %v: %w: %s", b.name, cmd.Args, err, output)
	}
	return nil
}

// result is the time of a benchmark.
type result struct {
	name string
	ns   float64
}

var line = regexp.MustCompile(`^BenchmarkMain/(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op`)

func (b build) bench(dir string, args ...string) ([]result, error) {
	cmd := exec.Command(b.program(dir), append([]string{"-test.run=^$", "-test.bench=Main"}, args...)...)
	output, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", b.name, err, output)
	}
	var results []result
	for in := bufio.NewScanner(bytes.NewReader(output)); in.Scan(); {
		if match := line.FindStringSubmatch(in.Text()); match != nil {
			ns, err := strconv.ParseFloat(match[2], 64)
			if err != nil {
				return nil, err
			}
			results = append(results, result{match[1], ns})
		}
	}
	return results, nil
}

// table compares each benchmark's fastest round with that of the first build.
func table(builds []build, names []string, times []map[string][]float64, rounds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Profile-guided and GOAMD64=v3 builds\n\n")
	fmt.Fprintf(&b, "Written by `go run ./cmd/builds -o BUILDS.md` with %s on %s/%s: the time of each build as a multiple of that of "+
		"an ordinary one, by the fastest of %d interleaved rounds. The golden bytes are the same in all of them. The profile is of "+
		"the same benchmarks; it differs from run to run, and what the compiler makes of it as well.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, rounds)
	fmt.Fprintf(&b, "| | ordinary, ns |")
	for _, c := range builds[1:] {
		fmt.Fprintf(&b, " %s |", c.name)
	}
	fmt.Fprintf(&b, "\n|---|--:|--:|--:|--:|\n")
	logs := make([]float64, len(builds))
	for _, name := range names {
		ordinary := slices.Min(times[0][name])
		fmt.Fprintf(&b, "| %s | %.0f |", name, ordinary)
		for i := range builds[1:] {
			ratio := slices.Min(times[i+1][name]) / ordinary
			logs[i+1] += math.Log(ratio)
			fmt.Fprintf(&b, " %.2f |", ratio)
		}
		fmt.Fprintf(&b, "\n")
	}
	fmt.Fprintf(&b, "| geometric mean | |")
	for _, sum := range logs[1:] {
		fmt.Fprintf(&b, " %.2f |", math.Exp(sum/float64(len(names))))
	}
	fmt.Fprintf(&b, "\n")
	return b.String()
}
