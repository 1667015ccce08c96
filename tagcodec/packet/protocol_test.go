package packet

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// Types with the same wire as input, or nearly the same.
type (
	renamed struct {
		Time   uint32
		Force  int64   `bp:"int,min=-1,max=1"`
		Angle  float64 `bp:"angle,bits=10"`
		Firing bool
	}
	wider struct {
		Tick   uint32
		Thrust int     `bp:"int,min=-1,max=2"`
		Aim    float32 `bp:"angle,bits=10"`
		Fire   bool
	}
)

func TestIDOfAllThatTouchesTheWire(t *testing.T) {
	id := func(change func(*Config), types ...Type) uint64 {
		c := testConfig(HMAC(16))
		change(&c)
		p, err := New(c, types...)
		require.NoError(t, err)
		return p.ID()
	}
	same := func(*Config) {}
	base := id(same, Of[input](), Of[chat]())

	require.Equal(t, base, id(same, Of[renamed](), Of[chat]()), "names are no part of the wire")
	require.Equal(t, base, id(func(c *Config) { c.MTU = 0 }, Of[input](), Of[chat]()), "nor is the MTU")
	require.Equal(t, base, id(same, Of[input](tagcodec.WithMaxDepth(3)), Of[chat]().MayExceed()), "nor are options")

	require.Equal(t, base, id(func(c *Config) { c.Retail = true }, Of[input](), Of[chat]()), "nor is Retail without an end check to leave out")
	require.Equal(t, base, id(func(c *Config) { c.Retail, c.EndCheck = true, true }, Of[input](), Of[chat]()), "nor is an end check that is left out")

	seen := map[uint64]string{base: "base"}
	for why, other := range map[string]uint64{
		"application":       id(func(c *Config) { c.Application = "tes" }, Of[input](), Of[chat]()),
		"version":           id(func(c *Config) { c.Version++ }, Of[input](), Of[chat]()),
		"protection":        id(func(c *Config) { c.Protection = ChaCha20Poly1305 }, Of[input](), Of[chat]()),
		"the other AEAD":    id(func(c *Config) { c.Protection = AES256GCM }, Of[input](), Of[chat]()),
		"length of the MAC": id(func(c *Config) { c.Protection = HMAC(17) }, Of[input](), Of[chat]()),
		"end check":         id(func(c *Config) { c.EndCheck = true }, Of[input](), Of[chat]()),
		"data":              id(func(c *Config) { c.DataHash[31] = 1 }, Of[input](), Of[chat]()),
		"other data":        id(func(c *Config) { c.DataHash[31] = 2 }, Of[input](), Of[chat]()),
		"order of types":    id(same, Of[chat](), Of[input]()),
		"one type more":     id(same, Of[input](), Of[chat](), Of[snapshot]()),
		"one type less":     id(same, Of[input]()),
		"a tag":             id(same, Of[wider](), Of[chat]()),
	} {
		require.Empty(t, seen[other], "%s must change the id", why)
		seen[other] = why
	}
}

type unbounded struct{ Value serialized }

type serialized uint8

func (v *serialized) Serialize(s *bits.Stream) error { bits.Bits(s, (*uint8)(v), 8); return s.Err() }

type wrongTag struct {
	X int `bp:"int,mn=0"`
}

