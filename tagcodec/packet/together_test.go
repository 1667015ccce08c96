package packet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// togetherProtocol returns a protocol with acknowledgements, fragments and
// messages. Its type index takes 9 bits.
func togetherProtocol(t testing.TB, protection Protection) *Protocol {
	types := append([]Type{Of[blob](), Of[chat](), Of[input]().MaxPacket(1)}, manyTypes(255)...)
	c := testConfig(protection)
	c.MTU, c.MaxPacket, c.Acks, c.Messages = 200, 5010, true, 20
	p, err := New(c, types...)
	require.NoError(t, err)
	require.Equal(t, []int{258, 259, 9}, []int{p.fragmentIndex, p.messageIndex, p.width})
	return p
}

// TestTogether sends packets in fragments, messages and other packets in the same
// datagrams over a network that loses and reorders.
func TestTogether(t *testing.T) {
	for seed := range uint64(effort.Rounds(t, 3)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 11))
			p := togetherProtocol(t, protections[seed%uint64(len(protections))])
			client, server := pair(t, p)
			m := p.NewMux()
			blobs, messages, shared := map[int]int{}, 0, 0
			Handle(m, func(_ context.Context, v *blob) { blobs[len(v.Data)]++ })
			Handle(m, func(_ context.Context, v *chat) {
				require.Equal(t, fmt.Sprint(messages), v.Text)
				messages++
			})
			reported := map[any]bool{}
			client.OnReport(func(r Report) {
				for _, v := range r.Values {
					require.NotContains(t, reported, v)
					reported[v] = r.Delivered
				}
			})
			now, queued := testNow, 0
			for i := range 700 {
				now = now.Add(20 * time.Millisecond)
				client.Tick(now)
				if queued < 200 && client.Queue(Tracked{chat{fmt.Sprint(queued)}, queued}) == nil {
					queued++
				}
				var list [][]byte
				if i < 300 && random.IntN(3) == 0 {
					list = sealAll(t, client, Tracked{&blob{make([]byte, 200+i)}, fmt.Sprint("blob ", 200+i)})
				} else if d, err := client.Flush(nil); len(d) > 0 {
					require.NoError(t, err)
					list = [][]byte{d}
				} else if i > 300 {
					list = sealAll(t, client, testInput)
				}
				random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
				for _, d := range list {
					require.LessOrEqual(t, len(d), 200)
					if i < 300 && random.IntN(5) == 0 {
						continue
					}
					c, err := server.Open(slices.Clone(d))
					require.NoError(t, err)
					before := messages
					err = m.Serve(context.Background(), c)
					if err != nil {
						require.ErrorIs(t, err, ErrUnhandled)
					}
					if len(list) > 1 && messages > before {
						shared++
					}
				}
				if d, _ := server.AppendKeepalive(nil); i > 300 || random.IntN(5) > 0 {
					_, err := client.Open(d)
					require.NoError(t, err)
				}
			}
			require.Equal(t, 200, messages)
			require.NotZero(t, shared, "no message went with a fragment")
			for i := range 200 {
				require.True(t, reported[i])
			}
			delivered := 0
			for i := range 300 {
				name := fmt.Sprint("blob ", 200+i)
				was, sent := reported[name]
				require.LessOrEqual(t, blobs[200+i], 1)
				if sent {
					require.Equal(t, blobs[200+i] == 1, was, name)
				}
				if was {
					delivered++
				}
			}
			require.Greater(t, delivered, 10)
		})
	}
}

// TestWideIndices refuses markers of two bytes that are cut off, and more
// fragments than a datagram may hold.
func TestWideIndices(t *testing.T) {
	p := togetherProtocol(t, None)
	client, server := pair(t, p)
	open := func(data ...byte) error {
		client.out.next++
		c, err := server.Open(client.out.guard.seal(nil, kindData, client.out.next, data))
		require.NoError(t, err)
		require.True(t, c.More())
		_, err = c.Next()
		return err
	}
	require.Equal(t, []byte{2, 1}, p.appendIndex(nil, p.fragmentIndex))
	require.Equal(t, ErrTruncated, open(2, 1))
	require.Equal(t, ErrGarbage, open(2, 3, 0))
	require.Equal(t, ErrTruncated, open(3, 1))
	require.Equal(t, ErrGarbage, open(3, 5, 0))
	require.Equal(t, ErrGarbage, open(3, 1, 0, 0))

	c := p.config
	c.MaxPackets = 1
	c.Messages = 0
	few, err := New(c, Of[blob]())
	require.NoError(t, err)
	client, server = pair(t, few)
	f := append(few.appendFragment(nil, 1, 200, 1), make([]byte, 200-few.fragmentLen)...)
	d := client.out.guard.seal(nil, kindData, 0, append(f, append(few.appendFragment(nil, 2, 200, 1), make([]byte, 200-few.fragmentLen)...)...))
	contents, err := server.Open(d)
	require.NoError(t, err)
	_, err = contents.Next()
	require.Equal(t, ErrTooMany, err)
}

// manyTypes returns n types that are never sent.
func manyTypes(n int) (list []Type) {
	for i := range n {
		list = append(list, Type{typ: reflect.ArrayOf(i+1, reflect.TypeFor[bool]()), build: Of[input]().build})
	}
	return list
}
