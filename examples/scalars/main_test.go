package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/output"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"main.Ship: 133 bits, 17 bytes",
		"0 10 Header.ID uint16 uint10",
		"12 8 Hull main.Hull int -50..200",
		"102 15 Paint main.Color 3 x float32 from 0 over 1 in 31 steps",
		"Heading -90 270",
		"Turret 7 0.7179",
		"Mass 1234.567 1235",
		"Position {1.02 -2 999.99} {1.000061 -2 1000}",
		"Fuel 25472 25472",
		"marshal Ship.Hull at bit 12: value out of range: 201 is outside [-50, 200]",
		"X of 5000 is read as 1000",
	)
}
