package main

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gobitpack/bitpack/internal/shared"
	"github.com/stretchr/testify/require"
)

// local returns a Go side in this process.
func local(t *testing.T, withCode bool) *side {
	t.Helper()
	commands, in := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error)
	go func() { done <- errors.Join(serve(commands, out, withCode), out.Close()) }()
	t.Cleanup(func() {
		require.NoError(t, in.Close())
		require.NoError(t, <-done)
	})
	return &side{name: "local", in: in, answers: bufio.NewReader(answers)}
}

// Both Go sides must write what they read, and measure their loops.
func TestGoSides(t *testing.T) {
	list, err := samples()
	require.NoError(t, err)
	sizes := map[string]int{}
	for _, withCode := range []bool{false, true} {
		s := local(t, withCode)
		for _, m := range list {
			require.Len(t, m.timed, variants)
			sizes[m.name] = len(m.timed[0])
			require.NoError(t, sameBytes([]*side{s}, m.name, m.timed))
			require.NoError(t, sameBytes([]*side{s}, m.name, m.more))
			for _, direction := range directions {
				ns, err := s.time(direction, m.name, 10)
				require.NoError(t, err)
				require.Positive(t, ns)
			}
		}
		answer, err := s.ask("load", "ship", "0102")
		require.NoError(t, err)
		require.Contains(t, answer, "unmarshal")
	}
	require.Equal(t, map[string]int{"packet": 133, "real": 204, "ship": 28}, sizes)
}

// The C++ sides and those in Go must read and write the same bytes. The test
// needs a C++ compiler and the archive of serialize.
func TestSameBytes(t *testing.T) {
	archive := shared.Path("peers/serialize.tar.gz")
	if _, err := os.Stat(archive); err != nil {
		t.Skip(err)
	}
	compiler := ""
	for _, name := range []string{"clang++", "g++"} {
		if _, err := exec.LookPath(name); err == nil {
			compiler = name
			break
		}
	}
	if compiler == "" {
		t.Skip("there is no C++ compiler")
	}
	dir := t.TempDir()
	require.NoError(t, header(archive, dir))
	program, err := compile(compiler, dir, "checked", "-O0", check)
	require.NoError(t, err)
	cpp, err := start("C++", program)
	require.NoError(t, err)
	sides := []*side{cpp, local(t, false), local(t, true)}
	list, err := samples()
	require.NoError(t, err)
	for _, m := range list {
		require.NoError(t, sameBytes(sides, m.name, m.timed))
		require.NoError(t, sameBytes(sides, m.name, m.more))
	}
	answer, err := cpp.ask("load", "ship", "0102")
	require.NoError(t, err)
	require.Equal(t, "refused", answer)
	require.NoError(t, cpp.stop())
}

func TestHeader(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "a.tar.gz")
	write := func(names ...string) {
		file, err := os.Create(archive)
		require.NoError(t, err)
		zipped := gzip.NewWriter(file)
		out := tar.NewWriter(zipped)
		for _, name := range names {
			require.NoError(t, out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(name))}))
			_, err := io.WriteString(out, name)
			require.NoError(t, err)
		}
		require.NoError(t, errors.Join(out.Close(), zipped.Close(), file.Close()))
	}
	dir := t.TempDir()
	write("serialize/test.cpp", "serialize/serialize.h")
	require.NoError(t, header(archive, dir))
	data, err := os.ReadFile(filepath.Join(dir, "serialize.h"))
	require.NoError(t, err)
	require.Equal(t, "serialize/serialize.h", string(data))
	write("serialize/test.cpp", "other/serialize.h")
	require.ErrorContains(t, header(archive, dir), "has no serialize/serialize.h")
}

// The ratios are medians of the ratios of the builds, not ratios of medians.
func TestTable(t *testing.T) {
	c := comparison{compiler: "no such compiler", rounds: 7, messages: []message{{title: "Title", timed: [][]byte{make([]byte, 28)}}}}
	for _, released := range []float64{1, 2, 10} {
		build := [][][sideCount]float64{{{released, 20, 30, 40}, {5, 5, 5, 5}}}
		c.best = append(c.best, build)
	}
	text := c.table()
	require.Contains(t, text, "\n| Title | 28 | write | 2.0 | 20.0 | 30.0 | 15.00 | 1.50 | 40.0 | 20.00 | 2.00 | 4.00 to 40.00 |\n")
	require.Contains(t, text, "\n| Title | 28 | read | 5.0 | 5.0 | 5.0 | 1.00 | 1.00 | 5.0 | 1.00 | 1.00 | 1.00 to 1.00 |\n")
	c.compiler = "g++"
	require.Contains(t, c.table(), "clang++ is not installed")
}
