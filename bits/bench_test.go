package bits_test

import (
	"fmt"
	"testing"

	"github.com/gobitpack/bitpack/bits"
)

// benchCount is the number of values in a message. There are enough that Reset
// adds little to the time of a value, and the message still fits in the cache.
const benchCount = 64

// The sinks keep the compiler from dropping the calls that compute their
// values.
var (
	sinkUint  uint64
	sinkInt   int64
	sinkBytes []byte
)

// perValue reports the time of one value instead of that of a whole message.
func perValue(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchCount, "ns/value")
}

func BenchmarkWriteBits(b *testing.B) {
	for _, width := range []int{1, 7, 32, 64} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			buf := make([]byte, benchCount*8)
			var w bits.Writer
			for b.Loop() {
				w.Reset(buf)
				for i := range benchCount {
					w.WriteBits(uint64(i)*0x9E3779B97F4A7C15>>(64-width), width)
				}
			}
			sinkBytes = w.Bytes()
			perValue(b)
		})
	}
}

func BenchmarkReadBits(b *testing.B) {
	for _, width := range []int{1, 7, 32, 64} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			data := make([]byte, benchCount*8)
			var r bits.Reader
			var sum uint64
			for b.Loop() {
				r.Reset(data, 0)
				for range benchCount {
					sum += r.ReadBits(width)
				}
			}
			sinkUint = sum
			perValue(b)
		})
	}
}

func BenchmarkWriteInt(b *testing.B) {
	buf := make([]byte, benchCount*8)
	var w bits.Writer
	for b.Loop() {
		w.Reset(buf)
		for i := range int64(benchCount) {
			w.WriteInt(i-50, -1000, 1000)
		}
	}
	sinkBytes = w.Bytes()
	perValue(b)
}

func BenchmarkReadInt(b *testing.B) {
	data := make([]byte, benchCount*8)
	var r bits.Reader
	var sum int64
	for b.Loop() {
		r.Reset(data, 0)
		for range benchCount {
			sum += r.ReadInt(-1000, 1000)
		}
	}
	sinkInt = sum
	perValue(b)
}

// The bytes start at bit 3, so the time includes an align.
func BenchmarkWriteBytes64(b *testing.B) {
	buf := make([]byte, 65*benchCount)
	p := make([]byte, 64)
	var w bits.Writer
	for b.Loop() {
		w.Reset(buf)
		for range benchCount {
			w.WriteBits(5, 3)
			w.WriteBytes(p)
		}
	}
	sinkBytes = w.Bytes()
	perValue(b)
}

func BenchmarkReadBytes64(b *testing.B) {
	data := make([]byte, 65*benchCount)
	p := make([]byte, 64)
	var r bits.Reader
	for b.Loop() {
		r.Reset(data, 0)
		for range benchCount {
			sinkUint += r.ReadBits(3)
			r.ReadBytes(p)
		}
	}
	perValue(b)
}

func BenchmarkRelative(b *testing.B) {
	buf := make([]byte, benchCount*8)
	var w bits.Writer
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			w.Reset(buf)
			for i := range int64(benchCount) {
				w.WriteRelative(i*30, i*30+30, 0, 1<<31-1)
			}
		}
		perValue(b)
	})
	data := w.Bytes()
	b.Run("read", func(b *testing.B) {
		var r bits.Reader
		for b.Loop() {
			r.Reset(data, 0)
			for i := range int64(benchCount) {
				sinkInt += r.ReadRelative(i*30, 0, 1<<31-1)
			}
		}
		perValue(b)
	})
}
