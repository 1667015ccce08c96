package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"time"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// match is a server, its clients, and the networks between them. It runs as fast
// as it can: the time of a tick is computed, and nothing sleeps.
type match struct {
	conditions
	*rand.Rand // of the world
	bodies     int
	start      time.Time
	server     *server
	clients    []*client
	paths      map[netip.AddrPort]*path // from the server, by the address of the client

	now    uint64 // ticks since the start
	world  *World
	tick   uint64 // of the world
	images map[uint64]*delta.Image

	updates                   int
	complete, base, predicted int // bytes of messages
}

// newMatch starts a server and clients.
func newMatch(bodies, clients int, c conditions) (m *match, err error) {
	m = &match{conditions: c, Rand: rand.New(rand.NewPCG(1, 2)), bodies: bodies, paths: map[netip.AddrPort]*path{}}
	m.start = time.Now().Add(time.Hour) // a Gate takes no time before its own start, however slow the machine is
	if err := m.serve(loopback()); err != nil {
		return m, err
	}
	for user := range clients {
		c, err := m.newClient(uint64(user))
		if err != nil {
			return m, err
		}
		m.clients = append(m.clients, c)
	}
	return m, nil
}

// serve starts a server with a new world.
func (m *match) serve(at *net.UDPAddr) (err error) {
	m.world, m.tick, m.images = newWorld(m.bodies, m.Rand), 0, map[uint64]*delta.Image{}
	m.server, err = newServer(at, func(to netip.AddrPort, datagram []byte) {
		if p := m.paths[to]; p != nil {
			p.send(m.now, datagram)
		}
	})
	return err
}

// newClient starts the program of a user.
func (m *match) newClient(user uint64) (*client, error) {
	r := rand.New(rand.NewPCG(user, 3))
	up, down := &path{Rand: r, conditions: m.conditions}, &path{Rand: r, conditions: m.conditions}
	c, err := newClient(user, addressOf(m.server.conn), up, down)
	if err == nil {
		m.paths[addressOf(c.conn)] = down
	}
	return c, err
}

// close closes the sockets.
func (m *match) close() {
	if m.server != nil && m.server.conn != nil {
		m.server.conn.Close()
	}
	for _, c := range m.clients {
		c.conn.Close()
	}
}

// run runs for some ticks.
func (m *match) run(ticks int) error {
	for range ticks {
		if err := m.step(); err != nil {
			return err
		}
	}
	return nil
}

// step runs a tick of everything.
func (m *match) step() error {
	now := m.start.Add(time.Duration(m.now) * time.Second / tickRate)
	for _, c := range m.clients {
		if c.asleep {
			continue
		}
		if err := c.live(m.now, now); err != nil {
			return err
		}
		err := c.up.deliver(m.now, func(datagram []byte) error {
			_, err := c.conn.Write(datagram)
			return err
		}, func() error { return m.server.receive(now) })
		if err != nil {
			return err
		}
	}
	m.world.step(m.tick, m.Rand)
	image, err := codec.Quantize(m.world, nil)
	if err != nil {
		return err
	}
	m.images[m.tick] = image
	for p := range m.server.clients.All() {
		if err := m.update(p, image); err != nil {
			return err
		}
	}
	m.server.clients.Tick(now)
	for _, c := range m.clients {
		if c.asleep {
			continue
		}
		err := c.down.deliver(m.now, func(datagram []byte) error {
			_, err := m.server.conn.WriteToUDPAddrPort(datagram, addressOf(c.conn))
			return err
		}, c.receive)
		if err != nil {
			return err
		}
	}
	m.tick++
	m.now++
	return nil
}

// update sends the snapshot of this tick to a client, and adds up its sizes.
func (m *match) update(p *packet.Peer, image *delta.Image) error {
	predicted, err := m.server.update(p, m.tick, image)
	if err != nil {
		return err
	}
	complete, err := tagcodec.Size(m.world)
	if err != nil {
		return err
	}
	base, err := m.oneBase(image, p.Value.(*delta.Sender).Age())
	m.updates++
	m.complete, m.base, m.predicted = m.complete+complete, m.base+base, m.predicted+predicted
	return err
}

// oneBase returns the size of a delta against one base, with the tick and the
// distance of the base in 3 bytes.
func (m *match) oneBase(image *delta.Image, age uint64) (int, error) {
	refs := delta.Refs{Tick: m.tick}
	if age > 0 {
		refs.Base = delta.Ref{Tick: m.tick - age, Image: m.images[m.tick-age]}
	}
	data, err := codec.Append(nil, image, refs)
	return 3 + len(data), err
}

var errOld = errors.New("its world is old")

// current reports whether a client has read a snapshot that is as new as its
// network allows, give or take a few lost datagrams. It fails if the world of
// the client is not the one of that snapshot.
func (m *match) current(c *client) (bool, error) {
	if m.sender(c) == nil {
		return false, nil
	}
	tick, ok := c.receiver.Tick()
	if !ok || m.images[tick] == nil || m.tick-tick > uint64(m.latency+m.jitter+8) {
		return false, nil
	}
	var want World
	if err := codec.Restore(m.images[tick], &want); err != nil {
		return false, err
	}
	sent, err := tagcodec.Marshal(&want)
	if err != nil {
		return false, err
	}
	seen, err := tagcodec.Marshal(&c.world)
	if err == nil && !bytes.Equal(sent, seen) {
		err = fmt.Errorf("the world of tick %d is not the one that was sent", tick)
	}
	return err == nil, err
}

// sender returns the Sender of a client's session, or nil.
func (m *match) sender(c *client) *delta.Sender {
	if p := m.server.clients.ByAddress(addressOf(c.conn)); p != nil {
		return p.Value.(*delta.Sender)
	}
	return nil
}

// check fails unless all clients are current.
func (m *match) check() error {
	for _, c := range m.clients {
		ok, err := m.current(c)
		if err == nil && !ok {
			err = fmt.Errorf("client %d: %w", c.user, errOld)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
