// Replication runs a server with a world of a few hundred bodies, and clients that
// see it through UDP sockets and a simulated network that loses and delays
// datagrams. The server learns from the acknowledgements of package packet which
// snapshots its clients have read. Snapshots that are larger than a datagram travel
// in fragments. The program prints the bytes of complete snapshots, of deltas
// against one base, and of deltas with prediction, and checks that the clients see
// what the server sent. It shows what happens after a silence and after either side
// starts again. Then it records a match as a replay, and seeks in it.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"os"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

func main() {
	if err := run(os.Stdout, 300, 10*tickRate); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, bodies, ticks int) error {
	fmt.Fprintf(w, "A WORLD OF %d BODIES at %d ticks per second, bytes per second and client\n\n", bodies, tickRate)
	fmt.Fprintf(w, "  %6s  %10s  %9s  %9s  %11s  %9s  %9s\n", "loss", "latency ms", "complete", "one base", "prediction", "datagrams", "completes")
	var stats packet.Stats
	for _, c := range []conditions{{0, 3, 0}, {0.05, 3, 2}, {0.2, 6, 4}} {
		var err error
		if stats, err = replicate(w, bodies, ticks, c); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "\n  The first three are messages of package delta. The datagrams are those with prediction, with UDP and IPv4.\n")
	fmt.Fprintf(w, "  None has more than %d bytes: longer messages travel in fragments. In the end the worlds of all clients were\n", packet.DefaultMTU)
	fmt.Fprintf(w, "  as sent.\n\nTHE LAST OF THESE SERVERS\n\n%v", stats)
	if err := mishaps(w, bodies); err != nil {
		return err
	}
	return record(w, bodies, ticks)
}

// replicate runs a match with four clients that have equal networks. It returns the
// statistics of the server.
func replicate(w io.Writer, bodies, ticks int, c conditions) (stats packet.Stats, err error) {
	m, err := newMatch(bodies, 4, c)
	defer m.close()
	if err == nil {
		err = m.run(ticks)
	}
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return stats, err
	}
	completes := uint64(0)
	for _, c := range m.clients {
		completes += m.sender(c).Completes()
	}
	stats = m.server.clients.Stats()
	sent := int(stats.Sent.Bytes + udpOverhead*stats.Sent.Datagrams)
	per := func(n int) int { return n * tickRate / m.updates }
	fmt.Fprintf(w, "  %5.0f%%  %4d to %-3d  %9d  %9d  %11d  %9d  %9d\n", 100*c.loss, 1000*c.latency/tickRate, 1000*(c.latency+c.jitter)/tickRate,
		per(m.complete), per(m.base), per(m.predicted), per(sent), completes)
	return stats, nil
}

// mishaps shows how sessions go on, or begin again, after more than lost
// datagrams.
func mishaps(w io.Writer, bodies int) error {
	m, err := newMatch(bodies, 2, conditions{0.05, 3, 2})
	defer m.close()
	if err != nil {
		return err
	}
	const silence = 3 * tickRate / 2 // longer than the window, and shorter than the timeout
	fmt.Fprintf(w, "\nMISHAPS with 5%% loss\n\n  %-34s  %13s  %9s\n", "what happens", "current after", "completes")
	for _, row := range []struct {
		what   string
		happen func(c *client) error
	}{
		{"a client hears nothing for 1.5 s", func(c *client) error {
			c.up.cut, c.down.cut = true, true
			err := m.run(silence)
			c.up.cut, c.down.cut = false, false
			return err
		}},
		{"a client sleeps for a minute", func(c *client) error {
			c.asleep, c.down.cut = true, true
			err := m.run(60 * tickRate)
			c.asleep, c.down.cut = false, false
			return err
		}},
		{"a client loses its images", func(c *client) error {
			c.receiver = codec.NewReceiver()
			return nil
		}},
		{"a client's program starts again", func(c *client) error {
			c.conn.Close()
			m.clients[0], err = m.newClient(c.user)
			return err
		}},
		{"the server's program starts again", func(*client) error {
			at := net.UDPAddrFromAddrPort(addressOf(m.server.conn))
			m.server.conn.Close()
			return m.serve(at)
		}},
	} {
		if err := m.run(tickRate); err != nil {
			return err
		}
		if err := m.check(); err != nil {
			return err
		}
		before := m.sender(m.clients[0])
		completes := before.Completes()
		if err := row.happen(m.clients[0]); err != nil {
			return err
		}
		ticks, err := m.recover()
		if err != nil {
			return fmt.Errorf("%s: %w", row.what, err)
		}
		sender := m.sender(m.clients[0])
		if sender != before {
			completes = 0
		}
		fmt.Fprintf(w, "  %-34s  %7d ticks  %9d\n", row.what, ticks, sender.Completes()-completes)
	}
	return nil
}

// recover runs until all clients are current, and returns the number of ticks.
func (m *match) recover() (ticks int, err error) {
	for ; ticks < 10*tickRate; ticks++ {
		if err = m.check(); !errors.Is(err, errOld) {
			return ticks, err
		}
		if err := m.step(); err != nil {
			return ticks, err
		}
	}
	return ticks, err
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
