package main

import (
	"errors"
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// client is both ends of a client's session, and the network between them.
type client struct {
	down, up       *path
	server, player *packet.Session

	sender   *delta.Sender // at the server
	receiver *delta.Receiver[World]
	world    World // as the client sees it
	seen     Seen
	read     int

	message, datagram []byte
}

// newClient returns a client whose session has begun.
func newClient(down, up *path) (*client, error) {
	secret, salt := make([]byte, packet.MinSecret), make([]byte, packet.MinSalt) // those of a real session come from a handshake
	server, err := protocol.NewSession(packet.ServerSide, secret, salt)
	if err != nil {
		return nil, err
	}
	player, err := protocol.NewSession(packet.ClientSide, secret, salt)
	if err != nil {
		return nil, err
	}
	return &client{down: down, up: up, server: server, player: player, sender: codec.NewSender(), receiver: codec.NewReceiver()}, nil
}

// update sends a snapshot.
func (c *client) update(tick uint64, image *delta.Image) (size int, err error) {
	if c.message, err = c.sender.Append(c.message[:0], tick, image); err != nil {
		return 0, err
	}
	if c.datagram, err = c.server.Append(c.datagram[:0], &Update{c.message}); err != nil {
		return 0, err
	}
	c.down.send(tick, c.datagram)
	return len(c.message), nil
}

// play reads what has arrived at the client, and acknowledges what it has read.
func (c *client) play(now uint64) error {
	return c.down.receive(now, func(datagram []byte) error {
		v, err := c.player.Decode(datagram)
		if err != nil {
			return err
		}
		tick, err := c.receiver.Read(v.(*Update).Message, &c.world)
		switch {
		case err == nil, errors.Is(err, delta.ErrLate), errors.Is(err, delta.ErrRepeated):
			c.read++
			c.seen.Ticks = append(c.seen.Ticks, tick)
			c.seen.Ticks = c.seen.Ticks[max(0, len(c.seen.Ticks)-4):]
			c.seen.Complete = false
		case errors.Is(err, delta.ErrBaseline):
			c.seen.Complete = true
		case errors.Is(err, delta.ErrStale):
			return nil
		default:
			return err
		}
		reply, err := c.player.Append(nil, &c.seen)
		if err == nil {
			c.up.send(now, reply)
		}
		return err
	})
}

// serve reads the acknowledgements that have arrived at the server.
func (c *client) serve(now uint64) error {
	return c.up.receive(now, func(datagram []byte) error {
		v, err := c.server.Decode(datagram)
		if err != nil {
			return err
		}
		seen := v.(*Seen)
		if seen.Complete {
			c.sender.Reset()
		}
		for _, tick := range seen.Ticks {
			c.sender.Ack(tick)
		}
		return nil
	})
}

// check refuses a client whose world is not the image of its newest tick.
func (c *client) check(images map[uint64]*delta.Image) error {
	tick, _ := c.receiver.Tick()
	var want World
	if err := codec.Restore(images[tick], &want); err != nil {
		return err
	}
	a, err := tagcodec.Marshal(&want)
	if err != nil {
		return err
	}
	b, err := tagcodec.Marshal(&c.world)
	if err != nil {
		return err
	}
	if string(a) != string(b) {
		return fmt.Errorf("the world of tick %d is not the one that was sent", tick)
	}
	return nil
}
