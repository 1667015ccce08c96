package delta_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

// pilot serializes itself, with a struct whose union only the options of a codec
// define, and with links.
type pilot struct {
	Gear  gear
	Ship  *anchor
	Other any
	Named named
	Seats []*anchor
}

type gear struct {
	Shape shape    `bp:"union"`
	_     struct{} `bp:"check"`
	Note  string   `bp:"maxlen=5"` // is aligned
}

// named is an interface that nothing but an anchor has.
type named interface{ name() uint64 }

func (a *anchor) name() uint64 { return a.ID }

func (p *pilot) Serialize(s *bits.Stream) error {
	tagcodec.Serialize(s, &p.Gear)
	aboard := p.Ship != nil // depends on the link
	if s.Bool(&aboard); aboard {
		tagcodec.Field(s, &p.Ship, "link,bits=7")
	}
	tagcodec.Field(s, &p.Other, "link,bits=8")
	tagcodec.Field(s, &p.Named, "link,bits=3")
	tagcodec.Field(s, &p.Seats, "link,bits=2,maxlen=5")
	return s.Err()
}

type squadron struct {
	Count  uint64 `bp:"varint"`
	Pilots []struct {
		ID    uint8 `bp:"key"`
		Pilot pilot
	} `bp:"maxlen=9"`
}

// flights returns snapshots of a squadron.
func flights(objects []*anchor) (all []squadron) {
	for i := range 12 {
		s := squadron{Count: 1 << (3 * i)}
		for id := range 4 {
			p := pilot{Gear: gear{Note: fmt.Sprint("n", i/4*id)}}
			if id%2 == 0 {
				p.Gear.Shape = &square{uint8(i / 4), circle{0.5}}
			}
			if object := objects[(i/4+id)%3]; id > 0 {
				p.Ship, p.Other, p.Named, p.Seats = object, object, object, []*anchor{object, nil, objects[0]}
			}
			s.Pilots = append(s.Pilots, struct {
				ID    uint8 `bp:"key"`
				Pilot pilot
			}{uint8(id), p})
		}
		all = append(all, s)
	}
	return all
}

// TestSerializeHasTheSettings checks that a value that serializes itself has the
// unions, the Linker and the checks of the codec.
func TestSerializeHasTheSettings(t *testing.T) {
	for name, more := range map[string][]tagcodec.Option{
		"all":             nil,
		"without checks":  {tagcodec.WithoutChecks()},
		"sentinel errors": {tagcodec.WithSentinelErrors()},
	} {
		t.Run(name, func(t *testing.T) {
			options := append([]tagcodec.Option{tagcodec.WithUnion[shape](circle{}, (*square)(nil)), tagcodec.WithLinker(harbor)}, more...)
			c, err := delta.For[squadron](delta.WithCodec(options...))
			require.NoError(t, err)
			s, r := c.NewSender(), c.NewReceiver()
			for tick, v := range flights(harbor[:]) {
				image, err := c.Quantize(&v, nil)
				require.NoError(t, err)
				data, err := s.Append(nil, uint64(tick), image)
				require.NoError(t, err)
				if tick%4 != 0 {
					require.Less(t, len(data), 40, "pilots that do not change are not sent")
				}
				var got squadron
				_, err = r.Read(data, &got)
				require.NoError(t, err)
				require.Equal(t, v, got)
				s.Ack(uint64(tick))
			}
		})
	}
	_, err := delta.For[squadron]()
	require.NoError(t, err, "the union is met only when a value is coded")
	_, err = delta.MustFor[squadron]().Quantize(&flights(harbor[:])[0], nil)
	require.Error(t, err)
}

