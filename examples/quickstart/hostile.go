package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/tagcodec"
)

// hostile is a packet that no honest sender produces.
type hostile struct {
	what   string
	packet []byte
	want   error // the error that Unmarshal must return
}

// hostilePackets derives bad packets from a good one.
func hostilePackets(good []byte, extents []extent) []hostile {
	health, events := bitsOf(extents, "Health"), bitsOf(extents, "Events")
	const countBits = 6 // for 0 to 63 events
	return []hostile{
		{"all 7 bits of Health are set, which would be 127",
			withOnes(good, health.first, health.end), tagcodec.ErrRange},
		{"all after the 16th byte is cut off",
			good[:16], tagcodec.ErrOverread},
		{"63 events are announced, and 2 follow",
			withOnes(good, events.first, events.first+countBits), tagcodec.ErrOverread},
	}
}

// withOnes returns a copy of a packet with the bits [first, end) set.
func withOnes(packet []byte, first, end int) []byte {
	packet = slices.Clone(packet)
	for bit := first; bit < end; bit++ {
		packet[bit/8] |= 1 << (bit % 8)
	}
	return packet
}

// refuse reads each hostile packet and prints the error. It fails if that is
// not the expected one.
func refuse(w io.Writer, packets []hostile) error {
	for _, h := range packets {
		var p Player
		err := players.Unmarshal(h.packet, &p)
		if !errors.Is(err, h.want) {
			return fmt.Errorf("%s: want %v, got %v", h.what, h.want, err)
		}
		where, why := fold(err.Error())
		fmt.Fprintf(w, "  %s\n    %s\n      %s\n", h.what, where, why)
	}
	return nil
}

// fold splits an error text, which is longer than a terminal line, after the
// position: "tagcodec: unmarshal Player.Health at bit 145:".
func fold(text string) (where, why string) {
	parts := strings.SplitN(text, ": ", 3)
	last := len(parts) - 1
	return strings.Join(parts[:last], ": ") + ":", parts[last]
}
