package enginetest

import (
	"bytes"
	"reflect"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

const goroutines = 64

// together runs f in many goroutines that start at the same time.
func together(f func(g int)) {
	var group sync.WaitGroup
	start := make(chan struct{})
	for g := range goroutines {
		group.Go(func() {
			<-start
			f(g)
		})
	}
	close(start)
	group.Wait()
}

// A codec gives many goroutines the same bytes, values and errors as one,
// although they share pooled memory.
func TestOneCodecManyGoroutines(t *testing.T) {
	for _, codec := range []*tagcodec.Codec[leftover]{tagcodec.MustFor[leftover](), tagcodec.MustFor[leftover](tagcodec.WithSentinelErrors())} {
		// Compute the expected results in one goroutine.
		type result struct {
			value leftover
			err   string
		}
		decode := func(data []byte) (r result) {
			if err := codec.Unmarshal(data, &r.value); err != nil {
				r.err = err.Error()
			}
			return r
		}
		held, sent := leftovers()
		var messages [][]byte
		for _, v := range []*leftover{held, sent, {}} {
			data, err := codec.Append(nil, v)
			require.NoError(t, err)
			messages = append(messages, data)
			for n := 0; n < len(data); n += 7 {
				damaged := bytes.Clone(data)
				damaged[n] ^= 0x10
				messages = append(messages, data[:n], damaged)
			}
		}
		var want []result
		refused := 0
		for _, data := range messages {
			want = append(want, decode(data))
			if want[len(want)-1].err != "" {
				refused++
			}
		}
		require.Greater(t, refused, len(messages)/2)
		together(func(g int) {
			var used leftover
			var buf []byte
			for i := range messages {
				k := (i + g) % len(messages)
				got := decode(messages[k])
				if !reflect.DeepEqual(want[k], got) {
					t.Errorf("message %d: %+v, and not %+v", k, got, want[k])
				}
				if got.err != "" {
					_ = codec.Unmarshal(messages[k], &used)
					continue
				}
				if rest, err := codec.UnmarshalFirst(append(bytes.Clone(messages[k]), 1), &used); err != nil || len(rest) != 1 {
					t.Errorf("message %d: %d bytes left, %v", k, len(rest), err)
				}
				var err error
				if buf, err = codec.Append(buf[:0], &used); err != nil || !bytes.Equal(buf, messages[k]) {
					t.Errorf("message %d: %x, %v, and not %x", k, buf, err, messages[k])
				}
				if n, err := codec.Size(&got.value); err != nil || n != len(messages[k]) {
					t.Errorf("message %d: a size of %d, %v", k, n, err)
				}
				used.Level = 301
				if out, err := codec.Append(buf[:0], &used); err == nil || len(out) != 0 {
					t.Errorf("message %d: a level of 301 is written", k)
				}
			}
		})
	}
}
