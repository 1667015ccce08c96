package delta_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec/delta"
)

type counter struct {
	N    uint32 `bp:"pred=lin"`
	Text string `bp:"maxlen=20"`
}

// session is both ends of a session.
type session struct {
	t        *testing.T
	codec    *delta.Codec[counter]
	sender   *delta.Sender
	receiver *delta.Receiver[counter]
}

func newSession(t *testing.T, c *delta.Codec[counter]) *session {
	return &session{t, c, c.NewSender(), c.NewReceiver()}
}

// send returns the message of a counter.
func (s *session) send(tick uint64, n uint32) []byte {
	image, err := s.codec.Quantize(&counter{N: n}, nil)
	require.NoError(s.t, err)
	data, err := s.sender.Append(nil, tick, image)
	require.NoError(s.t, err)
	image.Release()
	return data
}

// exchange sends a counter, reads it and acknowledges it.
func (s *session) exchange(tick uint64, n uint32) []byte {
	data := s.send(tick, n)
	var state counter
	got, err := s.receiver.Read(data, &state)
	require.NoError(s.t, err)
	require.Equal(s.t, tick, got)
	require.Equal(s.t, n, state.N)
	s.sender.Ack(got)
	return data
}

func TestLateRepeatedAndStale(t *testing.T) {
	s := newSession(t, delta.MustFor[counter]())
	s.exchange(10, 1)
	late := s.send(11, 2)
	stale := s.send(12, 3)
	repeated := s.exchange(13, 4)
	state := counter{N: 99}
	tick, err := s.receiver.Read(repeated, &state)
	require.ErrorIs(t, err, delta.ErrRepeated)
	require.Equal(t, uint64(13), tick)
	tick, err = s.receiver.Read(late, &state)
	require.ErrorIs(t, err, delta.ErrLate)
	require.Equal(t, uint64(11), tick)
	image, ok := s.receiver.Image(11)
	require.True(t, ok)
	var old counter
	require.NoError(t, s.codec.Restore(image, &old))
	require.Equal(t, uint32(2), old.N)
	_, err = s.receiver.Read(late, &state)
	require.ErrorIs(t, err, delta.ErrRepeated)
	for tick := uint64(14); tick < 90; tick++ {
		s.exchange(tick, 5)
	}
	_, err = s.receiver.Read(stale, &state)
	require.ErrorIs(t, err, delta.ErrStale)
	require.Equal(t, counter{N: 99}, state)
	_, ok = s.receiver.Image(12)
	require.False(t, ok)

	s = newSession(t, delta.MustFor[counter]())
	before, within := s.send(1, 1), s.send(5, 2) // both are complete
	s.exchange(1+delta.DefaultWindow, 3)
	_, err = s.receiver.Read(before, &state)
	require.ErrorIs(t, err, delta.ErrStale, "it is as old as the window")
	_, err = s.receiver.Read(within, &state)
	require.ErrorIs(t, err, delta.ErrLate)
}

func TestTicksIncrease(t *testing.T) {
	c := delta.MustFor[counter]()
	s := newSession(t, c)
	s.exchange(5, 1)
	image, err := c.Quantize(&counter{}, nil)
	require.NoError(t, err)
	_, err = s.sender.Append(nil, 5, image)
	require.ErrorIs(t, err, delta.ErrTick)
}

// TestWrappingTicks checks ticks around each power that their low bits wrap at.
func TestWrappingTicks(t *testing.T) {
	for _, start := range []uint64{1<<16 - 50, 5<<16 - 3, 1<<32 - 50, 1<<63 - 50, math.MaxUint64 - 200} {
		s := newSession(t, delta.MustFor[counter]())
		for i := range uint64(150) {
			s.exchange(start+i, uint32(i))
		}
		require.Equal(t, uint64(1), s.sender.Completes())
	}
}

