// Replication runs a server with a world of a few hundred bodies and clients that
// see it through a network that loses and delays datagrams. It prints the bytes of
// complete snapshots, of deltas against one base, and of deltas with prediction,
// and checks that the clients see what the server sent. Then it records a match
// as a replay, and seeks in it.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

func main() {
	if err := run(os.Stdout, 300, 10*tickRate); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, bodies, ticks int) error {
	fmt.Fprintf(w, "A WORLD OF %d BODIES at %d ticks per second\n\n", bodies, tickRate)
	fmt.Fprintf(w, "  %6s  %10s  %9s  %9s  %11s  %9s  %9s\n", "loss", "latency ms", "complete", "one base", "prediction", "datagrams", "completes")
	for _, n := range []struct {
		loss            float64
		latency, jitter int
	}{{0, 3, 0}, {0.05, 3, 2}, {0.2, 6, 4}} {
		if err := replicate(w, bodies, ticks, n.loss, n.latency, n.jitter); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "\n  The sizes are bytes per second and client. The worlds of all clients were as sent.\n")
	return record(w, bodies, ticks)
}

// replicate runs a match with four clients behind equal networks.
func replicate(w io.Writer, bodies, ticks int, loss float64, latency, jitter int) error {
	r := rand.New(rand.NewPCG(1, 2))
	world := newWorld(bodies, r)
	clients := make([]*client, 4)
	for i := range clients {
		var err error
		if clients[i], err = newClient(&path{Rand: r, loss: loss, latency: latency, jitter: jitter}, &path{Rand: r, loss: loss, latency: latency, jitter: jitter}); err != nil {
			return err
		}
	}
	images := map[uint64]*delta.Image{}
	complete, base, predicted := 0, 0, 0
	for tick := range uint64(ticks) {
		world.step(tick, r)
		image, err := codec.Quantize(world, nil)
		if err != nil {
			return err
		}
		images[tick] = image
		size, err := tagcodec.Size(world)
		if err != nil {
			return err
		}
		for _, c := range clients {
			if err := c.serve(tick); err != nil {
				return err
			}
			n, err := c.update(tick, image)
			if err != nil {
				return err
			}
			one, err := oneBase(images, tick, c.sender.Age())
			if err != nil {
				return err
			}
			complete, base, predicted = complete+size, base+one, predicted+n
			if err := c.play(tick); err != nil {
				return err
			}
		}
	}
	completes, datagrams := uint64(0), 0
	for _, c := range clients {
		if err := c.check(images); err != nil {
			return err
		}
		completes += c.sender.Completes()
		datagrams += c.down.datagrams
	}
	per := func(n int) int { return n * tickRate / ticks / len(clients) }
	fmt.Fprintf(w, "  %5.0f%%  %4d to %-3d  %9d  %9d  %11d  %9d  %9d\n", 100*loss, 1000*latency/tickRate, 1000*(latency+jitter)/tickRate,
		per(complete), per(base), per(predicted), datagrams, completes)
	return nil
}

// oneBase returns the size of a delta against one base, with the tick and the
// distance of the base in 3 bytes.
func oneBase(images map[uint64]*delta.Image, tick, age uint64) (int, error) {
	refs := delta.Refs{Tick: tick}
	if age > 0 {
		refs.Base = delta.Ref{Tick: tick - age, Image: images[tick-age]}
	}
	data, err := codec.Append(nil, images[tick], refs)
	return 3 + len(data), err
}

// record records a match, seeks in it, and compares its size.
func record(w io.Writer, bodies, ticks int) error {
	r := rand.New(rand.NewPCG(3, 4))
	world := newWorld(bodies, r)
	var recorded replay
	var frames [][]byte
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for tick := range uint64(ticks) {
		world.step(tick, r)
		image, err := codec.Quantize(world, nil)
		if err != nil {
			return err
		}
		if err := recorded.record(image); err != nil {
			return err
		}
		var seen World
		if err := codec.Restore(image, &seen); err != nil {
			return err
		}
		image.Release()
		frame, err := tagcodec.Marshal(&seen)
		if err != nil {
			return err
		}
		frames = append(frames, frame)
		if _, err := z.Write(frame); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	for tick := 0; tick < ticks; tick += 37 {
		world, err := recorded.seek(uint64(tick))
		if err != nil {
			return err
		}
		frame, err := tagcodec.Marshal(&world)
		if err != nil {
			return err
		}
		if !bytes.Equal(frame, frames[tick]) {
			return fmt.Errorf("the replay differs at tick %d", tick)
		}
	}
	fmt.Fprintf(w, "\nA REPLAY OF %d TICKS, bytes\n\n", ticks)
	fmt.Fprintf(w, "  frames of package tagcodec  %9d\n", len(bytes.Join(frames, nil)))
	fmt.Fprintf(w, "  the same through gzip       %9d\n", packed.Len())
	fmt.Fprintf(w, "  keyframes and deltas        %9d\n", recorded.size())
	return nil
}
