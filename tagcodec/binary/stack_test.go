package binary_test

import (
	"bytes"
	"testing"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/stretchr/testify/require"
)

// nested is a value that has an array. The arrays of deep nest deeper than the loops
// have frames for on the stack.
type (
	nested[A any] struct {
		Before uint32 `bp:"varint"`
		A      A
		After  uint32 `bp:"varint"`
	}
	leaf struct {
		N uint8  `bp:"uint,bits=3"`
		S string `bp:"wstring,maxlen=5"`
	}
	pair = [2]nested[[2]nested[[2]leaf]]
	deep = nested[[1]nested[[1]nested[[1]nested[[1]nested[[1]nested[[2]nested[pair]]]]]]]
)

// onStack reads a deep value into a variable on the stack, n calls down from its
// caller, and appends it again.
func onStack(n int, data []byte) (again []byte, err error) {
	if n > 0 {
		return onStack(n-1, data)
	}
	var v deep
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, &v); err != nil {
		return nil, err
	}
	return binary.Append(nil, binary.LittleEndian, &v)
}

// TestStackGrows checks that a value on the stack is read and written if the stack is
// moved meanwhile, which happens in some of these goroutines.
func TestStackGrows(t *testing.T) {
	var v deep
	v.After = 99
	inner := &v.A[0].A[0].A[0].A[0].A[0].A
	for i := range inner {
		inner[i].Before, inner[i].After = uint32(100+i), uint32(200+i)
		for k := range inner[i].A {
			p := &inner[i].A[k]
			p.Before, p.After, p.A[1].After = uint32(300+k), uint32(400+k), 500
			p.A[0].A[1] = leaf{N: 6, S: "leaf"}
		}
	}
	data, err := binary.Append(nil, binary.LittleEndian, &v)
	require.NoError(t, err)
	for n := range effort.Rounds(t, 400) {
		var again []byte
		var err error
		done := make(chan bool)
		go func() {
			again, err = onStack(n, data)
			close(done)
		}()
		<-done
		require.NoError(t, err)
		require.Equal(t, data, again, "%d calls down", n)
	}
}
