package main

import (
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// largePackage returns the source of a package with n message types of 10 fields.
func largePackage(n int) string {
	var s strings.Builder
	s.WriteString("package large\n\nimport \"github.com/gobitpack/bitpack/tagcodec\"\n\nvar _ = tagcodec.Marshal\n")
	for i := range n {
		fmt.Fprintf(&s, `
type Item%[1]d struct {
	Kind  uint8 %[2]sbp:"enum,max=7"%[2]s
	Count int   %[2]sbp:"int,min=1,max=%[3]d"%[2]s
}

type Message%[1]d struct {
	Name   string     %[2]sbp:"maxlen=15"%[2]s
	Health int32      %[2]sbp:"int,min=0,max=100"%[2]s
	Pos    [3]float32 %[2]sbp:"float,min=-1024,max=1024,res=0.01"%[2]s
	On     bool
	Next   uint16   %[2]sbp:"if=On"%[2]s
	Seen   uint64   %[2]sbp:"varint"%[2]s
	Items  []Item%[1]d %[2]sbp:"maxlen=30"%[2]s
	Best   *Item%[1]d
	Turn   float32  %[2]sbp:"angle,bits=10"%[2]s
	Flags  [8]bool
}
`, i, "`", i+2)
	}
	return s.String()
}

// BenchmarkLarge runs verbs on a package with 500 messages and 500 types in them,
// after a run that fills the caches of the go command. The metric MiB is the memory
// of the largest process: bp, the compiler, the linker or the test.
func BenchmarkLarge(b *testing.B) {
	tool := buildTool(b)
	dir := writePackage(b, map[string]string{"large.go": largePackage(500)})
	for _, args := range [][]string{{"vet"}, {"vet", "-exact"}, {"plan"}, {"plan", "-svg"}, {"lock"}, {"check"}} {
		b.Run(strings.Join(args, " "), func(b *testing.B) {
			run := func() int64 {
				cmd := exec.Command(tool, append(args, "./"+dir)...)
				require.NoError(b, cmd.Run(), args)
				usage := reflect.ValueOf(cmd.ProcessState.SysUsage()) // a *syscall.Rusage, where there is one
				if usage.Kind() != reflect.Pointer || !usage.Elem().FieldByName("Maxrss").IsValid() {
					return 0
				}
				return usage.Elem().FieldByName("Maxrss").Int()
			}
			run()
			var most int64 // in KiB on Linux
			for b.Loop() {
				most = max(most, run())
			}
			b.ReportMetric(float64(most)/1024, "MiB")
		})
	}
}
