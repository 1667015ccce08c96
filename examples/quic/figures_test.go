package main

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// These are the figures of docs/PACKETS.md. They are those of the version of
// quic-go in go.mod.

// relay passes UDP datagrams between one client and a server, and counts them.
type relay struct {
	conn   *net.UDPConn // for the client
	server netip.AddrPort

	mu     sync.Mutex
	out    *net.UDPConn // for the server
	client netip.AddrPort
	sizes  [2][]int // of the datagrams to the server and to the client
}

const toServer, toClient = 0, 1

func newRelay(t testing.TB, server net.Addr) *relay {
	r := &relay{conn: socket(t), server: server.(*net.UDPAddr).AddrPort()}
	r.rebind(t)
	go forward(r.conn, func(data []byte, from netip.AddrPort) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.client = from
		r.sizes[toServer] = append(r.sizes[toServer], len(data))
		r.out.WriteToUDPAddrPort(data, r.server)
	})
	return r
}

// rebind makes the server see the client at another port, as a NAT may.
func (r *relay) rebind(t testing.TB) {
	out := socket(t)
	go forward(out, func(data []byte, _ netip.AddrPort) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sizes[toClient] = append(r.sizes[toClient], len(data))
		r.conn.WriteToUDPAddrPort(data, r.client)
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out != nil {
		r.out.Close()
	}
	r.out = out
}

// forward calls f for each datagram until the socket is closed.
func forward(conn *net.UDPConn, f func(data []byte, from netip.AddrPort)) {
	var data [2048]byte
	for {
		n, from, err := conn.ReadFromUDPAddrPort(data[:])
		if err != nil {
			return
		}
		f(data[:n], from)
	}
}

// socket returns a socket that is closed at the end of the test.
func socket(t testing.TB) *net.UDPConn {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// take returns the sizes of the datagrams since the last call.
func (r *relay) take() (sizes [2][]int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	sizes, r.sizes = r.sizes, sizes
	return sizes
}

// connect returns both ends of a connection over a relay, or directly.
func connect(t testing.TB, c *quic.Config, over func(testing.TB, net.Addr) net.Addr) (client, server *quic.Conn) {
	certificate, pin, err := newCertificate()
	require.NoError(t, err)
	listener, err := quic.ListenAddr("127.0.0.1:0", serverTLS(certificate), config(1))
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), silence)
	defer cancel()
	client, err = quic.DialAddr(ctx, over(t, listener.Addr()).String(), clientTLS(pin, protocol), c)
	require.NoError(t, err)
	t.Cleanup(func() { client.CloseWithError(codeDone, "") })
	server, err = listener.Accept(ctx)
	require.NoError(t, err)
	return client, server
}

func direct(_ testing.TB, server net.Addr) net.Addr { return server }

