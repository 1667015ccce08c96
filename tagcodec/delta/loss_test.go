package delta

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
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
}

func (n *network) send(now int, data []byte, tick uint64) {
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
		n.flying = append(n.flying, flying{now + n.IntN(n.delay+1), slices.Clone(data), tick})
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

// TestLoss sends snapshots of random types through networks of all kinds. What
// the receiver holds is always what was sent, and in the end it is current.
func TestLoss(t *testing.T) {
	read, refused := 0, map[error]int{}
	seeds := uint64(600)
	if testing.Short() {
		seeds = 100
	}
	for seed := range seeds {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
		typ := g.structOf(1)
		s, err := newSubject(typ)
		if err != nil {
			continue
		}
		v := reflect.New(typ).Elem()
		g.touch(v, "", 0.5)
		loss := []float64{0, 0.1, 0.3, 0.8}[g.IntN(4)]
		down := &network{Rand: g.Rand, loss: loss, repeat: 0.2 * g.Float64(), delay: g.IntN(12)}
		up := &network{Rand: g.Rand, loss: loss, repeat: 0.2 * g.Float64(), delay: g.IntN(12)}
		tick := []uint64{0, 1<<16 - 40, 1<<32 - 30, 1<<64 - 2000}[g.IntN(4)]
		sender, receiver := &Sender{core: &s.core}, &store{window: 64}
		messages := map[uint64][]byte{}
		for now := range 120 {
			quiet := now > 80 // a good network at the end
			if quiet {
				down.loss, up.loss, down.burst, up.burst = 0, 0, 0, 0
			}
			tick += 1 + uint64(g.IntN(2)*g.IntN(3))
			message, err := tagcodec.Marshal(v.Interface())
			require.NoError(t, err)
			image, err := s.parsed(slices.Clone(message), false)
			require.NoError(t, err)
			messages[tick], err = image.pack(new(bits.Writer), []byte{})
			require.NoError(t, err)
			data, err := sender.Append(nil, tick, image)
			image.Release()
			require.NoError(t, err)
			down.send(now, data, tick)
			for _, f := range down.arrive(now) {
				got, err := receiver.next(f.data, &checked{s, t, messages[f.tick]})
				switch {
				case err == nil, errors.Is(err, ErrLate), errors.Is(err, ErrRepeated):
					require.Equal(t, f.tick, got)
					up.send(now, nil, got)
					read++
				case errors.Is(err, ErrStale), errors.Is(err, ErrBaseline):
				default:
					require.NoError(t, err, "seed %d tick %d", seed, f.tick)
				}
				for _, known := range []error{ErrLate, ErrRepeated, ErrStale, ErrBaseline} {
					if errors.Is(err, known) {
						refused[known]++
					}
				}
			}
			for _, f := range up.arrive(now) {
				sender.Ack(f.tick)
			}
			g.touch(v, "", []float64{0, 0.02, 0.2}[g.IntN(3)])
		}
		newest, ok := receiver.Tick()
		require.True(t, ok)
		require.LessOrEqual(t, tick-newest, uint64(12*3), "seed %d", seed)
	}
	t.Log(read, "read,", refused)
	require.Positive(t, refused[ErrLate])
	require.Positive(t, refused[ErrRepeated])
	require.Positive(t, refused[ErrStale])
}
