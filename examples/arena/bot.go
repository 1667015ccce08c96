package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// bot is a client that plays by itself. It answers each update with an input,
// and now and then with a bomb.
type bot struct {
	conn   *net.UDPConn
	client *packet.Client
	mux    *packet.Mux
	loss   float64 // share of the datagrams that are lost on the way
	idle   bool    // it does not act

	receiver *delta.Receiver[World]
	world    World // what the player sees
	body     int   // the player's own, or -1
	err      error // of an update that cannot be read

	updates, inputs, bombs, blasts int
	nextBomb                       uint64      // the first tick at which it sends another bomb
	show                           func(Blast) // or nil

	datagram [2048]byte
}

// newBot returns a bot that starts to join with its first Tick. write sends its
// datagrams.
func newBot(p *packet.Protocol, user uint64, secret []byte, loss float64, write func(datagram []byte)) (b *bot, err error) {
	b = &bot{mux: p.NewMux(), loss: loss, receiver: codec.NewReceiver(), body: -1}
	packet.Handle(b.mux, b.update)
	packet.Handle(b.mux, func(_ context.Context, w *Welcome) { b.body = int(w.Body) })
	packet.Handle(b.mux, func(_ context.Context, at *Blast) {
		if b.blasts++; b.show != nil {
			b.show(*at)
		}
	})
	b.client, err = p.NewClient(packet.ClientConfig{User: user, Secret: secret, Send: func(datagram []byte) {
		if !b.loses() {
			write(datagram)
		}
	}})
	return b, err
}

// loses reports whether the network loses a datagram.
func (b *bot) loses() bool { return rand.Float64() < b.loss }

// dial connects a bot to the server and joins. It fails with a
// [*packet.RejectedError] if the server rejects the client.
func dial(ctx context.Context, server netip.AddrPort, p *packet.Protocol, user uint64, secret []byte, loss float64) (*bot, error) {
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(server))
	if err != nil {
		return nil, err
	}
	b, err := newBot(p, user, secret, loss, func(datagram []byte) { conn.Write(datagram) })
	if err == nil {
		b.conn = conn
		err = b.join(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return b, nil
}

// join receives until the client has joined.
func (b *bot) join(ctx context.Context) (err error) {
	for err == nil && b.client.Session() == nil {
		if err = ctx.Err(); err == nil {
			err = b.receive()
		}
	}
	return err
}

// wait is how long a client waits for a datagram before it checks for timeouts.
const wait = 50 * time.Millisecond

// receive handles a datagram, if one arrives in time. It fails if the client's
// session has ended.
func (b *bot) receive() error {
	if err := b.client.Tick(time.Now()); err != nil {
		return err
	}
	b.conn.SetReadDeadline(time.Now().Add(wait))
	n, err := b.conn.Read(b.datagram[:])
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil
	case err != nil:
		return err
	}
	return b.handle(b.datagram[:n], time.Now())
}

// handle handles a datagram. The Client and the Mux count refusals.
func (b *bot) handle(datagram []byte, now time.Time) error {
	if b.loses() {
		return nil
	}
	if contents, err := b.client.Receive(datagram, now); err == nil {
		b.mux.Serve(context.Background(), contents)
	}
	return errors.Join(b.client.Err(), b.err)
}

// update reads an update and answers it. It declines one that it cannot read, so
// that the server hears of those alone that later deltas may refer to. A client
// that loses its images would ask for a complete update: see
// examples/replication.
func (b *bot) update(ctx context.Context, u *Update) {
	switch tick, err := b.receiver.Read(u.Message, &b.world); {
	case err == nil:
		b.updates++
		if !b.idle {
			b.err = b.act(tick)
		}
	case errors.Is(err, delta.ErrLate), errors.Is(err, delta.ErrRepeated):
	case errors.Is(err, delta.ErrStale):
		packet.ArrivalFrom(ctx).Decline()
	default:
		b.err = err
		packet.ArrivalFrom(ctx).Decline()
	}
}

// act sends an input, and a bomb if the last one was a second ago.
func (b *bot) act(tick uint64) error {
	if tick >= b.nextBomb {
		b.bombs++
		b.nextBomb = tick + tickRate
		if err := b.client.Queue(&Bomb{}); err != nil {
			return err
		}
	}
	b.inputs++
	return b.client.Send(&Input{[2]int{int(tick/40%3) - 1, int(tick/60%3) - 1}})
}

// patience is how long a player who leaves waits for its messages to arrive.
const patience = 2 * time.Second

// play receives until ctx ends. It leaves when all of its messages have arrived.
func (b *bot) play(ctx context.Context) error {
	defer b.conn.Close()
	var until time.Time
	for !b.idle || b.client.Session().Queued() > 0 && time.Now().Before(until) {
		if err := b.receive(); err != nil {
			return err
		}
		if !b.idle && ctx.Err() != nil {
			b.idle, until = true, time.Now().Add(patience)
		}
	}
	b.client.Disconnect(packet.ReasonLeft)
	return nil
}
