package values

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Small is the small struct of the suite
// alecthomas/go_serialization_benchmarks. The birthday is in Unix nanoseconds,
// as most codecs of that suite send it.
//
// The tags state what is known about the suite's values: a name of at most 16
// bytes, a phone number of at most 10, and 0 to 4 siblings. The time and the
// money may have any value. The fields are ordered so that aligning the strings
// takes only 3 bits. In the suite's own order a message takes 45 bytes instead
// of 44.
type Small struct {
	Name     string `bp:"maxlen=16"`
	Siblings int    `bp:"int,min=0,max=4"`
	Spouse   bool
	Phone    string `bp:"maxlen=10"`
	BirthDay int64
	Money    float64
}

// SampleSmalls returns n values with the suite's distribution: hexadecimal
// digits of full length, a time in 2025, and money below 1.
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
