package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

// errProtocol means that the server speaks another protocol, or another version
// of it.
var errProtocol = errors.New("quic: the server has another protocol")

// inputQueue is how many inputs may wait to be sent.
const inputQueue = 4

// client is a player.
type client struct {
	name   string
	conn   *quic.Conn
	stream *quic.Stream
	lines  *bufio.Reader
	entity int // that it moves
	inputs *queue[Input]

	mu                        sync.Mutex
	entities                  [maxEntities]Entity
	tick                      uint32 // of the newest snapshot
	parts                     int    // entities received of it
	whole                     int    // snapshots that arrived with all entities
	chat                      []Chat
	datagrams, bytes, largest int
}

// dial connects to the server that has the pinned certificate, and joins.
func dial(ctx context.Context, server net.Addr, want pin, protocol, name string) (*client, error) {
	conn, err := quic.DialAddr(ctx, server.String(), clientTLS(want, protocol), config(-1))
	if err != nil {
		return nil, dialError(err)
	}
	c := &client{name: name, conn: conn, inputs: newQueue[Input](inputQueue)}
	if err := c.join(ctx); err != nil {
		conn.CloseWithError(codeDone, "")
		return nil, err
	}
	return c, nil
}

// dialError adds errProtocol to the error of a handshake that no protocol
// survived.
func dialError(err error) error {
	const noProtocol quic.TransportErrorCode = 0x100 + 120 // TLS alert no_application_protocol, as RFC 9001 says
	var refused *quic.TransportError
	if errors.As(err, &refused) && refused.ErrorCode == noProtocol {
		return fmt.Errorf("%w: %w", errProtocol, err)
	}
	return err
}

// join says hello and waits for the answer.
func (c *client) join(ctx context.Context) (err error) {
	defer context.AfterFunc(ctx, func() { c.conn.CloseWithError(codeDone, "") })()
	if c.stream, err = c.conn.OpenStreamSync(ctx); err != nil {
		return err
	}
	c.lines = bufio.NewReader(c.stream)
	if err := writeMessage(c.stream, hellos, &Hello{Name: c.name}); err != nil {
		return err
	}
	var w Welcome
	if err := readMessage(c.lines, welcomes, &w); err != nil {
		return err
	}
	c.entity = w.Entity
	return nil
}

// run plays until ctx ends, which is no error, or the connection does.
func (c *client) run(ctx context.Context) error {
	ctx, end := context.WithCancelCause(ctx)
	var playing sync.WaitGroup
	playing.Go(func() { end(c.play(ctx)) })
	playing.Go(func() { end(c.sendInputs(ctx)) })
	playing.Go(func() { end(c.receiveSnapshots(ctx)) })
	playing.Go(func() { end(c.receiveChat()) })
	<-ctx.Done()
	c.conn.CloseWithError(codeDone, "")
	playing.Wait()
	switch err := context.Cause(ctx); {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	default:
		return fmt.Errorf("%s: %w", c.name, err)
	}
}

// play queues an input in every tick.
func (c *client) play(ctx context.Context) error {
	ticker := time.NewTicker(time.Second / tickRate)
	defer ticker.Stop()
	for tick := uint32(1); ; tick++ {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
			c.inputs.put(Input{Tick: tick, Thrust: [2]int{1, 0}})
		}
	}
}

// sendInputs sends the inputs in the queue. It may block.
func (c *client) sendInputs(ctx context.Context) error {
	var datagram []byte
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case in := <-c.inputs.values:
			var err error
			if datagram, err = inputs.Append(datagram[:0], &in); err != nil {
				return err
			}
			if err := c.conn.SendDatagram(datagram); err != nil {
				return err
			}
		}
	}
}

// receiveSnapshots keeps the world up to date.
func (c *client) receiveSnapshots(ctx context.Context) error {
	var part Snapshot
	for {
		datagram, err := c.conn.ReceiveDatagram(ctx)
		if err != nil {
			return err
		}
		if err := snapshots.Unmarshal(datagram, &part); err != nil {
			return fmt.Errorf("%w: %w", errMessage, err)
		}
		if err := c.apply(&part, len(datagram)); err != nil {
			return err
		}
	}
}

// apply takes over a part of a snapshot, unless a newer snapshot has arrived.
// size is that of its datagram.
func (c *client) apply(part *Snapshot, size int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if part.First+len(part.Entities) > maxEntities { // the tags cannot say this
		return fmt.Errorf("%w: entities %d to %d", errMessage, part.First, part.First+len(part.Entities))
	}
	c.datagrams++
	c.bytes += size
	c.largest = max(c.largest, size)
	if part.Tick < c.tick {
		return nil
	}
	if part.Tick > c.tick {
		c.tick, c.parts = part.Tick, 0
	}
	copy(c.entities[part.First:], part.Entities)
	if c.parts += len(part.Entities); c.parts == maxEntities {
		c.whole++
	}
	return nil
}

// say sends a line of chat. It blocks while the server does not read.
func (c *client) say(text string) error {
	return writeMessage(c.stream, chats, &Chat{Text: text})
}

// receiveChat receives the lines of everyone.
func (c *client) receiveChat() error {
	for {
		var line Chat
		if err := readMessage(c.lines, chats, &line); err != nil {
			return err
		}
		c.mu.Lock()
		c.chat = append(c.chat, line)
		c.mu.Unlock()
	}
}
