package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
	"github.com/gobitpack/bitpack/tagcodec"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"A TREE IN 37 BYTES tank [4 0 -2.5] hull [0 0 0] turret [0 1.5 0] gun [0 0 2] hatch [0 0 0]",
		"A LIST OF 5 IN 6 BYTES",
		"marshal Order.Next.Next.Next.Next.Next at bit 45: nested too deeply: 6 is outside [0, 5]",
		"a circle: nested too deeply: 1001 is outside [0, 1000]",
		"unmarshal Order.Next.Next.Next.Next.Next at bit 45: nested too deeply: 6 is outside [0, 5]",
	)
}

func TestRoundTrip(t *testing.T) {
	tank := newTank()
	packet, err := tagcodec.Marshal(&tank)
	require.NoError(t, err)
	var read Part
	require.NoError(t, tagcodec.Unmarshal(packet, &read))
	require.Equal(t, tank, read)
}
