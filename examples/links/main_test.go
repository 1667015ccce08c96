package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/output"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		// The name, then the home 3 and the friend 2 in 10 bits each.
		"1: 03 54 6f 6d 03 08 00 2: 03 54 75 78 03 04 00 3: 0c",
		"Tom is at home nowhere, and a friend of Tux Tux is at home nowhere, and a friend of Tom",
		"Cat.Home waits for object 3 Cat.Home waits for object 3",
		"Tom is at home a base with 12 fish, and a friend of Tux Tux is at home a base with 12 fish, and a friend of Tom",
		"Tom eats one of 12 fish: Tux sees 11",
		"marshal Cat.Friend at bit 58: no such link: the Linker has no id for the *main.Cat",
		"unmarshal Cat.Home at bit 8: no such link: object 1 is a *main.Cat, not a *main.HomeBase",
	)
}