// TestSilence checks that a receiver that was silent for longer than the window
// gets a complete snapshot.
func TestSilence(t *testing.T) {
	s := newSession(t, delta.MustFor[counter]())
	s.exchange(0, 1)
	s.exchange(1, 2)
	for tick := uint64(2); tick < 1000; tick++ {
		s.send(tick, 3) // lost
	}
	s.exchange(1001, 7)
	require.Equal(t, uint64(1+(1001-65)/4+1), s.sender.Completes(), "the first, and every fourth from 65 on")
	s.exchange(1002, 8)
	require.Equal(t, uint64(1), s.sender.Age())
	s.exchange(1<<17, 9) // ticks may pause as well
}

// TestLostReferences checks that a receiver without its references says which
// one is missing, and that the session goes on after a Reset.
func TestLostReferences(t *testing.T) {
	s := newSession(t, delta.MustFor[counter]())
	s.exchange(70000, 1)
	s.exchange(70001, 2)
	s.receiver = s.codec.NewReceiver() // it has lost its memory
	s.sender.Ack(70001)
	state := counter{N: 99}
	_, err := s.receiver.Read(s.send(70003, 3), &state)
	require.ErrorIs(t, err, delta.ErrBaseline)
	var missing *delta.BaselineError
	require.True(t, errors.As(err, &missing))
	require.Equal(t, uint64(70003%65536), missing.Tick)
	require.Equal(t, uint64(70001%65536), missing.Missing)
	require.EqualError(t, err, "delta: tick 4467: a reference of the message is missing: tick 4465")
	require.Equal(t, counter{N: 99}, state)
	s.sender.Reset()
	s.sender.Ack(70001) // an old acknowledgement arrives late
	s.exchange(70004, 4)
	for tick := uint64(70005); tick < 70030; tick++ {
		s.exchange(tick, 5)
	}
	s.receiver = s.codec.NewReceiver()
	_, err = s.receiver.Read(s.send(70030, 3), &state) // the spacing is usual, so it does not say which
	require.ErrorAs(t, err, &missing)
	require.Equal(t, delta.BaselineError{Tick: 70030 % 65536, Missing: 70030 % 65536}, *missing)
	require.EqualError(t, err, "delta: tick 4494: a reference of the message is missing")
}

// TestServerRestarts begins a session again whose ticks repeat those of the
// session before, with other states.
func TestServerRestarts(t *testing.T) {
	c := delta.MustFor[counter]()
	s := newSession(t, c)
	for tick := range uint64(100) {
		s.exchange(tick, uint32(tick))
	}
	old := s.receiver
	s = newSession(t, c)
	for tick := range uint64(100) {
		data := s.exchange(tick, uint32(2*tick+1))
		if tick == 0 {
			require.Equal(t, uint64(1), s.sender.Completes(), "nothing of the session before is known")
			var state counter
			_, err := old.Read(data, &state)
			require.ErrorIs(t, err, delta.ErrStale, "a Receiver belongs to one session")
			require.Zero(t, state)
		}
	}
	require.Equal(t, uint64(1), s.sender.Completes())
}

// TestClientRestarts begins a session again whose server goes on: its ticks are
// far from zero, and old acknowledgements belong to the old Sender.
func TestClientRestarts(t *testing.T) {
	c := delta.MustFor[counter]()
	for _, start := range []uint64{1<<16 - 1, 1<<40 + 5, math.MaxUint64 - 300} {
		s := newSession(t, c)
		for i := range uint64(100) {
			s.exchange(start+i, uint32(i))
		}
		s = newSession(t, c)
		s.sender.Ack(start + 99)
		s.send(start+100, 1) // lost
		s.sender.Ack(start + 99)
		for i := uint64(104); i < 200; i++ {
			s.exchange(start+i, uint32(i))
		}
		require.Equal(t, uint64(2), s.sender.Completes())
	}
}

