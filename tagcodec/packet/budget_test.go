package packet

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// fat has one field of each sort that may be expensive.
type fat struct {
	ID     uint8
	Bodies []body                   `bp:"maxlen=100"`
	Grid   [8][4]cell               // 32 times the cost of a cell
	Names  []string                 `bp:"maxlen=3,elem.maxlen=10"`
	Scores map[uint8]int            `bp:"maxlen=5,min=0,max=100,key.min=0,key.max=31"`
	Leader *body                    // 1 bit more than a body
	Common int                      `bp:"int,min=0,max=1000,common=0"`
	Extra  uint16                   `bp:"optional"`
	Count  int                      `bp:"varint"`
	Wide   string                   `bp:"wstring,maxlen=4"`
	Turret [2]uint32                `bp:"relative,base=0"`
	Weapon uint8                    `bp:"huffman=0:8|1:4|2:2|*:1"`
	Flags  struct{ A, B bool }      // 2 bits
	_      struct{}                 `bp:"align"`
	Key    [5]byte                  `bp:"bytes"`
	Seen   [20]struct{ N, On bool } `bp:"subset=bitmap,by=On"`
}

type cell struct {
	Kind   uint8 `bp:"enum,max=5"`
	Height uint8 `bp:"int,min=0,max=200"`
}

func TestCosts(t *testing.T) {
	p, err := New(Config{Application: "test"}, Of[fat]())
	require.NoError(t, err)
	got := map[string]Cost{}
	total := 0
	for _, c := range p.Types()[0].Costs {
		got[c.Field] = c
		total += c.Bits
	}
	for _, want := range []Cost{
		{"Bodies[].Position", 100, 100 * 26},
		{"Bodies[].Velocity", 100, 100 * 18},
		{"Bodies[].AtRest", 100, 100},
		{"Bodies", 1, 7},
		{"Grid[][].Kind", 32, 32 * 3},
		{"Grid[][].Height", 32, 32 * 8},
		{"Names", 1, 2},
		{"Names[]", 3, 3 * (4 + 7 + 80)},
		{"Leader", 1, 1},
		{"Leader.Position", 1, 26},
		{"Common", 1, 11},
		{"Extra", 1, 17},
		{"Count", 1, 80},
		{"Wide", 1, 3 + 4*32},
		{"Turret[]", 2, 76},
		{"Flags.B", 1, 1},
		{"Key", 1, 47},
	} {
		require.Equal(t, want, got[want.Field], want.Field)
	}
	plan := p.Types()[0].Plan()
	require.GreaterOrEqual(t, total, plan.MaxBits(), "the costs are all that there is")
	require.Less(t, total, plan.MaxBits()+plan.MaxBits()/20, "and not much more")
	costs := p.Types()[0].Costs
	for i := range costs[1:] {
		require.GreaterOrEqual(t, costs[i].Bits, costs[i+1].Bits)
	}
}

func TestOverBudget(t *testing.T) {
	c := Config{Application: "test", Protection: CRC32, MTU: 300}
	_, err := New(c, Of[input](), Of[fat]())
	require.EqualError(t, err, "packet: too large for a datagram: fat takes up to 710 bytes, but a datagram has room for 287; "+
		"largest fields: Bodies[].Position (100 x 26 bits), Bodies[].Velocity (100 x 18 bits), Names[] (3 x 91 bits); use Type.MayExceed to check each packet when it is sent instead")
	require.ErrorIs(t, err, ErrBudget)
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "fat", e.Type.Name())

	_, err = New(c, Of[input](), Of[fat]().MayExceed())
	require.NoError(t, err)
	c.MTU = 0
	_, err = New(c, Of[input](), Of[fat]())
	require.NoError(t, err, "without an MTU there is no budget")

	c.MTU = 300
	_, err = New(c, Of[unbounded]())
	require.EqualError(t, err, "packet: too large for a datagram: unbounded has no maximum size, but a datagram has room for 287; "+
		"largest fields: Value (unbounded); declare the maximum of serialized with a method MaxBits() int, "+
		"or use Type.MayExceed to check each packet when it is sent instead")
	p, err := New(c, Of[unbounded]().MayExceed())
	require.NoError(t, err)
	require.Equal(t, typecache.Unbounded, p.Types()[0].MaxSize)

	type never struct{ Key [300]byte }
	_, err = New(c, Of[never]().MayExceed())
	require.ErrorIs(t, err, ErrBudget)
	require.EqualError(t, err, "packet: too large for a datagram: never takes at least 300 bytes, but a datagram has room for 287; "+
		"largest fields: Key (2400 bits)", "no packet fits, so MayExceed does not help")

	_, err = New(c, Of[tree]())
	require.ErrorContains(t, err, "Left (unbounded)")
	require.NotContains(t, err.Error(), "MaxBits", "it is recursive, and serializes by its tags")
}

