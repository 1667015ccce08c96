package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/tagcodec"
)

// hostile is a packet that no honest sender makes.
type hostile struct {
	what   string
	packet []byte
	want   error // the fact that Unmarshal must report
}

// hostilePackets makes bad packets of a good one.
func hostilePackets(good []byte, extents []extent) []hostile {
	health, events := bitsOf(extents, "Health"), bitsOf(extents, "Events")
	const countBits = 6 // of 0..63 events
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

// refuse reads each hostile packet and prints the error that it must give.
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

// fold breaks the text of an error, which is longer than a line of a terminal,
// behind the place: "tagcodec: unmarshal Player.Health at bit 145:".
func fold(text string) (where, why string) {
	parts := strings.SplitN(text, ": ", 3)
	last := len(parts) - 1
	return strings.Join(parts[:last], ": ") + ":", parts[last]
}
