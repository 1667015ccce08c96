package enginetest

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
)

// These types allocate as much memory per bit as their kinds allow.
type (
	greedyTree struct {
		Kids []greedyTree `bp:"maxlen=0xffff"`
	}
	greedyMap struct {
		Kids map[uint16]greedyMap `bp:"maxlen=0xffff"`
	}
	greedyBitmap struct {
		Kids []*greedyBitmap `bp:"maxlen=0xffff,subset=bitmap"`
	}
	greedySparse struct {
		Items []struct {
			Some []*uint64 `bp:"maxlen=32,subset=sentinel"`
		} `bp:"maxlen=0xffff"`
	}
	greedyAuto struct {
		Items []*[8]uint64 `bp:"maxlen=8191,subset=auto"`
	}
	greedyList struct {
		More bool
		Data [48]uint64 `bp:"if=More"`
		Next *greedyList
	}
	greedyArrays struct {
		Items []struct {
			On   bool
			Rows [3][3][]string `bp:"maxlen=0xff,elem.maxlen=0xff,if=On"`
		} `bp:"maxlen=0xffff"`
	}
	greedyCubes struct {
		Cubes [][][]bool `bp:"maxlen=0xffff,elem.maxlen=0xffff,elem.elem.maxlen=0xffff"`
	}
	greedyStretches struct {
		Items []struct {
			Grid [100][100]uint64 `bp:"uint,bits=1,rle"`
			Row  []uint64         `bp:"uint,bits=1,rle,maxlen=0xffff"`
		} `bp:"maxlen=0xffff"`
		Row []uint64 `bp:"uint,bits=1,rle,maxlen=0xffffff"`
	}
	greedyZeros struct {
		Items []struct {
			On    bool
			Nones []uint64               `bp:"int,min=7,max=7,minlen=16,maxlen=16"`
			None  [10]struct{ X uint64 } `bp:"int,min=5,max=5,if=On"`
		} `bp:"maxlen=0xffff"`
	}
	greedyPointers struct {
		Items []***[64]uint16 `bp:"int,min=1,max=1,maxlen=0xffff"`
	}
	greedyWide struct {
		Texts []string `bp:"wstring,maxlen=0xffff,elem.maxlen=0xffff"`
	}
	greedyLabels struct {
		Labels [][64]byte `bp:"cstring,maxlen=0xffff"`
	}
	greedyBytes struct {
		Blobs [][]byte `bp:"bytes,maxlen=0xffff,elem.maxlen=0xffff"`
	}
	greedyForms struct {
		Words []word `bp:"binary,maxlen=0xffff,elem.maxlen=0xffff"`
	}
	greedyCustom struct {
		Luck []lucky `bp:"maxlen=0xffff"`
	}
	greedyCodes struct {
		Items []uint64 `bp:"huffman=0:1000|1:10|2:3|3:1|*:1,maxlen=0xffff"`
	}
	greedyCommon struct {
		Names []string `bp:"common=a|b|c,maxlen=0xffff,elem.maxlen=0xffff"`
	}
	greedyEvent any
	greedyBox   struct {
		Event greedyEvent `bp:"union"`
		Next  greedyEvent `bp:"union"`
	}
	greedyBlock  [64]uint64
	greedyEvents struct {
		Events []greedyEvent `bp:"union,maxlen=0xffff"`
	}
	greedyPointed struct {
		Some [32]**[1 << 15]byte
	}
	greedyChain struct {
		Next *greedyChain
		Data [1 << 12]byte
	}
	greedyBush struct {
		Kids []greedyBush `bp:"maxlen=0xffff"`
		Data [1 << 12]byte
	}
	greedyRows struct {
		Rows [1 << 10]greedyRow
	}
	greedyRow struct {
		Deep *greedyRows
		Data [8]byte
	}
	greedyPages struct {
		Bitmap   [64]*[1 << 10]byte `bp:"subset=bitmap"`
		Index    [64]*[1 << 10]byte `bp:"subset=index"`
		Sentinel [64]*[1 << 10]byte `bp:"subset=sentinel"`
		Relative [64]*[1 << 10]byte `bp:"subset=relative"`
		Auto     []*[1 << 10]byte   `bp:"subset=auto,maxlen=64"`
	}
	greedyAny  any
	greedyCase struct {
		Next greedyAny `bp:"union"`
		Data [1 << 12]byte
	}
	greedyOwn struct {
		Next *greedyOwn
		Data [1 << 12]byte
	}
	greedyHand  [4]uint16
	greedyHands struct {
		Two [2]*[1 << 12]greedyHand
		All *greedyHands
		Own [1 << 8]greedyHand
	}
	greedyBook struct {
		Pages map[uint16]*[1 << 10]byte `bp:"maxlen=0xffff"`
	}
)

// Serialize codes one bit.
func (v *greedyHand) Serialize(s *bits.Stream) error {
	bits.Int(s, &v[0], 0, 1)
	return s.Err()
}

// Serialize codes the type by its tags.
func (v *greedyOwn) Serialize(s *bits.Stream) error {
	type tagged greedyOwn
	return tagcodec.Serialize(s, (*tagged)(v))
}

