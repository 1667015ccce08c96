package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gobitpack/bitpack/tagcodec"
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
	const clients, bodies = 4, 400
	var log bytes.Buffer
	r, err := run(context.Background(), options{clients: clients, bodies: bodies, length: 2 * time.Second, loss: 0.02, flood: true, log: &log})
	require.NoError(t, err)

	require.Equal(t, clients, r.online)
	require.Equal(t, clients+3, r.joined, "the players and the three accounts of the one who attacks")
	require.Equal(t, clients+1, r.left, "who attacks does not say goodbye, but for the one that it records")
	require.Equal(t, clients+2, r.most, "the account that floods is one player")
	require.Positive(t, r.floods)
	require.Zero(t, r.revived, "who has left must not come back")

	require.Equal(t, r.bombsSent, r.bombsArrived, "each message arrives once")
	require.Positive(t, slices.Min(r.bombsSent))
	require.Positive(t, slices.Min(r.read), "updates that a player has read")
	require.Positive(t, r.inputs)
	require.LessOrEqual(t, r.inputs, r.accepted)
	require.LessOrEqual(t, r.accepted, uint64(r.inputsSent+sum(r.bombsSent)+1),
		"nothing is accepted but inputs and bombs of the players, and the attacker's one true input")
	require.NotEmpty(t, r.last.Bodies)
	require.Less(t, len(r.last.Bodies), bodies, "a player does not see everything")
	require.Positive(t, r.updates.delivered)
	require.LessOrEqual(t, r.updates.delivered, sum(r.read), "nothing counts as delivered that was not read")

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

	for i := range r.formats[1:] {
		require.Less(t, r.formats[i].bytes, r.formats[i+1].bytes, "the formats are sorted")
	}
	require.Less(t, 3*r.formats[0].bytes, r.formats[1].bytes, "package tagcodec and encoding/binary")

	var out bytes.Buffer
	r.print(&out)
	for _, part := range []string{"ticks", "allocations a tick", "encoding/json", "an update, on average",
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
	require.Contains(t, rest, "ARENA: 1000 bodies at 60 Hz, 2 players")
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

// game is a server and players without sockets and goroutines. Datagrams arrive
// in the tick in which they are sent, and time passes with the ticks.
type game struct {
	*server
	t      *testing.T
	login  secrets
	now    time.Time
	bots   map[netip.AddrPort]*bot
	blasts map[uint64][]Blast // sent to each user, as they arrive
}

func newGame(t *testing.T, bodies int) *game {
	g := &game{t: t, login: secrets{key: [32]byte{1}}, now: time.Unix(1e9, 0), bots: map[netip.AddrPort]*bot{}, blasts: map[uint64][]Blast{}}
	var err error
	g.server, err = newServer(io.Discard, bodies, &g.login)
	require.NoError(t, err)
	g.write = func(to netip.AddrPort, datagram []byte) {
		if b := g.bots[to]; b != nil {
			b.handle(slices.Clone(datagram), g.now)
		}
	}
	return g
}

// enter makes a player join from a port.
func (g *game) enter(user uint64, port uint16, loss float64) *bot {
	at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), port)
	b, err := newBot(protocol, user, g.login.of(user), loss, func(datagram []byte) { g.handle(at, slices.Clone(datagram), g.now) })
	require.NoError(g.t, err)
	g.bots[at] = b
	for b.client.Session() == nil {
		g.play(1)
	}
	return b
}

// play runs ticks of everything.
func (g *game) play(ticks int) {
	for range ticks {
		g.now = g.now.Add(time.Second / tickRate)
		require.NoError(g.t, g.tick(g.now))
		for _, blast := range g.world.blasts {
			data, err := tagcodec.Marshal(&blast)
			require.NoError(g.t, err)
			require.NoError(g.t, tagcodec.Unmarshal(data, &blast))
			for p := range g.clients.All() {
				g.blasts[p.User()] = append(g.blasts[p.User()], blast)
			}
		}
		for _, b := range g.bots {
			b.client.Tick(g.now)
			require.NoError(g.t, b.err)
		}
	}
}

func (g *game) player(user uint64) *player { return g.clients.ByUser(user).Value.(*player) }

