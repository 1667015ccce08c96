package values

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Small is the small struct of the suite alecthomas/go_serialization_benchmarks,
// with the birthday in Unix nanoseconds, as most codecs of that suite send it.
//
// The tags say what the suite says of its values: a name of 16 bytes at most, a
// phone number of 10, and 0 to 4 siblings. The time and the money may be
// anything. The order is one that leaves 3 bits to align the texts; the suite's
// own order takes 45 bytes in place of 44.
type Small struct {
	Name     string `bp:"maxlen=16"`
	Siblings int    `bp:"int,min=0,max=4"`
	Spouse   bool
	Phone    string `bp:"maxlen=10"`
	BirthDay int64
	Money    float64
}

// SampleSmalls returns n values of the suite's distribution: hexadecimal digits
// in full length, a time in these years, and money below 1.
func SampleSmalls(n int) []Small {
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	smalls := make([]Small, n)
	for i := range smalls {
		smalls[i] = Small{
			Name:     fmt.Sprintf("%016x", random.Uint64()),
			Siblings: random.IntN(5),
			Spouse:   random.IntN(2) == 1,
			Phone:    fmt.Sprintf("%010x", random.Uint64()>>24),
			BirthDay: start.Add(time.Duration(random.Int64N(int64(365 * 24 * time.Hour)))).UnixNano(),
			Money:    random.Float64(),
		}
	}
	return smalls
}
