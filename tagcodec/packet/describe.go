package packet

import (
	"fmt"
	"strings"

	"github.com/gobitpack/bitpack/internal/typename"
)

// The description of a protocol lists everything that affects its wire, one
// item per line. After a tab, a line may have a name for human readers. Names
// do not affect the wire and are not part of the protocol id.

// describe returns the description of the protocol. frame is the line that says
// how its datagrams are framed.
func (p *spec) describe(frame string) string {
	c, types := &p.config, p.types
	var s strings.Builder
	end := "no end check"
	if c.EndCheck {
		end = "end check"
	}
	fmt.Fprintf(&s, "bitpack packet %d\napplication %q\nversion %d\n%s\n%s\npackets 1..%d\n",
		Format, c.Application, c.Version, frame, end, c.MaxPackets)
	if c.DataHash != [32]byte{} {
		fmt.Fprintf(&s, "data %x\n", c.DataHash)
	}
	if c.Acks {
		s.WriteString("acks\n")
	}
	if c.Messages > 0 {
		s.WriteString("messages\n")
	}
	if p.fragmentLen > 0 {
		fmt.Fprintf(&s, "fragments of %d bytes\n", p.fragmentLen)
	}
	for i, limit := range p.limits {
		if limit > p.room {
			fmt.Fprintf(&s, "fragments of type %d up to %d bytes\n", i, limit)
		}
	}
	for i := range types {
		fmt.Fprintf(&s, "type %d\t%s\n", i, typename.Of(types[i].Type))
		s.WriteString(types[i].plan.TextWithPaths())
		s.WriteString(p.carried[i])
	}
	return s.String()
}

// wire returns a description without its names.
func wire(description string) string {
	var s strings.Builder
	for line := range strings.Lines(description) {
		before, _, named := strings.Cut(line, "\t")
		s.WriteString(before)
		if named {
			s.WriteByte('\n')
		}
	}
	return s.String()
}
