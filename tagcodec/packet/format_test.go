package packet

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// otherFormat returns a datagram of a client of another format.
func otherFormat(format, kind byte, length int) []byte {
	d := slices.Concat([]byte("bitpack"), []byte{format, kind}, bytes.Repeat([]byte{7}, 8), bytes.Repeat([]byte{9}, nonceLen))
	return append(d, make([]byte, max(0, length-len(d)))...)[:length]
}

// TestOtherFormat sends datagrams of other formats to a gate. The bytes of the
// reply are those that format 1 reads as a rejection, which no format may
// change.
func TestOtherFormat(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	text := compressed(p.Description())
	rows := []struct {
		format, kind byte
		length       int
		answered     bool
		described    bool
	}{
		{1, kindRequest, requestSize, true, true},
		{3, kindRequest, requestSize, true, true},
		{0, kindRequest, requestSize, true, true},
		{255, kindRequest, 5000, true, true},
		{1, kindResponse, 97, true, false},
		{3, kindRequest, rejectionBase, true, false},
		{3, kindRequest, rejectionBase + len(text), true, true},
		{3, kindRequest, rejectionBase + len(text) - 1, true, false},
		{3, kindRequest, rejectionBase - 1, false, false},
		{3, kindRequest, len(head{}), false, false},
	}
	for i, row := range rows {
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			question := otherFormat(row.format, row.kind, row.length)
			require.True(t, IsHandshake(question))
			reply, client, err := g.Answer([]byte("before"), testAddress, question, testNow)
			require.Equal(t, ErrFormat, err)
			require.Nil(t, client)
			require.Equal(t, uint64(i+1), g.Counters().Refused(ErrFormat))
			require.Equal(t, "before", string(reply[:6]))
			reply = reply[6:]
			require.LessOrEqual(t, len(reply), len(question))
			var want []byte
			if row.answered {
				want = slices.Concat([]byte("bitpack"), []byte{row.format, 5}, bytes.Repeat([]byte{9}, 16), []byte{13},
					binary.LittleEndian.AppendUint64(nil, Format))
				var description []byte
				if row.described {
					description = text
				}
				want = append(binary.LittleEndian.AppendUint16(want, uint16(len(description))), description...)
			}
			require.Equal(t, want, append([]byte(nil), reply...))
		})
	}
	for _, kind := range []byte{kindChallenge, kindWelcome, kindRejection, 0, 6} {
		_, _, err := g.Answer(nil, testAddress, otherFormat(3, kind, requestSize), testNow)
		require.Equal(t, ErrGarbage, err, "what a server says is not answered: two gates would talk forever")
	}
	// The description as a client of format 1 sees it.
	description, err := io.ReadAll(flate.NewReader(bytes.NewReader(text)))
	require.NoError(t, err)
	old := strings.Replace(p.Description(), "bitpack packet 2\n", "bitpack packet 1\n", 1)
	require.Equal(t, "bitpack packet 1 here, bitpack packet 2 there", Diff(old, string(description))[0].String())
}

// TestJoinOtherFormat gives a client the reply of a server of another format.
func TestJoinOtherFormat(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	j := testJoin(t, p)
	answer := func(format uint64, description []byte) error {
		r := rejection{Head: headOf(kindRejection), Nonce: j.response.Nonce, Reason: 13, Server: format, Description: description}
		data, err := rejections.Append(nil, &r)
		require.NoError(t, err)
		session, err := j.Read(data)
		require.Nil(t, session)
		return err
	}
	err := answer(3, nil)
	require.Equal(t, &RejectedError{Reason: ErrFormat, Format: 3}, err)
	require.ErrorIs(t, err, ErrFormat)
	require.EqualError(t, err, "packet: rejected: the other side uses another datagram format (its format is 3, ours is 2)")
	theirs := strings.Replace(p.Description(), "bitpack packet 2\n", "bitpack packet 3\n", 1)
	require.ErrorContains(t, answer(3, compressed(theirs)), "bitpack packet 2 here, bitpack packet 3 there")
	require.Equal(t, ErrGarbage, answer(Format, nil), "it speaks ours: the question was damaged")
	require.Equal(t, ErrGarbage, answer(256, nil))

	d := otherFormat(3, kindChallenge, 100)
	_, err = j.Read(d)
	require.Equal(t, ErrFormat, err)
	require.NotContains(t, wire(p.Description()), "bitpack packet 1\n", "the format is part of the id")
}
