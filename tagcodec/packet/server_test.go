package packet

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// eachServer runs a test with a protocol of each kind of protection.
func eachServer(t *testing.T, f func(t *testing.T, p *Protocol)) {
	for _, protection := range []Protection{None, CRC32, HMAC(16), ChaCha20Poly1305, AES256GCM} {
		t.Run(protection.String(), func(t *testing.T) { f(t, testProtocol(t, testConfig(protection))) })
	}
}

func TestServer(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		type key struct{}
		a := newArena(t, p, ServerConfig{Context: context.WithValue(context.Background(), key{}, "parent")})
		a.onJoin = func(p *Peer) {
			require.Nil(t, a.server.ByAddress(p.Address()), "nothing finds a peer before Joined returns")
			require.Equal(t, 1, a.server.Len())
			require.Nil(t, p.Value)
			p.Value = "a player"
		}
		c := a.mustJoin(7, testAddressOf(1))
		require.Equal(t, []string{"joined 7"}, a.happened())
		peer := a.server.ByAddress(netip.MustParseAddrPort("[::ffff:10.0.0.1]:4000"))
		require.NotNil(t, peer, "an IPv4 address is found in either form")
		require.Equal(t, testAddressOf(1), peer.Address())
		require.Equal(t, "a player", peer.Value)
		require.Equal(t, testNow, peer.JoinedAt())
		require.Equal(t, "parent", peer.Context().Value(key{}))
		require.Same(t, peer, PeerFrom(peer.Context()))
		require.Nil(t, PeerFrom(context.Background()))
		require.Nil(t, a.server.ByAddress(testAddressOf(2)))
		if p.config.Protection.keyed() {
			require.Same(t, peer, a.server.ByUser(7))
		} else {
			require.Nil(t, a.server.ByUser(7), "it is unproven")
		}
		require.Equal(t, []*Peer{peer}, slices.Collect(a.server.All()))

		require.NoError(t, c.Send(&input{Tick: 3}))
		a.step(time.Second)
		require.Equal(t, []string{"7 3"}, a.inputs)
		require.Equal(t, testNow.Add(time.Second), peer.HeardAt())

		var got []any
		receive := func(send func()) {
			a.queue = nil
			send()
			require.Len(t, a.queue, 1)
			contents, err := c.Receive(a.queue[0].data, a.now)
			require.NoError(t, err)
			v, err := contents.Next()
			require.NoError(t, err)
			got = append(got, v)
			a.queue = nil
		}
		receive(func() { require.NoError(t, peer.Send(&chat{"to you"})) })
		b := p.NewBatch()
		require.Equal(t, ErrEmpty, a.server.Broadcast(b))
		require.NoError(t, b.Add(&chat{"to all"}))
		receive(func() { require.NoError(t, a.server.Broadcast(b)) })
		require.Equal(t, []any{&chat{"to you"}, &chat{"to all"}}, got)

		_, _, err := a.server.Receive(testAddressOf(9), sealAt(t, c.Session(), 50, testInput), a.now)
		require.Equal(t, ErrStranger, err)
		require.Equal(t, uint64(1), a.server.Counters().Refused(ErrStranger))
		require.Panics(t, func() { peer.Kick(0) })
		peer.Kick(ReasonApplication)
		require.True(t, peer.Gone())
		a.queue = nil
		require.NoError(t, peer.Send(&chat{"too late"}))
		peer.Kick(ReasonApplication)
		require.Empty(t, a.queue)
		a.check()
	})
}

func TestServerConfig(t *testing.T) {
	p := testProtocol(t, testConfig(None))
	send := func(netip.AddrPort, []byte) {}
	for _, c := range []ServerConfig{{}, {Send: send, MaxPeers: -1}, {Send: send, PerAddress: -1}, {Send: send, Timeout: -1}, {Send: send, Keepalive: -1}} {
		_, err := p.NewServer(c)
		require.Error(t, err)
	}
	s, err := p.NewServer(ServerConfig{Send: send, MaxPeers: 1000})
	require.NoError(t, err)
	require.Equal(t, []int{1000, DefaultPerAddress, 4000}, []int{s.config.MaxPeers, s.config.PerAddress, s.config.Gate.Attempts})
	require.Equal(t, []time.Duration{DefaultTimeout, DefaultTimeout / 5}, []time.Duration{s.config.Timeout, s.config.Keepalive})
	require.Same(t, s.Counters(), s.Gate().Counters())
	s, err = testProtocol(t, testConfig(HMAC(16))).NewServer(ServerConfig{Send: send})
	require.NoError(t, err)
	require.Equal(t, []int{DefaultMaxPeers, DefaultMaxPeers}, []int{s.config.MaxPeers, s.config.PerAddress})
	for _, c := range []ClientConfig{{}, {Send: func([]byte) {}, Timeout: -1}, {Send: func([]byte) {}, Keepalive: -1}, {Send: func([]byte) {}, Secret: testSecret}} {
		_, err := p.NewClient(c)
		require.Error(t, err)
	}
	_, err = p.NewServer(ServerConfig{Send: send, Reported: func(*Peer, Report) {}})
	require.ErrorContains(t, err, "Acks")
	_, err = p.NewClient(ClientConfig{Send: func([]byte) {}, Reported: func(Report) {}})
	require.ErrorContains(t, err, "Acks")
}

