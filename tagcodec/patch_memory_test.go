package tagcodec

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type (
	dock struct{ N uint8 }
	boat struct {
		Home *dock `bp:"link,bits=4"`
	}
	cargo struct {
		On bool
		At [15]uint64 `bp:"if=On"`
	}
	// flotilla takes much memory for few bits, and has a link in each kind of
	// place.
	flotilla struct {
		Cargo []cargo `bp:"maxlen=2047"`
		Boat  boat
		Ptr   *boat
		Slice []boat          `bp:"maxlen=3"`
		Map   map[string]boat `bp:"maxlen=3,key.maxlen=65535"`
		Value afloat          `bp:"union"`
		Held  afloat          `bp:"union"`
		Maps  afloat          `bp:"union"`
		Some  []*boat         `bp:"maxlen=3,subset=bitmap"`
		Marks []uint64        `bp:"maxlen=65535,rle"`
	}
	afloat any
	marina struct {
		Boats map[uint8]boat `bp:"maxlen=3"`
	}
	ferry struct{ Boat boat }
	// raft is embedded by value.
	raft struct {
		Boat boat
		On   afloat `bp:"union"`
	}
)

var flotillaUnion = WithUnion[afloat](boat{}, marina{}, &ferry{}, raft{})

// flotillas returns values with one link to home each, in the place that their
// key names.
func flotillas(home *dock) map[string]flotilla {
	b := boat{home}
	deep := raft{Boat: b}
	for range 300 {
		deep = raft{On: deep}
	}
	return map[string]flotilla{
		"the variable":         {Boat: b},
		"a pointer":            {Ptr: &b},
		"a slice":              {Slice: []boat{b}},
		"a map":                {Map: map[string]boat{"": b}},
		"a long key":           {Map: map[string]boat{strings.Repeat("k", 30_000): b}},
		"an interface":         {Value: b},
		"a pointer in one":     {Held: &ferry{b}},
		"a map in one":         {Maps: marina{map[uint8]boat{7: b}}},
		"many interfaces":      {Value: deep},
		"a subset of pointers": {Some: []*boat{nil, &b}},
		"a slice in stretches": {Boat: b, Marks: make([]uint64, 32<<10)}, // 256 kB, too
	}
}

// known returns the Linker option of a sender that knows home by the id 5.
func known(t *testing.T, home *dock) Option {
	t.Helper()
	server := NewLinkingContext()
	require.NoError(t, server.Add(5, home))
	return WithLinker(server)
}

// Waiting links keep little memory alive, whatever messages they come from. If
// the program keeps part of a message, its links are still set.
func TestWaitingKeepsLittle(t *testing.T) {
	const most, messages = 300, 700
	home := new(dock)
	codec := MustFor[flotilla](flotillaUnion)
	alive := func() uint64 {
		runtime.GC()
		runtime.GC() // frees what the first cycle found to be only weakly referenced
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for name, v := range flotillas(home) {
		t.Run(name, func(t *testing.T) {
			if v.Marks == nil {
				v.Cargo = make([]cargo, 500) // 64 kB
			}
			data, err := codec.With(known(t, home)).Append(nil, &v)
			require.NoError(t, err)
			client := NewLinkingContext()
			client.SetMaxWaiting(most)
			receiver := codec.With(WithLinker(client))
			before := alive()
			for range messages {
				require.NoError(t, receiver.Unmarshal(data, new(flotilla)))
			}
			require.Less(t, alive(), before+most*waitingBytes+1<<20)
			require.LessOrEqual(t, client.waiting.Len(), most)
			kept := new(flotilla)
			require.NoError(t, receiver.Unmarshal(data, kept))
			runtime.GC()
			require.NotEmpty(t, client.Waiting())
			require.NoError(t, client.Add(5, home))
			require.Zero(t, client.waiting.Len())
			require.Zero(t, client.bytes)
			require.Empty(t, client.messages)
			require.Equal(t, v, *kept)
		})
	}
}

// If the program keeps only a part of a message, the links in it are still set.
func TestWaitingForPart(t *testing.T) {
	home := new(dock)
	codec := MustFor[flotilla](flotillaUnion)
	for name, part := range map[string]func(v *flotilla) (home func() *dock){
		"a pointer": func(v *flotilla) func() *dock { p := v.Ptr; return func() *dock { return p.Home } },
		"a slice":   func(v *flotilla) func() *dock { s := v.Slice; return func() *dock { return s[0].Home } },
		"a map":     func(v *flotilla) func() *dock { m := v.Map; return func() *dock { return m[""].Home } },
		"a pointer in one": func(v *flotilla) func() *dock {
			f := v.Held.(*ferry)
			return func() *dock { return f.Boat.Home }
		},
		"a map in one": func(v *flotilla) func() *dock {
			m := v.Maps.(marina).Boats
			return func() *dock { return m[7].Home }
		},
		"a subset of pointers": func(v *flotilla) func() *dock { p := v.Some[1]; return func() *dock { return p.Home } },
	} {
		t.Run(name, func(t *testing.T) {
			v := flotillas(home)[name]
			data, err := codec.With(known(t, home)).Append(nil, &v)
			require.NoError(t, err)
			client, read := NewLinkingContext(), new(flotilla)
			require.NoError(t, codec.With(WithLinker(client)).Unmarshal(data, read))
			homeOf := part(read)
			read = nil
			for range 3 {
				runtime.GC()
			}
			require.Len(t, client.Waiting(), 1)
			require.Nil(t, homeOf())
			require.NoError(t, client.Add(5, home))
			require.Same(t, home, homeOf())
		})
	}
}

// Forget gives the memory limit back.
func TestForgetCountsNoBytes(t *testing.T) {
	client, b := NewLinkingContext(), new(boat)
	require.NoError(t, MustFor[boat](WithLinker(client)).Unmarshal([]byte{5}, b))
	require.Positive(t, client.bytes)
	client.Forget()
	require.Zero(t, client.bytes)
	runtime.KeepAlive(b)
}

// The links in a slice share one storage. A weak pointer for each link would
// take quadratic time.
func TestLinksShareStorage(t *testing.T) {
	type flotilla struct {
		Boats []boat    `bp:"maxlen=100"`
		Docks [50]*dock `bp:"link,bits=4"`
		Far   *struct {
			Docks [50]*dock `bp:"link,bits=4"`
		}
	}
	home := new(dock)
	v := flotilla{Boats: make([]boat, 100)}
	v.Far = new(struct {
		Docks [50]*dock `bp:"link,bits=4"`
	})
	for i := range v.Boats {
		v.Boats[i].Home = home
	}
	for i := range v.Docks {
		v.Docks[i], v.Far.Docks[i] = home, home
	}
	data, err := MustFor[flotilla](known(t, home)).Append(nil, &v)
	require.NoError(t, err)
	client, read := NewLinkingContext(), new(flotilla)
	require.NoError(t, MustFor[flotilla](WithLinker(client)).Unmarshal(data, read))
	storages := map[uintptr]bool{}
	for _, p := range client.Waiting() {
		storages[p.link.Field.In.Start] = true
	}
	require.Len(t, client.Waiting(), 200)
	require.Len(t, storages, 3)
	require.NoError(t, client.Add(5, home))
	require.Equal(t, &v, read)
}