// greed is a type, the memory it may allocate per bit, and the layout of its
// messages.
type greed struct {
	name    string
	why     string
	perBit  int // in bytes
	fixed   int // bytes that a message without elements may allocate
	count   int // width of a count in bits
	least   int // minimum bits of an element, as requireBits computes them
	descend int // bits of an element before the count of its own elements, or -1
	reader
}

// reader decodes a message into a new variable.
type reader struct {
	read      func(brief bool, data []byte) error
	reference func(data []byte) error // the reference interpreter, with sentinel errors
}

func reads[T any](opts ...tagcodec.Option) reader {
	long := tagcodec.MustFor[T](opts...)
	short := long.With(tagcodec.WithSentinelErrors())
	c, p := settingsWith(append(opts, tagcodec.WithSentinelErrors())...), sealed.PlanOf(long.Plan())
	return reader{func(brief bool, data []byte) error {
		if brief {
			return short.Unmarshal(data, new(T))
		}
		return long.Unmarshal(data, new(T))
	}, func(data []byte) error {
		return referenceUnmarshal(&c, p, reflect.ValueOf(new(T)).Elem(), data)
	}}
}

var greedy = []greed{
	{"recursive slices", "24 bytes and two frames for a count", 64, 0, 16, 16, 0, reads[greedyTree]()},
	{"recursive maps", "an entry, a map of it and two frames for a key and a count", 64, 0, 16, 32, 16, reads[greedyMap]()},
	{"recursive bitmaps", "8 bytes for a bit", 64, 0, 16, 1, 1, reads[greedyBitmap]()},
	{"sparse slices in a slice", "24 and 256 bytes for a count of 6 bits and the sentinel of 6", 48, 0, 16, 6, -1, reads[greedySparse]()},
	{"a sparse slice", "64 kB without an element, and 64 bytes for 512 bits", 8, 1 << 16, 13, 1, -1, reads[greedyAuto]()},
	{"a list under a condition", "400 bytes and two frames for 2 bits", 512, 0, 1, 2, 2, reads[greedyList]()},
	{"arrays of slices under a condition", "224 bytes for a bit", 256, 0, 16, 1, -1, reads[greedyArrays]()},
	{"slices of slices of slices", "24 bytes for 16 bits, twice, and a byte for a bit", 12, 0, 16, 16, 0, reads[greedyCubes]()},
	{"stretches of equal elements", "80 kB for 359 bits, and 511 times 8 bytes for 18", 256, 0, 16, 359 + 16, -1, reads[greedyStretches]()},
	{"elements of no bits", "an element of 112 bytes with 128 of its own for a bit", 400, 0, 16, 1, -1, reads[greedyZeros]()},
	{"pointers to pointers", "8 bytes for a bit, and 144 for two more", 96, 0, 16, 1, -1, reads[greedyPointers]()},
	{"recursive unions", "an interface, a value twice and a frame for 2 bits", 512, 0, 16, 2, -1,
		reads[greedyEvents](tagcodec.WithUnion[greedyEvent](greedyBox{}, greedyBlock{}))},
	{"strings", "16 bytes for 16 bits", 4, 0, 16, 16, -1, reads[claimStrings]()},
	{"wide strings", "16 bytes for 16 bits", 4, 0, 16, 16, -1, reads[greedyWide]()},
	{"text in arrays", "64 bytes for 6 bits", 16, 0, 16, 6, -1, reads[greedyLabels]()},
	{"bytes", "24 bytes for 16 bits", 4, 0, 16, 16, -1, reads[greedyBytes]()},
	{"binary forms", "16 bytes for 16 bits", 4, 0, 16, 16, -1, reads[greedyForms]()},
	{"values that serialize themselves", "a byte for a bit, and a stream where the pool has none", 24, 0, 16, 1, -1, reads[greedyCustom]()},
	{"huffman codes", "8 bytes for a bit", 16, 0, 16, 1, -1, reads[greedyCodes]()},
	{"arrays in targets of pointers", "their bits, and 8 bytes for a pointer", 16, 0, 32, 1, -1, reads[greedyPointed]()},
	{"a list with arrays at the end", "their bits, and two frames", 2, 0, 1, 8 << 12, 0, reads[greedyChain]()},
	{"a tree with arrays at the end", "their bits, and two frames", 2, 0, 16, 8<<12 + 16, 0, reads[greedyBush]()},
	{"arrays in arrays", "16 bytes for 65 bits, after those of the message itself", 2, 1 << 14, 1, 65 << 10, 0, reads[greedyRows]()},
	{"arrays in targets of the pointers of subsets", "their bits, and 8 bytes for a pointer", 16, 0, 1, 8 << 10, -1, reads[greedyPages]()},
	{"unions with arrays at the end", "their bits twice, and two frames", 4, 0, 2, 8 << 12, 0,
		reads[greedyCase](tagcodec.WithUnion[greedyAny](greedyCase{}, &greedyBlock{}))},
	{"a list that serializes itself", "one element before its bits are known to be there, and a stream", 2, 1 << 13, 1, 8 << 12, 0, reads[greedyOwn]()},
	{"arrays of values that serialize themselves", "8 bytes for a bit, and a stream where the pool has none", 96, 0, 1, 1 << 8, -1, reads[greedyHands]()},
	{"maps of pointers", "an entry and an entry of the map for 17 bits", 16, 0, 16, 17, -1, reads[greedyBook]()},
	{"common strings", "16 bytes for a bit", 32, 0, 16, 1, -1, reads[greedyCommon]()},
}

