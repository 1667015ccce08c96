package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// client is a user's program. It joins again when its session ends.
type client struct {
	user     uint64
	conn     *net.UDPConn
	up, down *path
	now      time.Time
	tick     uint64 // of the network

	packets  *packet.Client
	receiver *delta.Receiver[World] // of the session
	mux      *packet.Mux
	world    World
	seen     Seen
	err      error // of a message that is not valid
	sessions int

	buf [1 << 16]byte
}

// newClient returns a client of the server at an address.
func newClient(user uint64, server netip.AddrPort, up, down *path) (c *client, err error) {
	c = &client{user: user, up: up, down: down, mux: protocol.NewMux()}
	packet.Handle(c.mux, c.update)
	c.conn, err = net.DialUDP("udp4", loopback(), net.UDPAddrFromAddrPort(server))
	return c, err
}

// live is called once per tick. It joins, sends keepalives, and begins a new
// session if the server has fallen silent.
func (c *client) live(tick uint64, now time.Time) error {
	c.tick, c.now = tick, now
	if c.packets != nil && c.packets.Tick(now) == nil {
		return nil
	}
	packets, err := protocol.NewClient(packet.ClientConfig{
		Send:    func(datagram []byte) { c.up.send(c.tick, datagram) },
		User:    c.user,
		Secret:  secretOf(c.user),
		Timeout: timeout,
	})
	if err != nil {
		return err
	}
	// A Receiver belongs to one session, as its Sender does.
	c.packets, c.receiver, c.seen = packets, codec.NewReceiver(), Seen{}
	c.sessions++
	return c.packets.Tick(now)
}

// receive reads a datagram. Those that are refused are counted.
func (c *client) receive() error {
	datagram, _, err := read(c.conn, c.buf[:])
	if err != nil {
		return err
	}
	if contents, err := c.packets.Receive(datagram, c.now); err == nil {
		c.mux.Serve(context.Background(), contents)
	}
	return c.err
}

// update reads a snapshot, and acknowledges it if that succeeds.
func (c *client) update(_ context.Context, u *Update) {
	tick, err := c.receiver.Read(u.Message, &c.world)
	switch {
	case err == nil, errors.Is(err, delta.ErrLate), errors.Is(err, delta.ErrRepeated):
		c.seen.Ticks = append(c.seen.Ticks, tick)
		c.seen.Ticks = c.seen.Ticks[max(0, len(c.seen.Ticks)-4):]
		c.seen.Complete = false
	case errors.Is(err, delta.ErrBaseline):
		c.seen.Complete = true
	case errors.Is(err, delta.ErrStale):
		return
	default:
		c.err = err
		return
	}
	c.err = c.packets.Send(&c.seen)
}
