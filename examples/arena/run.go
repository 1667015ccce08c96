package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// options selects what to run, and for how long.
type options struct {
	clients, bodies int
	length          time.Duration
	loss            float64 // share of the players' datagrams, in both directions
	serve, flood    bool
	log             io.Writer
}

// run starts the server and the clients. When the time is up or ctx ends, the
// clients leave and then the server stops.
func run(ctx context.Context, o options) (*report, error) {
	var login secrets
	rand.Read(login.key[:])
	o.log = &lockedWriter{w: o.log}
	s, err := newServer(o.log, o.bodies, &login)
	if err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	defer s.conn.Close()
	fmt.Fprintf(o.log, "server: protocol %016x, %v, on %v\n", protocol.ID(), config.Protection, s.address())

	serving, stopServer := context.WithCancel(context.Background())
	var server, clients group
	server.run(func() error { return s.receive(serving) })
	server.run(func() error { return s.run(serving) })
	defer func() { stopServer(); server.wait() }()

	playing, stopClients := context.WithCancel(ctx)
	defer stopClients()
	bots := make([]*bot, o.clients)
	for i := range bots {
		user := uint64(i + 1)
		if bots[i], err = dial(playing, s.address(), protocol, user, login.of(user), o.loss); err != nil {
			return nil, ended(ctx, err)
		}
		clients.run(func() error { return bots[i].play(playing) })
	}
	r := &report{options: o, online: s.clients.Len()}
	if r.turnedAway, err = turnAway(playing, s, &login); err != nil {
		return nil, ended(ctx, err)
	}
	fmt.Fprintf(o.log, "client: %v\n", r.turnedAway)

	attacking, stopAttack := context.WithCancel(playing)
	defer stopAttack()
	var attack group
	var attacker *rogue
	if o.flood {
		user := uint64(o.clients + 1)
		if attacker, err = newRogue(playing, s.address(), user, &login); err != nil {
			return nil, ended(ctx, err)
		}
		attack.run(func() error { attacker.attack(attacking); return nil })
	}
	r.measure(ctx, s)
	r.hear(s)
	stopAttack()
	attack.wait()
	s.catchUp(o.clients)
	stopClients()
	err = clients.wait()
	s.goodbye(len(bots))
	stopServer()
	if err := errors.Join(err, server.wait()); err != nil {
		return nil, err
	}
	r.collect(s, bots, attacker)
	return r, nil
}

// errEarly means that a signal came before everyone had joined.
var errEarly = errors.New("arena: ended before everyone had joined")

// ended returns errEarly if ctx has ended, and err otherwise.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errEarly
	}
	return err
}

// turnAway lets a client with the changed protocol try to join, and returns the
// server's rejection.
func turnAway(ctx context.Context, s *server, login *secrets) (*packet.RejectedError, error) {
	b, err := dial(ctx, s.address(), changedProtocol, 0, login.of(0), 0)
	var rejected *packet.RejectedError
	switch {
	case errors.As(err, &rejected):
		return rejected, nil
	case err == nil:
		b.conn.Close()
		err = errors.New("arena: a client of another protocol was let in")
	}
	return nil, err
}

// catchUp waits until the server has read most of its queued datagrams, within
// a time limit. Before that its receive buffer may be too full for a goodbye.
func (s *server) catchUp(clients int) {
	const moment = 20 * time.Millisecond
	for range 100 {
		before := s.received.Load()
		time.Sleep(moment)
		if s.received.Load()-before < uint64(10+4*clients) {
			return
		}
	}
}

// goodbye waits, within a time limit, until the given number of clients have
// left.
func (s *server) goodbye(leaving int) {
	for user := range uint64(leaving) {
		for range 100 {
			if s.clients.ByUser(user+1) == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
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

// lockedWriter is a Writer that is safe for concurrent use.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// mallocs returns the number of heap allocations of the whole program so far.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
