// Links sends cats that share a home base and point at each other. On the wire
// a pointer is the id of its object. Each side keeps the ids in a linking
// context.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The types of the objects in the world.
type (
	HomeBase struct {
		Fish uint8
	}
	Cat struct {
		Name   string    `bp:"maxlen=15"`
		Home   *HomeBase `bp:"link,bits=10"`
		Friend *Cat      `bp:"link,bits=10"`
	}
)

// The ids that the server assigned to the objects.
const (
	tom uint64 = 1 + iota
	tux
	base
)

var (
	cats  = tagcodec.MustFor[Cat]()
	bases = tagcodec.MustFor[HomeBase]()
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	packets, err := serve()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "SENT: an object by itself, and the ids of those it points at\n\n")
	for _, id := range []uint64{tom, tux, base} {
		fmt.Fprintf(w, "  %d: % x\n", id, packets[id])
	}

	fmt.Fprintf(w, "\nREAD, before their home base exists\n\n")
	links := tagcodec.NewLinkingContext()
	reader := cats.With(tagcodec.WithLinker(links))
	read := map[uint64]*Cat{tom: {}, tux: {}}
	for _, id := range []uint64{tom, tux} {
		if err := reader.Unmarshal(packets[id], read[id]); err != nil {
			return err
		}
		if err := links.Add(id, read[id]); err != nil {
			return err
		}
	}
	show(w, read[tom], read[tux])
	for _, p := range links.Waiting() {
		fmt.Fprintf(w, "  %s waits for object %d\n", p.Path, p.ID)
	}

	fmt.Fprintf(w, "\nAND AFTER\n\n")
	home := new(HomeBase)
	if err := bases.Unmarshal(packets[base], home); err != nil {
		return err
	}
	if err := links.Add(base, home); err != nil {
		return err
	}
	show(w, read[tom], read[tux])
	read[tom].Home.Fish--
	fmt.Fprintf(w, "  Tom eats one of %d fish: Tux sees %d\n", read[tom].Home.Fish+1, read[tux].Home.Fish)

	fmt.Fprintf(w, "\nREFUSED\n\n")
	_, err = reader.Append(nil, &Cat{Name: "Stray", Friend: &Cat{}})
	fmt.Fprintf(w, "  %v\n", err)
	err = reader.Unmarshal([]byte{0, byte(tom), 0, 0}, new(Cat)) // the home is a cat
	fmt.Fprintf(w, "  %v\n", err)
	return nil
}

// serve returns the packets of the server's objects by id.
func serve() (map[uint64][]byte, error) {
	home := &HomeBase{Fish: 12}
	a, b := &Cat{Name: "Tom", Home: home}, &Cat{Name: "Tux", Home: home}
	a.Friend, b.Friend = b, a

	links := tagcodec.NewLinkingContext()
	for id, object := range map[uint64]any{tom: a, tux: b, base: home} {
		if err := links.Add(id, object); err != nil {
			return nil, err
		}
	}
	packets := map[uint64][]byte{}
	writer := cats.With(tagcodec.WithLinker(links))
	var err error
	if packets[tom], err = writer.Append(nil, a); err != nil {
		return nil, err
	}
	if packets[tux], err = writer.Append(nil, b); err != nil {
		return nil, err
	}
	packets[base], err = bases.Append(nil, home)
	return packets, err
}

func show(w io.Writer, cats ...*Cat) {
	for _, c := range cats {
		home, friend := "nowhere", "nobody"
		if c.Home != nil {
			home = fmt.Sprintf("a base with %d fish", c.Home.Fish)
		}
		if c.Friend != nil {
			friend = c.Friend.Name
		}
		fmt.Fprintf(w, "  %s is at home %s, and a friend of %s\n", c.Name, home, friend)
	}
}
