// Events sends the events of a tick through one interface, a union. Each event
// has its own type.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Event is implemented by all types of the union.
type Event interface{ String() string }

// The events. On the wire each is identified by its index in the order of the
// type names: Chat is 1, Hit 2, Jump 3 and Spawn 4. Nil is 0.
type (
	Hit struct {
		Target uint8 `bp:"uint,bits=5"`
		Damage uint8 `bp:"int,min=1,max=100"`
	}
	Jump  struct{}
	Spawn struct {
		Kind string   `bp:"maxlen=15,common=orc|elf"`
		At   [2]int16 `bp:"int,min=-500,max=500"`
	}
	Chat struct {
		Text string `bp:"maxlen=63"`
	}
)

func (h Hit) String() string    { return fmt.Sprintf("%d is hit for %d", h.Target, h.Damage) }
func (Jump) String() string     { return "a jump" }
func (s *Spawn) String() string { return fmt.Sprintf("an %s spawns at %v", s.Kind, s.At) }
func (c Chat) String() string   { return fmt.Sprintf("%q", c.Text) }

// Tick is the message: 0 to 31 events.
type Tick struct {
	Events []Event `bp:"union,maxlen=31"`
}

// The order of the types does not matter. Programs that list the same types
// understand each other.
var ticks = tagcodec.MustFor[Tick](tagcodec.WithUnion[Event](Hit{}, Jump{}, &Spawn{}, Chat{}))

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	tick := Tick{[]Event{
		Hit{Target: 7, Damage: 35}, Jump{}, &Spawn{Kind: "orc", At: [2]int16{-500, 12}}, &Spawn{Kind: "imp"}, Chat{"gg"}, nil,
	}}
	packet, err := ticks.Append(nil, &tick)
	if err != nil {
		return err
	}
	var read Tick
	if err := ticks.Unmarshal(packet, &read); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d EVENTS IN %d BYTES: 5 bits of count, and 3 of type before each\n\n", len(tick.Events), len(packet))
	for i, event := range read.Events {
		if event == nil {
			fmt.Fprintf(w, "  %d: nothing\n", i)
			continue
		}
		fmt.Fprintf(w, "  %d: %-30v %T\n", i, event, event)
	}

	fmt.Fprintf(w, "\nREFUSED\n\n")
	_, err = ticks.Append(nil, &Tick{[]Event{stranger{}}})
	fmt.Fprintf(w, "  %v\n", err)
	for _, packet := range [][]byte{
		{1 | 5<<5},          // one event of type 5, which does not exist
		{1 | 2<<5, 7, 0xFF}, // a hit for more than 100
		{31},                // a count of 31 but no events
	} {
		fmt.Fprintf(w, "  %v\n", ticks.Unmarshal(packet, &read))
	}
	return nil
}

// stranger is an Event that is not registered.
type stranger struct{}

func (stranger) String() string { return "who?" }