// TestPlayersSeeTheWorld has players that lose every tenth datagram once they have
// joined. In the end each sees what the server has sent it last, and few of the
// updates were complete.
func TestPlayersSeeTheWorld(t *testing.T) {
	g := newGame(t, maxBodies)
	var bots []*bot
	for user := range uint64(4) {
		bots = append(bots, g.enter(user, 1000+uint16(user), 0))
	}
	for _, b := range bots {
		b.loss = 0.1
	}
	g.play(5 * tickRate)
	for _, b := range bots {
		b.loss = 0
	}
	g.play(1)
	for user, b := range bots {
		pl := g.player(uint64(user))
		require.Equal(t, pl.body, b.body)
		var sent World
		require.NoError(t, codec.Restore(pl.view, &sent))
		require.Equal(t, sent, b.world)
		require.NotEmpty(t, sent.Bodies)
		require.True(t, slices.ContainsFunc(sent.Bodies, func(body Body) bool { return int(body.ID) == b.body }))
		u := pl.updates
		require.Greater(t, u.sent, 4*tickRate)
		require.Less(t, u.complete, 20)
		require.Greater(t, b.updates, u.sent*3/4)
		require.Less(t, b.updates, u.sent, "some are lost")
		complete, err := tagcodec.Size(&sent)
		require.NoError(t, err)
		require.Less(t, 2*u.bytes/u.sent, complete)
	}
}

// TestFragments lets a player see a world that does not fit into a datagram.
func TestFragments(t *testing.T) {
	g := newGame(t, maxBodies)
	for i := range g.world.Bodies {
		g.world.Bodies[i].Position = [2]float32{float32(i % 100), float32(i / 100)}
	}
	largest := 0
	write := g.write
	g.write = func(to netip.AddrPort, datagram []byte) {
		largest = max(largest, len(datagram))
		write(to, datagram)
	}
	b := g.enter(1, 1000, 0)
	g.play(1)
	require.Len(t, b.world.Bodies, maxBodies)
	require.Equal(t, 1, b.updates)
	complete, err := tagcodec.Size(&b.world)
	require.NoError(t, err)
	require.Greater(t, complete, 2*packet.DefaultMTU)
	require.LessOrEqual(t, largest, packet.DefaultMTU)
	require.LessOrEqual(t, g.player(1).updates.complete, 2)
}

// TestMessagesArriveOnce has players that lose every fifth datagram. Every bomb
// arrives, and every player is shown each blast since it joined, once and in
// order.
func TestMessagesArriveOnce(t *testing.T) {
	g := newGame(t, 10)
	shown := make([][]Blast, 3)
	var bots []*bot
	for i := range shown {
		bots = append(bots, g.enter(uint64(i), 1000+uint16(i), 0.2))
		bots[i].show = func(at Blast) { shown[i] = append(shown[i], at) }
		require.Zero(t, bots[i].blasts)
	}
	g.play(10 * tickRate)
	for _, b := range bots {
		b.loss, b.idle = 0, true
	}
	queued := func() (n int) {
		for i, b := range bots {
			n += b.client.Session().Queued() + g.clients.ByUser(uint64(i)).Session().Queued()
		}
		return n
	}
	for i := 0; queued() > 0; i++ {
		require.Less(t, i, 10*tickRate)
		g.play(1)
	}
	bombs := 0
	for i, b := range bots {
		require.Equal(t, b.bombs, g.bombs[uint64(i)])
		bombs += b.bombs
		require.Equal(t, g.blasts[uint64(i)], shown[i], "player %d", i)
		require.Len(t, shown[i], b.blasts)
	}
	require.Greater(t, len(shown[0]), bombs)
	require.Greater(t, bombs, 10)
}

// TestSlowPlayersMustGo removes a player who acknowledges no messages.
func TestSlowPlayersMustGo(t *testing.T) {
	g := newGame(t, 10)
	b := g.enter(1, 1000, 0)
	g.bots = nil // it hears nothing any more, but is heard
	for ticks := 0; g.clients.Len() > 0; ticks++ {
		require.Less(t, ticks, (config.Messages+1)*blastEach)
		require.NoError(t, b.client.Send(&Input{}))
		g.play(1)
	}
	require.Equal(t, map[packet.Reason]int{reasonSlow: 1}, g.left)
	require.Equal(t, uint64(config.Messages), g.messages.Load())
}

