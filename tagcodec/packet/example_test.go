package packet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

type Snapshot struct {
	Tick   uint32
	Bodies []Body `bp:"maxlen=63"`
}

type Body struct {
	Position [2]float32 `bp:"float,min=-512,max=512,res=0.25"`
	AtRest   bool
}

type Input struct {
	Tick   uint32
	Thrust int `bp:"int,min=-1,max=1"`
	Fire   bool
}

type Chat struct {
	Text string `bp:"maxlen=60"`
}

// arena is the protocol of a game.
var arena = packet.MustNew(packet.Config{
	Application: "arena",
	Version:     1,
	Protection:  packet.ChaCha20Poly1305,
	MTU:         packet.DefaultMTU,
}, packet.Of[Snapshot](), packet.Of[Input](), packet.Of[Chat]())

// connect returns the two ends of a conversation. In practice each belongs to
// its own program, and a handshake provides the secret and the salt.
func connect(p *packet.Protocol) (client, server *packet.Session) {
	secret, salt := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	client, err := p.NewSession(packet.ClientSide, secret, salt)
	if err != nil {
		panic(err)
	}
	server, err = p.NewSession(packet.ServerSide, secret, salt)
	if err != nil {
		panic(err)
	}
	return client, server
}

func Example() {
	client, server := connect(arena)

	datagram, err := client.Append(nil, &Input{Tick: 9, Thrust: -1, Fire: true})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(datagram), "bytes")

	forged := bytes.Clone(datagram)
	forged[3] ^= 1
	_, err = server.Decode(forged)
	fmt.Println(err)

	replay := bytes.Clone(datagram)
	v, err := server.Decode(datagram)
	fmt.Printf("%T %+v %v\n", v, v, err)

	_, err = server.Decode(replay)
	fmt.Println(err)
	fmt.Println(server.Counters().Accepted(), server.Counters().Refused(packet.ErrForged))
	// Output:
	// 22 bytes
	// packet: the datagram is forged or from another session
	// *packet_test.Input &{Tick:9 Thrust:-1 Fire:true} <nil>
	// packet: the datagram was already accepted, or is too old to tell
	// 1 1
}

// Values to decode into are reused, so that a packet that arrives 60 times per
// second does not allocate.
func ExampleSession_Decode() {
	client, server := connect(arena)
	var input Input // reused for every packet of its type
	for _, sent := range []any{&Input{Tick: 1}, &Chat{Text: "hello"}, &Input{Tick: 2}} {
		datagram, err := client.Append(nil, sent)
		if err != nil {
			panic(err)
		}
		v, err := server.Decode(datagram, &input)
		if err != nil {
			panic(err)
		}
		switch v := v.(type) {
		case *Input:
			fmt.Println("input", v.Tick, v == &input)
		case *Chat:
			fmt.Println("chat", v.Text)
		}
	}
	// Output:
	// input 1 true
	// chat hello
	// input 2 true
}

type playerKey struct{}

// A server has handlers only for the packets that a client may send.
func ExampleHandle() {
	mux := arena.NewMux()
	packet.Handle(mux, func(ctx context.Context, in *Input) {
		fmt.Println(ctx.Value(playerKey{}), "thrusts", in.Thrust)
	})
	packet.Handle(mux, func(ctx context.Context, c *Chat) {
		fmt.Println(ctx.Value(playerKey{}), "says", c.Text)
	})

	client, server := connect(arena)
	ripley := context.WithValue(context.Background(), playerKey{}, "Ripley")
	datagram, err := client.Append(nil, &Input{Thrust: 1}, &Chat{Text: "hi"})
	if err != nil {
		panic(err)
	}
	fmt.Println(mux.Dispatch(ripley, server, datagram))

	if datagram, err = client.Append(nil, &Snapshot{}); err != nil {
		panic(err)
	}
	fmt.Println(mux.Dispatch(ripley, server, datagram))
	// Output:
	// Ripley thrusts 1
	// Ripley says hi
	// <nil>
	// packet: the packet type has no handler: Snapshot
}

