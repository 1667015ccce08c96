package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"time"
)

// conditions are those of a network.
type conditions struct {
	loss            float64
	latency, jitter int // in ticks
}

// path is one direction between the server and a client. It decides which
// datagrams arrive and in which tick, so it loses, delays and reorders them. What
// arrives passes through UDP sockets on the loopback interface.
type path struct {
	*rand.Rand
	conditions
	cut     bool // nothing arrives
	flying  []flying
	largest int // of the datagrams
}

// flying is a datagram that has not arrived.
type flying struct {
	arrives  uint64
	datagram []byte
}

// udpOverhead is what UDP and IPv4 add to a datagram.
const udpOverhead = 28

// send takes a datagram that an end sends in a tick.
func (p *path) send(tick uint64, datagram []byte) {
	p.largest = max(p.largest, len(datagram))
	lost := p.Float64() < p.loss || p.cut
	arrives := tick + uint64(p.latency+p.IntN(p.jitter+1))
	if !lost {
		p.flying = append(p.flying, flying{arrives, slices.Clone(datagram)})
	}
}

// deliver writes the datagrams that arrive by a tick to a socket, and calls
// receive after each.
func (p *path) deliver(tick uint64, write func(datagram []byte) error, receive func() error) error {
	var arrived []flying
	p.flying = slices.DeleteFunc(p.flying, func(f flying) bool {
		if f.arrives <= tick {
			arrived = append(arrived, f)
		}
		return f.arrives <= tick
	})
	for _, f := range arrived {
		if err := write(f.datagram); err != nil {
			return err
		}
		if err := receive(); err != nil {
			return err
		}
	}
	return nil
}

// patience is how long to wait for a datagram that has been written to a socket.
// The loopback interface delivers it at once unless the machine is busy.
const patience = 10 * time.Second

// read reads a datagram from a socket.
func read(conn *net.UDPConn, buf []byte) (datagram []byte, from netip.AddrPort, err error) {
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return nil, from, err
	}
	n, from, err := conn.ReadFromUDPAddrPort(buf)
	if err != nil {
		return nil, from, fmt.Errorf("the loopback interface has lost a datagram: %w", err)
	}
	return buf[:n], from, nil
}

// loopback returns the address of a socket that the system chooses the port of.
func loopback() *net.UDPAddr { return &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// addressOf returns the address of a socket.
func addressOf(conn *net.UDPConn) netip.AddrPort { return conn.LocalAddr().(*net.UDPAddr).AddrPort() }
