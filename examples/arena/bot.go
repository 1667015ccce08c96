package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// bot is a client that plays by itself.
type bot struct {
	conn   *net.UDPConn
	client *packet.Client

	bytes     uint64
	first     time.Time // when the first snapshot arrived
	firstTick uint32
	last      time.Time
	snapshot  Snapshot // the latest one

	inputs   [3]Input // the latest three, newest last
	datagram [2048]byte
}

// dial connects to the server and joins as the given user. It fails with a
// [*packet.RejectedError] if the server rejects the client.
func dial(ctx context.Context, server netip.AddrPort, p *packet.Protocol, user uint64, secret []byte) (*bot, error) {
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(server))
	if err != nil {
		return nil, err
	}
	b := &bot{conn: conn}
	b.client, err = p.NewClient(packet.ClientConfig{
		Send:   func(datagram []byte) { conn.Write(datagram) },
		User:   user,
		Secret: secret,
	})
	for err == nil && b.client.Session() == nil {
		_, err = b.receive(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return b, nil
}

// wait is how long a client waits for a datagram before it checks for timeouts.
const wait = 50 * time.Millisecond

// receive returns the contents of a datagram, or empty contents if none arrives
// in time. It fails if ctx ends or the client's session has ended.
func (b *bot) receive(ctx context.Context) (packet.Contents, error) {
	var contents packet.Contents
	if err := b.client.Tick(time.Now()); err != nil {
		return contents, err
	}
	b.conn.SetReadDeadline(time.Now().Add(wait))
	n, err := b.conn.Read(b.datagram[:])
	switch {
	case ctx.Err() != nil:
		return contents, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return contents, nil
	case err != nil:
		return contents, err
	}
	b.bytes += uint64(n)
	contents, _ = b.client.Receive(b.datagram[:n], time.Now()) // Receive counts refusals
	return contents, b.client.Err()
}

// play answers each snapshot with inputs until ctx ends, and then leaves.
func (b *bot) play(ctx context.Context) error {
	defer b.conn.Close()
	mux := protocol.NewMux()
	fresh := false
	packet.Handle(mux, func(_ context.Context, s *Snapshot) {
		fresh = s.Tick > b.snapshot.Tick
		b.snapshot.Tick = s.Tick
		b.snapshot.Bodies = append(b.snapshot.Bodies[:0], s.Bodies...)
	})
	b.bytes = 0
	for {
		contents, err := b.receive(ctx)
		if ctx.Err() != nil {
			b.client.Disconnect(packet.ReasonLeft)
			return nil
		} else if err != nil {
			return err
		}
		fresh = false
		if mux.Serve(ctx, contents) != nil || !fresh {
			continue
		}
		b.last = time.Now()
		if b.first.IsZero() {
			b.first, b.firstTick = b.last, b.snapshot.Tick
		}
		if err := b.answer(); err != nil {
			return err
		}
	}
}

// answer sends the current input and the two before it.
func (b *bot) answer() error {
	copy(b.inputs[:], b.inputs[1:])
	tick := b.snapshot.Tick
	b.inputs[2] = Input{Tick: tick, Thrust: [2]int{int(tick/40%3) - 1, int(tick/60%3) - 1}}
	return b.client.Send(&b.inputs[0], &b.inputs[1], &b.inputs[2])
}

// sent returns the number of snapshots that the server has sent this client, up
// to the latest one received.
func (b *bot) sent() uint64 {
	if b.first.IsZero() {
		return 0
	}
	return uint64(b.snapshot.Tick-b.firstTick) + 1
}

// bytesPerSecond returns the rate at which this client receives.
func (b *bot) bytesPerSecond() float64 {
	if d := b.last.Sub(b.first).Seconds(); d > 0 {
		return float64(b.bytes) / d
	}
	return 0
}
