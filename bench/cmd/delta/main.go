// Command delta prints the sizes of deltas of recorded game states.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"path/filepath"
	"time"

	"github.com/gobitpack/bitpack/bench/snapshots"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "../../shared/data", "directory of the recorded states")
	flag.Parse()
	cubes, err := snapshots.ReadCubes(filepath.Join(*data, "cubes_main.i32.gz"))
	if err != nil {
		log.Fatal(err)
	}
	measure("cubes", cubes, 6, 1)
	match, err := snapshots.ReadMatch(filepath.Join(*data, "rl_rlcs2.i32.gz"))
	if err != nil {
		log.Fatal(err)
	}
	measure("match -3", match, 3, 4, delta.WithTickRate(120))
	measure("match -1", match, 1, 4, delta.WithTickRate(120))
}

// measure sends frames through a Sender and a Receiver. The acknowledgement of a
// frame arrives lag frames later.
func measure[T any](name string, frames []T, lag int, ticks uint64, opts ...delta.Option) {
	c := delta.MustFor[T](opts...)
	sender, receiver := c.NewSender(), c.NewReceiver()
	var image *delta.Image
	var buf, before, after []byte
	var state T
	total, n := 0, 0
	var quantize, write, read time.Duration
	for i := range frames {
		tick := uint64(i) * ticks
		if i >= lag {
			sender.Ack(tick - uint64(lag)*ticks)
		}
		start := time.Now()
		var err error
		if image, err = c.Quantize(&frames[i], image); err != nil {
			log.Fatal(err)
		}
		quantize += time.Since(start)
		start = time.Now()
		if buf, err = sender.Append(buf[:0], tick, image); err != nil {
			log.Fatal(err)
		}
		write += time.Since(start)
		start = time.Now()
		if _, err := receiver.Read(buf, &state); err != nil {
			log.Fatal(err)
		}
		read += time.Since(start)
		before, _ = tagcodec.Append(before[:0], &frames[i])
		after, _ = tagcodec.Append(after[:0], &state)
		if !bytes.Equal(before, after) {
			log.Fatalf("%s: frame %d differs", name, i)
		}
		if i >= lag {
			total += len(buf)
			n++
		}
	}
	per := func(d time.Duration) time.Duration { return d / time.Duration(len(frames)) }
	fmt.Printf("%-10s %8.2f bytes  quantize %v write %v read %v\n", name, float64(total)/float64(n), per(quantize), per(write), per(read))
}
