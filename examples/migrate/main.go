// Migrate compares three versions of a program: one that uses encoding/binary,
// the same with bitpack's binary package imported instead, and one with tags.
// It prints the bytes and the time of each.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// records is the number of stored states.
const records = 1000

// states returns the states to store. Three out of four players are at rest.
func states() ([]state, []tight) {
	list, short := make([]state, records), make([]tight, records)
	for i := range list {
		s := &list[i]
		*s = state{
			Tick: uint32(100000 + i), Player: uint16(i % 64), Position: [3]float32{float32(i) - 500, 1.5, float32(i % 97)},
			Yaw: float32(i%628) / 100, Health: int16(i % 101), Weapon: uint8(i % 8), AtRest: i%4 != 0, Ammo: [2]uint8{30, uint8(i % 90)},
		}
		if i%10 == 0 {
			s.Armor = 50
		}
		if !s.AtRest {
			s.Velocity = [3]float32{1.5, 0, -2}
		}
		short[i] = tightened(s)
	}
	return list, short
}

// tightened converts a state to a tight, in which the velocity follows the
// field it depends on.
func tightened(s *state) tight {
	return tight{
		Tick: s.Tick, Player: s.Player, Position: s.Position, AtRest: s.AtRest, Velocity: s.Velocity,
		Yaw: s.Yaw, Health: s.Health, Armor: s.Armor, Weapon: s.Weapon, Ammo: s.Ammo,
	}
}

func run(w io.Writer) error {
	in, short := states()
	out, shortOut := make([]state, records), make([]tight, records)

	fmt.Fprintf(w, "%d RECORDS, written to a buffer and read back\n\n", records)
	fmt.Fprintf(w, "  %-42s%8s%16s\n", "", "bytes", "microseconds")
	first, err := measure(w, "encoding/binary", func(rw io.ReadWriter) error { return before(rw, in, out) })
	if err != nil {
		return err
	}
	second, err := measure(w, "the import changed", func(rw io.ReadWriter) error { return after(rw, in, out) })
	if err != nil {
		return err
	}
	if !bytes.Equal(first, second) || !slices.Equal(in, out) {
		return fmt.Errorf("the bytes or the values changed with the import")
	}
	if _, err := measure(w, "tags on the fields", func(rw io.ReadWriter) error { return tagged(rw, short, shortOut) }); err != nil {
		return err
	}
	if _, err := measure(w, "tags, Append and Decode", func(rw io.ReadWriter) error { return inMemory(rw, short, shortOut) }); err != nil {
		return err
	}
	for i := range shortOut {
		if shortOut[i].Health != in[i].Health || shortOut[i].Velocity[0] != 0 && in[i].AtRest {
			return fmt.Errorf("record %d came back as another: %+v", i, shortOut[i])
		}
	}

	fmt.Fprintf(w, "\nA VALUE OUT OF RANGE is refused, where encoding/binary sends what it is given\n\n")
	short[7].Health = 101
	fmt.Fprintf(w, "  %v\n", tagged(new(bytes.Buffer), short, shortOut))
	return nil
}

// measure prints the number of bytes that a version of the program writes, and
// the shortest time of several runs.
func measure(w io.Writer, name string, version func(io.ReadWriter) error) ([]byte, error) {
	var written []byte
	shortest := time.Hour
	for range 20 {
		b := newBuffer()
		start := time.Now()
		if err := version(b); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		shortest = min(shortest, time.Since(start))
		written = b.all
	}
	fmt.Fprintf(w, "  %-42s%8d%16d\n", name, len(written), shortest.Microseconds())
	return written, nil
}

// buffer keeps its contents when it is read.
type buffer struct {
	all  []byte
	read int
}

func newBuffer() *buffer { return &buffer{all: make([]byte, 0, 64*records)} }

func (b *buffer) Write(p []byte) (int, error) {
	b.all = append(b.all, p...)
	return len(p), nil
}

func (b *buffer) Read(p []byte) (int, error) {
	if b.read == len(b.all) {
		return 0, io.EOF
	}
	n := copy(p, b.all[b.read:])
	b.read += n
	return n, nil
}
