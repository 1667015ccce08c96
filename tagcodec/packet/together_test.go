package packet

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
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
