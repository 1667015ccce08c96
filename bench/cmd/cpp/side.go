package main

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed side.cpp
var source []byte

// side is a process that obeys the commands described in side.cpp.
type side struct {
	name    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Reader
}

func start(name, program string, args ...string) (*side, error) {
	s := &side{name: name, cmd: exec.Command(program, args...)}
	s.cmd.Stderr = os.Stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.answers = bufio.NewReader(out)
	return s, s.cmd.Start()
}

func (s *side) ask(command, message, argument string) (string, error) {
	if _, err := fmt.Fprintln(s.in, command, message, argument); err != nil {
		return "", fmt.Errorf("%s: %w", s.name, err)
	}
	answer, err := s.answers.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.name, err)
	}
	return strings.TrimSpace(answer), nil
}

// time returns the nanoseconds of a loop.
func (s *side) time(direction, message string, times int) (float64, error) {
	answer, err := s.ask(direction, message, strconv.Itoa(times))
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseFloat(answer, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %s %s: %s", s.name, direction, message, answer)
	}
	return ns, nil
}

// stop ends the process.
func (s *side) stop() error {
	return errors.Join(s.in.Close(), s.cmd.Wait())
}

// header extracts serialize.h from the archive of serialize to dir.
func header(archive, dir string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	const name = "serialize/serialize.h"
	for in := tar.NewReader(unzipped); ; {
		entry, err := in.Next()
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("%s has no %s", archive, name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		if strings.TrimPrefix(entry.Name, "./") != name {
			continue
		}
		data, err := io.ReadAll(in)
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		return os.WriteFile(filepath.Join(dir, "serialize.h"), data, 0o644)
	}
}

// compile compiles the C++ side in dir, which has serialize.h.
func compile(compiler, dir, name string, flags ...string) (program string, err error) {
	file := filepath.Join(dir, "side.cpp")
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return "", err
	}
	program = filepath.Join(dir, name)
	args := append([]string{"-std=c++17", "-fno-rtti", "-I", dir, "-o", program, file}, flags...)
	if output, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", compiler, err, output)
	}
	return program, nil
}

// build builds this program with another layout of its functions, unless seed is
// 0.
func build(dir string, seed int) (program string, err error) {
	program = filepath.Join(dir, fmt.Sprintf("worker%d", seed))
	args := []string{"build", "-o", program}
	if seed > 0 {
		args = append(args, fmt.Sprintf("-ldflags=-randlayout=%d", seed))
	}
	cmd := exec.Command("go", append(args, "github.com/gobitpack/bitpack/bench/cmd/cpp")...)
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w: %s", cmd.Args, err, output)
	}
	return program, nil
}