// pass sends a datagram and waits until it has arrived.
func pass(t testing.TB, from, to *quic.Conn, datagram []byte) []byte {
	if err := from.SendDatagram(datagram); err != nil {
		t.Fatal(err)
	}
	got, err := to.ReceiveDatagram(to.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// overRelay returns how to connect over a relay, which it sets.
func overRelay(r **relay) func(testing.TB, net.Addr) net.Addr {
	return func(t testing.TB, server net.Addr) net.Addr {
		*r = newRelay(t, server)
		return (*r).conn.LocalAddr()
	}
}

// A datagram costs 20 bytes to a client, and 24 to a server, whose connection has
// an id. With acknowledgements of every second one it costs 33 to 40 both ways. A
// datagram of a session costs 18 bytes, 19 after 256 of them, 20 after 65536, and
// so on.
func TestBytesOfADatagram(t *testing.T) {
	var r *relay
	client, server := connect(t, config(-1), overRelay(&r))
	until(t, "the search for the largest packet does not end", func() bool {
		pass(t, client, server, []byte{1})
		pass(t, server, client, []byte{1})
		return largest(t, client) == 1404 && largest(t, server) == 1404
	})
	const n = 200
	for _, c := range []struct {
		from, to  *quic.Conn
		way, cost int
	}{{server, client, toClient, 20}, {client, server, toServer, 24}} {
		for _, size := range []int{40, 1000} {
			r.take()
			for range n {
				pass(t, c.from, c.to, make([]byte, size))
			}
			all, datagrams := 0, 0
			for way, sizes := range r.take() {
				for _, s := range sizes {
					all += s
					if way == c.way && s == size+c.cost {
						datagrams++
					}
				}
			}
			// A few may share their packet with an acknowledgement.
			require.Greater(t, datagrams, n*9/10)
			average := float64(all)/n - float64(size)
			require.Greater(t, average, float64(c.cost))
			t.Logf("%d bytes: %d more, and %.1f more with acknowledgements", size, c.cost, average)
		}
	}

	_, s, _ := sessions(t)
	in := &Input{Tick: 1}
	message, err := inputs.Append(nil, in)
	require.NoError(t, err)
	var datagram []byte
	for i := range 1<<16 + 1 {
		datagram, err = s.Append(datagram[:0], in)
		require.NoError(t, err)
		if want, ok := map[int]int{1: 18, 255: 18, 256: 19, 1<<16 - 1: 19, 1 << 16: 20}[i]; ok {
			require.Equal(t, want, len(datagram)-len(message), "datagram %d", i)
		}
	}
}

// sessions returns a protocol of package packet and both ends of a session.
func sessions(t testing.TB) (p *packet.Protocol, client, server *packet.Session) {
	p = packet.MustNew(packet.Config{Application: "quic", Version: 1, Protection: packet.AES256GCM}, packet.Of[Input]())
	secret, salt := make([]byte, 32), make([]byte, 32)
	client, err := p.NewSession(packet.ClientSide, secret, salt)
	require.NoError(t, err)
	server, err = p.NewSession(packet.ServerSide, secret, salt)
	require.NoError(t, err)
	return p, client, server
}

// largest returns the size of the largest datagram that a connection takes now.
func largest(t testing.TB, conn *quic.Conn) int {
	var tooLarge *quic.DatagramTooLargeError
	require.ErrorAs(t, conn.SendDatagram(make([]byte, maxDatagram)), &tooLarge)
	return int(tooLarge.MaxDatagramPayloadSize)
}

// The largest datagram is 1243 bytes until quic-go has found that the path
// carries 1500, and then 1404.
func TestLargestDatagram(t *testing.T) {
	first := config(-1)
	first.DisablePathMTUDiscovery = true
	client, _ := connect(t, first, direct)
	require.Equal(t, 1243, largest(t, client))

	client, server := connect(t, config(-1), direct)
	until(t, "the largest datagram stays small", func() bool {
		pass(t, client, server, []byte{1})
		return largest(t, client) == 1404
	})
}

// A connection outlives a change of the client's address.
func TestRebinding(t *testing.T) {
	var r *relay
	client, server := connect(t, config(-1), overRelay(&r))
	pass(t, server, client, []byte{1})
	before := server.RemoteAddr().String()
	r.rebind(t)
	pass(t, client, server, []byte{2})
	until(t, "the server does not follow the client", func() bool { return server.RemoteAddr().String() != before })
	require.Equal(t, []byte{3}, pass(t, server, client, []byte{3}))
}

// SendDatagram blocks when 32 datagrams wait for the congestion window.
func TestSendDatagramBlocks(t *testing.T) {
	var r *relay
	client, _ := connect(t, config(-1), overRelay(&r))
	r.conn.Close() // from here on nothing arrives
	const many = 1000
	sent := make(chan int)
	go func() {
		for n := range many {
			if client.SendDatagram(make([]byte, 1000)) != nil {
				sent <- n
				return
			}
		}
		sent <- many
	}()
	time.Sleep(100 * time.Millisecond) // for what is sent without waiting
	client.CloseWithError(codeDone, "")
	require.Less(t, <-sent, many/2)
}

// Of the datagrams that nobody receives, 128 are kept, and the sender is not
// told of the others.
func TestReceiveQueue(t *testing.T) {
	client, server := connect(t, config(-1), direct)
	const many = 300
	for range many {
		require.NoError(t, client.SendDatagram([]byte{1}))
	}
	stream, err := client.OpenStream()
	require.NoError(t, err)
	_, err = stream.Write([]byte{1})
	require.NoError(t, err)
	_, err = server.AcceptStream(context.Background()) // was sent after the datagrams
	require.NoError(t, err)
	n := 0
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		_, err := server.ReceiveDatagram(ctx)
		cancel()
		if err != nil {
			break
		}
		n++
	}
	require.Equal(t, 128, n)
}
