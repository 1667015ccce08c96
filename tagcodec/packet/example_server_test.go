package packet_test

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// A client joins a server, sends an input, and is kicked. Instead of using a
// network, each side passes its datagrams directly to the other.
func ExampleServer() {
	secret := bytes.Repeat([]byte{7}, 32)
	address := netip.MustParseAddrPort("192.0.2.1:4000")
	var client *packet.Client
	var server *packet.Server

	mux := arena.NewMux()
	packet.Handle(mux, func(ctx context.Context, in *Input) {
		fmt.Printf("%v: %+v\n", packet.PeerFrom(ctx).Value, *in)
	})
	server, err := arena.NewServer(packet.ServerConfig{
		Send: func(to netip.AddrPort, datagram []byte) {
			client.Receive(bytes.Clone(datagram), time.Now()) // a real program writes to its socket
		},
		Gate: packet.GateConfig{Admit: func(user uint64) ([]byte, bool) { return secret, user == 42 }},
		Joined: func(p *packet.Peer) {
			p.Value = fmt.Sprintf("player %d", p.User())
			fmt.Println(p.Value, "joined from", p.Address())
		},
		Left: func(p *packet.Peer, reason packet.Reason) { fmt.Println(p.Value, "left:", reason) },
	})
	if err != nil {
		panic(err)
	}
	client, err = arena.NewClient(packet.ClientConfig{
		User:   42,
		Secret: secret,
		Send: func(datagram []byte) {
			// A real program does this for each datagram that it reads from its
			// socket.
			peer, contents, err := server.Receive(address, bytes.Clone(datagram), time.Now())
			if err == nil && peer != nil {
				mux.Serve(peer.Context(), contents)
			}
		},
	})
	if err != nil {
		panic(err)
	}

	// A real program does this several times a second.
	server.Tick(time.Now())
	fmt.Println("client:", client.Tick(time.Now()))

	client.Send(&Input{Tick: 1, Thrust: 1})
	server.ByUser(42).Kick(packet.ReasonKicked)
	fmt.Println("client:", client.Tick(time.Now()))
	// Output:
	// player 42 joined from 192.0.2.1:4000
	// client: <nil>
	// player 42: {Tick:1 Thrust:1 Fire:false}
	// player 42 left: packet: disconnected: kicked
	// client: packet: disconnected: kicked
}