// TestFailedRead checks that a snapshot whose Read has failed is not used as a
// reference, and that the session goes on.
func TestFailedRead(t *testing.T) {
	for _, row := range []struct {
		name   string
		damage func(data []byte) []byte
	}{
		{"cut", func(data []byte) []byte { return data[:len(data)-1] }},
		{"longer", func(data []byte) []byte { return append(data, 1) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newSession(t, delta.MustFor[counter]())
			s.exchange(1, 1)
			data := s.send(2, 2)
			state := counter{N: 99}
			_, err := s.receiver.Read(row.damage(slices.Clone(data)), &state)
			require.Error(t, err)
			newest, _ := s.receiver.Tick()
			require.Equal(t, uint64(1), newest)
			_, ok := s.receiver.Image(2)
			require.False(t, ok)
			s.exchange(3, 3)
			_, err = s.receiver.Read(data, &state)
			require.ErrorIs(t, err, delta.ErrLate, "it was not read before")
			for tick := uint64(4); tick < 70; tick++ {
				s.exchange(tick, uint32(tick))
			}
			require.Equal(t, uint64(1), s.sender.Completes())
		})
	}
}

// TestAcknowledgedByTransport acknowledges a datagram whose Read has failed,
// against the rules. The receiver says what it lacks, and never has another
// state.
func TestAcknowledgedByTransport(t *testing.T) {
	s := newSession(t, delta.MustFor[counter]())
	s.exchange(70001, 1)
	data := s.send(70002, 2)
	state := counter{N: 99}
	_, err := s.receiver.Read(data[:len(data)-1], &state)
	require.Error(t, err)
	s.sender.Ack(70002)
	state = counter{N: 99}
	for tick := uint64(70003); tick < 70006; tick++ {
		_, err = s.receiver.Read(s.send(tick, 3), &state)
		var missing *delta.BaselineError
		require.ErrorAs(t, err, &missing)
		require.Equal(t, delta.BaselineError{Tick: tick, Missing: 70002}, *missing)
		require.Equal(t, counter{N: 99}, state)
	}
	s.sender.Reset()
	s.exchange(70006, 6)
	s.exchange(70007, 7)
}

// TestReleasedTooEarly releases an image that a Sender still refers to, and
// quantizes into its memory as often as the window is long.
func TestReleasedTooEarly(t *testing.T) {
	c := delta.MustFor[counter]()
	one, two := newSession(t, c), newSession(t, c)
	var image *delta.Image
	for tick := range uint64(200) {
		var err error
		image, err = c.Quantize(&counter{N: uint32(tick * tick), Text: "abc"}, image)
		require.NoError(t, err)
		for _, s := range []*session{one, two} {
			data, err := s.sender.Append(nil, tick, image)
			require.NoError(t, err)
			if len(data) == 0 {
				continue
			}
			var state counter
			_, err = s.receiver.Read(data, &state)
			require.NoError(t, err)
			require.Equal(t, counter{N: uint32(tick * tick), Text: "abc"}, state)
			if tick%3 == 0 {
				s.sender.Ack(tick)
			}
		}
	}
	image.Release()
	require.Panics(t, func() { image.Release() })
}

// TestHash checks what the hash covers.
func TestHash(t *testing.T) {
	type lin struct {
		A int32 `bp:"pred=lin"`
	}
	type hold struct {
		A int32 `bp:"pred=hold"`
	}
	type plain struct{ A int32 }
	l, h, p := delta.MustFor[lin](), delta.MustFor[hold](), delta.MustFor[plain]()
	require.NotEqual(t, l.Hash(), h.Hash())
	require.Equal(t, p.Hash(), h.Hash())
	require.NotEqual(t, p.Hash(), delta.MustFor[plain](delta.WithWindow(32)).Hash())
}

// TestResetKeepsSpacings resets a Sender whose receiver still has its images. A
// message with the usual spacing must not mean one of them: tick 13 was 12 after
// its base, and tick 20 is 5 after its base, so both would precede tick 25.
func TestResetKeepsSpacings(t *testing.T) {
	s := newSession(t, delta.MustFor[counter]())
	s.exchange(1, 100)
	s.exchange(13, 200)
	s.sender.Reset()
	s.exchange(15, 300)
	s.sender.Ack(13) // before the Reset
	s.exchange(20, 400)
	require.Equal(t, uint64(5), s.sender.Age())
	s.exchange(25, 500)
	require.Equal(t, uint64(5), s.sender.Age())
	require.Equal(t, uint64(2), s.sender.Completes())
}
