// Arena is a game server and its clients over UDP on the loopback interface.
// The server simulates a thousand bodies, and at 60 Hz sends each client what has
// changed of those that it sees. The clients join with a handshake, send inputs
// and leave. What must not be lost, such as a blast, are messages, which package
// packet sends until they arrive. One client speaks a changed protocol and is
// rejected, and one sends garbage and forgeries as fast as it can.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	o := options{log: os.Stdout}
	flag.IntVar(&o.clients, "clients", 8, "how many `players` join")
	flag.IntVar(&o.bodies, "bodies", maxBodies, "how many `bodies` there are")
	flag.DurationVar(&o.length, "for", 3*time.Second, "how long it runs")
	flag.Float64Var(&o.loss, "loss", 0.05, "the `share` of the players' datagrams that are lost, from 0 to 0.5")
	flag.BoolVar(&o.serve, "serve", false, "run until a signal, with a line every second")
	flag.BoolVar(&o.flood, "flood", true, "have a client send garbage and forgeries")
	flag.Parse()
	if o.clients < 1 || o.bodies < 1 || o.bodies > maxBodies || !(o.loss >= 0 && o.loss <= 0.5) {
		log.Fatalf("arena: there must be players, 1 to %d bodies, and a loss of at most 0.5", maxBodies)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch r, err := run(ctx, o); {
	case errors.Is(err, errEarly):
		log.Print(err)
	case err != nil:
		log.Fatal(err)
	default:
		r.print(os.Stdout)
	}
}
