// Command count counts the instructions of the main benchmarks, which do not
// wobble as times do, and writes them to a file that is kept with the code. It
// needs valgrind. Run it in the folder of the module:
//
//	go run ./cmd/count              # write INSTRUCTIONS.txt
//	go run ./cmd/count -o ''        # print the counts
//
// Two runs give the same counts. Another compiler gives others, and another
// processor may: the runtime picks some of its code by what the processor can
// do.
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
	if *out == "" {
		fmt.Print(table)
	} else if err := os.WriteFile(*out, []byte(table), 0o644); err != nil {
		log.Fatal(err)
	}
}

// runOperation is what the counted process does. It stays on one thread, the
// first, so that what the runtime does on others does not count.
func runOperation(name string, n int) error {
	runtime.LockOSThread()
	op, err := bench.FindOperation(name)
	if err != nil {
		return err
	}
	op.Run(2) // buffers, the stack and the memory of the destination grow
	begin()
	op.Run(n)
	end()
	return nil
}

// callgrind counts from the call of begin to that of end.

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
	// What go run makes has no symbols, by which callgrind knows begin and end.
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

// count returns the instructions of an operation. The process is short, so that
// the scheduler hardly ever comes in between, and the least of some runs is one
// where it did not.
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

// callgrind returns the instructions of the first thread from begin to end.
func callgrind(dir, name string, n int) (int, error) {
	counts := filepath.Join(dir, "counts")
	cmd := exec.Command("valgrind", "--tool=callgrind", "--separate-threads=yes", "--callgrind-out-file="+counts,
		"--zero-before=main.begin", "--dump-before=main.end",
		filepath.Join(dir, "count"), "-run", name, "-n", strconv.Itoa(n))
	// What would come in between at times of its own is off.
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
