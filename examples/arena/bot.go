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

// retry is how long a client waits for an answer of the handshake.
const retry = 50 * time.Millisecond

// bot is a client that plays by itself.
type bot struct {
	conn    *net.UDPConn
	session *packet.Session

	counters  packet.Counters
	bytes     uint64
	first     time.Time // when the first snapshot came
	firstTick uint32
	last      time.Time
	snapshot  Snapshot // the last

	inputs [3]Input // the last ones, the newest last
	buf    []byte
}

// dial connects to the server and joins it as a user. It fails with a
// [*packet.RejectedError] if the server turns it away.
func dial(ctx context.Context, server netip.AddrPort, p *packet.Protocol, user uint64, secret []byte) (*bot, error) {
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(server))
	if err != nil {
		return nil, err
	}
	b := &bot{conn: conn}
	if b.session, err = b.join(ctx, p, user, secret); err != nil {
		conn.Close()
		return nil, err
	}
	b.session.CountIn(&b.counters)
	return b, nil
}

// join sends what the handshake has to send until it is answered.
func (b *bot) join(ctx context.Context, p *packet.Protocol, user uint64, secret []byte) (*packet.Session, error) {
	join, err := p.Join(user, secret)
	if err != nil {
		return nil, err
	}
	var answer [2048]byte
	for ctx.Err() == nil {
		if b.buf, err = join.Append(b.buf[:0]); err != nil {
			return nil, err
		}
		if _, err := b.conn.Write(b.buf); err != nil {
			return nil, err
		}
		b.conn.SetReadDeadline(time.Now().Add(retry))
		n, err := b.conn.Read(answer[:])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			continue
		} else if err != nil {
			return nil, err
		}
		session, err := join.Read(answer[:n])
		var rejected *packet.RejectedError
		if errors.As(err, &rejected) {
			return nil, err
		}
		if session != nil {
			return session, b.conn.SetReadDeadline(time.Time{})
		}
	}
	return nil, ctx.Err()
}

// play answers each snapshot with inputs until ctx ends, and leaves.
func (b *bot) play(ctx context.Context) error {
	defer b.conn.Close()
	defer context.AfterFunc(ctx, func() { b.conn.SetReadDeadline(time.Now()) })()
	mux := packet.NewMux(protocol)
	fresh := false
	packet.Handle(mux, func(_ context.Context, s *Snapshot) {
		fresh = s.Tick > b.snapshot.Tick
		b.snapshot.Tick = s.Tick
		b.snapshot.Bodies = append(b.snapshot.Bodies[:0], s.Bodies...)
	})
	var datagram [2048]byte
	for {
		n, err := b.conn.Read(datagram[:])
		if ctx.Err() != nil {
			return b.leave()
		} else if err != nil {
			return err
		}
		b.bytes += uint64(n)
		fresh = false
		if mux.Dispatch(ctx, b.session, datagram[:n]) != nil || !fresh {
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

// answer sends what the player does now, with what it did before.
func (b *bot) answer() (err error) {
	copy(b.inputs[:], b.inputs[1:])
	tick := b.snapshot.Tick
	b.inputs[2] = Input{Tick: tick, Thrust: [2]int{int(tick/40%3) - 1, int(tick/60%3) - 1}}
	b.buf, err = b.session.Append(b.buf[:0], &b.inputs[0], &b.inputs[1], &b.inputs[2])
	if err != nil {
		return err
	}
	_, err = b.conn.Write(b.buf)
	return err
}

// leave says goodbye, more than once since nobody answers.
func (b *bot) leave() error {
	for i := range 3 {
		time.Sleep(time.Duration(i) * 5 * time.Millisecond)
		datagram, err := b.session.Append(nil, &Leave{})
		if err != nil {
			return err
		}
		if _, err := b.conn.Write(datagram); err != nil {
			return err
		}
	}
	return nil
}

// sent is how many snapshots the server has sent this client, up to the last
// that came.
func (b *bot) sent() uint64 {
	if b.first.IsZero() {
		return 0
	}
	return uint64(b.snapshot.Tick-b.firstTick) + 1
}

// bytesPerSecond is what the server sends this client.
func (b *bot) bytesPerSecond() float64 {
	if d := b.last.Sub(b.first).Seconds(); d > 0 {
		return float64(b.bytes) / d
	}
	return 0
}