func TestNewRefuses(t *testing.T) {
	rows := []struct {
		why    string
		config Config
		types  []Type
		want   string
	}{
		{"no application", Config{}, []Type{Of[input]()}, "packet: Config.Application is empty"},
		{"no types", testConfig(None), nil, "packet: a protocol needs at least one type"},
		{"a type twice", testConfig(None), []Type{Of[input](), Of[input]()}, "packet: duplicate type packet.input"},
		{"a pointer", testConfig(None), []Type{Of[*input]()},
			"packet: Of[*packet.input]: the type must not be a pointer; use Of[packet.input], which accepts pointers too"},
		{"the zero Type", testConfig(None), []Type{{}}, "packet: the zero Type is invalid; use Of"},
		{"a protection of one's own", testConfig(HMAC(16) + 40), []Type{Of[input]()}, "packet: Config.Protection is invalid: 0x238"},
		{"a checksum of another size", testConfig(CRC32 + 1), []Type{Of[input]()}, "packet: Config.Protection is invalid: 0x105"},
		{"a MAC of no length", testConfig(hmacSHA256), []Type{Of[input]()}, "packet: Config.Protection is invalid: 0x200"},
		{"an MTU without room", Config{Application: "test", Protection: ChaCha20Poly1305, MTU: 25}, []Type{Of[input]()},
			"packet: Config.MTU is 25; it must be 26 to 65507"},
		{"an MTU that UDP does not have", Config{Application: "test", MTU: 65508}, []Type{Of[input]()},
			"packet: Config.MTU is 65508; it must be 10 to 65507"},
		{"a negative MTU", Config{Application: "test", MTU: -1}, []Type{Of[input]()},
			"packet: Config.MTU is -1; it must be 10 to 65507"},
		{"a wrong tag", testConfig(None), []Type{Of[input](), Of[wrongTag]()},
			`packet: type 1: wrongTag.X: option "mn" is not known; did you mean "min"?`},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := New(row.config, row.types...)
			require.Nil(t, p)
			require.EqualError(t, err, row.want)
			require.Panics(t, func() { MustNew(row.config, row.types...) })
		})
	}
	_, err := New(testConfig(None), Of[wrongTag]())
	require.ErrorIs(t, err, typecache.ErrTag)
	require.PanicsWithValue(t, "packet: HMAC: the size is 7; it must be 8 to 32", func() { HMAC(7) })
	require.PanicsWithValue(t, "packet: HMAC: the size is 33; it must be 8 to 32", func() { HMAC(33) })
}

// TestIndexWidth checks the number of bits of a type index.
func TestIndexWidth(t *testing.T) {
	type b struct{ X [3]bool }
	type c struct{ X [4]bool }
	type d struct{ X [5]bool }
	type e struct{ X [6]bool }
	all := []Type{Of[struct{ X bool }](), Of[b](), Of[c](), Of[d](), Of[e]()}
	for n, width := range []int{1: 0, 2: 1, 3: 2, 4: 2, 5: 3} {
		if n > 0 {
			require.Equal(t, width, MustNew(testConfig(None), all[:n]...).width, "%d types", n)
		}
	}
	// The index is 4 of 5 types, which is 100 from the highest bit down. The 6
	// bits of the value follow it.
	client, _ := pair(t, MustNew(testConfig(None), all...))
	data, err := client.Append(nil, e{[6]bool{true, false, true, true, false, true}})
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0b0110_1100, 0b1}, data)
}

// Event is a union, and Owner is a link.
type (
	event interface{ isEvent() }
	hit   struct{ Damage uint8 }
	heal  struct {
		Amount uint8 `bp:"int,min=0,max=9"`
	}
	report struct {
		Event event `bp:"union"`
		Owner *ship `bp:"link,bits=8"`
	}
	ship struct{ Name string }
)

func (hit) isEvent()  {}
func (heal) isEvent() {}

// TestOptions passes the members of a union as an option of a type, and gives a
// connection its own linker.
func TestOptions(t *testing.T) {
	p, err := New(testConfig(CRC32), Of[report](tagcodec.WithUnion[event](hit{}, heal{})))
	require.NoError(t, err)
	other, err := New(testConfig(CRC32), Of[report](tagcodec.WithUnion[event](hit{})))
	require.NoError(t, err)
	require.NotEqual(t, p.ID(), other.ID(), "the members of a union are part of the wire")

	links := tagcodec.NewLinkingContext()
	owner := &ship{"Nostromo"}
	require.NoError(t, links.Add(9, owner))
	q := p.With(tagcodec.WithLinker(links))
	require.Equal(t, p.ID(), q.ID())

	client, server := pair(t, q)
	sent := report{Event: heal{7}, Owner: owner}
	v, err := server.Decode(sealAt(t, client, 0, &sent))
	require.NoError(t, err)
	require.Equal(t, &sent, v)
	require.Same(t, owner, v.(*report).Owner)

	unlinked, _ := pair(t, p)
	_, err = unlinked.Append(nil, &sent)
	require.ErrorIs(t, err, tagcodec.ErrLink)

	// A batch of one protocol may be sealed by sessions of the other.
	b := p.NewBatch()
	require.NoError(t, b.Add(report{Event: hit{3}}))
	d, err := client.Seal(nil, b)
	require.NoError(t, err)
	v, err = server.Decode(d)
	require.NoError(t, err)
	require.Equal(t, &report{Event: hit{3}}, v)
}
