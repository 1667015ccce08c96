// Presence sends the book's heights, of which most are 0, under every tag that
// makes a common value cheaper, and prints what a height costs on average.
package main

import (
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Heights is a run of heights in 32 bits each. The others are the same with a
// tag.
type (
	Heights  struct{ V [8000]uint32 }
	Optional struct { // 1 bit, and the height unless it is 0; an array would have one bit for all
		V []uint32 `bp:"optional,minlen=8000,maxlen=8000"`
	}
	Common1 struct { // likewise, for any value
		V [8000]uint32 `bp:"common=0"`
	}
	Common2 struct { // 1 bit, then 1 that selects, or the height
		V [8000]uint32 `bp:"common=0|20"`
	}
	Huffman struct { // 1 bit for 0, 2 for 20, and 2 before others
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
	longer := make([]byte, 5) // a bit that says it is none of the common ones, and 32 bits of 0
	fmt.Fprintf(w, "  %v\n", tagcodec.Unmarshal(longer, new(Report)))
	return nil
}

// heights returns them in the order of a shuffled deck, of exactly the shares
// that the book names.
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
