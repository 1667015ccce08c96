package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
	"github.com/stretchr/testify/require"
)

// TestMain runs the program itself in the process that TestSignal starts.
func TestMain(m *testing.M) {
	if os.Getenv("ARENA_IS_MAIN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestArena(t *testing.T) {
	const clients, bodies = 4, 100
	var log bytes.Buffer
	r, err := run(context.Background(), options{clients: clients, bodies: bodies, length: 2 * time.Second, flood: true, log: &log})
	require.NoError(t, err)

	require.Equal(t, clients, r.online)
	require.Equal(t, clients+3, r.joined, "the players and the three accounts of the one who attacks")
	require.Equal(t, clients+1, r.left, "who attacks does not say goodbye, but for the one that it records")
	require.Equal(t, clients+2, r.most, "the account that floods is one player")
	require.Positive(t, r.floods)
	require.Zero(t, r.revived, "who has left must not come back")
	require.Len(t, r.last.Bodies, bodies)
	require.NotZero(t, r.last.Tick)
	received := uint64(0)
	for _, n := range r.snapshots {
		require.NotZero(t, n)
		received += n
	}
	require.NotZero(t, r.inputs)
	require.LessOrEqual(t, r.inputs, r.accepted)
	require.LessOrEqual(t, r.accepted, 3*received+1,
		"nothing is accepted but three inputs for a snapshot, and the attacker's one true input")

	require.Positive(t, r.attacks)
	for _, reason := range provoked {
		require.NotZero(t, r.refused[reason], "%v", reason)
	}
	for reason := range r.refused {
		require.Contains(t, slices.Concat(provoked, possible), reason)
	}

	require.Equal(t, packet.ErrProtocol, r.turnedAway.Reason)
	require.Equal(t, protocol.ID(), r.turnedAway.Protocol)
	require.Equal(t, []packet.Difference{{
		Type: "changedInput", Field: "Thrust", Ours: "2 x int -8..8", Theirs: "2 x int -1..1",
	}}, r.turnedAway.Differences)
	require.Contains(t, log.String(), "turned away")

	require.Less(t, r.lastBytes, r.others[0].bytes/3)
	for i := range r.others[1:] {
		require.Less(t, r.others[i].bytes, r.others[i+1].bytes, "the formats are sorted")
	}

	var out bytes.Buffer
	r.print(&out)
	for _, part := range []string{"ticks", "allocations a tick", "encoding/json", "bytes a second on average",
		"packet: the datagram is forged or from another session", "changedInput.Thrust: 2 x int -8..8 here, 2 x int -1..1 there"} {
		require.Contains(t, out.String(), part)
	}
}

// TestSignal starts the program with -serve and ends it with a signal.
func TestSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send")
	}
	line := append(emulator(), os.Args[0], "-serve", "-clients", "2", "-flood=false")
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = append(os.Environ(), "ARENA_IS_MAIN=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer cmd.Process.Kill()

	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "2 players, ") {
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	rest := ""
	for lines.Scan() {
		rest += lines.Text() + "\n"
	}
	require.NoError(t, cmd.Wait(), "the program must end with status 0")
	require.Contains(t, rest, "ARENA: 224 bodies at 60 Hz, 2 players")
	require.Contains(t, rest, "and 2 left again")
}

// emulator returns the command with which GOFLAGS makes go test run test
// binaries, or nil.
func emulator() []string {
	for flag := range strings.FieldsSeq(os.Getenv("GOFLAGS")) {
		if command, ok := strings.CutPrefix(flag, "-exec="); ok {
			return []string{command}
		}
	}
	return nil
}

func TestEarlySignal(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := run(ctx, options{clients: 2, bodies: 10, length: time.Hour, log: io.Discard})
	require.ErrorIs(t, err, errEarly)
}

// quiet returns a server whose goroutines are not running, and the socket of
// one client.
func quiet(t *testing.T) (*server, *net.UDPConn, *secrets) {
	login := &secrets{key: [32]byte{1}}
	s, err := newServer(io.Discard, 10, login)
	require.NoError(t, err)
	t.Cleanup(func() { s.conn.Close() })
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(s.address()))
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return s, conn, login
}

