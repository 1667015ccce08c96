// Presence sends the locations of the book chapter, whose heights are mostly 0,
// with every tag that makes common values cheaper. It prints the average cost of
// a height and of a location.
package main

import (
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"github.com/gobitpack/bitpack/tagcodec"
)

const count = 8000

// Heights is a list of heights with 32 bits each. The other types differ only
// in their tags.
type (
	Heights  struct{ V [count]float32 }
	Optional struct { // 1 bit, then the height unless it is 0; on an array it would take one bit in all
		V []float32 `bp:"optional,minlen=8000,maxlen=8000"`
	}
	Common1 struct { // the same for any common value, and 1 is the bit of the common value
		V [count]float32 `bp:"common=0"`
	}
	Common2 struct { // 1 bit, then a bit to select a common value, or the height
		V [count]float32 `bp:"common=0|100"`
	}
	Huffman struct { // 1 bit for 0, 2 bits for 100, and 2 bits before other values
		V [count]float32 `bp:"huffman=0:90|100:7|*:3"`
	}
)

// Location is where a cat is: on a plane of 4000 by 4000, mostly on the floor or
// at the ceiling.
type Location struct{ X, Y, Z float32 }

// Locations is a list of locations with 96 bits each. Fixed has the tags of the
// chapter: X and Z in steps of 0.1, and Y with its two common values.
type (
	Locations struct{ V [count]Location }
	Fixed     struct{ V [count]FixedLocation }

	FixedLocation struct {
		X float32 `bp:"float,min=-2000,max=2000,res=0.1"`
		Y float32 `bp:"common=0|100"`
		Z float32 `bp:"float,min=-2000,max=2000,res=0.1"`
	}
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	fmt.Fprintf(w, "%d HEIGHTS: 90%% are 0, 7%% are 100, and 3%% are anything in 32 bits\n\n", count)
	h := heights()
	if err := report(w, []row{
		{"no tag", &h, "32"},
		{"optional", &Optional{h.V[:]}, "0.9*1 + 0.1*33"},
		{"common=0", (*Common1)(&h), "0.9*1 + 0.1*33"},
		{"common=0|100", (*Common2)(&h), "0.9*2 + 0.07*2 + 0.03*33"},
		{"huffman=0:90|100:7|*:3", (*Huffman)(&h), "0.9*1 + 0.07*2 + 0.03*34"},
	}); err != nil {
		return err
	}

	fmt.Fprintf(w, "\nLOCATIONS with these heights\n\n")
	l := locations(&h)
	fixed := new(Fixed)
	for i, v := range l.V {
		fixed.V[i] = FixedLocation(v)
	}
	if err := report(w, []row{
		{"no tags", l, "3*32"},
		{"res=0.1, common=0|100", fixed, "16 + 2.93 + 16"},
	}); err != nil {
		return err
	}

	fmt.Fprintf(w, "\nONE FORM: a common value in its own form is refused\n\n")
	type Report struct {
		Height float32 `bp:"common=0"`
	}
	longer := make([]byte, 5) // a bit for "not common", then 0 in 32 bits
	fmt.Fprintf(w, "  %v\n", tagcodec.Unmarshal(longer, new(Report)))
	return nil
}

// row is a row of the report: a list of count values, and the calculation of
// their average cost.
type row struct {
	tag  string
	list any
	why  string
}

func report(w io.Writer, rows []row) error {
	for _, r := range rows {
		size, err := tagcodec.Size(r.list)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %-23s %6.2f bits each   %s\n", r.tag, float64(size)*8/count, r.why)
	}
	return nil
}

// heights returns shuffled heights in exactly the proportions given in the
// chapter.
func heights() (h Heights) {
	for i, k := range rand.New(rand.NewPCG(5, 6)).Perm(count) {
		switch share := i * 100 / count; {
		case share < 90:
			h.V[k] = 0
		case share < 97:
			h.V[k] = 100
		default:
			h.V[k] = float32(i) / 64
		}
	}
	return h
}

// locations returns random locations with the given heights.
func locations(h *Heights) *Locations {
	l := new(Locations)
	random := rand.New(rand.NewPCG(7, 8))
	for i, y := range h.V {
		l.V[i] = Location{random.Float32()*4000 - 2000, y, random.Float32()*4000 - 2000}
	}
	return l
}
