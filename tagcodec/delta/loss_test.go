package delta

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec"
)

// network loses, repeats, delays and reorders messages, in bursts.
type network struct {
	*rand.Rand
	loss, repeat float64
	delay        int
	burst        int // messages that will be lost
	flying       []flying
}

type flying struct {
	at   int // when it arrives
	data []byte
	tick uint64
	ask  bool // for a complete snapshot
}

func (n *network) send(now int, f flying) {
	if n.Float64() < n.loss/10 {
		n.burst = n.IntN(90)
	}
	if n.burst > 0 {
		n.burst--
		return
	}
	if n.Float64() < n.loss {
		return
	}
	for again := true; again; again = n.Float64() < n.repeat {
		f.at = now + n.IntN(n.delay+1)
		n.flying = append(n.flying, f)
	}
}

// arrive returns what has arrived by now, in any order.
func (n *network) arrive(now int) (arrived []flying) {
	n.Shuffle(len(n.flying), func(i, j int) { n.flying[i], n.flying[j] = n.flying[j], n.flying[i] })
	n.flying = slices.DeleteFunc(n.flying, func(f flying) bool {
		if f.at <= now {
			arrived = append(arrived, f)
		}
		return f.at <= now
	})
	return arrived
}

// checked is a source whose images must have the given message.
type checked struct {
	*subject
	t    *testing.T
	want []byte
}

func (c *checked) decode(data []byte, refs *Refs, bit int) (*Image, error) {
	return c.decodeAt(data, refs, bit)
}

func (c *checked) restore(image *Image) error {
	packed, err := image.pack(new(bits.Writer), []byte{})
	require.NoError(c.t, err)
	require.Equal(c.t, c.want, packed)
	return nil
}

// simulation is a session through bad networks, and the sessions that follow it.
type simulation struct {
	*testing.T
	*generator
	*subject
	seed     uint64
	v        reflect.Value // the state
	down, up *network
	asks     float64 // how often the receiver asks for complete snapshots
	gap      int     // the largest number of ticks between snapshots

	sender   *Sender
	receiver *store
	tick     uint64
	messages map[uint64][]byte // by tick

	read, damaged, restarts int
	refused                 map[error]int
}

// begin begins a session: nothing of an earlier one arrives any more, because
// packet.Session refuses it.
func (s *simulation) begin() {
	s.sender, s.receiver = &Sender{untyped: &s.untyped}, &store{window: s.config.window}
	s.tick = []uint64{0, 1<<16 - 40, 1<<32 - 30, 1<<64 - 2000}[s.IntN(4)]
	s.messages = map[uint64][]byte{}
	s.down.flying, s.up.flying = nil, nil
}

// send sends the next snapshot.
func (s *simulation) send(now int) {
	s.tick += 1 + uint64(s.IntN(2)*s.IntN(s.gap))
	message, err := tagcodec.Marshal(s.v.Interface())
	require.NoError(s, err)
	image, err := s.parsed(message, false)
	require.NoError(s, err)
	s.messages[s.tick], err = image.pack(new(bits.Writer), []byte{})
	require.NoError(s, err)
	data, err := s.sender.Append(nil, s.tick, image)
	image.Release()
	require.NoError(s, err)
	if len(data) == 0 { // a complete snapshot is on its way
		return
	}
	s.down.send(now, flying{data: data, tick: s.tick})
}

// receive reads what has arrived, and acknowledges what Read has read. Some
// messages are cut short on the way, after a transport has acknowledged them.
func (s *simulation) receive(now int, cut float64) {
	for _, f := range s.down.arrive(now) {
		if s.Float64() < cut {
			_, err := s.receiver.next(f.data[:s.IntN(len(f.data))], &checked{s.subject, s.T, nil})
			require.Error(s, err)
			require.NotErrorIs(s, err, ErrLate)
			s.damaged++
			if s.IntN(2) == 0 {
				continue // or a repetition of it arrives
			}
		}
		got, err := s.receiver.next(f.data, &checked{s.subject, s.T, s.messages[f.tick]})
		switch {
		case err == nil, errors.Is(err, ErrLate), errors.Is(err, ErrRepeated):
			require.Equal(s, f.tick, got)
			s.up.send(now, flying{tick: got})
			s.read++
		case errors.Is(err, ErrBaseline):
			s.up.send(now, flying{ask: true})
		case errors.Is(err, ErrStale):
		default:
			require.NoError(s, err, "seed %d tick %d", s.seed, f.tick)
		}
		for _, known := range []error{ErrLate, ErrRepeated, ErrStale, ErrBaseline} {
			if errors.Is(err, known) {
				s.refused[known]++
			}
		}
	}
	for _, f := range s.up.arrive(now) {
		if s.sender.Ack(f.tick); f.ask {
			s.sender.Reset()
		}
	}
}