// TestJoinAgain restarts a player's program on another port. The player keeps
// its body, and the old program is told that it was replaced.
func TestJoinAgain(t *testing.T) {
	g := newGame(t, 10)
	first := g.enter(1, 1000, 0)
	first.idle = true
	g.enter(2, 1001, 0)
	require.NoError(t, first.client.Send(&Input{Thrust: [2]int{1, 0}}))
	older := g.player(1)
	require.Equal(t, 0, older.body)
	require.Equal(t, [2]int{1, 0}, g.world.thrust[0])

	again := g.enter(1, 1002, 0)
	again.idle = true
	require.Equal(t, 2, g.clients.Len())
	require.Equal(t, packet.ReasonReplaced, first.client.Err())
	require.NotSame(t, older, g.player(1), "a session has its own Sender")
	require.Equal(t, older.body, g.player(1).body)
	require.NoError(t, again.client.Send(&Input{Thrust: [2]int{0, 1}}))
	require.Equal(t, [2]int{0, 1}, g.world.thrust[0], "the numbers of datagrams start again")
	g.play(2)
	require.Equal(t, 0, again.body)
	require.Positive(t, again.updates)
}

// TestOldInputsAreIgnored delivers inputs in another order.
func TestOldInputsAreIgnored(t *testing.T) {
	g := newGame(t, 10)
	b := g.enter(1, 1000, 0)
	b.idle = true
	before, inputs := g.clients.Counters().Accepted(), g.inputs
	var held [][]byte
	for _, thrust := range [][2]int{{1, 1}, {0, 1}, {-1, -1}} {
		datagram, err := b.client.Session().Append(nil, &Input{thrust})
		require.NoError(t, err)
		held = append(held, datagram)
	}
	at := g.clients.ByUser(1).Address()
	g.handle(at, held[1], g.now)
	require.Equal(t, [2]int{0, 1}, g.world.thrust[0])
	g.handle(at, held[0], g.now)
	require.Equal(t, [2]int{0, 1}, g.world.thrust[0], "it was sent before")
	g.handle(at, held[2], g.now)
	require.Equal(t, [2]int{-1, -1}, g.world.thrust[0])
	require.Equal(t, inputs+2, g.inputs)
	require.Equal(t, before+3, g.clients.Counters().Accepted())
}

func TestSilentPlayersAreForgotten(t *testing.T) {
	g := newGame(t, 10)
	b := g.enter(1, 1000, 0)
	require.NoError(t, b.client.Send(&Input{}))
	g.bots = nil
	heard := g.clients.ByUser(1).HeardAt()
	require.NoError(t, g.tick(heard.Add(silence)))
	require.Equal(t, 1, g.clients.Len())
	require.NoError(t, g.tick(heard.Add(silence+time.Millisecond)))
	require.Zero(t, g.clients.Len())
	require.Equal(t, 1, g.left[packet.ReasonTimeout])
}

// TestWorldFits runs a simulation. Every state must fit the ranges of the tags,
// and without players and blasts every body must come to rest.
func TestWorldFits(t *testing.T) {
	w := newWorld(maxBodies, 2)
	moved := false
	for i := range 600 {
		for k := range w.thrust {
			w.thrust[k] = [2]int{i/50%3 - 1, (i/70+k)%3 - 1}
		}
		w.step()
		image, err := codec.Quantize(&w.World, nil)
		require.NoError(t, err)
		message, err := codec.NewSender().Append(nil, w.tick, image)
		require.NoError(t, err)
		require.NoError(t, protocol.NewBatch().Add(&Update{message}))
		var farthest, fastest float32
		for _, body := range w.Bodies {
			for axis := range 2 {
				farthest = max(farthest, body.Position[axis], -body.Position[axis])
				fastest = max(fastest, body.Velocity[axis], -body.Velocity[axis])
			}
			moved = moved || !body.AtRest
		}
		require.LessOrEqual(t, farthest, float32(wall))
		require.LessOrEqual(t, fastest, float32(maxSpeed))
	}
	require.True(t, moved)
	clear(w.thrust)
	for range 1000 {
		w.tick = 1 // keeps the next blast from coming
		w.step()
	}
	for _, body := range w.Bodies {
		require.True(t, body.AtRest)
		require.Zero(t, body.Velocity)
	}
}