type tree struct {
	Value       uint8
	Left, Right *tree
}

// text serializes itself, in 5 to 253 bits.
type text struct{ Words []uint8 }

func (v *text) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &v.Words, "uint,bits=8,maxlen=31")
	return s.Err()
}

// declaredText declares what it takes.
type declaredText struct{ text }

func (*declaredText) MaxBits() int { return 5 + 31*8 }

type boundedPacket struct {
	ID    uint8
	Texts []declaredText `bp:"maxlen=4"`
}

// TestDeclaredBudget requires that the maximum that a type declares counts.
func TestDeclaredBudget(t *testing.T) {
	config := Config{Application: "test", MTU: 200}
	p, err := New(config, Of[boundedPacket]())
	require.NoError(t, err)
	info := p.Types()[0]
	require.Equal(t, (8+3+4*253+7)/8, info.MaxSize)
	config.MTU = info.MaxSize - 1
	_, err = New(config, Of[boundedPacket]())
	require.ErrorContains(t, err, "largest fields: Texts[] (4 x 253 bits)")
}

// TestBudgetToTheByte builds protocols whose room is exactly the largest packet
// of a type, and one byte less, for each protection.
func TestBudgetToTheByte(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		c := p.config
		info := p.Types()[p.index[p.types[0].Type]]
		c.MTU = info.MaxSize + p.Overhead()
		exact, err := New(c, Of[snapshot](), Of[input](), Of[chat]())
		require.NoError(t, err)
		c.MTU--
		_, err = New(c, Of[snapshot](), Of[input](), Of[chat]())
		require.ErrorIs(t, err, ErrBudget)

		// The largest packet, under the longest sequence number.
		client, server := pair(t, exact)
		s := testSnapshot(40)
		for i := range s.Bodies {
			s.Bodies[i].AtRest = false
		}
		d := sealAt(t, client, math.MaxUint64, s)
		require.Len(t, d, exact.config.MTU)
		_, err = server.Decode(d)
		require.NoError(t, err)
	})
}

// TestSizesHold encodes values under type indices of every width, for types
// that align and types that do not. The size of every packet must be within the
// bounds.
func TestSizesHold(t *testing.T) {
	type aligned struct {
		A uint8   `bp:"uint,bits=5"`
		K [2]byte `bp:"bytes"`
		B bool
		T string `bp:"maxlen=9"`
	}
	type branch struct {
		On bool
		K  [1]byte `bp:"bytes,if=On"`
		B  uint8   `bp:"uint,bits=7"`
		L  [1]byte `bp:"bytes"`
	}
	types := []Type{Of[aligned](), Of[branch](), Of[input](),
		Of[snapshot](), Of[body](), Of[chat](), Of[cell](), Of[tree]()}
	random := rand.New(rand.NewPCG(3, 4))
	seen := map[int]bool{}
	for n := 3; n <= len(types); n++ {
		p := MustNew(Config{Application: "test"}, types[:n]...)
		seen[p.width] = true
		for range 200 {
			for _, v := range []any{
				aligned{A: uint8(random.UintN(32)), T: strings.Repeat("x", random.IntN(10))},
				branch{On: random.UintN(2) == 0},
				input{},
			} {
				b := p.NewBatch()
				require.NoError(t, b.Add(v))
				info := p.types[p.index[typeOf(v)]]
				require.GreaterOrEqual(t, b.Size(), info.MinSize)
				require.LessOrEqual(t, b.Size(), info.MaxSize)
			}
		}
	}
	require.Equal(t, map[int]bool{2: true, 3: true}, seen)
}
