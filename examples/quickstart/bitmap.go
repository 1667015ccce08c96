package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// extent is the position of a field in a message: the bits [first, end).
type extent struct {
	field      reflect.StructField
	first, end int
}

// layout returns the positions of a player's fields in its message.
func layout(p *Player) ([]extent, error) {
	data, err := players.Append(nil, p)
	if err != nil {
		return nil, err
	}
	var extents []extent
	at := 0
	parts := players.Explain(data).Parts
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Player]()) {
		e := extent{field: f, first: at}
		for len(parts) > 0 && nameOf(parts[0].Path) == f.Name {
			at, parts = at+parts[0].Bits, parts[1:]
		}
		e.end = at
		extents = append(extents, e)
	}
	return extents, nil
}

// nameOf returns the name of the player's field that a path leads through.
func nameOf(path string) string {
	name := strings.TrimPrefix(path, "Player.")
	if i := strings.IndexAny(name, ".["); i >= 0 {
		name = name[:i]
	}
	return name
}

// bitsOf returns the position of the named field.
func bitsOf(extents []extent, name string) extent {
	for _, e := range extents {
		if e.field.Name == name {
			return e
		}
	}
	panic("no field " + name)
}

// printLayout prints a line for each field: its letter on the map, its bits,
// its value, and its tag or Go type.
func printLayout(w io.Writer, v any, extents []extent) {
	value := reflect.Indirect(reflect.ValueOf(v))
	for i, e := range extents {
		where := "absent"
		switch e.end - e.first {
		case 0:
		case 1:
			where = fmt.Sprint(e.first)
		default:
			where = fmt.Sprintf("%d..%d", e.first, e.end-1)
		}
		tag := e.field.Tag.Get("bp")
		if tag == "" {
			tag = e.field.Type.String() + ", no tag"
		}
		fmt.Fprintf(w, "  %c %8s %3d bits  %-11s %-24s  %s\n",
			letter(i), where, e.end-e.first, e.field.Name, fmt.Sprint(value.Field(i)), tag)
	}
}

// printMap prints the bytes and their bits, lowest first as they are written,
// and the letter of its field under each bit.
func printMap(w io.Writer, data []byte, extents []extent) {
	const perLine = 10
	for start := 0; start < len(data); start += perLine {
		line := data[start:min(start+perLine, len(data))]
		var hex, written, owners strings.Builder
		for i, b := range line {
			fmt.Fprintf(&hex, " %02x      ", b)
			written.WriteByte(' ')
			owners.WriteByte(' ')
			for bit := range 8 {
				fmt.Fprint(&written, b>>bit&1)
				owners.WriteByte(owner(extents, 8*(start+i)+bit))
			}
		}
		fmt.Fprintf(w, "  byte%3d %s\n         %s\n         %s\n",
			start, strings.TrimRight(hex.String(), " "), written.String(), owners.String())
	}
}

// owner returns the letter of the field that contains a bit, or a dot for the
// zero bits that pad the last byte.
func owner(extents []extent, bit int) byte {
	for i, e := range extents {
		if e.first <= bit && bit < e.end {
			return letter(i)
		}
	}
	return '.'
}

func letter(i int) byte { return byte('A' + i) }
