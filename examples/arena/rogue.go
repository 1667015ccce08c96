package main

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// rogue is a player who attacks. It has a session, so the server must examine
// every datagram from its address. As fast as it can, it sends garbage,
// forgeries, and recorded datagrams of a player who has left. It joins as
// another user from its own address, and repeatedly from other addresses.
type rogue struct {
	bot      *bot
	stranger *net.UDPConn // a socket without a session
	ghost    *net.UDPConn // the socket of the player who left
	bad      [][]byte     // bad datagrams for the session
	knocks   [][]byte     // bad datagrams for the gate
	recorded [][]byte     // datagrams of the player who left
	sent     atomic.Uint64

	server  netip.AddrPort
	login   *secrets
	flooder uint64 // the user who joins again and again
	leaver  uint64 // the user who has left
}

// newRogue joins as user and prepares a bad datagram of each kind. It also uses
// the accounts of the next two users.
func newRogue(ctx context.Context, server netip.AddrPort, user uint64, login *secrets) (*rogue, error) {
	secret := login.of(user)
	b, err := dial(ctx, server, protocol, user, secret, 0)
	if err != nil {
		return nil, err
	}
	stranger, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(server))
	if err != nil {
		return nil, err
	}
	r := &rogue{bot: b, stranger: stranger, server: server, login: login, flooder: user + 1, leaver: user + 2}
	if err := r.recordLeaver(ctx); err != nil {
		return nil, err
	}
	session := b.client.Session()
	good, err := session.Append(nil, &Input{})
	if err != nil {
		return nil, err
	}
	if _, err := b.conn.Write(good); err != nil { // from now on, sending it again is a replay
		return nil, err
	}
	unsent, err := session.Append(nil, &Input{})
	if err != nil {
		return nil, err
	}
	noise := make([]byte, 200)
	rand.Read(noise)
	noise[0] |= 0x80
	plausible := slices.Clone(noise)
	copy(plausible, []byte{4, 0, 0, 0, 1}) // a header that could be genuine
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
	r.join(ctx, stranger, r.flooder)
	r.join(ctx, b.conn, r.flooder) // from the address of its own session
	return r, nil
}

// recordLeaver lets a player join and leave, and records its datagrams.
func (r *rogue) recordLeaver(ctx context.Context) (err error) {
	if r.ghost, err = net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(r.server)); err != nil {
		return err
	}
	b, err := newBot(protocol, r.leaver, r.login.of(r.leaver), 0, func(datagram []byte) {
		r.recorded = append(r.recorded, slices.Clone(datagram))
		r.ghost.Write(datagram)
	})
	if err != nil {
		return err
	}
	b.conn, b.idle = r.ghost, true
	if err = b.join(ctx); err == nil {
		b.client.Disconnect(packet.ReasonLeft)
	}
	return err
}

func (r *rogue) write(conn *net.UDPConn, datagram []byte) {
	if _, err := conn.Write(datagram); err == nil {
		r.sent.Add(1)
	}
}

// attack sends bad datagrams until ctx ends.
func (r *rogue) attack(ctx context.Context) {
	defer r.bot.conn.Close()
	defer r.stranger.Close()
	defer r.ghost.Close()
	var flood sync.WaitGroup
	defer flood.Wait()
	flood.Go(func() { r.flood(ctx) })

	session := r.bot.client.Session()
	var buf, forged []byte
	var wrong Update
	for ctx.Err() == nil {
		for _, d := range r.bad {
			r.write(r.bot.conn, d)
		}
		for _, d := range r.knocks {
			r.write(r.stranger, d)
		}
		for _, d := range r.recorded {
			r.write(r.ghost, d)
		}
		// Send an authentic datagram of a type that the server does not accept,
		// preceded by a copy with one bit changed.
		var err error
		if buf, err = session.Append(buf[:0], &wrong); err != nil {
			return
		}
		forged = append(forged[:0], buf...)
		forged[len(forged)-1] ^= 1
		r.write(r.bot.conn, forged)
		r.write(r.bot.conn, buf)
	}
}

// flood joins as one user as often as it can, changing its port now and then.
func (r *rogue) flood(ctx context.Context) {
	for ctx.Err() == nil {
		conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(r.server))
		if err != nil {
			continue
		}
		for range 20 {
			r.join(ctx, conn, r.flooder)
		}
		conn.Close()
	}
}

// join joins as user from a socket. It gives up soon if there is no answer.
func (r *rogue) join(ctx context.Context, conn *net.UDPConn, user uint64) {
	join, err := protocol.Join(user, r.login.of(user))
	if err != nil {
		return
	}
	var said, answer []byte
	answer = make([]byte, 2048)
	for range 20 {
		if said, err = join.Append(said[:0]); err != nil || ctx.Err() != nil {
			return
		}
		r.write(conn, said)
		conn.SetReadDeadline(time.Now().Add(wait))
		for {
			n, err := conn.Read(answer)
			if err != nil {
				break
			}
			if !packet.IsHandshake(answer[:n]) {
				continue // a snapshot
			}
			session, err := join.Read(answer[:n])
			var rejected *packet.RejectedError
			if session != nil || errors.As(err, &rejected) {
				return
			}
			if err == nil {
				break // a challenge
			}
		}
	}
}

// provoked lists refusals that the rogue provokes. The server must count each
// of them.
var provoked = []packet.Refusal{packet.ErrGarbage, packet.ErrForged, packet.ErrReplayed, packet.ErrTruncated,
	packet.ErrUnhandled, packet.ErrStranger, packet.ErrProtocol, packet.ErrOccupied}

// possible lists refusals that depend on the rogue's speed.
var possible = []packet.Refusal{packet.ErrBusy, packet.ErrToken}
