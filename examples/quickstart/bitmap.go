package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// extent is the position of a field in a message: the bits [first, end).
type extent struct {
	field      reflect.StructField
	first, end int
}

// mark follows a field and records the bit position there. It is a custom
// serializer that serializes nothing.
type mark struct{ bit int }

func (m *mark) Serialize(s *bits.Stream) error {
	m.bit = s.Bit()
	return nil
}

// layout returns the positions of a struct's fields in the message of this
// value. It marshals a struct with the same fields and a mark after each.
func layout(v any) ([]extent, error) {
	value := reflect.Indirect(reflect.ValueOf(v))
	extents := make([]extent, value.NumField())
	var fields []reflect.StructField
	for i := range extents {
		f := value.Type().Field(i)
		extents[i].field = f
		fields = append(fields, f, reflect.StructField{Name: f.Name + "Mark", Type: reflect.TypeFor[mark]()})
	}
	marked := reflect.New(reflect.StructOf(fields)).Elem()
	for i := range extents {
		marked.Field(2 * i).Set(value.Field(i))
	}
	if _, err := tagcodec.Marshal(marked.Addr().Interface()); err != nil {
		return nil, err
	}
	at := 0
	for i := range extents {
		extents[i].first = at
		at = marked.Field(2*i + 1).Addr().Interface().(*mark).bit
		extents[i].end = at
	}
	return extents, nil
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
