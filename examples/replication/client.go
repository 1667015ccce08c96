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
	asleep   bool   // the program does not run

	packets  *packet.Client
	receiver *delta.Receiver[World] // of the session
	mux      *packet.Mux
	world    World
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
	c.packets, c.receiver = packets, codec.NewReceiver()
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

// update reads a snapshot. It declines one that it cannot read or use, so that
// the server hears of those alone that later deltas may refer to.
func (c *client) update(ctx context.Context, u *Update) {
	_, err := c.receiver.Read(u.Message, &c.world)
	switch {
	case err == nil, errors.Is(err, delta.ErrLate), errors.Is(err, delta.ErrRepeated):
		return
	case errors.Is(err, delta.ErrBaseline):
		c.err = c.packets.Send(&Restart{})
	case !errors.Is(err, delta.ErrStale):
		c.err = err
	}
	packet.ArrivalFrom(ctx).Decline()
}
