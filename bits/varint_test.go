package bits_test

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

func TestVarint(t *testing.T) {
	ones := func(last ...byte) []byte { return append([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255}, last...) }
	for _, tt := range []struct {
		name string
		data []byte
		err  *bits.Error
	}{
		{"a group too many", []byte{0x03, 0x00}, &bits.Error{Op: "read", Err: bits.ErrNotCanonical}},
		{"cut after a group", []byte{0x03}, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 8, Max: 0}},
		{"65 bits", ones(0x04), &bits.Error{Op: "read", Err: bits.ErrRange}},
		{"11 groups", ones(0x03, 0x02), &bits.Error{Op: "read", Err: bits.ErrRange}},
	} {
		r := bits.NewReader(tt.data)
		require.Zero(t, r.ReadVarint(), tt.name)
		require.Equal(t, tt.err, r.Err(), tt.name)
	}
}
