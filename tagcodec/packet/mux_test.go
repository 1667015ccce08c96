package packet

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

type senderKey struct{}

func TestMux(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		var got []any
		m := p.NewMux()
		Handle(m, func(ctx context.Context, v *input) { got = append(got, *v, ctx.Value(senderKey{})) })
		Handle(m, func(_ context.Context, v *chat) { got = append(got, *v) })
		ctx := context.WithValue(context.Background(), senderKey{}, "client 1")

		require.NoError(t, m.Dispatch(ctx, server, sealAt(t, client, 0, chat{"a"}, &testInput, &chat{"b"})))
		require.Equal(t, []any{chat{"a"}, testInput, "client 1", chat{"b"}}, got)
		require.Equal(t, uint64(3), server.Counters().Accepted())

		got = nil
		err := m.Dispatch(ctx, server, sealAt(t, client, 1, chat{"c"}, testSnapshot(1), chat{"d"}))
		require.ErrorIs(t, err, ErrUnhandled)
		require.EqualError(t, err, "packet: the packet type has no handler: snapshot")
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, &Error{Op: "read", Type: reflect.TypeFor[snapshot](), Reason: ErrUnhandled}, e)
		require.Equal(t, []any{chat{"c"}}, got, "the packets after it are not handled")
		require.Equal(t, uint64(1), server.Counters().Refused(ErrUnhandled))

		err = p.NewMux().Dispatch(ctx, server, sealAt(t, client, 2, chat{"d"}))
		require.EqualError(t, err, "packet: the packet type has no handler: chat")

		got = nil
		require.Equal(t, ErrReplayed, m.Dispatch(ctx, server, sealAt(t, client, 1, chat{"e"})))
		require.Empty(t, got)
	})
}

func TestHandleMisuse(t *testing.T) {
	p := testProtocol(t, testConfig(None))
	m := p.NewMux()
	Handle(m, func(context.Context, *input) {})
	require.PanicsWithValue(t, "packet: Handle: packet.input already has a handler",
		func() { Handle(m, func(context.Context, *input) {}) })
	require.PanicsWithValue(t, "packet: Handle: the protocol has no type packet.body",
		func() { Handle(m, func(context.Context, *body) {}) })
	require.PanicsWithValue(t, "packet: Handle: the protocol has no type *packet.chat",
		func() { Handle(m, func(context.Context, **chat) {}) })
	_, s := pair(t, testProtocol(t, testConfig(None)))
	require.PanicsWithValue(t, "packet: Dispatch: the session belongs to another protocol",
		func() { m.Dispatch(context.Background(), s, nil) })
}

// TestMuxConcurrent dispatches to one mux from several goroutines. No two
// handlers may see the same value at the same time.
func TestMuxConcurrent(t *testing.T) {
	p := testProtocol(t, testConfig(CRC32))
	m := p.NewMux()
	var sum atomic.Int64
	Handle(m, func(_ context.Context, v *snapshot) { sum.Add(int64(len(v.Bodies)) + int64(v.Tick)) })
	var wg sync.WaitGroup
	for i := range 4 {
		client, server := pair(t, p)
		wg.Go(func() {
			for k := range 100 {
				d, _ := client.Append(nil, &snapshot{Tick: uint32(k), Bodies: make([]body, i)})
				if err := m.Dispatch(context.Background(), server, d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, int64(4*4950+100*(0+1+2+3)), sum.Load())
}