// A snapshot is encoded once and sealed for each client.
func ExampleBroadcast() {
	client, server := connect(arena)
	sessions := []*packet.Session{server} // one for each client

	batch := arena.NewBatch()
	if err := batch.Add(&Snapshot{Tick: 1, Bodies: []Body{{Position: [2]float32{1, 2}}}}); err != nil {
		panic(err)
	}
	if err := batch.Add(&Chat{Text: "round 2"}); err != nil {
		panic(err)
	}
	err := packet.Broadcast(batch, sessions, func(i int, datagram []byte) error {
		contents, err := client.Open(datagram) // a server would send this to client i
		if err != nil {
			return err
		}
		for contents.More() {
			v, err := contents.Next()
			if err != nil {
				return err
			}
			fmt.Printf("%+v\n", v)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// &{Tick:1 Bodies:[{Position:[1 2] AtRest:false}]}
	// &{Text:round 2}
	// <nil>
}

// New reports a type whose packets may exceed the MTU.
func ExampleNew_budget() {
	type World struct {
		Players []struct {
			Name     string `bp:"maxlen=31"`
			Position [3]float32
		} `bp:"maxlen=64"`
	}
	_, err := packet.New(packet.Config{Application: "arena", MTU: packet.DefaultMTU}, packet.Of[World]())
	fmt.Println(err)
	fmt.Println(errors.Is(err, packet.ErrBudget))
	// Output:
	// packet: too large for a datagram: World takes up to 2849 bytes, but a datagram has room for 1191; largest fields: Players[].Name (64 x 260 bits), Players[].Position (64 x 96 bits), Players (7 bits); use Type.MayExceed to check each packet when it is sent instead
	// true
}

// A client joins. A client of a changed protocol is told what differs.
func ExampleGate() {
	secret := bytes.Repeat([]byte{7}, 32)
	gate := arena.NewGate(packet.GateConfig{
		Describe: true,
		Admit:    func(user uint64) ([]byte, bool) { return secret, user == 42 },
	})
	address := netip.MustParseAddrPort("192.0.2.1:4000")

	type Input struct {
		Tick   uint32
		Thrust int `bp:"int,min=-8,max=8"`
		Fire   bool
	}
	changed := packet.MustNew(packet.Config{Application: "arena", Version: 1, Protection: packet.ChaCha20Poly1305},
		packet.Of[Snapshot](), packet.Of[Input](), packet.Of[Chat]())

	for _, protocol := range []*packet.Protocol{arena, changed} {
		join, err := protocol.Join(42, secret)
		if err != nil {
			panic(err)
		}
		var session *packet.Session
		for session == nil && err == nil {
			question, _ := join.Append(nil) // the client sends it
			answer, client, _ := gate.Answer(nil, address, question, time.Now())
			if client != nil {
				fmt.Println("the server lets in", client.User)
			}
			session, err = join.Read(answer)
		}
		if session != nil {
			fmt.Println("the client is in")
			continue
		}
		var rejected *packet.RejectedError
		if errors.As(err, &rejected) {
			fmt.Println(rejected.Reason)
			fmt.Println(rejected.Differences)
		}
	}
	// Output:
	// the server lets in 42
	// the client is in
	// packet: the other side uses another protocol
	// [Input.Thrust: int -8..8 here, int -1..1 there]
}

func ExampleDiff() {
	type Input struct {
		Tick   uint32
		Thrust int `bp:"int,min=-1,max=1"`
	}
	ours := packet.MustNew(packet.Config{Application: "arena", Version: 2}, packet.Of[Input]())
	theirs := packet.MustNew(packet.Config{Application: "arena", Version: 1}, packet.Of[outerInput]())
	for _, d := range packet.Diff(ours.Description(), theirs.Description()) {
		fmt.Println(d)
	}
	// Output:
	// version 2 here, version 1 there
	// Input.Fire: nothing here, int 0..1 there
}

// outerInput is Input with a field Fire.
type outerInput = Input
