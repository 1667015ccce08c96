// Scalars prints the wire size and the error of each value of a ship: angles,
// halves, enums, named types, an embedded struct, and options that a field
// passes on to types without tags.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"reflect"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The game's own types. Only their underlying types matter to the wire.
type (
	Kind  uint8
	Hull  int16
	Vec3  struct{ X, Y, Z float32 } // without tags; the field supplies them
	Color [3]float32                // like vectors of other modules
)

// The kinds of ships.
const (
	Scout Kind = iota
	Freighter
	Cruiser
)

func (k Kind) String() string { return [...]string{"scout", "freighter", "cruiser"}[k] }

// Header is embedded. Its fields are sent in its place.
type Header struct {
	ID   uint16 `bp:"uint,bits=10"`
	Kind Kind   `bp:"enum,max=2"`
}

// Ship is the message.
type Ship struct {
	Header
	Hull     Hull    `bp:"int,min=-50,max=200"`
	Heading  float32 `bp:"angle,bits=8,unit=deg"` // wraps around: 360 is 0
	Turret   float64 `bp:"angle,res=0.01"`        // radians, in steps of at most 0.01
	Mass     float32 `bp:"half"`                  // 11 bits of precision at any magnitude
	Position Vec3    `bp:"float,min=-1000,max=1000,res=0.05"`
	Paint    Color   `bp:"float,min=0,max=1,bits=5"`
	Docked   bool
	Fuel     int32 `bp:"fixed,frac=8,min=0,max=100"` // 256ths
}

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	codec := tagcodec.MustFor[Ship]()
	fmt.Fprintf(w, "THE PLAN OF A SHIP\n\n%v", codec.Plan())

	ship := newShip()
	packet, err := codec.Append(nil, &ship)
	if err != nil {
		return err
	}
	var read Ship
	if err := codec.Unmarshal(packet, &read); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nSENT AND READ, %d bytes\n\n", len(packet))
	sent, got := reflect.ValueOf(ship), reflect.ValueOf(read)
	for _, f := range reflect.VisibleFields(sent.Type()) {
		if !f.Anonymous {
			fmt.Fprintf(w, "  %-9s %-18s %v\n", f.Name, fmt.Sprint(sent.FieldByIndex(f.Index)), got.FieldByIndex(f.Index))
		}
	}

	fmt.Fprintf(w, "\nOUT OF BOUNDS: an integer is refused, a float is clamped\n\n")
	ship.Hull = 201
	_, err = codec.Append(nil, &ship)
	fmt.Fprintf(w, "  %v\n", err)
	ship.Hull, ship.Position.X = 200, 5000
	if packet, err = codec.Append(nil, &ship); err != nil {
		return err
	}
	if err := codec.Unmarshal(packet, &read); err != nil {
		return err
	}
	fmt.Fprintf(w, "  X of %v is read as %v\n", ship.Position.X, read.Position.X)
	return nil
}

func newShip() Ship {
	return Ship{
		Header: Header{ID: 700, Kind: Cruiser}, Hull: -50, Heading: -90, Turret: 7, Mass: 1234.567,
		Position: Vec3{1.02, -2, 999.99}, Paint: Color{1, 0.5, 0.1}, Docked: true, Fuel: 99*256 + 128,
	}
}
