// Command delta prints the sizes and times of deltas, next to the published
// figures for the same recordings. Run it in the directory of the module:
//
//	go run ./cmd/delta -data DIR
//
// Without recordings it measures a generated trace. With -replay it also records
// replays, and compares their sizes with those of general compressors.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"path/filepath"
	"time"

	"github.com/gobitpack/bitpack/bench/snapshots"
	"github.com/gobitpack/bitpack/internal/shared"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", shared.Path("data"), "directory of the recordings")
	crowd := flag.Bool("crowd", false, "measure a tick of 200 receivers as well")
	replays := flag.Bool("replay", false, "record replays as well")
	flag.Parse()
	fmt.Println("Bytes of a frame with the header of the Sender, every frame read and compared; times of a frame in microseconds.\n" +
		"The time of Receiver.Read is that of read, which gives an image, and of restore, which gives the state.")
	fmt.Printf("%-28s%10s%10s%10s%10s%10s%10s%10s%10s%10s\n", "trace", "published", "bytes", "whole",
		"quantize", "append", "read", "restore", "marshal", "unmarshal")
	generated := snapshots.Generate(600)
	measure("generated cubes, -6", "", generated, 6, 1)
	if err := recorded(*data); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Fatal(err)
		}
		fmt.Println("no recordings:", err)
	}
	if *crowd {
		measureCrowd()
	}
	if *replays {
		if err := recordAll(*data, generated); err != nil {
			log.Fatal(err)
		}
	}
}

// recordAll records a replay of the generated trace, and of the recordings if
// they are there.
func recordAll(dir string, generated []snapshots.Cubes) error {
	fmt.Printf("\nReplays in bytes, with a keyframe every %d frames.\n", keyframes)
	fmt.Printf("%-28s%12s%12s%12s%12s%12s%12s\n", "trace", "frames", "whole", "gzip -9", "zstd", "zstd, best", "deltas")
	record("generated cubes", generated, 1)
	cubes, err := snapshots.ReadCubes(filepath.Join(dir, "cubes_main.i32.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	record("cubes_main", cubes, 1)
	match, err := snapshots.ReadMatch(filepath.Join(dir, "rl_rlcs2.i32.gz"))
	if err == nil {
		record("rlcs2", match, 4, delta.WithTickRate(120))
	}
	return err
}

// recorded measures the recordings in a directory.
func recorded(dir string) error {
	cubes, err := snapshots.ReadCubes(filepath.Join(dir, "cubes_main.i32.gz"))
	if err != nil {
		return err
	}
	// The best public coders of the challenge that pack bits and that adapt.
	measure("cubes_main, -6", "476, 373", cubes, 6, 1)
	match, err := snapshots.ReadMatch(filepath.Join(dir, "rl_rlcs2.i32.gz"))
	if err != nil {
		return err
	}
	// Changed flags and Exp-Golomb codes.
	measure("rlcs2, -3", "159.8", match, 3, 4, delta.WithTickRate(120))
	measure("rlcs2, -1", "81.4", match, 1, 4, delta.WithTickRate(120))
	now, before, err := snapshots.ReadRotations(filepath.Join(dir, "real_gaffer_orient.csv.gz"))
	if err != nil {
		return err
	}
	return rotations(now, before)
}

// rotations measures pairs of rotations in messages of 64, without a Sender.
func rotations(now, before []snapshots.Rotations) error {
	c := delta.MustFor[snapshots.Rotations]()
	total := 0
	for i := range now {
		base, err := c.Quantize(&before[i], nil)
		if err != nil {
			return err
		}
		image, err := c.Quantize(&now[i], nil)
		if err != nil {
			return err
		}
		data, err := c.Append(nil, image, delta.Refs{Tick: 6, Base: delta.Ref{Tick: 0, Image: base}})
		if err != nil {
			return err
		}
		total += len(data)
	}
	fmt.Printf("%-28s%10s%10.2f bits each\n", "orientation pairs", "23.30", float64(8*total)/float64(64*len(now)))
	return nil
}

// measure sends frames through a Sender and a Receiver. The acknowledgement of a
// frame arrives lag frames later.
func measure[T any](name, published string, frames []T, lag int, ticks uint64, opts ...delta.Option) {
	c := delta.MustFor[T](opts...)
	sender, receiver := c.NewSender(), c.NewReceiver()
	var image *delta.Image
	var buf, before, after []byte
	plain := tagcodec.MustFor[T]()
	var state, again, other T
	var quantize, write, read, restore, marshal, unmarshal time.Duration
	total, n, whole := 0, 0, 0
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
		quantized := time.Now()
		if buf, err = sender.Append(buf[:0], tick, image); err != nil {
			log.Fatal(err)
		}
		if len(buf) == 0 { // a complete snapshot is on its way
			continue
		}
		written := time.Now()
		if _, err := receiver.Read(buf, &state); err != nil {
			log.Fatal(err)
		}
		quantize += quantized.Sub(start)
		write += written.Sub(quantized)
		start = time.Now()
		both := start.Sub(written)
		if err := c.Restore(image, &again); err != nil {
			log.Fatal(err)
		}
		restored := time.Since(start)
		restore += restored
		read += both - restored
		start = time.Now()
		before, _ = plain.Append(before[:0], &frames[i])
		marshalled := time.Now()
		marshal += marshalled.Sub(start)
		_ = plain.Unmarshal(before, &other)
		unmarshal += time.Since(marshalled)
		after, _ = plain.Append(after[:0], &state)
		if !bytes.Equal(before, after) {
			log.Fatalf("%s: frame %d differs", name, i)
		}
		if i >= lag {
			total += len(buf)
			whole += len(before)
			n++
		}
	}
	per := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(len(frames)) }
	fmt.Printf("%-28s%10s%10.2f%10.1f%10.1f%10.1f%10.1f%10.1f%10.1f%10.1f\n", name, published, float64(total)/float64(n), float64(whole)/float64(n),
		per(quantize), per(write), per(read), per(restore), per(marshal), per(unmarshal))
}

