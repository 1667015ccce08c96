// Quic is a game server and its clients over QUIC on the loopback interface.
// The server sends a world of moving entities 30 times a second, in QUIC
// datagrams. The clients send inputs in datagrams, and chat on a stream, which
// loses nothing. TLS authenticates and encrypts everything, so the messages are
// those of package tagcodec alone.
//
// It is a module of its own because of its dependency. Run it in its directory
// with go run .
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	players := flag.Int("clients", 4, "how many `players` join")
	length := flag.Duration("for", 3*time.Second, "how long it runs")
	flag.Parse()
	if *players < 1 || *players > maxPlayers {
		log.Fatalf("quic: there must be 1 to %d players", maxPlayers)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *players, *length, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run starts a server and the given number of clients, lets each of them say
// hello, and prints what everyone has received when the time is up or ctx ends.
func run(ctx context.Context, players int, length time.Duration, out io.Writer) error {
	s, err := listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "server: %d entities at %d Hz on %v\nserver: certificate %x\nserver: protocol %s\n",
		maxEntities, tickRate, s.address(), s.pin, protocol)
	serving, stopServer := context.WithCancel(context.Background())
	defer stopServer()
	var server, playing group
	server.run(func() error { return s.run(serving) })
	ctx, stopClients := context.WithCancel(ctx)
	defer stopClients()

	clients := make([]*client, players)
	for i := range clients {
		clients[i], err = dial(ctx, s.address(), s.pin, protocol, fmt.Sprintf("player %d", i+1))
		if err != nil {
			return err
		}
		playing.run(func() error { return clients[i].run(ctx) })
	}
	for _, c := range clients {
		err = errors.Join(err, c.say("hello"))
	}
	select {
	case <-ctx.Done():
	case <-time.After(length):
	}
	stopClients()
	err = errors.Join(err, playing.wait())
	stopServer()
	if err = errors.Join(err, server.wait()); err != nil {
		return err
	}

	fmt.Fprintf(out, "server: %d ticks, %d inputs, %d snapshots dropped because a client was slow\n", s.world.tick, s.inputs, s.dropped)
	for _, c := range clients {
		fmt.Fprintf(out, "%s: %d datagrams of %d bytes on average, the largest of %d; %d whole snapshots; %d lines of chat\n",
			c.name, c.datagrams, c.bytes/max(1, c.datagrams), c.largest, c.whole, len(c.chat))
	}
	return nil
}

// group runs goroutines and joins their errors.
type group struct {
	wg  sync.WaitGroup
	mu  sync.Mutex
	err error
}

func (g *group) run(f func() error) {
	g.wg.Go(func() {
		err := f()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.err = errors.Join(g.err, err)
	})
}

func (g *group) wait() error {
	g.wg.Wait()
	return g.err
}
