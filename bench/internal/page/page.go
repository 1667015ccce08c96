// Package page has what the programs that write a page of results share.
package page

import (
	"fmt"
	"os"
	"strings"
)

// Write writes a page to a file, or to the standard output if name is "".
func Write(name, text string) error {
	if name == "" {
		_, err := fmt.Print(text)
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// CPU returns the name of the processor if /proc/cpuinfo has it.
func CPU() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "a processor"
}
