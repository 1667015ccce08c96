// Quickstart packs the state of a player, shows the position of each field,
// reads the packet back, compares its size with other formats, and refuses
// hostile packets.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	player := runner()
	packet, err := players.Append(nil, &player)
	if err != nil {
		return err
	}
	extents, err := layout(&player)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "A PLAYER IN %d BYTES: each field takes the bits that its tag allows\n\n", len(packet))
	printLayout(w, &player, extents)
	hash := players.Hash()
	fmt.Fprintf(w, "\n  Any Player takes %d to %d bits. The hash of this wire begins with %x.\n",
		players.MinBits(), players.MaxBits(), hash[:4])

	fmt.Fprintf(w, "\nITS BITS in the order they are sent, the lowest of each byte first\n\n")
	printMap(w, packet, extents)

	fmt.Fprintf(w, "\nREAD BACK: floats come as near as the res= of their tags\n\n")
	if err := readBack(w, packet, &player); err != nil {
		return err
	}

	fmt.Fprintf(w, "\nITS SIZE IN OTHER FORMATS, bytes%24s%10s\n\n", "running", "at rest")
	rows, err := sizes(player, standing())
	if err != nil {
		return err
	}
	printSizes(w, rows)

	fmt.Fprintf(w, "\nTHE WORLD UPDATE OF THE ARTICLES, bytes%19s%10s\n\n", "article", "moving")
	if rows, err = worldSizes(exampleWorld(), movingWorld()); err != nil {
		return err
	}
	printSizes(w, rows)
	if err := printSchema(w); err != nil {
		return err
	}

	fmt.Fprintf(w, "\nHOSTILE PACKETS: refused, and the error names the field and the bit\n\n")
	return refuse(w, hostilePackets(packet, extents))
}
