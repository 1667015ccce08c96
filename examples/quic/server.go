package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

// The reasons for which the server ends a connection.
var (
	// errMessage means that a peer sent what no honest peer sends. TLS has
	// authenticated it, so it is not noise of the network.
	errMessage = errors.New("quic: a message could not be read")
	errFull    = errors.New("quic: the server is full")
	errSlow    = errors.New("quic: the client does not read its chat")
)

const (
	helloTime  = 5 * time.Second        // how long a client may take to say hello
	chatPause  = 100 * time.Millisecond // the server reads a line of a client no more often
	chatQueue  = 64                     // lines that may wait for a client
	stateQueue = 4                      // states that may wait for a client
)

// server simulates the world and sends it to its players.
type server struct {
	listener *quic.Listener
	pin      pin

	mu      sync.Mutex
	world   *world
	players map[*player]struct{}
	inputs  int    // taken from players
	dropped uint64 // states that a full queue dropped
}

// player is a client that has said hello.
type player struct {
	name   string
	entity int
	seen   uint32 // the tick of the newest input
	states *queue[*state]
	chat   chan *Chat
	end    context.CancelCauseFunc // ends the connection
}

// listen returns a server with a new certificate.
func listen(address string) (*server, error) {
	certificate, pin, err := newCertificate()
	if err != nil {
		return nil, err
	}
	listener, err := quic.ListenAddr(address, serverTLS(certificate), config(1))
	if err != nil {
		return nil, err
	}
	return &server{listener: listener, pin: pin, world: newWorld(1), players: map[*player]struct{}{}}, nil
}

func (s *server) address() net.Addr { return s.listener.Addr() }

// run ticks and accepts clients until ctx ends.
func (s *server) run(ctx context.Context) error {
	var serving sync.WaitGroup
	defer serving.Wait()
	defer s.listener.Close()
	serving.Go(func() {
		ticker := time.NewTicker(time.Second / tickRate)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				s.tick()
			}
		}
	})
	for {
		conn, err := s.listener.Accept(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		serving.Go(func() { s.serve(ctx, conn) })
	}
}

// tick simulates, and queues the world for all players. It never waits for one.
func (s *server) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.step()
	now := &state{s.world.tick, append([]Entity(nil), s.world.entities...)}
	for p := range s.players {
		p.states.put(now)
	}
}

// serve serves a client until one side ends the connection.
func (s *server) serve(ctx context.Context, conn *quic.Conn) {
	ctx, end := context.WithCancelCause(ctx)
	var playing sync.WaitGroup
	playing.Go(func() { end(s.play(ctx, end, conn)) })
	<-ctx.Done()
	conn.CloseWithError(codeOf(context.Cause(ctx)), "")
	playing.Wait()
}

// codeOf returns what a client is told when its connection ends.
func codeOf(err error) quic.ApplicationErrorCode {
	switch {
	case errors.Is(err, errMessage):
		return codeMessage
	case errors.Is(err, errFull):
		return codeFull
	case errors.Is(err, errSlow):
		return codeSlow
	case errors.Is(err, errPath):
		return codePath
	}
	return codeDone
}

// play lets a client join and plays until the connection ends, which the first
// error causes.
func (s *server) play(ctx context.Context, end context.CancelCauseFunc, conn *quic.Conn) error {
	hello, cancel := context.WithTimeout(ctx, helloTime)
	defer cancel()
	stream, err := conn.AcceptStream(hello)
	if err != nil {
		return err
	}
	stream.SetReadDeadline(time.Now().Add(helloTime))
	lines := bufio.NewReader(stream)
	var h Hello
	if err := readMessage(lines, hellos, &h); err != nil {
		return err
	}
	stream.SetReadDeadline(time.Time{})

	// A game would check here who the player is, with a ticket in Hello.
	p, err := s.join(h.Name, end)
	if err != nil {
		return err
	}
	defer s.leave(p)
	if err := writeMessage(stream, welcomes, &Welcome{Entity: p.entity}); err != nil {
		return err
	}
	var playing sync.WaitGroup
	playing.Go(func() { end(s.sendStates(ctx, conn, p)) })
	playing.Go(func() { end(s.sendChat(ctx, stream, p)) })
	playing.Go(func() { end(s.receiveInputs(ctx, conn, p)) })
	playing.Go(func() { end(s.receiveChat(ctx, lines, p)) })
	playing.Wait()
	return nil
}

// join gives a player an entity that no other player has.
func (s *server) join(name string, end context.CancelCauseFunc) (*player, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.players) == maxPlayers {
		return nil, errFull
	}
	taken := make([]bool, maxPlayers)
	for p := range s.players {
		taken[p.entity] = true
	}
	p := &player{name: name, entity: slices.Index(taken, false), states: newQueue[*state](stateQueue), chat: make(chan *Chat, chatQueue), end: end}
	s.players[p] = struct{}{}
	return p, nil
}

func (s *server) leave(p *player) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.players, p)
	s.world.thrust[p.entity] = [2]int{}
	s.dropped += p.states.dropped.Load()
}

// sendStates sends a player the states in its queue.
func (s *server) sendStates(ctx context.Context, conn *quic.Conn, p *player) error {
	split := splitter{conn: conn}
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case now := <-p.states.values:
			if err := split.send(now); err != nil {
				return err
			}
		}
	}
}

// receiveInputs takes the inputs of a player. Of more than 128 datagrams that
// wait for it, quic-go drops the newest without a notice, so it does nothing
// that takes long.
func (s *server) receiveInputs(ctx context.Context, conn *quic.Conn, p *player) error {
	var in Input
	for {
		datagram, err := conn.ReceiveDatagram(ctx)
		if err != nil {
			return err
		}
		if err := inputs.Unmarshal(datagram, &in); err != nil {
			return fmt.Errorf("%w: %w", errMessage, err)
		}
		s.mu.Lock()
		if in.Tick > p.seen { // datagrams may arrive in any order
			p.seen, s.world.thrust[p.entity] = in.Tick, in.Thrust
			s.inputs++
		}
		s.mu.Unlock()
	}
}

// receiveChat passes the lines of a player on to everyone. While it pauses, flow
// control holds back a player who sends more.
func (s *server) receiveChat(ctx context.Context, lines *bufio.Reader, p *player) error {
	for {
		c := new(Chat) // not reused, because the queues keep it
		if err := readMessage(lines, chats, c); err != nil {
			return err
		}
		c.From = p.name
		s.say(c)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(chatPause):
		}
	}
}

// say queues a line for everyone. What is reliable cannot be dropped, so the
// connection of a player with a full queue ends.
func (s *server) say(c *Chat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.players {
		select {
		case p.chat <- c:
		default:
			p.end(errSlow)
		}
	}
}

// sendChat sends a player the lines in its queue. It blocks while the player
// does not read them.
func (s *server) sendChat(ctx context.Context, stream *quic.Stream, p *player) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case c := <-p.chat:
			if err := writeMessage(stream, chats, c); err != nil {
				return err
			}
		}
	}
}
