package main

import (
	"context"
	"net"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// BenchmarkDatagram sends an Input over loopback, receives and decodes it, and
// then sends the next: in a QUIC datagram, and in a session with AES-256-GCM over
// UDP. The two alternate, so that the fastest of each can be compared. The
// allocations are those of both sides.
func BenchmarkDatagram(b *testing.B) {
	for range 5 {
		b.Run("QUIC", benchQUIC)
		b.Run("session", benchSession)
	}
}

func benchQUIC(b *testing.B) {
	client, server := connect(b, config(-1), direct)
	var buffer []byte
	var got Input
	next := Input{}
	b.ReportAllocs()
	for b.Loop() {
		next.Tick++
		var err error
		if buffer, err = inputs.Append(buffer[:0], &next); err != nil {
			b.Fatal(err)
		}
		if err := inputs.Unmarshal(pass(b, client, server, buffer), &got); err != nil || got != next {
			b.Fatal(err, got)
		}
	}
}

func benchSession(b *testing.B) {
	p, client, server := sessions(b)
	from, to := socket(b), socket(b)
	address := to.LocalAddr().(*net.UDPAddr).AddrPort()
	mux := p.NewMux()
	var got Input
	packet.Handle(mux, func(_ context.Context, in *Input) { got = *in })
	var data [2048]byte
	var buffer []byte
	next := Input{}
	b.ReportAllocs()
	for b.Loop() {
		next.Tick++
		var err error
		if buffer, err = client.Append(buffer[:0], &next); err != nil {
			b.Fatal(err)
		}
		if _, err := from.WriteToUDPAddrPort(buffer, address); err != nil {
			b.Fatal(err)
		}
		n, _, err := to.ReadFromUDPAddrPort(data[:])
		if err != nil {
			b.Fatal(err)
		}
		if err := mux.Dispatch(context.Background(), server, data[:n]); err != nil || got != next {
			b.Fatal(err, got)
		}
	}
}