func addressOf(conn *net.UDPConn) netip.AddrPort {
	return conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

// enter makes a client join from a socket.
func enter(t *testing.T, s *server, conn *net.UDPConn, login *secrets, user uint64) *packet.Client {
	c, err := protocol.NewClient(packet.ClientConfig{User: user, Secret: login.of(user), Send: func(datagram []byte) {
		s.handle(addressOf(conn), slices.Clone(datagram))
	}})
	require.NoError(t, err)
	for c.Session() == nil {
		hear(t, conn, c)
	}
	return c
}

// hear passes the client a datagram that the server sent it.
func hear(t *testing.T, conn *net.UDPConn, c *packet.Client) {
	require.NoError(t, c.Tick(time.Now()))
	buf := make([]byte, 2048)
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	n, err := conn.Read(buf)
	require.NoError(t, err)
	c.Receive(buf[:n], time.Now())
}

// TestJoinAgain restarts a player's program on another port. The player keeps
// its body, and the old program is told that it was replaced.
func TestJoinAgain(t *testing.T) {
	s, conn, login := quiet(t)
	first := enter(t, s, conn, login, 1)
	require.NoError(t, first.Send(&Input{Tick: 7, Thrust: [2]int{1, 0}}))
	body := s.clients.ByUser(1).Value.(*player).body
	require.Equal(t, [2]int{1, 0}, s.world.thrust[body])

	other, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(s.address()))
	require.NoError(t, err)
	defer other.Close()
	again := enter(t, s, other, login, 1)
	require.Equal(t, 1, s.clients.Len())
	require.Equal(t, addressOf(other), s.clients.ByUser(1).Address())
	require.Equal(t, body, s.clients.ByUser(1).Value.(*player).body)
	require.NoError(t, again.Send(&Input{Tick: 9, Thrust: [2]int{0, 1}}))
	require.Equal(t, [2]int{0, 1}, s.world.thrust[body])
	hear(t, conn, first)
	require.Equal(t, packet.ReasonReplaced, first.Err())
}

func TestOldInputsAreIgnored(t *testing.T) {
	s, conn, login := quiet(t)
	c := enter(t, s, conn, login, 1)
	require.NoError(t, c.Send(&Input{Tick: 7, Thrust: [2]int{1, 1}}, &Input{Tick: 8, Thrust: [2]int{0, 1}}))
	require.NoError(t, c.Send(&Input{Tick: 7, Thrust: [2]int{-1, -1}}))
	require.Equal(t, [2]int{0, 1}, s.world.thrust[0])
	require.Equal(t, uint64(2), s.inputs)
	require.Equal(t, uint64(3), s.clients.Counters().Accepted())
}

func TestSilentPlayersAreForgotten(t *testing.T) {
	s, conn, login := quiet(t)
	c := enter(t, s, conn, login, 1)
	require.NoError(t, c.Send(&Input{Tick: 1}))
	heard := s.clients.ByUser(1).HeardAt()
	require.NoError(t, s.tick(heard.Add(silence)))
	require.Equal(t, 1, s.clients.Len())
	require.NoError(t, s.tick(heard.Add(silence+time.Millisecond)))
	require.Zero(t, s.clients.Len())
	require.Equal(t, 1, s.left[packet.ReasonTimeout])
}

// TestWorldFits runs a simulation. Every state must fit the ranges of the tags,
// and without players and blasts every body must come to rest.
func TestWorldFits(t *testing.T) {
	w := newWorld(maxBodies, 2)
	var sent Snapshot
	moved := false
	for i := range 600 {
		for k := range w.thrust {
			w.thrust[k] = [2]int{i/50%3 - 1, (i/70+k)%3 - 1}
		}
		w.step()
		w.fill(&sent)
		b := protocol.NewBatch()
		require.NoError(t, b.Add(&sent))
		require.LessOrEqual(t, b.Size(), protocol.Room())
		for _, body := range sent.Bodies {
			for axis := range 2 {
				require.LessOrEqual(t, max(body.Position[axis], -body.Position[axis]), float32(wall))
				require.LessOrEqual(t, max(body.Velocity[axis], -body.Velocity[axis]), float32(maxSpeed))
			}
			moved = moved || !body.AtRest
		}
	}
	require.True(t, moved)
	clear(w.thrust)
	for range 1000 {
		w.tick = 1 // keeps the next blast from coming
		w.step()
	}
	for _, body := range w.bodies {
		require.True(t, body.AtRest)
		require.Zero(t, body.Velocity)
	}
}
