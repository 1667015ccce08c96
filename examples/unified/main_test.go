package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
	"github.com/gobitpack/bitpack/tagcodec"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		// 1 bit, 11 + 11 + 7 of the pose, and 6 + 6 + 1 of the weapons.
		"measured 43 bits written 01 f0 7c d0 9e 00 read {true {[-100 99.899994] 90} [30 5 0 0]}",
		"written 01 02 0a 80 e7 83 f6 04 read {513 [{true {[-100 99.899994] 90} [30 5 0 0]} {false {[0 0] 0} [0 0 0 0]}]}",
		"unmarshal Snapshot.Players[0].Pos[0] at bit 20: value out of range: 2047 is outside [0, 2000]",
	)
}

// Reused memory shows nothing of earlier players.
func TestReuse(t *testing.T) {
	snapshot := newSnapshot()
	packet, err := tagcodec.Marshal(&snapshot)
	require.NoError(t, err)
	full := Player{Alive: true, Pose: Pose{Turn: 1}, Weapons: [4]uint8{1, 2, 3, 4}}
	read := Snapshot{Players: []Player{full, full, full}}
	require.NoError(t, tagcodec.Unmarshal(packet, &read))
	require.Equal(t, [4]uint8{30, 5}, read.Players[0].Weapons)
	require.Equal(t, []Player{{}}, read.Players[1:])
	again, err := tagcodec.Marshal(&read)
	require.NoError(t, err)
	require.Equal(t, packet, again)
}

// Writing does not modify the player.
func TestWriteOnly(t *testing.T) {
	v := Snapshot{Players: []Player{{Alive: true, Weapons: [4]uint8{1, 0, 3, 4}}}}
	_, err := tagcodec.Marshal(&v)
	require.NoError(t, err)
	require.Equal(t, [4]uint8{1, 0, 3, 4}, v.Players[0].Weapons)
}