// requireRejected requires that a client was turned away.
func requireRejected(t *testing.T, want Refusal, c *Client) {
	t.Helper()
	var rejected *RejectedError
	require.ErrorAs(t, c.Err(), &rejected)
	require.Equal(t, want, rejected.Reason)
	require.Nil(t, c.Session())
}

func TestServerFull(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{MaxPeers: 3})
		clients := []*Client{a.mustJoin(1, testAddressOf(1)), a.mustJoin(2, testAddressOf(2)), a.mustJoin(3, testAddressOf(3))}
		a.happened()
		requireRejected(t, ErrFull, a.join(4, testAddressOf(4)))
		require.Equal(t, []string{"refused: packet: the server is full"}, a.happened())
		require.Equal(t, uint64(1), a.server.Counters().Refused(ErrFull))
		require.Equal(t, 3, a.server.Len())

		clients[1].Disconnect(ReasonLeft)
		a.run()
		a.mustJoin(4, testAddressOf(4))
		require.Equal(t, []string{"left 2: packet: disconnected: the client left", "joined 4"}, a.happened())
		a.mustJoin(1, testAddressOf(1)) // replaces itself
		a.check()
	})
}

// TestPerAddress fills the limit of an IPv4 address and of an IPv6 /64 network.
func TestPerAddress(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{PerAddress: 2})
		at := func(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }
		a.mustJoin(1, at("192.0.2.1:1"))
		a.mustJoin(2, at("192.0.2.1:2"))
		requireRejected(t, ErrFull, a.join(3, at("192.0.2.1:3")))
		requireRejected(t, ErrFull, a.join(3, at("[::ffff:192.0.2.1]:4")))
		a.mustJoin(3, at("192.0.2.2:1"))
		a.mustJoin(4, at("[2001:db8::1]:1"))
		a.mustJoin(5, at("[2001:db8::2]:1"))
		requireRejected(t, ErrFull, a.join(6, at("[2001:db8::ffff:1:2:3]:1")))
		a.mustJoin(6, at("[2001:db8:0:1::1]:1"))
		a.mustJoin(1, at("192.0.2.1:1"))
		a.check()
		a.server.ByAddress(at("192.0.2.1:2")).Kick(ReasonKicked)
		a.mustJoin(7, at("192.0.2.1:3"))
		a.check()
	})
}

// TestUnprovenFlood joins as any number of users from one address, as fast as
// it can. Without keys PerAddress bounds them, and with keys they are one user.
func TestUnprovenFlood(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{Gate: GateConfig{Rate: DefaultRate, Burst: DefaultBurst}})
		keyed := p.config.Protection.keyed()
		most := 0
		a.onJoin = func(*Peer) { most = max(most, a.server.Len()) }
		for i := range 1000 {
			user := uint64(i)
			if keyed {
				user = 1 // it knows only the secret of this user
			}
			a.join(user, netip.AddrPortFrom(testAddressOf(1).Addr(), uint16(10000+i)))
			a.now = a.now.Add(2 * time.Millisecond)
			clear(a.clients)
		}
		a.check()
		joined := 0
		for _, line := range a.log {
			if line == "joined 1" || !keyed && line[0] == 'j' {
				joined++
			}
		}
		if keyed {
			require.Equal(t, 1, most)
		} else {
			require.Equal(t, DefaultPerAddress, most)
		}
		require.LessOrEqual(t, joined, DefaultBurst+2*DefaultRate+1, "within 2 seconds")
	})
}

