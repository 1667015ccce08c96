// Command count counts the instructions of the main benchmarks, which are
// stable where times are not, and writes them to a file kept with the code. It
// needs valgrind. Run it in the directory of the module:
//
//	go run ./cmd/count              # write INSTRUCTIONS.txt
//	go run ./cmd/count -o ''        # print the counts
//
// Counts are repeatable. They differ between compilers, and may differ between
// processors because the runtime adapts to processor features.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"

	"github.com/gobitpack/bitpack/bench"
	"github.com/gobitpack/bitpack/bench/internal/page"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "INSTRUCTIONS.txt", "file to write, or nothing for the standard output")
	run := flag.String("run", "", "run one operation and count nothing")
	n := flag.Int("n", 1, "how many times to run it")
	flag.Parse()

	if *run != "" {
		if err := runOperation(*run, *n); err != nil {
			log.Fatal(err)
		}
		return
	}
	table, err := countAll()
	if err != nil {
		log.Fatal(err)
	}
	if err := page.Write(*out, table); err != nil {
		log.Fatal(err)
	}
}

// runOperation runs in the counted process. It stays on the first thread, so
// that the work of the runtime on other threads is not counted.
func runOperation(name string, n int) error {
	runtime.LockOSThread()
	op, err := bench.FindOperation(name)
	if err != nil {
		return err
	}
	op.Run(2) // grow the buffers, the stack and the destination's memory
	begin()
	op.Run(n)
	end()
	return nil
}

// callgrind counts between the calls of begin and end.

//go:noinline
func begin() {}

//go:noinline
func end() {}

func countAll() (string, error) {
	dir, err := os.MkdirTemp("", "count")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	// go run strips the symbols that callgrind needs to find begin and end.
	build := exec.Command("go", "build", "-o", dir, "github.com/gobitpack/bitpack/bench/cmd/count")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, output)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Instructions of an operation: cd bench && go run ./cmd/count\n")
	fmt.Fprintf(&b, "# %s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, op := range bench.Operations() {
		n, err := count(dir, op)
		if err != nil {
			return "", fmt.Errorf("%s: %w", op.Name, err)
		}
		fmt.Fprintf(&b, "%-16s%8d\n", op.Name, n)
	}
	return b.String(), nil
}

// count returns the number of instructions of an operation. The scheduler
// rarely interrupts such a short process, so the least of several runs is one
// without interruption.
func count(dir string, op bench.Operation) (int, error) {
	n := 2 + 5000/op.Bytes
	least := math.MaxInt
	for range 3 {
		total, err := callgrind(dir, op.Name, n)
		if err != nil {
			return 0, err
		}
		least = min(least, total)
	}
	return (least + n/2) / n, nil
}

var totals = regexp.MustCompile(`(?m)^totals: (\d+)`)

// callgrind returns the number of instructions of the first thread between
// begin and end.
func callgrind(dir, name string, n int) (int, error) {
	counts := filepath.Join(dir, "counts")
	cmd := exec.Command("valgrind", "--tool=callgrind", "--separate-threads=yes", "--callgrind-out-file="+counts,
		"--zero-before=main.begin", "--dump-before=main.end",
		filepath.Join(dir, "count"), "-run", name, "-n", strconv.Itoa(n))
	// Turn off everything that would interrupt at unpredictable times.
	cmd.Env = append(os.Environ(), "GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	if output, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, output)
	}
	text, err := os.ReadFile(counts + ".1-01")
	if err != nil {
		return 0, err
	}
	match := totals.FindSubmatch(text)
	if match == nil {
		return 0, errors.New("no total in what callgrind wrote")
	}
	return strconv.Atoi(string(match[1]))
}
