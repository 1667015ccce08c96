package enginetest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// Strings of every length and kind occur in a run, between other bits, in
// buffers of every capacity. Package bits must give the same bytes, or refuse
// the same strings.
func TestRunText(t *testing.T) {
	type record struct {
		A uint8  `bp:"uint,bits=5"`
		B string `bp:"maxlen=90"`
		C uint8  `bp:"uint,bits=6"`
		D string `bp:"maxlen=20"`
		E uint64
	}
	c := tagcodec.MustFor[record]()
	require.NotNil(t, sealed.PlanOf(c.Plan()).Whole())
	good := []string{"a", "é", "€", "\U0010FFFF", "\x01", "\x7F"}
	bad := []string{"\x00", "\x80", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xFF"}
	for n := 1; n <= 90; n++ {
		for i, part := range append(good, bad...) {
			if len(part) > n {
				continue
			}
			text := bytes.Repeat([]byte("x"), n)
			copy(text[(n*7+i)%(n-len(part)+1):], part)
			v := record{21, string(text), 43, string(text[:n%21]), 1<<63 + 5}
			w := bits.NewWriter(make([]byte, 130))
			w.WriteBits(uint64(v.A), 5)
			w.WriteCount(n, 0, 90)
			w.WriteBytes(text)
			w.WriteBits(uint64(v.C), 6)
			w.WriteCount(len(v.D), 0, 20)
			w.WriteBytes([]byte(v.D))
			w.WriteBits(v.E, 64)
			wire := w.Bytes()
			require.NoError(t, w.Err())

			var into record
			if !bitio.ValidText(v.B) || !bitio.ValidText(v.D) { // B may have been cut within a character
				path, bit, text := "B", 5, v.B
				if bitio.ValidText(v.B) {
					path, bit, text = "D", 16+8*n+6, v.D
				}
				at := firstBad(text)
				want := bits.BadText{Index: at, Unit: uint32(text[at])}
				for _, room := range []int{0, len(wire) - n/2, len(wire) + 20} {
					got, err := c.Append(make([]byte, 0, room), &v)
					require.EqualError(t, err, fmt.Sprintf("tagcodec: marshal record.%s at bit %d: bad text: %v", path, bit, want))
					require.Empty(t, got)
				}
				var cause *bits.Error
				require.ErrorAs(t, c.Unmarshal(wire, &into), &cause, "%q", v.B)
				require.Equal(t, tagcodec.ErrText, cause.Err)
				require.Equal(t, want, cause.Value)
				continue
			}
			for room := max(0, len(wire)-20); room < len(wire)+20; room++ {
				got, err := c.Append(make([]byte, 0, room), &v)
				require.NoError(t, err)
				require.Equal(t, wire, got, "%q with room for %d", v.B, room)
			}
			require.NoError(t, c.Unmarshal(wire, &into))
			require.Equal(t, v, into)
			for end := range wire {
				require.ErrorIs(t, c.Unmarshal(wire[:end:end], &into), tagcodec.ErrOverread, "%d bytes of %d", end, len(wire))
			}
			wire[1] |= 0x10 // after 5 and 7 bits
			require.ErrorIs(t, c.Unmarshal(wire, &into), tagcodec.ErrPadding)
		}
	}
}

// firstBad returns the length of the longest valid text that a text begins with.
func firstBad(text string) int {
	at := len(text)
	for !utf8.ValidString(text[:at]) || strings.Contains(text[:at], "\x00") {
		at--
	}
	return at
}

// A bad byte at any position of a short string is refused. The count of the
// string spans two words of the message.
func TestShortText(t *testing.T) {
	type record struct {
		Before uint64
		Fill   uint64 `bp:"uint,bits=62"`
		Text   string `bp:"maxlen=19"`
	}
	c := tagcodec.MustFor[record]()
	require.NotNil(t, sealed.PlanOf(c.Plan()).Whole())
	for n := range 20 {
		v := record{1<<63 | 5, 1<<56 | 3, strings.Repeat("q", n)}
		w := bits.NewWriter(make([]byte, 40))
		w.WriteBits(v.Before, 64)
		w.WriteBits(v.Fill, 62)
		w.WriteCount(n, 0, 19)
		w.WriteBytes([]byte(v.Text))
		require.NoError(t, w.Err())
		for room := range 50 {
			got, err := c.Append(make([]byte, 0, room), &v)
			require.NoError(t, err)
			require.Equal(t, w.Bytes(), got, "%d bytes with room for %d", n, room)
		}
		var into record
		for _, old := range []string{"", v.Text, v.Text + "q", strings.TrimPrefix(v.Text, "q")} {
			into.Text = old
			require.NoError(t, c.Unmarshal(w.Bytes(), &into))
			require.Equal(t, v, into, "over %q", old)
		}
		for at := range n {
			into.Text = v.Text[:at] + "z" + v.Text[at+1:]
			require.NoError(t, c.Unmarshal(w.Bytes(), &into))
			require.Equal(t, v, into, "over a text that differs at %d", at)
			for _, bad := range []byte{0, 0x80, 0xFF} {
				wire := bytes.Clone(w.Bytes())
				wire[len(wire)-n+at] = bad
				of := v
				of.Text = v.Text[:at] + string([]byte{bad}) + v.Text[at+1:]
				_, err := c.Append(nil, &of)
				for _, err := range []error{err, c.Unmarshal(wire, &into)} {
					var cause *bits.Error
					require.ErrorAs(t, err, &cause)
					require.Equal(t, bits.BadText{Index: at, Unit: uint32(bad)}, cause.Value)
				}
			}
		}
	}
}