func TestOneSessionPerUser(t *testing.T) {
	for _, protection := range []Protection{HMAC(16), ChaCha20Poly1305} {
		a := newArena(t, testProtocol(t, testConfig(protection)), ServerConfig{})
		a.onJoin = func(p *Peer) {
			if p.Value == nil {
				p.Value = fmt.Sprint("made for ", p.Address())
			}
		}
		first := a.mustJoin(5, testAddressOf(1))
		old := a.server.ByUser(5)
		second := a.mustJoin(5, testAddressOf(2))
		require.Equal(t, []string{"joined 5", "left 5: packet: disconnected: replaced by a later session", "joined 5"}, a.happened())
		require.Equal(t, ReasonReplaced, first.Err())
		require.NoError(t, second.Err())
		require.True(t, old.Gone())
		require.Nil(t, a.server.ByAddress(testAddressOf(1)))
		require.Equal(t, testAddressOf(2), a.server.ByUser(5).Address())
		require.Equal(t, "made for 10.0.0.1:4000", a.server.ByUser(5).Value, "the player goes on")
		require.Nil(t, a.server.ByUser(5).older, "peers that were replaced are not retained")
		a.check()

		// The player's program restarts, at the same port or at another.
		third := a.mustJoin(5, testAddressOf(2))
		require.NoError(t, second.Err(), "it is not there any more")
		require.NoError(t, third.Err())
		require.Equal(t, 1, a.server.Len())
		a.check()
	}
}

func TestKeepOlder(t *testing.T) {
	a := newArena(t, testProtocol(t, testConfig(ChaCha20Poly1305)), ServerConfig{KeepOlder: true})
	first := a.mustJoin(5, testAddressOf(1))
	second := a.join(5, testAddressOf(2))
	requireRejected(t, ErrOccupied, second)
	require.Equal(t, []string{"joined 5", "refused: packet: the user or the address already has a session"}, a.happened()[:2])
	require.NoError(t, first.Err())
	require.NotNil(t, a.server.ByAddress(testAddressOf(1)))

	a.mustJoin(5, testAddressOf(1)) // the same program again
	require.Equal(t, 1, a.server.Len())
	a.clients[testAddressOf(1)].Disconnect(ReasonLeft)
	a.run()
	a.mustJoin(5, testAddressOf(2))
}

// TestKnownAddress sends, from the address of a player, everything that an
// attacker with a false source address could send. Then someone else tries to
// join there.
func TestKnownAddress(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{})
		victim := a.mustJoin(1, testAddressOf(1))
		peer := a.server.ByAddress(testAddressOf(1))
		still := func() {
			t.Helper()
			require.Same(t, peer, a.server.ByAddress(testAddressOf(1)))
			a.inputs = nil
			require.NoError(t, victim.Send(&input{Tick: 1}))
			a.run()
			require.Equal(t, []string{"1 1"}, a.inputs)
		}
		send := func(datagram []byte, err error) {
			t.Helper()
			require.NoError(t, err)
			a.server.Receive(testAddressOf(1), datagram, a.now)
			a.queue = nil // these go to the victim
			still()
		}
		other, err := p.Join(2, a.secret(2))
		require.NoError(t, err)
		send(other.Append(nil)) // a request

		// A response with a token of another address.
		request, _ := other.Append(nil)
		a.server.Receive(testAddressOf(3), request, a.now)
		_, err = other.Read(a.queue[0].data)
		require.NoError(t, err)
		a.queue = nil
		send(other.Append(nil))

		// An attacker who receives at the address but does not have the secret.
		if p.config.Protection.keyed() {
			thief, err := p.Join(1, a.secret(2))
			require.NoError(t, err)
			request, _ := thief.Append(nil)
			a.server.Receive(testAddressOf(1), request, a.now)
			_, err = thief.Read(a.queue[0].data)
			require.NoError(t, err)
			a.queue = nil
			send(thief.Append(nil))

			// Another user, with a valid proof.
			a.happened()
			requireRejected(t, ErrOccupied, a.join(2, testAddressOf(1)))
			require.Equal(t, []string{"refused: packet: the user or the address already has a session"}, a.happened())
			a.clients[testAddressOf(1)] = victim
			still()
			victim.Disconnect(ReasonLeft)
			a.run()
			a.mustJoin(2, testAddressOf(1))
			return
		}
		// Without keys the address is the only identity: whoever receives there
		// is the player.
		a.mustJoin(2, testAddressOf(1))
		require.Equal(t, 1, a.server.Len())
		require.Nil(t, a.server.ByAddress(testAddressOf(1)).Value)
		a.check()
	})
}

