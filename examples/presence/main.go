// Presence sends the heights from the book, most of which are 0, with every tag
// that makes common values cheaper. It prints the average cost of a height.
package main

import (
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Heights is a list of heights with 32 bits each. The other types differ only
// in their tags.
type (
	Heights  struct{ V [8000]uint32 }
	Optional struct { // 1 bit, then the height unless it is 0; on an array it would take one bit in all
		V []uint32 `bp:"optional,minlen=8000,maxlen=8000"`
	}
	Common1 struct { // the same for any common value
		V [8000]uint32 `bp:"common=0"`
	}
	Common2 struct { // 1 bit, then a bit to select a common value, or the height
		V [8000]uint32 `bp:"common=0|20"`
	}
	Huffman struct { // 1 bit for 0, 2 bits for 20, and 2 bits before other values
		V [8000]uint32 `bp:"huffman=0:90|20:7|*:3"`
	}
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	fmt.Fprintf(w, "8000 HEIGHTS: 90%% are 0, 7%% are 20, and 3%% are anything in 32 bits\n\n")
	h := heights()
	for _, row := range []struct {
		tag string
		v   any
		why string
	}{
		{"no tag", &h, "32"},
		{"optional", &Optional{h.V[:]}, "0.9*1 + 0.1*33"},
		{"common=0", (*Common1)(&h), "0.9*1 + 0.1*33"},
		{"common=0|20", (*Common2)(&h), "0.9*2 + 0.07*2 + 0.03*33"},
		{"huffman=0:90|20:7|*:3", (*Huffman)(&h), "0.9*1 + 0.07*2 + 0.03*34"},
	} {
		size, err := tagcodec.Size(row.v)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %-22s %6.2f bits each   %s\n", row.tag, float64(size)*8/float64(len(h.V)), row.why)
	}

	fmt.Fprintf(w, "\nONE FORM: a common value in its own form is refused\n\n")
	type Report struct {
		Height uint32 `bp:"common=0"`
	}
	longer := make([]byte, 5) // a bit for "not common", then 0 in 32 bits
	fmt.Fprintf(w, "  %v\n", tagcodec.Unmarshal(longer, new(Report)))
	return nil
}

// heights returns shuffled heights in exactly the proportions given in the
// book.
func heights() (h Heights) {
	for i, k := range rand.New(rand.NewPCG(5, 6)).Perm(len(h.V)) {
		switch share := i * 100 / len(h.V); {
		case share < 90:
			h.V[k] = 0
		case share < 97:
			h.V[k] = 20
		default:
			h.V[k] = 1<<31 | uint32(i)
		}
	}
	return h
}
