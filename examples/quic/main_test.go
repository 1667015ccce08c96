package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/stretchr/testify/require"
)

// start starts a server that ends with the test.
func start(t testing.TB) *server {
	s, err := listen("127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	var serving group
	serving.run(func() error { return s.run(ctx) })
	t.Cleanup(func() {
		stop()
		require.NoError(t, serving.wait())
		require.Empty(t, s.players)
	})
	return s
}

// until waits until a condition holds, and fails after a long time.
func until(t *testing.T, what string, holds func() bool) {
	for range 2000 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	require.Fail(t, what)
}

// Every player sees the whole world and its own thrust, and receives every line
// of chat once, those of each player in order.
func TestQUIC(t *testing.T) {
	const players, lines = 3, 4
	s := start(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var playing group
	clients := make([]*client, players)
	for i := range clients {
		c, err := dial(ctx, s.address(), s.pin, protocol, fmt.Sprint(i))
		require.NoError(t, err)
		require.Equal(t, i, c.entity)
		clients[i] = c
		playing.run(func() error { return c.run(ctx) })
	}
	for line := range lines {
		for _, c := range clients {
			require.NoError(t, c.say(fmt.Sprint("line ", line)))
		}
	}
	for _, c := range clients {
		until(t, "a client misses something", func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.whole >= 10 && len(c.chat) >= players*lines && c.entities[c.entity].Velocity[0] > 10
		})
	}
	stop()
	require.NoError(t, playing.wait())
	for _, c := range clients {
		next := map[string]int{}
		for _, line := range c.chat {
			require.Equal(t, fmt.Sprint("line ", next[line.From]), line.Text)
			next[line.From]++
		}
		require.Equal(t, map[string]int{"0": lines, "1": lines, "2": lines}, next)
		require.Greater(t, c.largest, minDatagram)
		require.Less(t, c.largest, maxDatagram)
		require.NotZero(t, c.entities[maxEntities-1].Velocity, "the last entity moves")
	}
	until(t, "a player has not left", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.players) == 0
	})
}

func TestRun(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), 2, 200*time.Millisecond, &out))
	require.Contains(t, out.String(), protocol)
	require.Contains(t, out.String(), "player 2: ")
}

func TestOtherProtocol(t *testing.T) {
	s := start(t)
	other := protocolOf(inputs.Hash())
	require.NotEqual(t, protocol, other)
	_, err := dial(context.Background(), s.address(), s.pin, other, "old")
	require.ErrorIs(t, err, errProtocol)
}

func TestOtherCertificate(t *testing.T) {
	s := start(t)
	_, other, err := newCertificate()
	require.NoError(t, err)
	_, err = dial(context.Background(), s.address(), other, protocol, "wary")
	require.ErrorIs(t, err, errCertificate)
}

// closed returns the code with which the server ends a connection.
func closed(t *testing.T, c *client) quic.ApplicationErrorCode {
	<-c.conn.Context().Done()
	var why *quic.ApplicationError
	require.ErrorAs(t, context.Cause(c.conn.Context()), &why)
	require.True(t, why.Remote)
	return why.ErrorCode
}

// What a client sends that no honest client sends ends its connection, and no
// other.
func TestBadMessages(t *testing.T) {
	s := start(t)
	honest, err := dial(context.Background(), s.address(), s.pin, protocol, "honest")
	require.NoError(t, err)
	wrong, err := inputs.Append(nil, &Input{Tick: 1})
	require.NoError(t, err)
	wrong[4] |= 3 // Thrust[0] is 2
	for name, send := range map[string]func(*client) error{
		"a datagram that is too short": func(c *client) error { return c.conn.SendDatagram([]byte{1}) },
		"a value outside of its range": func(c *client) error { return c.conn.SendDatagram(wrong) },
		"a long message":               func(c *client) error { _, err := c.stream.Write([]byte{0xff, 0xff}); return err },
		"text that is not UTF-8":       func(c *client) error { _, err := c.stream.Write([]byte{3, 0, 0, 1, 0xff}); return err },
	} {
		c, err := dial(context.Background(), s.address(), s.pin, protocol, "rogue")
		require.NoError(t, err)
		require.NoError(t, send(c), name)
		require.Equal(t, codeMessage, closed(t, c), name)
	}
	require.NoError(t, honest.conn.Context().Err())
	require.NoError(t, honest.conn.CloseWithError(codeDone, ""))
}

func TestFull(t *testing.T) {
	s := start(t)
	s.mu.Lock()
	for i := range maxPlayers {
		s.players[&player{entity: i, states: newQueue[*state](1)}] = struct{}{}
	}
	s.mu.Unlock()
	_, err := dial(context.Background(), s.address(), s.pin, protocol, "late")
	var why *quic.ApplicationError
	require.ErrorAs(t, err, &why)
	require.Equal(t, codeFull, why.ErrorCode)
	s.mu.Lock()
	clear(s.players)
	s.mu.Unlock()
}