// packets returns messages of n bytes with counts as large as possible.
func (g *greed) packets(n int) (list [][]byte) {
	for _, fill := range []byte{0x00, 0xFF, 0x55, 0xAA, 0x01, 0x80} {
		all := bytes.Repeat([]byte{fill}, n)
		list = append(list, all)
		for _, prefix := range []int{1, 2, 3, 8} {
			claim := bytes.Clone(all)
			copy(claim, bytes.Repeat([]byte{0xFF}, min(prefix, n)))
			list = append(list, claim)
		}
	}
	// Each count is as large as the message allows, a fraction of that, or one.
	// It occurs once or in every element.
	for _, share := range []int{1, 2, 64, 1 << 20} {
		for _, fill := range []uint64{0, 1} {
			w := bits.NewAppendWriter(nil)
			for {
				left := 8*n - w.Bit() - g.count
				if left < g.least+8 {
					break
				}
				w.WriteBits(min(uint64(max(left/g.least/share, 1)), 1<<g.count-1), g.count)
				if g.descend < 0 {
					break
				}
				if g.descend > 0 {
					w.WriteBits(fill, g.descend)
				}
			}
			for w.Bit() < 8*n {
				w.WriteBits(fill, 1)
			}
			list = append(list, w.Bytes())
		}
	}
	return list
}

// TestMemoryGrowsWithBits decodes messages whose counts are as large as their
// length allows, from a few bytes to the largest datagram. The memory per bit
// must stay within the type's limit, and no bit may justify two allocations.
func TestMemoryGrowsWithBits(t *testing.T) {
	for i := range greedy {
		g := &greedy[i]
		t.Run(g.name, func(t *testing.T) {
			for _, n := range []int{1, 5, 16, 256, 1200, 9000, 65507} {
				if n > 1200 && effort.Factor() == 1 {
					continue
				}
				for k, data := range g.packets(n) {
					var err error
					most := uint64(16384 + g.fixed + 8*n*g.perBit)
					took := allocatedOver(most, func() { err = g.read(true, data) })
					require.LessOrEqual(t, took, most, "%s: %d bytes, packet %d: %v", g.why, n, k, err)
					if !pure && n <= 1200 { // the reference interpreter is slow
						took = allocatedOver(most, func() { err = g.reference(data) })
						require.LessOrEqual(t, took, most, "%s: %d bytes, packet %d, reference: %v", g.why, n, k, err)
					}
				}
			}
		})
	}
}

// TestRefusedIsFreed decodes messages that are refused late, and requires that
// their memory is freed.
func TestRefusedIsFreed(t *testing.T) {
	inUse := func() uint64 {
		runtime.GC()
		runtime.GC() // empties the pools
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for i := range greedy {
		g := &greedy[i]
		var refused [][]byte
		for _, data := range g.packets(1200) {
			if g.read(false, data) != nil {
				refused = append(refused, data)
			}
		}
		require.NotEmpty(t, refused, g.name)
		before, took := inUse(), uint64(0)
		for round := 0; took < 1<<19 && round < 100; round++ {
			took += allocated(func() {
				for _, data := range refused {
					_ = g.read(round%2 == 0, data)
				}
			})
		}
		require.Less(t, inUse(), before+1<<16, fmt.Sprintf("%s: of %d bytes", g.name, took))
	}
}

// TestVastArrays decodes pointers to arrays that are too large for any machine.
func TestVastArrays(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("a type of that size takes 64 bits")
	}
	vast := reflect.PointerTo(reflect.ArrayOf(1<<min(40, strconv.IntSize-2), reflect.TypeFor[uint8]()))
	types := []reflect.Type{
		reflect.StructOf([]reflect.StructField{{Name: "P", Type: vast}}),
		reflect.StructOf([]reflect.StructField{{Name: "P", Type: reflect.PointerTo(vast)}}),
		reflect.StructOf([]reflect.StructField{{Name: "P", Type: reflect.ArrayOf(4, vast), Tag: `bp:"subset=bitmap"`}}),
		reflect.StructOf([]reflect.StructField{{Name: "P", Type: reflect.SliceOf(vast), Tag: `bp:"maxlen=3"`}}),
	}
	for _, typ := range types {
		for _, first := range []byte{0x0F, 0xFF} {
			data := append([]byte{first}, bytes.Repeat([]byte{0xFF}, 200)...)
			v := reflect.New(typ)
			var err error
			require.LessOrEqual(t, allocated(func() { err = tagcodec.Unmarshal(data, v.Interface()) }), uint64(1<<16))
			require.ErrorIs(t, err, tagcodec.ErrOverread, typ)
		}
	}
}
