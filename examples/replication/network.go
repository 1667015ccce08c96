package main

import (
	"math/rand/v2"
	"slices"
)

// path is one direction between two ends. It loses and delays datagrams, and so
// changes their order.
type path struct {
	*rand.Rand
	loss             float64
	latency, jitter  int // in ticks
	flying           []flying
	datagrams, bytes int // sent
}

// flying is a datagram that has not arrived.
type flying struct {
	arrives  uint64
	datagram []byte
}

// overhead is what UDP and IPv4 add to a datagram.
const overhead = 28

func (p *path) send(now uint64, datagram []byte) {
	p.datagrams++
	p.bytes += len(datagram) + overhead
	if p.Float64() >= p.loss {
		p.flying = append(p.flying, flying{now + uint64(p.latency+p.IntN(p.jitter+1)), slices.Clone(datagram)})
	}
}

// receive calls f with the datagrams that have arrived.
func (p *path) receive(now uint64, f func(datagram []byte) error) error {
	var err error
	p.flying = slices.DeleteFunc(p.flying, func(d flying) bool {
		if d.arrives > now {
			return false
		}
		if err == nil {
			err = f(d.datagram)
		}
		return true
	})
	return err
}
