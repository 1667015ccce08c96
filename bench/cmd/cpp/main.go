// Command cpp compares bitpack with serialize, the C++ implementation of the
// wire, in a single run. It compiles the C++ side, requires that all sides write
// and read the same bytes, and then runs their loops in turn. Run it in the
// directory of the module:
//
//	go run ./cmd/cpp                # print the table
//	go run ./cmd/cpp -o CPP.md      # write it
//
// It needs a C++ compiler, and the archive of serialize in the directory of -peers.
package main

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/gobitpack/bitpack/bench/internal/page"
	"github.com/gobitpack/bitpack/bench/values"
	"github.com/gobitpack/bitpack/internal/shared"
	"github.com/gobitpack/bitpack/tagcodec"
)

func main() {
	log.SetFlags(0)
	c := comparison{}
	out := flag.String("o", "", "file to write, in place of the standard output")
	peers := flag.String("peers", shared.Path("peers"), "directory of serialize.tar.gz")
	flag.StringVar(&c.compiler, "cxx", "clang++", "C++ compiler; g++ is used if it is not there")
	flag.IntVar(&c.builds, "builds", 5, "builds of the Go side, each with another layout of its functions")
	flag.IntVar(&c.rounds, "rounds", 20, "rounds of each build; the fastest counts")
	flag.DurationVar(&c.each, "time", 20*time.Millisecond, "time of a round for each side, message and direction")
	serveAs := flag.String("serve", "", "be the Go side with this name")
	flag.Parse()
	if *serveAs != "" {
		if err := serve(os.Stdin, os.Stdout, *serveAs == "generated"); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := c.run(filepath.Join(*peers, "serialize.tar.gz")); err != nil {
		log.Fatal(err)
	}
	if err := page.Write(*out, c.table()); err != nil {
		log.Fatal(err)
	}
}

// The sides, by their index.
const (
	released = iota // C++ as released: values to be written are not checked
	checked         // C++ that checks the values to be written
	engine          // bitpack
	withCode        // bitpack, generated
	sideCount
)

var sideNames = [sideCount]string{"C++", "C++ with write checks", "bitpack", "bitpack, generated"}

// message is a message to be compared.
type message struct {
	name  string
	title string
	timed [][]byte // the messages to be measured, which are of one length
	more  [][]byte // other messages, only to be compared
}

// loops are the measured loops of a message: its directions.
var directions = []string{"write", "read"}

type comparison struct {
	compiler string
	builds   int
	rounds   int
	each     time.Duration

	messages []message
	// best has the fastest times per message, by build, message, direction and
	// side.
	best [][][][sideCount]float64
}

func (c *comparison) run(archive string) error {
	dir, err := os.MkdirTemp("", "cpp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := exec.LookPath(c.compiler); err != nil {
		c.compiler = "g++"
	}
	if err := header(archive, dir); err != nil {
		return err
	}
	var programs [2]string
	if programs[released], err = compile(c.compiler, dir, "released", "-O3", "-DNDEBUG"); err != nil {
		return err
	}
	if programs[checked], err = compile(c.compiler, dir, "checked", "-O3", check); err != nil {
		return err
	}
	if c.messages, err = samples(); err != nil {
		return err
	}
	for seed := range c.builds {
		worker, err := build(dir, seed)
		if err != nil {
			return err
		}
		best, err := c.measure(programs, worker)
		if err != nil {
			return err
		}
		c.best = append(c.best, best)
	}
	return nil
}

// check turns on the assertions of serialize.h. A trap costs less than a call of
// abort with a message.
const check = "-Dserialize_assert(x)=((x)?(void)0:__builtin_trap())"

// variants is the number of different messages that a loop goes through.
const variants = 64

// samples returns the messages. The random ones have all lengths and conditions.
func samples() ([]message, error) {
	random := rand.New(rand.NewPCG(7, 8))
	packet, err := encoded("packet", "133-byte packet", values.SamplePackets(variants), random)
	if err != nil {
		return nil, err
	}
	real, err := encoded("real", "RealPacket", values.SampleRealPackets(variants), random)
	if err != nil {
		return nil, err
	}
	ship, err := encoded("ship", "ShipCreate", values.SampleShips(variants), random)
	if err != nil {
		return nil, err
	}
	return []message{packet, real, ship}, nil
}

// encoded returns the messages of the values in list, and of random values.
func encoded[T any](name, title string, list []T, random *rand.Rand) (m message, err error) {
	m = message{name: name, title: title}
	codec, err := tagcodec.For[T]()
	if err != nil {
		return m, err
	}
	for i := range list {
		data, err := codec.Append(nil, &list[i])
		if err != nil {
			return m, err
		}
		m.timed = append(m.timed, data)
		if len(data) != len(m.timed[0]) {
			return m, fmt.Errorf("%s: messages of %d and %d bytes", title, len(data), len(m.timed[0]))
		}
	}
	for range 1000 {
		v := values.Random[T](random)
		data, err := codec.Append(nil, &v)
		if err != nil {
			return m, err
		}
		m.more = append(m.more, data)
	}
	return m, nil
}

// measure runs all sides with one build of the Go side.
func (c *comparison) measure(programs [2]string, worker string) (best [][][sideCount]float64, err error) {
	if err := c.compare(programs, worker); err != nil {
		return nil, err
	}
	sides, err := startAll(programs, worker)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stopAll(sides)) }()
	for _, m := range c.messages {
		if err := sameBytes(sides, m.name, m.timed); err != nil {
			return nil, err
		}
		best = append(best, make([][sideCount]float64, len(directions)))
	}
	times := map[string]int{}
	for round := range c.rounds {
		for i, m := range c.messages {
			for k, direction := range directions {
				for n, s := range sides {
					key := s.name + m.name + direction
					if round == 0 {
						if times[key], err = calibrate(s, direction, m.name, c.each); err != nil {
							return nil, err
						}
					}
					ns, err := s.time(direction, m.name, times[key])
					if err != nil {
						return nil, err
					}
					ns /= float64(times[key] * len(m.timed))
					if b := &best[i][k][n]; round == 0 || ns < *b {
						*b = ns
					}
				}
			}
		}
	}
	return best, nil
}

