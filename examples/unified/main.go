// Unified combines the two ways to describe a message: tags, and the unified
// serialize function of the articles, which writes, reads and measures. Each
// contains the other.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Snapshot is sent by its tags. Its Players serialize themselves.
type Snapshot struct {
	Tick    uint16
	Players []Player `bp:"maxlen=7"`
}

// Player has its own serialize function. A dead player takes only one bit.
type Player struct {
	Alive   bool
	Pose    Pose
	Weapons [4]uint8 // rounds in each; 0 means no weapon
}

// Pose is part of a Player and is sent by its tags.
type Pose struct {
	Pos  [2]float32 `bp:"float,min=-100,max=100,res=0.1"`
	Turn float32    `bp:"angle,bits=7,unit=deg"`
}

// Serialize writes or reads p, depending on the Stream.
func (p *Player) Serialize(s *bits.Stream) error {
	s.Bool(&p.Alive)
	if !p.Alive {
		if s.Reading() {
			*p = Player{} // clear old data before reading
		}
		return s.Err()
	}
	if err := tagcodec.Serialize(s, &p.Pose); err != nil {
		return err
	}
	// Send the weapons up to the first empty one.
	for i := range p.Weapons {
		more := p.Weapons[i] > 0
		if s.Bool(&more); !more {
			if s.Reading() {
				clear(p.Weapons[i:])
			}
			break
		}
		bits.Int(s, &p.Weapons[i], 1, 30)
	}
	return s.Err()
}

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	snapshot := newSnapshot()

	// Call the function directly, on a Stream of each kind.
	fmt.Fprintf(w, "A PLAYER, by its function\n\n")
	player := &snapshot.Players[0]
	measure := bits.NewMeasurer()
	if err := player.Serialize(bits.NewWriteStream(measure)); err != nil {
		return err
	}
	buf := bits.NewWriter(make([]byte, measure.Len()))
	if err := player.Serialize(bits.NewWriteStream(buf)); err != nil {
		return err
	}
	var read Player
	if err := read.Serialize(bits.NewReadStream(bits.NewReader(buf.Bytes()))); err != nil {
		return err
	}
	fmt.Fprintf(w, "  measured %d bits\n  written  % x\n  read     %v\n", measure.Bit(), buf.Bytes(), read)

	// Let the codec call the same function.
	fmt.Fprintf(w, "\nA SNAPSHOT, by its tags\n\n")
	packet, err := tagcodec.Marshal(&snapshot)
	if err != nil {
		return err
	}
	var got Snapshot
	if err := tagcodec.Unmarshal(packet, &got); err != nil {
		return err
	}
	fmt.Fprintf(w, "  written  % x\n  read     %v\n", packet, got)

	fmt.Fprintf(w, "\nREFUSED: the path leads through both\n\n")
	packet = append([]byte{}, packet...)
	packet[2], packet[3] = 0xFF, 0xFF // a count of 7, a living player, and a coordinate of all ones
	fmt.Fprintf(w, "  %v\n", tagcodec.Unmarshal(packet, &got))
	return nil
}

func newSnapshot() Snapshot {
	return Snapshot{Tick: 513, Players: []Player{
		{Alive: true, Pose: Pose{Pos: [2]float32{-100, 99.9}, Turn: 90}, Weapons: [4]uint8{30, 5}},
		{},
	}}
}
