package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gobitpack/bitpack/internal/shared"
)

// MatchFile is the recording of the frames, which is not in the repository.
var MatchFile = shared.Path("data/rl_rlcs2.i32.gz")

// Every returns every n-th element of list.
func Every[T any](n int, list []T) []T {
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

// Result is the measurement of a codec.
type Result struct {
	Name      string
	Kind      Kind
	Notes     string
	Bytes     float64 // average length of a message
	Marshal   Cost
	Unmarshal Cost
}

// Cost is the cost of marshaling or unmarshaling one message.
type Cost struct {
	Time   time.Duration
	Allocs float64
}

// Time returns the time to marshal and unmarshal a message.
func (r Result) Time() time.Duration { return r.Marshal.Time + r.Unmarshal.Time }

// Measure requires that each codec round trips all values, and then measures it
// on the values in timed. Each round runs all codecs, so that a slow spell of
// the machine affects them equally. The result is the fastest round of each
// direction, because other activity on the machine can only add to the time.
// The parameter each is the approximate time of a round per codec and direction.
func Measure[T any](codecs []Codec[T], all, timed []T, rounds int, each time.Duration) ([]Result, error) {
	results := make([]Result, len(codecs))
	runs := make([]*run, 2*len(codecs))
	for i, c := range codecs {
		size, err := c.Size(all)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		marshal, unmarshal, err := loops(c, timed)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		runs[2*i], runs[2*i+1] = newRun(marshal, len(timed), each), newRun(unmarshal, len(timed), each)
		results[i] = Result{Name: c.Name, Kind: c.Kind, Notes: c.Notes, Bytes: size}
	}
	for range rounds {
		for _, r := range runs {
			r.measure()
		}
	}
	for i := range results {
		results[i].Marshal, results[i].Unmarshal = runs[2*i].cost(), runs[2*i+1].cost()
	}
	slices.SortStableFunc(results, func(a, b Result) int {
		if a.Bytes != b.Bytes {
			return cmp.Compare(a.Bytes, b.Bytes)
		}
		return cmp.Compare(a.Time(), b.Time())
	})
	return results, nil
}

// loops returns functions that marshal and unmarshal all values a number of
// times. The functions panic on errors, because the same values have round
// tripped before.
func loops[T any](c Codec[T], list []T) (marshal, unmarshal func(times int), err error) {
	session := c.Open(list)
	messages := make([][]byte, len(list))
	for i := range list {
		data, err := session.Marshal(nil, i)
		if err != nil {
			return nil, nil, err
		}
		messages[i] = slices.Clone(data)
	}
	var buf []byte
	marshal = func(times int) {
		for range times {
			for i := range list {
				if buf, err = session.Marshal(buf, i); err != nil {
					panic(err)
				}
			}
		}
	}
	unmarshal = func(times int) {
		for range times {
			for _, data := range messages {
				if err := session.Unmarshal(data); err != nil {
					panic(err)
				}
			}
		}
	}
	return marshal, unmarshal, nil
}

// run measures a loop.
type run struct {
	loop   func(times int)
	times  int // iterations that take about as long as a round should
	values int
	ns     []float64
}

func newRun(loop func(times int), values int, each time.Duration) *run {
	r := &run{loop: loop, times: 1, values: values}
	for {
		start := time.Now()
		r.loop(r.times)
		took := max(time.Since(start), 1)
		if took > each/2 {
			r.times = max(1, int(float64(r.times)*float64(each)/float64(took)))
			return r
		}
		r.times *= 2
	}
}

func (r *run) measure() {
	runtime.GC() // do not charge this loop for garbage of the others
	start := time.Now()
	r.loop(r.times)
	took := time.Since(start)
	r.ns = append(r.ns, float64(took)/float64(r.times*r.values))
}

func (r *run) cost() Cost {
	allocs := testing.AllocsPerRun(2, func() { r.loop(1) }) / float64(r.values)
	return Cost{time.Duration(slices.Min(r.ns) + 0.5), allocs}
}