// entity is one of 2,000 that move.
type entity struct {
	ID          uint32     `bp:"key"`
	Position    [3]int32   `bp:"int,min=-500000,max=500000,pred=lin"`
	Orientation [4]float32 `bp:"quat,bits=9,pred=lin"`
	Health      uint8
}

type crowdState struct {
	Entities []entity `bp:"maxlen=4000"`
}

// measureCrowd measures ticks of a server with 200 receivers that each see 100
// of 2,000 moving entities.
func measureCrowd() {
	const receivers, seen, ticks = 200, 100, 90
	c := delta.MustFor[crowdState]()
	var state crowdState
	for i := range 2000 {
		state.Entities = append(state.Entities, entity{ID: uint32(i), Orientation: [4]float32{3: 1}})
	}
	senders := make([]*delta.Sender, receivers)
	for i := range senders {
		senders[i] = c.NewSender()
	}
	var world *delta.Image
	views := make([]*delta.Image, receivers)
	var buf []byte
	total, memory := 0, 0
	var spent time.Duration
	for tick := range uint64(ticks) {
		for i := range state.Entities {
			e := &state.Entities[i]
			e.Position[0] += int32(i%50) - 25
			e.Position[1] += int32(tick) % 7
			e.Orientation[i%3] += 0.01
		}
		start := time.Now()
		var err error
		if world, err = c.Quantize(&state, world); err != nil {
			log.Fatal(err)
		}
		for i, s := range senders {
			var keys [seen]int64
			for k := range keys {
				keys[k] = int64((i*10 + 13*k) % 2000)
			}
			if views[i], err = world.Select("Entities", keys[:], views[i]); err != nil {
				log.Fatal(err)
			}
			if tick >= 6 {
				s.Ack(tick - 6)
			}
			if buf, err = s.Append(buf[:0], tick, views[i]); err != nil {
				log.Fatal(err)
			}
			if tick >= 20 {
				total += len(buf)
			}
		}
		if tick >= 20 {
			spent += time.Since(start)
		}
		if tick == ticks-1 {
			memory = 64 * (world.Bytes() + receivers*views[0].Bytes())
		}
	}
	fmt.Printf("200 receivers of 100 of 2,000 entities: %.2f ms a tick, %d bytes a message, %d KB in the windows\n",
		spent.Seconds()*1000/(ticks-20), total/(ticks-20)/receivers, memory/1024)
}