// TestSerializeKeepsUnknownLinks reads snapshots whose objects the receiver does
// not know yet. Its images have the links all the same, so that it has them as
// soon as it knows the objects, and no other message is needed.
func TestSerializeKeepsUnknownLinks(t *testing.T) {
	theirs := tagcodec.NewLinkingContext()
	union := tagcodec.WithUnion[shape](circle{}, (*square)(nil))
	server := delta.MustFor[squadron](delta.WithCodec(union, tagcodec.WithLinker(harbor)))
	client := delta.MustFor[squadron](delta.WithCodec(union, tagcodec.WithLinker(theirs)))
	s, r := server.NewSender(), client.NewReceiver()
	all := flights(harbor[:])
	var got squadron
	for tick, v := range all {
		image, err := server.Quantize(&v, nil)
		require.NoError(t, err)
		data, err := s.Append(nil, uint64(tick), image)
		require.NoError(t, err)
		_, err = r.Read(data, &got)
		require.NoError(t, err)
		s.Ack(uint64(tick))
		require.Nil(t, got.Pilots[1].Pilot.Ship)
	}
	require.Len(t, theirs.Waiting(), 3*5, "the links of the newest state alone, without nil")
	for i, object := range harbor {
		require.NoError(t, theirs.Add(uint64(i+1), object))
	}
	require.Equal(t, all[len(all)-1], got)
	image, ok := r.Image(2)
	require.True(t, ok)
	var old squadron
	require.NoError(t, client.Restore(image, &old))
	require.Equal(t, all[2], old)
}

// uneven writes a link that it has not read.
type uneven struct{ At *anchor }

func (u *uneven) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &u.At, "link,bits=8")
	if !s.Reading() {
		tagcodec.Field(s, &u.At, "link,bits=8")
	}
	return s.Err()
}

func TestSerializeMustBeSymmetric(t *testing.T) {
	type state struct{ U uneven }
	c := delta.MustFor[state](delta.WithCodec(tagcodec.WithLinker(harbor)))
	_, err := c.Quantize(&state{uneven{harbor[0]}}, nil)
	require.ErrorIs(t, err, tagcodec.ErrLink)
	require.ErrorContains(t, err, "a Serialize method writes more links than it reads")
}

// passenger serializes itself with a codec of its own, whose Linker learns of
// objects later.
type passenger struct{ Seat seat }

type seat struct {
	At *anchor `bp:"link,bits=7"`
}

var (
	seats     = tagcodec.NewLinkingContext()
	seatCodec = tagcodec.MustFor[seat](tagcodec.WithLinker(seats))
)

func (p *passenger) Serialize(s *bits.Stream) error { return seatCodec.Serialize(s, &p.Seat) }

// TestSerializeWithItsOwnLinker checks that a link through another codec is kept
// as well, and that it waits once.
func TestSerializeWithItsOwnLinker(t *testing.T) {
	type state struct{ P passenger }
	for name, c := range map[string]*delta.Codec[state]{
		"no linker":      delta.MustFor[state](),
		"another linker": delta.MustFor[state](delta.WithCodec(tagcodec.WithLinker(strangers{}))),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, seats.Add(5, harbor[1]))
			image, err := c.Quantize(&state{passenger{seat{harbor[1]}}}, nil)
			require.NoError(t, err)
			seats.Remove(5) // the receiver does not know it yet
			for _, base := range []delta.Refs{{}, {Tick: 1, Base: delta.Ref{Tick: 0, Image: image}}} {
				data, err := c.Append(nil, image, base)
				require.NoError(t, err)
				back, err := c.Read(data, base, nil)
				require.NoError(t, err)
				require.Empty(t, seats.Waiting())
				var got state
				require.NoError(t, c.Restore(back, &got))
				require.Nil(t, got.P.Seat.At)
				require.Len(t, seats.Waiting(), 1)
				require.NoError(t, seats.Add(5, harbor[1]))
				require.Same(t, harbor[1], got.P.Seat.At)
				seats.Remove(5)
			}
		})
	}
}

// strangers is a Linker whose ids are of other objects.
type strangers struct{}

func (strangers) ID(any) (uint64, bool)       { return 5, true }
func (strangers) Object(uint64) (any, bool)   { return new(string), true }
func (strangers) Unresolved(p tagcodec.Patch) {}
