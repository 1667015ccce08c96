// Tree sends recursive types: a tree of parts of a scene, and a list. A depth
// limit keeps out cycles and hostile packets.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Part is a part of a scene, with the parts attached to it.
type Part struct {
	Name  string     `bp:"maxlen=15"`
	Pos   [3]float32 `bp:"float,min=-8,max=8,res=0.25,optional"`
	Parts []Part     `bp:"maxlen=7"`
}

// Order is a linked list of orders.
type Order struct {
	Move [2]int8 `bp:"int,min=-4,max=4"`
	Next *Order
}

var (
	parts  = tagcodec.MustFor[Part]()
	orders = tagcodec.MustFor[Order](tagcodec.WithMaxDepth(5)) // at most five in a packet
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	tank := newTank()
	packet, err := parts.Append(nil, &tank)
	if err != nil {
		return err
	}
	var read Part
	if err := parts.Unmarshal(packet, &read); err != nil {
		return err
	}
	fmt.Fprintf(w, "A TREE IN %d BYTES\n\n", len(packet))
	show(w, &read, 1)

	five := list(5)
	if packet, err = orders.Append(nil, five); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nA LIST OF 5 IN %d BYTES: 8 bits each, and one that says if another follows\n", len(packet))

	fmt.Fprintf(w, "\nREFUSED: what is deeper than its limit\n\n")
	_, err = orders.Append(nil, list(6))
	fmt.Fprintf(w, "  %v\n", err)
	circle := list(3)
	circle.Next.Next.Next = circle
	_, err = tagcodec.Marshal(circle) // stopped by the default limit
	var cause *bits.Error
	if !errors.As(err, &cause) {
		return fmt.Errorf("a circle was sent: %v", err)
	}
	fmt.Fprintf(w, "  a circle: %s\n", cause.Reason())
	// The ninth bit of each order says that another one follows.
	endless := bytes.Repeat([]byte{0, 1, 2, 4, 8, 16, 32, 64, 128}, 100)
	fmt.Fprintf(w, "  %v\n", orders.Unmarshal(endless, new(Order)))
	return nil
}

func show(w io.Writer, p *Part, depth int) {
	fmt.Fprintf(w, "%*s%-8s %v\n", 2*depth, "", p.Name, p.Pos)
	for i := range p.Parts {
		show(w, &p.Parts[i], depth+1)
	}
}

func newTank() Part {
	return Part{Name: "tank", Pos: [3]float32{4, 0, -2.5}, Parts: []Part{
		{Name: "hull"},
		{Name: "turret", Pos: [3]float32{0, 1.5, 0}, Parts: []Part{
			{Name: "gun", Pos: [3]float32{0, 0, 2}},
			{Name: "hatch"},
		}},
	}}
}

// list returns n orders.
func list(n int) *Order {
	var first *Order
	for range n {
		first = &Order{[2]int8{1, -1}, first}
	}
	return first
}