// A tick does not wait for a player to whom nothing can be sent. The player
// misses the oldest states, and is disconnected when chat waits for it.
func TestTickDoesNotWait(t *testing.T) {
	s := &server{world: newWorld(1), players: map[*player]struct{}{}}
	ctx, end := context.WithCancelCause(context.Background())
	p, err := s.join("slow", end)
	require.NoError(t, err)
	const ticks = 1000
	for range ticks {
		s.tick()
	}
	require.Equal(t, uint64(ticks-stateQueue), p.states.dropped.Load())
	for i := range stateQueue {
		require.Equal(t, uint32(ticks-stateQueue+1+i), (<-p.states.values).tick)
	}
	for range chatQueue {
		s.say(&Chat{})
	}
	require.NoError(t, ctx.Err())
	s.say(&Chat{})
	require.ErrorIs(t, context.Cause(ctx), errSlow)
}

// path is a connection that takes datagrams up to a size.
type path struct {
	size int
	got  [][]byte
}

func (p *path) SendDatagram(datagram []byte) error {
	if len(datagram) > p.size {
		return &quic.DatagramTooLargeError{MaxDatagramPayloadSize: int64(p.size)}
	}
	p.got = append(p.got, slices.Clone(datagram))
	return nil
}

// A state is split for the largest datagrams that the path takes, which may
// become smaller and larger. None of it is lost.
func TestSplitter(t *testing.T) {
	w := newWorld(1)
	for i := range w.entities {
		w.entities[i].Velocity = [2]float32{1, 1} // the largest entities
	}
	p := &path{}
	s := splitter{conn: p}
	for _, step := range []struct {
		tick      uint32
		size      int
		datagrams int
	}{
		{1, 1243, 2}, {2, 1100, 2}, {3, minDatagram, 3}, {4, 1404, 3}, {tickRate, 1404, 2}, {tickRate + 1, 1200, 2},
	} {
		p.size, p.got = step.size, nil
		require.NoError(t, s.send(&state{step.tick, w.entities}))
		require.Equal(t, step.datagrams, len(p.got), "tick %d", step.tick)
		c := &client{}
		for _, datagram := range p.got {
			var part Snapshot
			require.NoError(t, snapshots.Unmarshal(datagram, &part))
			require.NoError(t, c.apply(&part, len(datagram)))
		}
		require.Equal(t, 1, c.whole)
		require.Equal(t, step.tick, c.tick)
	}
	p.size = minDatagram - 1
	require.ErrorIs(t, s.send(&state{tickRate, w.entities}), errPath)
	broken := errors.New("broken")
	s.conn = brokenPath{broken}
	require.ErrorIs(t, s.send(&state{tickRate, w.entities}), broken)
}

type brokenPath struct{ err error }

func (p brokenPath) SendDatagram([]byte) error { return p.err }

// A client ignores old snapshots, and refuses entities that there are not.
func TestApply(t *testing.T) {
	c := &client{}
	at := func(x float32) []Entity { return []Entity{{Position: [2]float32{x, 0}}} }
	require.NoError(t, c.apply(&Snapshot{Tick: 2, First: 7, Entities: at(2)}, 0))
	require.NoError(t, c.apply(&Snapshot{Tick: 1, First: 7, Entities: at(1)}, 0))
	require.Equal(t, at(2)[0], c.entities[7])
	require.ErrorIs(t, c.apply(&Snapshot{Tick: 3, First: maxEntities - 1, Entities: append(at(1), at(1)...)}, 0), errMessage)
	require.Equal(t, uint32(2), c.tick)
}

// Messages on a stream arrive in any pieces. A message that is cut off is an
// error, and so is one longer than its type allows, before it is there.
func TestStream(t *testing.T) {
	var data bytes.Buffer
	require.NoError(t, writeMessage(&data, chats, &Chat{From: "a", Text: "first"}))
	require.NoError(t, writeMessage(&data, chats, &Chat{From: "b", Text: "second"}))
	require.Error(t, writeMessage(&data, hellos, &Hello{Name: "longer than it may be"}))
	r := bufio.NewReader(bytes.NewReader(data.Bytes()[:data.Len()-1]))
	var c Chat
	require.NoError(t, readMessage(r, chats, &c))
	require.Equal(t, Chat{From: "a", Text: "first"}, c)
	require.Error(t, readMessage(r, chats, &c))
	n := chats.MaxSize() + 1
	r = bufio.NewReader(bytes.NewReader([]byte{byte(n), byte(n >> 8)}))
	require.ErrorIs(t, readMessage(r, chats, &c), errMessage)
}

// Whatever the players do, the world stays within the ranges of the tags.
func TestWorldFits(t *testing.T) {
	w := newWorld(2)
	for i := range 600 {
		for k := range w.thrust {
			w.thrust[k] = [2]int{i/50%3 - 1, (i/70+k)%3 - 1}
		}
		w.step()
		p := &path{size: 1243}
		require.NoError(t, (&splitter{conn: p}).send(&state{w.tick, w.entities}))
	}
}
