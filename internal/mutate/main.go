// Command mutate plants faults in the library, one at a time, and checks that a test
// notices each of them.
//
//	go run ./internal/mutate                 plants every fault
//	go run ./internal/mutate -match delta    plants those whose name or file matches
//	go run ./internal/mutate -list           prints them
//
// A fault replaces one piece of text in one file. The go command gets the changed
// file as an overlay, so the tree stays as it is. A fault that no longer applies, or
// does not compile, is an error, like one that its test does not notice.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A fault is a mistake that someone could make.
type fault struct {
	name     string // what is wrong, such as "the last bit is not written"
	file     string // from the root of the module
	old, new string // old is in the file exactly once
	pkg      string // the package whose test notices it, such as ./bits
	run      string // the pattern of -run for that test
	env      string // a variable that the test needs, such as GOARCH=s390x: noticed in the full check only
}

// limit is the time that a test may take to notice a fault, without compiling.
const limit = 30 * time.Second

func main() {
	match := flag.String("match", "", "plant the faults whose name or file matches this `pattern`")
	list := flag.Bool("list", false, "print the faults and do not plant them")
	flag.Parse()
	pattern, err := regexp.Compile(*match)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	missed := 0
	for _, f := range faults() {
		if !pattern.MatchString(f.name) && !pattern.MatchString(f.file) {
			continue
		}
		if *list {
			fmt.Printf("%s: %s\n\t%s go test -run '%s' %s\n", f.file, f.name, f.env, f.run, f.pkg)
			continue
		}
		start := time.Now()
		verdict := "noticed"
		if err := f.plant(); err != nil {
			missed++
			verdict = "FAIL: " + err.Error()
		}
		fmt.Printf("%-40s %-60s %5.1fs %s\n", f.file, f.name, time.Since(start).Seconds(), verdict)
	}
	if missed > 0 {
		fmt.Printf("%d faults are not noticed\n", missed)
		os.Exit(1)
	}
}

// changed returns the file with the fault.
func (f *fault) changed() ([]byte, error) {
	source, err := os.ReadFile(f.file)
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(source, []byte(f.old)); n != 1 {
		return nil, fmt.Errorf("the text to replace is there %d times", n)
	}
	return bytes.Replace(source, []byte(f.old), []byte(f.new), 1), nil
}

// plant returns an error unless the test fails with the fault.
func (f *fault) plant() error {
	changed, err := f.changed()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay, err := f.overlay(dir, changed)
	if err != nil {
		return err
	}
	program := filepath.Join(dir, "test")
	if out, err := f.command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, f.pkg).CombinedOutput(); err != nil {
		return fmt.Errorf("it does not compile: %s", bytes.TrimSpace(out))
	}
	cmd := f.command(program, "-test.run", f.run, "-test.timeout", limit.String(), "-test.v")
	cmd.Dir = f.pkg
	// Tests that build programs of their own must see the fault too.
	cmd.Env = append(cmd.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	out, err := cmd.CombinedOutput()
	switch exit := (*exec.ExitError)(nil); {
	case err == nil && !bytes.Contains(out, []byte("=== RUN")):
		return errors.New("no test matches " + f.run)
	case err == nil:
		return errors.New("no test notices it")
	case !errors.As(err, &exit):
		return err
	case bytes.Contains(out, []byte("panic: test timed out")):
		return fmt.Errorf("the test takes more than %v", limit)
	}
	return nil
}

// command makes a command with the variable of the fault.
func (f *fault) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	if f.env != "" {
		cmd.Env = append(cmd.Environ(), f.env)
	}
	return cmd
}

// overlay writes the changed file and the overlay that names it, whose path it
// returns.
func (f *fault) overlay(dir string, changed []byte) (string, error) {
	path, err := filepath.Abs(f.file)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(f.file))
	if err := os.WriteFile(file, changed, 0o666); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: file}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o666)
}