// run sends n snapshots through bad networks, and the last 30 through good ones.
func (s *simulation) run(n int) {
	const good = 30
	s.begin()
	cut := 0.02
	for now := range n {
		switch {
		case now >= n-good:
			for _, p := range []*network{s.down, s.up} {
				p.loss, p.burst, p.delay = 0, 0, min(p.delay, 2)
			}
			cut = 0
		case s.IntN(100) == 0: // either side starts again, and so do both
			s.begin()
			s.restarts++
		case s.IntN(100) == 0: // the receiver loses its images
			s.receiver = &store{window: s.config.window}
		case s.Float64() < s.asks: // the receiver asks for a complete snapshot without need
			s.up.send(now, flying{ask: true})
		}
		s.send(now)
		s.receive(now, cut)
		s.touch(s.v, "", []float64{0, 0.02, 0.2}[s.IntN(3)])
	}
	newest, ok := s.receiver.Tick()
	require.True(s, ok)
	// A complete snapshot may be on its way, and nothing is sent until it is acknowledged.
	trip := uint64(s.gap * (s.down.delay + s.up.delay + 1))
	require.LessOrEqual(s, s.tick-newest, uint64(s.gap*s.down.delay)+max(trip, leastWait), "seed %d", s.seed)
	if s.config.window > s.gap*(s.down.delay+s.up.delay+2) {
		require.Positive(s, s.sender.Age(), "seed %d", s.seed)
	}
}

// newSimulation returns a simulation of snapshots of a type through networks of
// all kinds, or nil if the type is refused.
func newSimulation(t *testing.T, seed uint64, g *generator, typ reflect.Type) *simulation {
	x, err := newSubject(typ)
	if err != nil {
		return nil
	}
	x.config.window = []int{2, 5, 16, 64}[g.IntN(4)]
	s := &simulation{T: t, generator: g, subject: x, seed: seed, v: reflect.New(typ).Elem(), refused: map[error]int{}}
	g.touch(s.v, "", 0.5)
	loss := []float64{0, 0.1, 0.3, 0.8}[g.IntN(4)]
	s.down = &network{Rand: g.Rand, loss: loss, repeat: 0.2 * g.Float64(), delay: g.IntN(12)}
	s.up = &network{Rand: g.Rand, loss: loss, repeat: 0.2 * g.Float64(), delay: g.IntN(12)}
	s.asks = []float64{0, 0.01, 0.1, 0.3}[g.IntN(4)]
	s.gap = 3
	return s
}

// TestLoss sends snapshots of random types through networks of all kinds. What
// the receiver holds is always what was sent, and in the end it is current.
func TestLoss(t *testing.T) {
	var all simulation
	all.refused = map[error]int{}
	sessions, seeds := 0, effort.Rounds(t, 300)
	for seed := range uint64(seeds) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
		s := newSimulation(t, seed, g, g.structOf(1))
		if s == nil {
			continue
		}
		sessions++
		n := 45
		if seed%20 == 0 {
			n = 250
		}
		s.run(n)
		all.read += s.read
		all.damaged += s.damaged
		all.restarts += s.restarts
		for err, n := range s.refused {
			all.refused[err] += n
		}
	}
	t.Log(sessions, "sessions,", all.restarts, "begun again;", all.read, "messages read,", all.damaged, "damaged,", all.refused)
	require.Greater(t, sessions, seeds*5/6)
	for _, err := range []error{ErrLate, ErrRepeated, ErrStale, ErrBaseline} {
		require.Greater(t, all.refused[err], sessions/20, "%v", err)
	}
	require.Greater(t, all.restarts, sessions/10)
	require.Greater(t, all.damaged, sessions/10)
}

// TestLossOfNumbers sends snapshots of one number with larger gaps between their
// ticks, for longer. Few of their spacings are usual, and those must be clear.
func TestLossOfNumbers(t *testing.T) {
	for seed := range uint64(effort.Rounds(t, 40)) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
		s := newSimulation(t, seed, g, reflect.TypeFor[struct{ N uint64 }]())
		s.gap = 1 + g.IntN(13)
		s.run(400)
	}
}
