package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out))
	text := strings.Join(strings.Fields(out.String()), " ") // spaces are for the eye
	for _, want := range []string{
		"6 EVENTS IN 17 BYTES", // 131 bits, with two alignments of text
		"0: 7 is hit for 35 main.Hit",
		"1: a jump main.Jump",
		"2: an orc spawns at [-500 12] *main.Spawn",
		`4: "gg" main.Chat 5: nothing`,
		"Tick.Events[0] at bit 5: not a member of the union: main.stranger",
		"Tick.Events[0] at bit 5: not a member of the union: 5 is outside [0, 4]",
		"Tick.Events[0].Damage at bit 13: value out of range: 121 is outside [1, 100]",
		"Tick.Events at bit 0: read past the end of the data: 93 more bits needed, 3 left",
	} {
		require.Contains(t, text, want)
	}
}

// A program that names the same types in another order.
func TestOrder(t *testing.T) {
	other, err := tagcodec.For[Tick](tagcodec.WithUnion[Event](&Spawn{}, Chat{}, Jump{}, Hit{}))
	require.NoError(t, err)
	require.Equal(t, ticks.Hash(), other.Hash())
}