// calibrate returns how many times a loop must run to take about as long as each.
func calibrate(s *side, direction, message string, each time.Duration) (int, error) {
	for times := 1; ; times *= 2 {
		ns, err := s.time(direction, message, times)
		if err != nil {
			return 0, err
		}
		if ns > float64(each)/2 {
			return max(1, int(float64(times)*float64(each)/ns)), nil
		}
	}
}

// compare requires that all sides write and read the random messages alike.
func (c *comparison) compare(programs [2]string, worker string) error {
	sides, err := startAll(programs, worker)
	if err != nil {
		return err
	}
	for _, m := range c.messages {
		if err := sameBytes(sides, m.name, m.more); err != nil {
			return errors.Join(err, stopAll(sides))
		}
	}
	return stopAll(sides)
}

// sameBytes makes each side read the messages that the side before it has
// written. All of them must be equal.
func sameBytes(sides []*side, name string, list [][]byte) error {
	for _, data := range list {
		want := hex.EncodeToString(data)
		for _, s := range sides {
			got, err := s.ask("load", name, want)
			if err != nil {
				return err
			}
			if got != want {
				return fmt.Errorf("%s: %s: %s is written as %s", s.name, name, want, got)
			}
		}
	}
	return nil
}

func startAll(programs [2]string, worker string) ([]*side, error) {
	var sides []*side
	for i, name := range sideNames {
		program, args := worker, []string{"-serve", "engine"}
		switch i {
		case released, checked:
			program, args = programs[i], nil
		case withCode:
			args[1] = "generated"
		}
		s, err := start(name, program, args...)
		if err != nil {
			return nil, errors.Join(err, stopAll(sides))
		}
		sides = append(sides, s)
	}
	return sides, nil
}

func stopAll(sides []*side) error {
	var all []error
	for _, s := range sides {
		all = append(all, s.stop())
	}
	return errors.Join(all...)
}

// median returns the middle of an odd number of values, or the upper middle.
func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}
