package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
	"github.com/gobitpack/bitpack/tagcodec"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"6 EVENTS IN 17 BYTES", // 131 bits, two of the texts aligned
		"0: 7 is hit for 35 main.Hit",
		"1: a jump main.Jump",
		"2: an orc spawns at [-500 12] *main.Spawn",
		`4: "gg" main.Chat 5: nothing`,
		"Tick.Events[0] at bit 5: not a member of the union: main.stranger",
		"Tick.Events[0] at bit 5: not a member of the union: 5 is outside [0, 4]",
		"Tick.Events[0].Damage at bit 13: value out of range: 121 is outside [1, 100]",
		"Tick.Events at bit 0: read past the end of the data: 93 more bits needed, 3 left",
	)
}

// TestOrder lists the same types in another order.
func TestOrder(t *testing.T) {
	other, err := tagcodec.For[Tick](tagcodec.WithUnion[Event](&Spawn{}, Chat{}, Jump{}, Hit{}))
	require.NoError(t, err)
	require.Equal(t, ticks.Hash(), other.Hash())
}
