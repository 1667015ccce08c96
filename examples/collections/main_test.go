package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
	"github.com/gobitpack/bitpack/tagcodec"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"A LOBBY IN 89 BYTES",
		"Scores 7 map[uint8]int int,min=0", // 5 + 3*(5+10) bits
		"Bank 6 [3]int64 varint",           // 1, 2 and 3 groups
		"map[3:250 9:1000 30:0] [100 101 102 103 110 111 400]",
		`"Føroyar 🏝" "puffin\x00\x00" 203.0.113.9:7777 since 2026-02-03 04:05:06`,
		"Scores.Points[1] at bit 35: map keys are not sorted, or one repeats",
		"Visible.IDs at bit 0: read past the end of the data: 255 more bits needed, 0 left",
		"Bank.Coins[0] at bit 0: not the canonical encoding",
		"Clan.Name at bit 3: bad text",
		"Server.Addr at bit 5: unexpected slice size",
	)
}

func TestRoundTrip(t *testing.T) {
	lobby := newLobby()
	packet, err := tagcodec.Marshal(&lobby)
	require.NoError(t, err)
	var read Lobby
	require.NoError(t, tagcodec.Unmarshal(packet, &read))
	require.Equal(t, lobby, read)
}
