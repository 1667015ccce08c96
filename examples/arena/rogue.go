package main

import (
	"context"
	"crypto/rand"
	"net"
	"net/netip"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// rogue is a player who attacks: it has a session, and so an address from
// which the server must look at every datagram. It sends garbage and forgeries
// as fast as it can.
type rogue struct {
	bot      *bot
	stranger *net.UDPConn // has no session
	bad      [][]byte     // for the session
	knocks   [][]byte     // for the gate
	sent     uint64
}

// newRogue joins, and makes a bad datagram of each kind.
func newRogue(ctx context.Context, server netip.AddrPort, user uint64, secret []byte) (*rogue, error) {
	b, err := dial(ctx, server, protocol, user, secret)
	if err != nil {
		return nil, err
	}
	stranger, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(server))
	if err != nil {
		return nil, err
	}
	r := &rogue{bot: b, stranger: stranger}
	good, err := b.session.Append(nil, &Input{Tick: 1})
	if err != nil {
		return nil, err
	}
	if _, err := b.conn.Write(good); err != nil { // so that it is a replay from now on
		return nil, err
	}
	unsent, err := b.session.Append(nil, &Input{Tick: 2})
	if err != nil {
		return nil, err
	}
	noise := make([]byte, 200)
	rand.Read(noise)
	noise[0] |= 0x80
	plausible := slices.Clone(noise)
	copy(plausible, []byte{4, 0, 0, 0, 1}) // the header of a datagram that may come
	r.bad = [][]byte{noise, plausible, good, unsent[:10]}

	join, err := protocol.Join(user, secret)
	if err != nil {
		return nil, err
	}
	request, err := join.Append(nil)
	if err != nil {
		return nil, err
	}
	changed, err := changedProtocol.Join(user, secret)
	if err != nil {
		return nil, err
	}
	foreign, err := changed.Append(nil)
	if err != nil {
		return nil, err
	}
	r.knocks = [][]byte{noise, request[:40], foreign}
	return r, nil
}

// attack sends until ctx ends.
func (r *rogue) attack(ctx context.Context) {
	defer r.bot.conn.Close()
	defer r.stranger.Close()
	var buf, forged []byte
	var wrong Snapshot
	write := func(conn *net.UDPConn, datagram []byte) {
		if _, err := conn.Write(datagram); err == nil {
			r.sent++
		}
	}
	for ctx.Err() == nil {
		for _, d := range r.bad {
			write(r.bot.conn, d)
		}
		for _, d := range r.knocks {
			write(r.stranger, d)
		}
		// A datagram that is authentic, of a type that is not for the server; and
		// before it one that differs in a bit.
		var err error
		if buf, err = r.bot.session.Append(buf[:0], &wrong); err != nil {
			return
		}
		forged = append(forged[:0], buf...)
		forged[len(forged)-1] ^= 1
		write(r.bot.conn, forged)
		write(r.bot.conn, buf)
	}
}

// refusals that a rogue provokes, each of which the server must count.
var provoked = []packet.Refusal{packet.ErrGarbage, packet.ErrForged, packet.ErrReplayed, packet.ErrTruncated,
	packet.ErrUnhandled, packet.ErrStranger, packet.ErrProtocol}
