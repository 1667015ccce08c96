package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// report holds the results of a run.
type report struct {
	options    options
	online     int // players online once all had joined
	turnedAway *packet.RejectedError

	elapsed       time.Duration
	ticks         uint64
	sent          uint64 // sent by the server during elapsed
	sentBytes     uint64
	received      uint64
	allocsPerTick float64

	inputs, accepted uint64
	refused          map[packet.Refusal]uint64
	joined, left     int // users
	most             int // players at once
	floods, revived  int // joins of the rogue's two other accounts
	attacks          uint64

	perClient float64  // bytes per second received by a client
	snapshots []uint64 // received by each client
	lost      uint64   // snapshots lost on the way to the clients
	last      Snapshot
	lastBytes int // size of the last snapshot's datagram
	others    []size
}

// warmUp gives pools and buffers time to grow before counting starts.
const warmUp = 500 * time.Millisecond

// measure counts events until the time is up or ctx ends.
func (r *report) measure(ctx context.Context, s *server) {
	if !sleep(ctx, warmUp) {
		return
	}
	start, allocs := time.Now(), mallocs()
	ticks, sent, bytes, received := s.ticks.Load(), s.sent.Load(), s.sentBytes.Load(), s.received.Load()
	if r.options.serve {
		r.watch(ctx, s)
	} else {
		sleep(ctx, r.options.length-warmUp)
	}
	r.elapsed = time.Since(start)
	r.ticks, r.sent = s.ticks.Load()-ticks, s.sent.Load()-sent
	r.sentBytes, r.received = s.sentBytes.Load()-bytes, s.received.Load()-received
	r.allocsPerTick = float64(mallocs()-allocs) / float64(max(1, r.ticks))
}

// watch prints a line every second until ctx ends.
func (r *report) watch(ctx context.Context, s *server) {
	last, sent := s.received.Load(), s.sent.Load()
	for sleep(ctx, time.Second) {
		received, now := s.received.Load(), s.sent.Load()
		fmt.Fprintf(r.options.log, "server: tick %d, %d players, %d datagrams/s out, %d/s in\n",
			s.ticks.Load(), s.clients.Len(), now-sent, received-last)
		last, sent = received, now
	}
}

// sleep waits for d or until ctx ends. It reports whether it waited for all of
// d.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// collect gathers the results after the server and the clients have ended.
func (r *report) collect(s *server, bots []*bot, attacker *rogue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.joined, r.left, r.most = len(s.joins), s.left[packet.ReasonLeft], s.most
	r.inputs, r.accepted = s.inputs, s.clients.Counters().Accepted()
	r.refused = map[packet.Refusal]uint64{}
	for reason, n := range s.clients.Counters().Refusals() {
		r.refused[reason] = n
	}
	if attacker != nil {
		r.attacks = attacker.sent.Load()
		r.floods, r.revived = s.joins[attacker.flooder], s.joins[attacker.leaver]-1
	}
	for _, b := range bots {
		n := b.client.Counters().Accepted()
		r.snapshots = append(r.snapshots, n)
		r.lost += b.sent() - n
		r.perClient += b.bytesPerSecond() / float64(len(bots))
	}
	r.last = bots[0].snapshot
	if batch := protocol.NewBatch(); batch.Add(&r.last) == nil {
		r.lastBytes = batch.Size() + protocol.Overhead()
	}
	r.others, _ = sizes(&r.last)
}

// print writes the report.
func (r *report) print(w io.Writer) {
	seconds := max(r.elapsed.Seconds(), 1e-9)
	fmt.Fprintf(w, "\nARENA: %d bodies at %d Hz, %d players, %v\n\n", len(r.last.Bodies), tickRate, r.online, config.Protection)
	fmt.Fprintf(w, "  %-38s%12d  in %.1f s\n", "ticks", r.ticks, seconds)
	fmt.Fprintf(w, "  %-38s%12d  %.0f a second\n", "datagrams that the server sent", r.sent, float64(r.sent)/seconds)
	fmt.Fprintf(w, "  %-38s%12d  %.0f a second\n", "datagrams that it received", r.received, float64(r.received)/seconds)
	fmt.Fprintf(w, "  %-38s%12d  of %d packets that were accepted\n", "inputs that were new to it", r.inputs, r.accepted)
	fmt.Fprintf(w, "  %-38s%12d  and %d left again\n", "players that joined", r.joined, r.left)
	fmt.Fprintf(w, "  %-38s%12d\n", "the most players at once", r.most)
	fmt.Fprintf(w, "  %-38s%12.2f  of the whole program, clients and all\n", "allocations a tick", r.allocsPerTick)

	fmt.Fprintf(w, "\nBANDWIDTH of one client for this state, bytes%27s%12s\n\n", "a snapshot", "a second")
	row := func(name string, bytes int) {
		fmt.Fprintf(w, "  %-56s%14d%12d\n", name, bytes, bytes*tickRate)
	}
	row("a datagram: bitpack, sequence number, tag", r.lastBytes)
	for _, o := range r.others {
		row(o.format+", without either", o.bytes)
	}
	fmt.Fprintf(w, "\n  A client received %.0f bytes a second on average. Of all snapshots, %d were lost.\n", r.perClient, r.lost)

	fmt.Fprintf(w, "\nREFUSED, of %d bad datagrams that were sent\n\n", r.attacks)
	for _, reason := range slices.Sorted(maps.Keys(r.refused)) {
		fmt.Fprintf(w, "  %12d  %v\n", r.refused[reason], reason)
	}
	fmt.Fprintf(w, "\n  One account joined %d times, each time in its own place. A player who had left came back %d times.\n", r.floods, r.revived)
	fmt.Fprintf(w, "\nTURNED AWAY\n\n  %v\n", r.turnedAway)
}
