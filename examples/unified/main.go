// Unified mixes the two ways to say what is sent: tags, and the serialize
// function of the articles, one body for writing, reading and measuring. Each
// holds the other.
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

// Player decides for itself what it sends: a dead one has no more than a bit.
type Player struct {
	Alive   bool
	Pose    Pose
	Weapons [4]uint8 // rounds in each; 0 is none
}

// Pose is a part of a Player, and sent by its tags.
type Pose struct {
	Pos  [2]float32 `bp:"float,min=-100,max=100,res=0.1"`
	Turn float32    `bp:"angle,bits=7,unit=deg"`
}

// Serialize writes p, or reads it: the Stream knows.
func (p *Player) Serialize(s *bits.Stream) error {
	s.Bool(&p.Alive)
	if !p.Alive {
		if s.Reading() {
			*p = Player{} // nothing stays of what the memory held before
		}
		return s.Err()
	}
	if err := tagcodec.Serialize(s, &p.Pose); err != nil {
		return err
	}
	// The weapons up to the first empty one.
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

	// The function alone, on a Stream of each kind.
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

	// The same function, called by the codec.
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
	packet[2], packet[3] = 0xFF, 0xFF // a count of 7, a player who lives, and a coordinate of ones
	fmt.Fprintf(w, "  %v\n", tagcodec.Unmarshal(packet, &got))
	return nil
}

func newSnapshot() Snapshot {
	return Snapshot{Tick: 513, Players: []Player{
		{Alive: true, Pose: Pose{Pos: [2]float32{-100, 99.9}, Turn: 90}, Weapons: [4]uint8{30, 5}},
		{},
	}}
}
