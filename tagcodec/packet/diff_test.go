package packet

import (
	"encoding/binary"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func typeOf(v any) reflect.Type { return reflect.TypeOf(v) }

// Variants of input and snapshot that differ in one place.
type (
	longer struct {
		Tick   uint32
		Thrust int     `bp:"int,min=-1,max=1"`
		Aim    float32 `bp:"angle,bits=10"`
		Fire   bool
		Jump   bool
	}
	tall struct {
		Tick   uint32
		Bodies []struct {
			Position [2]float32 `bp:"float,min=-512,max=512,res=0.25"`
			AtRest   bool
			Velocity [2]float32 `bp:"float,min=-32,max=32,res=0.25,if=!AtRest"`
			Height   uint8
		} `bp:"maxlen=40"`
	}
)

func TestDiff(t *testing.T) {
	c := testConfig(HMAC(16))
	of := func(types ...Type) []Type { return types }
	ours := MustNew(c, Of[snapshot](), Of[input](), Of[chat]())
	rows := []struct {
		why    string
		change func(*Config)
		types  []Type
		want   []string
	}{
		{"nothing", func(*Config) {}, of(Of[snapshot](), Of[input](), Of[chat]()), nil},
		{"names", func(*Config) {}, of(Of[snapshot](), Of[renamed](), Of[chat]()), nil},
		{"a range", func(*Config) {}, of(Of[snapshot](), Of[wider](), Of[chat]()),
			[]string{"input.Thrust: int -1..1 here, int -1..2 there"}},
		{"a field more there", func(*Config) {}, of(Of[snapshot](), Of[longer](), Of[chat]()),
			[]string{"input.Jump: int 0..1 here, 2 x int 0..1 there"}},
		{"a field more there in the elements of a slice", func(*Config) {}, of(Of[tall](), Of[input](), Of[chat]()),
			[]string{"tall.Bodies[].Height: nothing here, int 0..255 there"}},
		{"a type less there", func(*Config) {}, of(Of[snapshot](), Of[input]()),
			[]string{"chat: a type here, nothing there"}},
		{"a type more there", func(*Config) {}, of(Of[snapshot](), Of[input](), Of[chat](), Of[body]()),
			[]string{"body: nothing here, a type there"}},
		{"the order", func(*Config) {}, of(Of[snapshot](), Of[chat](), Of[input]()),
			[]string{"input.Tick: int 0..4294967295 here, string 0..60 there"}},
		{"the version, and a field", func(c *Config) { c.Version = 8 }, of(Of[snapshot](), Of[wider](), Of[chat]()),
			[]string{"version 7 here, version 8 there", "input.Thrust: int -1..1 here, int -1..2 there"}},
		{"data there", func(c *Config) { c.DataHash = [32]byte{0xab, 31: 0xcd} }, of(Of[snapshot](), Of[wider](), Of[chat]()),
			[]string{"nothing here, data ab" + strings.Repeat("00", 30) + "cd there", "input.Thrust: int -1..1 here, int -1..2 there"}},
		{"a build with the end check there", func(c *Config) { c.EndCheck = true }, of(Of[snapshot](), Of[input](), Of[chat]()),
			[]string{"no end check here, end check there"}},
		{"a retail build there", func(c *Config) { c.EndCheck, c.Retail = true, true }, of(Of[snapshot](), Of[input](), Of[chat]()), nil},
		{"all but the types", func(c *Config) { *c = Config{Application: "x", Protection: CRC32, EndCheck: true} },
			of(Of[snapshot](), Of[input](), Of[chat]()), []string{
				`application "test" here, application "x" there`, "version 7 here, version 0 there",
				"protection hmac-sha256 of 16 bytes here, protection crc-32 there", "no end check here, end check there"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			c := c
			row.change(&c)
			theirs := MustNew(c, row.types...)
			var got []string
			for _, d := range Diff(ours.Description(), theirs.Description()) {
				got = append(got, d.String())
			}
			require.Equal(t, row.want, got)
			require.Equal(t, row.want == nil, ours.ID() == theirs.ID(), "the ids differ where there is a difference")
			require.Len(t, Diff(theirs.Description(), ours.Description()), len(row.want))
		})
	}
}

// TestDiffOptions compares protocols with other options. A line that only one
// side has does not shift those after it.
func TestDiffOptions(t *testing.T) {
	with := func(change func(*Config)) string {
		c := testConfig(HMAC(16))
		c.Acks, c.Messages, c.MTU, c.MaxPacket = true, 4, 300, 1000
		change(&c)
		return MustNew(c, Of[chat](), Of[input]()).Description()
	}
	all := with(func(c *Config) {})
	data := "data 01" + strings.Repeat("00", 31)
	for _, row := range []struct {
		why    string
		change func(*Config)
		want   []string
	}{
		{"neither messages nor acks, and data", func(c *Config) { c.DataHash[0], c.Messages, c.Acks = 1, 0, false }, []string{
			"acks here, nothing there", "messages here, nothing there", "nothing here, " + data + " there",
			"fragments of 218 bytes here, fragments of 259 bytes there"}},
		{"no fragments", func(c *Config) { c.MaxPacket = 0 }, []string{"fragments of 218 bytes here, nothing there",
			"fragments of type 0 up to 1000 bytes here, nothing there", "fragments of type 1 up to 1000 bytes here, nothing there"}},
		{"another MTU, and another version", func(c *Config) { c.MTU, c.Version = 400, 8 }, []string{"version 7 here, version 8 there",
			"fragments of 218 bytes here, fragments of 318 bytes there"}},
		{"larger packets", func(c *Config) { c.MaxPacket = 2000 }, []string{
			"fragments of type 0 up to 1000 bytes here, fragments of type 0 up to 2000 bytes there",
			"fragments of type 1 up to 1000 bytes here, fragments of type 1 up to 2000 bytes there"}},
	} {
		var got []string
		for _, d := range Diff(all, with(row.change)) {
			got = append(got, d.String())
		}
		require.Equal(t, row.want, got, row.why)
		for _, d := range Diff(with(row.change), all) {
			d.Ours, d.Theirs = d.Theirs, d.Ours
			require.Contains(t, got, d.String(), row.why)
		}
	}
	other := MustNew(testConfig(HMAC(16)), Of[chat](), Of[wider]()).Description()
	got := Diff(all, other)
	require.Len(t, got, 6)
	require.Equal(t, "input.Thrust: int -1..1 here, int -1..2 there", got[5].String(), "the types are compared all the same")
}

// TestDiffOfAnything calls Diff with texts that describe no protocol.
func TestDiffOfAnything(t *testing.T) {
	p := testProtocol(t, testConfig(None))
	d := p.Description()
	for _, theirs := range []string{"", "\n", "x", "type 0", "type 0\t\x1b[2J\n\x1b[31m 1\tname\u202e\n", strings.Repeat("\t", 99), "\xff\xfe"} {
		for _, list := range [][]Difference{Diff(d, theirs), Diff(theirs, d)} {
			require.NotEmpty(t, list)
			for _, difference := range list {
				for _, r := range difference.String() {
					require.True(t, unicode.IsPrint(r), "%q", difference)
				}
			}
		}
	}
	cutOff := d[:strings.Index(d, "int -1..1")]
	require.Empty(t, Diff(d, cutOff+cut), "what was cut off may be the same")
	require.NotEmpty(t, Diff(d, cutOff))
	changed := strings.Replace(cutOff, "4294967295", "2147483647", 1)
	require.Equal(t, "snapshot.Tick: int 0..4294967295 here, int 0..2147483647 there", Diff(d, changed+cut)[0].String())
}

// TestDiffIsBounded passes long descriptions of many lines to Diff and to a
// client.
func TestDiffIsBounded(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	ours := p.Description()
	for why, theirs := range map[string]string{
		"empty lines":               strings.Repeat("\n", 1<<16),
		"empty lines of types":      "type 0\n" + strings.Repeat("\n", 1<<16),
		"lines of the protocol":     strings.Repeat("a\n", 1<<15),
		"types":                     strings.Repeat("type 0\tx\n", 1<<12),
		"one line":                  strings.Repeat("a", 1<<16),
		"one line of a type":        "type 0\n" + strings.Repeat("a", 1<<16),
		"a long type":               "type 0\t" + strings.Repeat("b", 1<<16) + "\nint 0..1\n",
		"a long name":               ours[:strings.Index(ours, "Tick")] + strings.Repeat("b", 1<<16) + "\nnone\n",
		"bytes that are not UTF-8":  strings.Repeat("\xff", 1<<16),
		"controls":                  strings.Repeat("\x1b", 1<<16),
		"ours, many times":          strings.Repeat(ours, 100),
		"ours, and far too much":    ours + strings.Repeat("type 9\tz\n", 1<<12),
		"what can be cut in a rune": strings.Repeat("\u4e16", 1<<14),
	} {
		for _, sides := range [][2]string{{ours, theirs}, {theirs, ours}, {theirs, "type 1"}, {"", theirs}} {
			list := Diff(sides[0], sides[1])
			require.LessOrEqual(t, len(list), maxDifferences, why)
			require.True(t, len(list) > 0 || sides[0] != ours && sides[1] != ours, why)
			for _, d := range list {
				for _, text := range []string{d.Type, d.Field, d.Ours, d.Theirs} {
					require.LessOrEqual(t, len(text), maxText, why)
					require.True(t, utf8.ValidString(text), why)
				}
			}
			require.LessOrEqual(t, testing.AllocsPerRun(1, func() { Diff(sides[0], sides[1]) }), 40.0, why)
		}

		g, j := testGate(p), testJoin(t, p)
		r, _, err := g.reject(new(exchange), nil, j.response.Nonce, ErrProtocol, compressed(theirs))
		require.Equal(t, ErrProtocol, err)
		binary.LittleEndian.PutUint64(r[26:], 1) // another protocol
		allocated := allocatedBytes(func() {
			_, err = j.Read(r)
		})
		var rejected *RejectedError
		require.ErrorAs(t, err, &rejected, why)
		require.LessOrEqual(t, allocated, uint64(100<<10), "%s: most of it is the window of DEFLATE", why)
		require.LessOrEqual(t, len(err.Error()), 2200, why)
	}
}

// allocatedBytes returns the number of bytes that f allocates.
func allocatedBytes(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
