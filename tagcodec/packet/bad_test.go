package packet

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// badDatagram is a datagram that a session must refuse.
type badDatagram struct {
	name  string
	data  []byte
	want  Refusal
	moves bool // authentic, so that it advances the window
}

// badDatagrams returns a bad datagram of each kind that exists under a
// protection. Where possible, each is as long as a genuine datagram of a
// snapshot.
func badDatagrams(t testing.TB, p *Protocol, client, server *Session) []badDatagram {
	next := client.out.next
	good := sealAt(t, client, 1000, testSnapshot(20))
	damage := func(f func(d []byte)) []byte {
		d := slices.Clone(good)
		f(d)
		return d
	}
	prefixLen := p.config.Protection.prefixLen()
	list := []badDatagram{
		{"garbage", damage(func(d []byte) { d[prefixLen] = 0xa7 }), ErrGarbage, false},
		{"too short", good[:p.minLen-1], ErrTruncated, false},
		{"too long", make([]byte, DefaultMTU+1), ErrTooLong, false},
	}
	seal := func(edit func(b *Batch)) []byte {
		b := p.NewBatch()
		require.NoError(t, b.Add(testSnapshot(20)))
		edit(b)
		client.out.next = 1001
		d, err := client.Seal(nil, b)
		require.NoError(t, err)
		return d
	}
	list = append(list,
		badDatagram{"unknown type", seal(func(b *Batch) { b.data[0] |= 3 }), ErrUnknownType, true},
		badDatagram{"unhandled type", seal(func(*Batch) {}), ErrUnhandled, true},
	)
	if p.config.Protection != None {
		other := testConfig(p.config.Protection)
		other.Version++
		stranger, _ := pair(t, testProtocol(t, other))
		list = append(list,
			badDatagram{"truncated", good[:len(good)-1], damaged(p), false},
			badDatagram{"one bit forged", damage(func(d []byte) { d[len(d)/2] ^= 1 }), damaged(p), false},
			badDatagram{"another protocol", sealAt(t, stranger, 1000, testSnapshot(20)), damaged(p), false})
	}
	if p.config.EndCheck {
		list = append(list, badDatagram{"no end check", seal(func(b *Batch) { b.data[len(b.data)-1] ^= 1 }), ErrEndCheck, false})
	}
	client.out.next = next
	return list
}
