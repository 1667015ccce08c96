package main

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"A PLAYER IN 33 BYTES",
		"B 16..69 54 bits Position [312.45 -27.08 1.72] float,min=-1024,max=1024,res=0.01",
		"D 114 1 bits AtRest false bool, no tag",
		"F 145..151 7 bits Health 87 int,min=0,max=100",
		"I 208..261 54 bits Events [{12 5 -34} {15 731 20}] maxlen=63",
		"CCCCCCCC CCCCCCCC CCCCCCCC CCCCCCCC CCDEEEEE EEEEEEEE EEEEEEEE EEEEEEEE EFFFFFFF GGGHHHHH",
		"byte 30 b3 2d 1e 11001101 10110100 01111000 IIIIIIII IIIIIIII IIIIII..",
		"Velocity [4.2 -1.5 0] read as [4.200001 -1.5 0]",
		"bitpack 33 30 ###",
		"encoding/binary, field by field 61 49",
		"encoding/json 244 238",
		"encoding/binary, a twin with full-size arrays 314 314",
		"XML 691 729",
		"JSON 297 335",
		"JSON, arrays relative to a schema 120 158",
		"text relative to it, a line an object 66 104",
		"encoding/binary, whole bytes 82 82",
		"bitpack 37 37 ##",
		"ITS SCHEMA, 567 bytes",
		"0 player position vec3f, orientation quat4f, velocity vec3f, health int 0..100, weapon object",
		"2 weapon type enum revolver|semi-automatic, ammo_in_clip int 0..9, round_in_chamber int 0..1",
		"Player.Health at bit 145: value out of range: 127 is outside [0, 100]",
		"Player.Velocity[1] at bit 125: read past the end of the data: 10 more bits needed, 3 left",
		"Player.Events at bit 208: read past the end of the data: 1512 more bits needed, 50 left",
	)
}

func TestWidth(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out))
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 101, "a terminal of 100 columns must hold %q", line)
	}
}

// TestREADME checks that the output shown in README.md is part of the output.
func TestREADME(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out))
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, shown, found := strings.Cut(string(readme), "\ngo run ./examples/quickstart\n```\n\n```text\n")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, "```")
	require.Contains(t, out.String(), shown)
}

func TestPacketBytes(t *testing.T) {
	player := runner()
	packet, err := players.Append(nil, &player)
	require.NoError(t, err)
	require.Equal(t, "559c0d0ab215c60a19fad07756c2532b26a0ae32526970"+"6c6579025380d0b32d1e", hex.EncodeToString(packet))
}

// TestLayout checks that the fields cover the message from the first bit to the
// last without gaps, whatever the values.
func TestLayout(t *testing.T) {
	nameless := runner()
	nameless.Name = ""
	for name, player := range map[string]Player{
		"running": runner(), "at rest": standing(), "zero": {}, "the padding is longer": nameless,
	} {
		t.Run(name, func(t *testing.T) {
			extents, err := layout(&player)
			require.NoError(t, err)
			at := 0
			for _, e := range extents {
				require.Equal(t, at, e.first, e.field.Name)
				at = e.end
			}
			packet, err := players.Append(nil, &player)
			require.NoError(t, err)
			require.Len(t, packet, (at+7)/8)
		})
	}
}

func TestLayoutOfAnAbsentField(t *testing.T) {
	player := standing()
	extents, err := layout(&player)
	require.NoError(t, err)
	velocity := bitsOf(extents, "Velocity")
	require.Equal(t, velocity.first, velocity.end)
	require.Equal(t, bitsOf(extents, "AtRest").end, velocity.first)
}

// A value that cannot be marshaled has no layout either.
func TestLayoutRefuses(t *testing.T) {
	player := runner()
	player.Health = 101
	_, err := layout(&player)
	require.ErrorContains(t, err, "Health at bit 145: value out of range: 101 is outside [0, 100]")
}
