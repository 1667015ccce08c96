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
	received      uint64
	allocsPerTick float64

	inputs, accepted uint64
	refused          map[packet.Refusal]uint64
	joined, left     int // users
	most             int // players at once
	floods, revived  int // joins of the rogue's two other accounts
	attacks          uint64

	updates                 updates          // sent to all players
	estimates               packet.Estimates // of a player's session, on average
	messages                uint64
	read                    []int // updates read by each player
	inputsSent              int
	bombsSent, bombsArrived []int // of each player

	last    World // what a player saw at last
	formats []size
}

// warmUp gives pools and buffers time to grow before counting starts.
const warmUp = 500 * time.Millisecond

// measure counts events until the time is up or ctx ends.
func (r *report) measure(ctx context.Context, s *server) {
	if !sleep(ctx, warmUp) {
		return
	}
	start, allocs := time.Now(), mallocs()
	ticks, sent, received := s.ticks.Load(), s.sent.Load(), s.received.Load()
	if r.options.serve {
		r.watch(ctx, s)
	} else {
		sleep(ctx, r.options.length-warmUp)
	}
	r.elapsed = time.Since(start)
	r.ticks, r.sent, r.received = s.ticks.Load()-ticks, s.sent.Load()-sent, s.received.Load()-received
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

// hear takes what the server has learned from its players' acknowledgements.
func (r *report) hear(s *server) {
	for user := range uint64(r.options.clients) {
		p := s.clients.ByUser(user + 1)
		if p == nil {
			continue
		}
		e, share := p.Session().Estimates(), 1/float64(r.options.clients)
		r.estimates.RTT += time.Duration(float64(e.RTT) * share)
		r.estimates.DeliveryRate += float64(e.DeliveryRate * share)
		pl := p.Value.(*player)
		pl.mu.Lock()
		u := pl.updates
		pl.mu.Unlock()
		r.updates.sent += u.sent
		r.updates.bytes += u.bytes
		r.updates.complete += u.complete
		r.updates.delivered += u.delivered
		r.updates.lost += u.lost
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
	r.messages = s.messages.Load()
	for i, b := range bots {
		r.read = append(r.read, b.updates)
		r.inputsSent += b.inputs
		r.bombsSent = append(r.bombsSent, b.bombs)
		r.bombsArrived = append(r.bombsArrived, s.bombs[uint64(i+1)])
	}
	r.last = bots[0].world
	r.formats, _ = sizes(&r.last)
}

// print writes the report.
func (r *report) print(w io.Writer) {
	seconds := max(r.elapsed.Seconds(), 1e-9)
	fmt.Fprintf(w, "\nARENA: %d bodies at %d Hz, %d players, %v\n\n", r.options.bodies, tickRate, r.online, config.Protection)
	row := func(name string, n uint64, format string, args ...any) {
		fmt.Fprintf(w, "  %-38s%12d  %s\n", name, n, fmt.Sprintf(format, args...))
	}
	row("ticks", r.ticks, "in %.1f s", seconds)
	row("datagrams that the server sent", r.sent, "%.0f a second", float64(r.sent)/seconds)
	row("datagrams that it received", r.received, "%.0f a second", float64(r.received)/seconds)
	row("updates that it sent to players", uint64(r.updates.sent), "%d were acknowledged, %d are known to be lost", r.updates.delivered, r.updates.lost)
	row("complete ones", uint64(r.updates.complete), "all others were deltas")
	row("messages that it sent until they arrived", r.messages, "welcomes and blasts")
	row("inputs that were new to it", r.inputs, "of %d packets that were accepted", r.accepted)
	row("players that joined", uint64(r.joined), "and %d left again", r.left)
	row("the most players at once", uint64(r.most), "with the rogue's accounts")
	fmt.Fprintf(w, "  %-38s%12.1f  of the whole program, clients and all\n", "allocations a tick", r.allocsPerTick)

	fmt.Fprintf(w, "\nBANDWIDTH of one client that sees %d bodies, bytes%21s%12s\n\n", len(r.last.Bodies), "an update", "a second")
	mean := r.updates.bytes / max(1, r.updates.sent)
	for _, f := range slices.Concat([]size{{"an update, on average", mean}}, r.formats) {
		fmt.Fprintf(w, "  %-52s%18d%12d\n", f.format, f.bytes, f.bytes*tickRate)
	}
	fmt.Fprintf(w, "\n  A client received %.0f bytes a second with all that package packet adds. An acknowledgement took %v.\n",
		r.estimates.DeliveryRate, r.estimates.RTT.Round(time.Millisecond/10))
	fmt.Fprintf(w, "  The players' network lost %.0f%% of the datagrams. Of %d bombs, %d arrived.\n",
		100*r.options.loss, sum(r.bombsSent), sum(r.bombsArrived))

	fmt.Fprintf(w, "\nREFUSED, of %d bad datagrams that were sent\n\n", r.attacks)
	for _, reason := range slices.Sorted(maps.Keys(r.refused)) {
		fmt.Fprintf(w, "  %12d  %v\n", r.refused[reason], reason)
	}
	fmt.Fprintf(w, "\n  One account joined %d times, each time in its own place. A player who had left came back %d times.\n", r.floods, r.revived)
	fmt.Fprintf(w, "\nTURNED AWAY\n\n  %v\n", r.turnedAway)
}

func sum(list []int) (n int) {
	for _, v := range list {
		n += v
	}
	return n
}