// TestRecordedResponse replays everything that a client sent, after it has
// left: at once, later, and after many others have come and gone.
func TestRecordedResponse(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{MaxPeers: 4, Gate: GateConfig{Attempts: 4}})
		var record [][]byte
		a.wire = func(d sent) []sent {
			if d.from == testAddressOf(1) {
				record = append(record, d.data)
			}
			return []sent{d}
		}
		c := a.mustJoin(1, testAddressOf(1))
		require.NoError(t, c.Send(&input{Tick: 1}))
		a.step(time.Second)
		c.Disconnect(ReasonLeft)
		a.run()
		require.GreaterOrEqual(t, len(record), 4)
		require.Zero(t, a.server.Len())
		a.wire, a.inputs = nil, nil
		clear(a.clients)
		a.happened()
		replay := func(when string) {
			for _, d := range record {
				a.deliver(sent{from: testAddressOf(1), data: d})
				a.queue = nil
			}
			if !p.config.Protection.keyed() { // anyone can change the user
				for _, d := range record {
					if isReply(d, kindResponse) {
						var r response
						require.NoError(t, responses.Unmarshal(d, &r))
						r.User++
						h := newHasher()
						copy(r.Proof[:], p.clientProof(&h, nil, &r))
						forged, err := responses.Append(nil, &r)
						require.NoError(t, err)
						a.deliver(sent{from: testAddressOf(1), data: forged})
						a.queue = nil
					}
				}
			}
			require.Zero(t, a.server.Len(), when)
			require.Empty(t, a.inputs, when)
			require.NotContains(t, a.log, "joined 1", when)
			require.NotContains(t, a.log, "joined 2", when)
		}
		replay("at once")
		for i := range 20 {
			a.now = a.now.Add(2 * time.Millisecond) // tokens of the same millisecond are refused together
			a.mustJoin(uint64(100+i), testAddressOf(2)).Disconnect(ReasonLeft)
			a.run()
			replay("after others")
		}
		for range 12 {
			a.step(time.Second)
			replay("later")
		}
	})
}

// TestForgottenAttempt answers a new challenge for an attempt that the gate has
// forgotten, while its peer is connected. Nobody may end a session in this way.
func TestForgottenAttempt(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{Gate: GateConfig{Attempts: 1}})
		a.wire = func(d sent) []sent {
			if d.to == testAddressOf(1) && isReply(d.data, kindWelcome) {
				return nil
			}
			return []sent{d}
		}
		c := a.join(1, testAddressOf(1))
		peer := a.server.ByAddress(testAddressOf(1))
		require.NotNil(t, peer)
		a.now = a.now.Add(time.Second)
		a.mustJoin(2, testAddressOf(2))
		a.step(time.Second)
		requireRejected(t, ErrOccupied, c)
		require.Same(t, peer, a.server.ByAddress(testAddressOf(1)))
		require.False(t, peer.Gone())
		a.check()
	})
}

// TestTurnedAwayTakesNoMemory has a full server turn away many clients. This
// must not make it forget the attempts of its peers.
func TestTurnedAwayTakesNoMemory(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{MaxPeers: 2})
		a.mustJoin(1, testAddressOf(1))
		a.mustJoin(2, testAddressOf(2))
		for i := range 50 {
			requireRejected(t, ErrFull, a.join(uint64(10+i), testAddressOf(10+i)))
		}
		require.Len(t, a.server.gate.attempts.ring, 2)
	})
}

// TestSlowJoined lets others join while Joined has not returned, and repeats
// the response of the joining client.
func TestSlowJoined(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		const most = 5
		a := newArena(t, p, ServerConfig{MaxPeers: most})
		var response []byte
		a.wire = func(d sent) []sent {
			if d.from == testAddressOf(1) && isReply(d.data, kindResponse) {
				response = d.data
			}
			return []sent{d}
		}
		once := true
		a.onJoin = func(peer *Peer) {
			if !once {
				return
			}
			once = false
			a.deliver(sent{from: testAddressOf(1), data: response})
			require.Empty(t, a.queue, "nobody is let in before Joined returns")
			full := 0
			for range 10 * most {
				if c := a.join(2, testAddressOf(2)); c.Err() != nil {
					requireRejected(t, ErrFull, c)
					full++
				}
				a.check()
			}
			require.Greater(t, full, 7*most, "what waits for Joined and Left is bounded")
			require.Equal(t, "joined 1", a.log[0])
			require.NotContains(t, a.log, "joined 2")
		}
		c := a.join(1, testAddressOf(1))
		require.NotNil(t, c.Session())
		require.Equal(t, 2, a.server.Len())
		require.Empty(t, a.server.notices)
		a.mustJoin(2, testAddressOf(2))
	})
}
