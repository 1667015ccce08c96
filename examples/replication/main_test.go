package main

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// numbers returns the groups of all matches of a pattern as numbers.
func numbers(t *testing.T, text []byte, pattern string) (all [][]int) {
	for _, match := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
		var row []int
		for _, group := range match[1:] {
			n, err := strconv.Atoi(string(group))
			require.NoError(t, err)
			row = append(row, n)
		}
		all = append(all, row)
	}
	return all
}

func TestRun(t *testing.T) {
	bodies, seconds := 50, 2
	if effort.Factor() > 1 {
		bodies, seconds = 100, 4
	}
	var out bytes.Buffer
	require.NoError(t, run(&out, bodies, seconds*tickRate))

	rows := numbers(t, out.Bytes(), `(?m)^ +\d+% +\d+ to \d+ +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$`)
	require.Len(t, rows, 3)
	for _, row := range rows {
		complete, base, predicted, datagrams, completes := row[0], row[1], row[2], row[3], row[4]
		require.Less(t, base, complete/2)
		require.Less(t, predicted, base)
		require.Greater(t, datagrams, predicted)
		require.Less(t, completes, 4*30, "four clients, until their first acknowledgements arrive")
	}

	require.Regexp(t, `(?m)^sent: \d+ datagrams, \d+ bytes,.* \d+ delivered, \d+ lost( \(\d+ of them arrived late\))?$`, out.String())
	require.Regexp(t, `(?m)^  Update  +\d+ `, out.String())

	rows = numbers(t, out.Bytes(), `(?m)^  (?:a client|the server).* (\d+) ticks +(\d+)$`)
	require.Len(t, rows, 5)
	for i, most := range []int{20, 60, 40, 60, 240} {
		require.Less(t, rows[i][0], most, "ticks until all clients are current, row %d", i)
		require.Positive(t, rows[i][1], "complete snapshots, row %d", i)
	}
	require.Greater(t, rows[0][1], 3, "the window ended during the silence, and there was one complete snapshot in a round trip")
	require.Greater(t, rows[4][0], 120, "the clients notice only after the timeout")

	sizes := numbers(t, out.Bytes(), `(?m)^  (?:the same through gzip|keyframes and deltas) +(\d+)$`)
	require.Len(t, sizes, 2)
	require.Less(t, 2*sizes[1][0], sizes[0][0])
}

// TestCheckFinds checks that a client whose world is not as sent is found.
func TestCheckFinds(t *testing.T) {
	m, err := newMatch(10, 2, conditions{latency: 1})
	defer m.close()
	require.NoError(t, err)
	require.ErrorIs(t, m.check(), errOld, "nobody has joined")
	require.NoError(t, m.run(30))
	require.NoError(t, m.check())
	m.clients[1].world.Bodies[3].Position[0]++
	require.ErrorContains(t, m.check(), "is not the one that was sent")
}

// TestOldSession sends the server datagrams of a session that it has replaced, and
// of one from before it started.
func TestOldSession(t *testing.T) {
	m, err := newMatch(10, 1, conditions{latency: 1})
	defer m.close()
	require.NoError(t, err)
	require.NoError(t, m.run(30))
	old := m.clients[0]
	m.clients[0], err = m.newClient(old.user)
	require.NoError(t, err)
	require.NoError(t, m.run(30))
	require.NoError(t, m.check())
	completes := m.sender(m.clients[0]).Completes()

	require.NoError(t, old.packets.Send(&Restart{}))
	m.clients = append(m.clients, old)
	old.down.cut = true
	require.NoError(t, m.run(5))
	require.Nil(t, m.sender(old))
	require.Equal(t, completes, m.sender(m.clients[0]).Completes())
	require.NotEmpty(t, m.server.clients.Counters().Refusals())
}

// TestFragments checks that snapshots larger than a datagram reach clients that
// lose every fifth datagram.
func TestFragments(t *testing.T) {
	m, err := newMatch(300, 2, conditions{0.2, 3, 2})
	defer m.close()
	require.NoError(t, err)
	ticks, err := m.recover()
	require.NoError(t, err)
	require.Less(t, ticks, 2*tickRate)
	require.Greater(t, m.complete, 2*packet.DefaultMTU*m.updates, "mean of the complete snapshots")
	for _, c := range m.clients {
		require.Positive(t, m.sender(c).Completes())
		require.LessOrEqual(t, c.down.largest, packet.DefaultMTU)
		require.Equal(t, 1, c.sessions)
	}
	require.NoError(t, m.run(tickRate))
	require.NoError(t, m.check())
}

// TestDeclined checks that a snapshot that the client's receiver refuses is not
// acknowledged, so that no later delta refers to it.
func TestDeclined(t *testing.T) {
	m, err := newMatch(10, 1, conditions{latency: 1})
	defer m.close()
	require.NoError(t, err)
	require.NoError(t, m.run(30))
	c := m.clients[0]
	c.up.cut = true // the server does not hear that the images are gone
	require.NoError(t, m.run(5))
	c.receiver, c.up.cut = codec.NewReceiver(), false
	before := c.packets.Counters().Refused(packet.ErrDeclined)
	sender := m.sender(c)
	completes := sender.Completes()
	require.NoError(t, m.run(20))
	require.Greater(t, c.packets.Counters().Refused(packet.ErrDeclined), before)
	require.Positive(t, sender.Completes()-completes)
	require.NoError(t, m.check())
}

// TestPredictions checks that a client which predicts otherwise has another
// protocol.
func TestPredictions(t *testing.T) {
	slower := delta.MustFor[World](delta.WithWindow(32))
	other, err := packet.New(config, packet.Of[Update]().Carries(slower), packet.Of[Restart]())
	require.NoError(t, err)
	require.NotEqual(t, protocol.ID(), other.ID())
	differences := packet.Diff(protocol.Description(), other.Description())
	require.Len(t, differences, 1)
	require.Equal(t, "Update", differences[0].Type)
}

func TestSeekBeyondTheEnd(t *testing.T) {
	var r replay
	_, err := r.seek(0)
	require.EqualError(t, err, "the replay has no tick 0")
}
