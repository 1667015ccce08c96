package main

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// row is a row in a table of sizes.
type row struct {
	name  string
	sizes []int
}

// format is a format for values of type T.
type format[T any] struct {
	name string
	size func(*T) (int, error)
}

// sizes returns the size in bytes of each player in each format.
func sizes(players ...Player) ([]row, error) {
	return sizesOf([]format[Player]{
		{"bitpack", bitpackSize},
		{"encoding/binary, field by field", fieldsSize},
		{"encoding/gob, each message after the first", gobLaterSize},
		{"encoding/json", jsonSize},
		{"encoding/binary, a twin with full-size arrays", twinSize},
		{"encoding/gob, the first message", gobFirstSize},
	}, players)
}

// sizesOf returns a row for each format, with the size in bytes of each value.
func sizesOf[T any](formats []format[T], values []T) ([]row, error) {
	var rows []row
	for _, f := range formats {
		r := row{name: f.name}
		for i := range values {
			n, err := f.size(&values[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			r.sizes = append(r.sizes, n)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// printSizes prints a table of sizes, with a bar for the first size of each
// row.
func printSizes(w io.Writer, rows []row) {
	const longest = 24
	most := 0
	for _, r := range rows {
		most = max(most, r.sizes[0])
	}
	for _, r := range rows {
		fmt.Fprintf(w, "  %-46s", r.name)
		for _, n := range r.sizes {
			fmt.Fprintf(w, "%10d", n)
		}
		fmt.Fprintf(w, "  %s\n", strings.Repeat("#", (longest*r.sizes[0]+most-1)/most))
	}
}

func bitpackSize(p *Player) (int, error) { return players.Size(p) }

func jsonSize(p *Player) (int, error) {
	data, err := json.Marshal(p)
	return len(data), err
}

// gobFirstSize returns the size of a self-contained gob message, which a UDP
// packet must be. It includes a description of the type.
func gobFirstSize(p *Player) (int, error) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(p)
	return buf.Len(), err
}

// gobLaterSize returns the size of a later gob message in a stream, after the
// type has been described.
func gobLaterSize(p *Player) (int, error) {
	var buf bytes.Buffer
	enc := gob.NewEncoder(&buf)
	if err := enc.Encode(p); err != nil {
		return 0, err
	}
	first := buf.Len()
	err := enc.Encode(p)
	return buf.Len() - first, err
}

// fixedEvent is an [Event] with the smallest Go types that hold its values.
type fixedEvent struct {
	Tick   uint8
	Target uint16
	Amount int8
}

func fixed(e Event) fixedEvent {
	return fixedEvent{e.Tick, uint16(e.Target), int8(e.Amount)}
}

// fixedPlayer is a [Player] that encoding/binary accepts as a whole. It has no
// strings or slices, so the name and the events have their maximum size.
type fixedPlayer struct {
	Sequence    uint16
	Position    [3]float32
	Orientation [4]float32
	AtRest      bool
	Velocity    [3]float32
	Health      uint8
	Weapon      Weapon
	NameLength  uint8
	Name        [15]byte
	EventCount  uint8
	Events      [63]fixedEvent
}

func twinSize(p *Player) (int, error) {
	twin := fixedPlayer{
		Sequence: p.Sequence, Position: p.Position, Orientation: p.Orientation, AtRest: p.AtRest,
		Velocity: p.Velocity, Health: uint8(p.Health), Weapon: p.Weapon,
		NameLength: uint8(len(p.Name)), EventCount: uint8(len(p.Events)),
	}
	copy(twin.Name[:], p.Name)
	for i, e := range p.Events {
		twin.Events[i] = fixed(e)
	}
	data, err := binary.Append(nil, binary.LittleEndian, &twin)
	return len(data), err
}

// fieldsSize returns the size of a message written by hand with
// encoding/binary. It contains only the fields present, each in whole bytes.
func fieldsSize(p *Player) (int, error) {
	fields := []any{p.Sequence, p.Position, p.Orientation, p.AtRest}
	if !p.AtRest {
		fields = append(fields, p.Velocity)
	}
	fields = append(fields, uint8(p.Health), p.Weapon, uint8(len(p.Name)), []byte(p.Name), uint8(len(p.Events)))
	for _, e := range p.Events {
		fields = append(fields, fixed(e))
	}
	data, err := wholeBytes(fields...)
	return len(data), err
}

// wholeBytes returns the values in whole bytes, one after the other.
func wholeBytes(values ...any) (data []byte, err error) {
	for _, v := range values {
		if data, err = binary.Append(data, binary.LittleEndian, v); err != nil {
			return nil, err
		}
	}
	return data, nil
}
