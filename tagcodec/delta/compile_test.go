package delta

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec"
)

// program returns what compile has made of a type: a line for each table, with the
// bits of a row, its steps, its fields and its lists.
func (s *schema) program() (lines []string) {
	for _, t := range s.tables {
		var b strings.Builder
		fmt.Fprintf(&b, "%d bits:", t.bits)
		for i := range t.steps {
			p := &t.steps[i]
			fmt.Fprintf(&b, " %s", [...]string{"copy", "const", "align", "varint", "prefix", "relative", "text", "if", "listed", "scale", "list"}[p.kind])
			switch p.kind {
			case stepConst:
				fmt.Fprintf(&b, " %d", p.n)
			case stepAlign:
			case stepIf:
				fmt.Fprintf(&b, " c%d..%d", t.guards[p.guard].cell, p.end)
			case stepRelative:
				fmt.Fprintf(&b, " %d to %d", p.cell, p.to)
			case stepCopy, stepScale:
				fmt.Fprintf(&b, " %d+%d", p.cell, p.n)
			case stepListed:
				fmt.Fprintf(&b, " %d..%d", p.cell, p.end)
			default:
				fmt.Fprintf(&b, " %d", p.cell)
			}
		}
		for i := range t.fields {
			f := &t.fields[i]
			fmt.Fprintf(&b, "; %s %d+%d", [...]string{"numbers", "rotation", "text"}[f.kind], f.first, f.n)
			if f.guard != none {
				fmt.Fprintf(&b, " if c%d", t.guards[f.guard].cell)
			}
			if f.pred != 0 {
				fmt.Fprintf(&b, " %s", map[plan.Pred]string{plan.PredLin: "lin", plan.PredVel: "vel"}[f.pred])
			}
			if f.pred == plan.PredVel {
				fmt.Fprintf(&b, " f%d", f.vel)
			}
		}
		for i := range t.lists {
			l := &t.lists[i]
			fmt.Fprintf(&b, "; %s of %v", [...]string{"fixed", "counted", "union", "keyed", "indexed"}[l.kind], l.tables)
		}
		if t.key != none {
			fmt.Fprintf(&b, "; key %d", t.key)
		}
		if t.nonzero != nil {
			fmt.Fprintf(&b, "; not zero %v", t.nonzero)
		}
		if t.pay > 1 {
			fmt.Fprintf(&b, "; pays %d", t.pay)
		}
		lines = append(lines, b.String())
	}
	if s.verify {
		lines = append(lines, "verify")
	}
	return lines
}

// contents returns the rows of an image but the zero rows: the code of each cell,
// the texts, and the lists.
func (m *Image) contents() (all []string) {
	for k, t := range m.schema.tables {
		r := &m.tables[k]
		for i := 1; i < r.n; i++ {
			var codes []uint64
			for c := range t.cells {
				codes = append(codes, t.cells[c].load(r.data, i*t.stride))
			}
			line := fmt.Sprintf("%d: %d", k, codes)
			if t.texts > 0 {
				line += fmt.Sprintf(" %q", r.texts[i*t.texts:(i+1)*t.texts])
			}
			for _, l := range r.kids[i*len(t.lists) : (i+1)*len(t.lists)] {
				line += fmt.Sprintf(" [%d:%d]", l.first, l.first+l.n)
			}
			all = append(all, line)
		}
	}
	return all
}

type branch struct {
	V    uint8 `bp:"uint,bits=3"`
	Next *branch
}

type transform struct {
	Translation [3]float32 `bp:"float,min=-100,max=100,res=0.01"`
	Rotation    [4]float32 `bp:"quat,bits=10"`
	Scale       [3]float32 `bp:"float,min=0.125,max=8,res=0.125"`
}

func octet(v uint8) *uint8 { return &v }

// TestCompile checks what is made of the types, and the rows of a message of each.
func TestCompile(t *testing.T) {
	for _, row := range []struct {
		name          string
		value         any
		program, rows []string
	}{
		{"adjacent bits are copied together", struct {
			A uint8 `bp:"uint,bits=3"`
			B bool
			C [2]int16 `bp:"int,min=-300,max=211,pred=lin"`
		}{5, true, [2]int16{-300, 211}},
			[]string{"22 bits: copy 0+22; numbers 0+1; numbers 1+1; numbers 2+2 lin"},
			[]string{"0: [5 1 0 511]"}},
		{"numbers of one struct are one field", struct {
			P struct{ X, Y, Z int16 }
			Q struct{ A, B uint8 }
		}{struct{ X, Y, Z int16 }{1, -1, 3}, struct{ A, B uint8 }{4, 5}},
			[]string{"64 bits: copy 0+64; numbers 0+3; numbers 3+2"},
			[]string{"0: [1 65535 3 4 5]"}},
		{"conditions, and an optional value that is not zero", struct {
			On  bool
			If  uint8 `bp:"if=On"`
			Opt int8  `bp:"int,min=-5,max=2,optional"`
			B   uint8 `bp:"uint,bits=2"`
		}{true, 9, -5, 3},
			[]string{"15 bits: copy 0+1 if c0..3 copy 1+8 copy 9+1 if c2..6 copy 10+3 copy 13+2; numbers 0+1; numbers 1+1 if c0; numbers 2+1; numbers 3+1 if c2; numbers 4+1; not zero [3]"},
			[]string{"0: [1 9 1 0 3]"}},
		{"an optional array takes a whole message to check", struct {
			Opt [2]uint8 `bp:"optional"`
		}{[2]uint8{0, 1}},
			[]string{"17 bits: copy 0+1 if c0..3 copy 1+16; numbers 0+1; numbers 1+2 if c0", "verify"},
			[]string{"0: [1 0 1]"}},
		{"bits that are no value", struct {
			A uint8    `bp:"uint,bits=3"`
			_ struct{} `bp:"const,bits=5,value=21"`
			B bool
			_ struct{} `bp:"align"`
			C bool
		}{A: 7, B: true, C: true},
			[]string{"5 bits: copy 0+3 const 5 copy 3+1 align copy 4+1; numbers 0+1; numbers 1+1; numbers 2+1"},
			[]string{"0: [7 1 1]"}},
		{"codes of variable length", struct {
			V int16  `bp:"varint"`
			G uint8  `bp:"expgolomb,k=2"`
			R uint8  `bp:"relative,base=3"`
			T uint16 `bp:"relative,to=R"`
		}{-300, 9, 5, 400},
			[]string{
				"48 bits: varint 0 prefix 1 relative 2 to -1 relative 3 to 2; numbers 0+1; numbers 1+1; numbers 2+1; numbers 3+1",
				"verify",
			},
			[]string{"0: [65236 9 5 400]"}},
		{"listed values, and one that is not", struct {
			A int8   `bp:"int,min=0,max=100,common=0|7"`
			B uint8  `bp:"uint,min=0,max=100,common=3|4|5"`
			C uint8  `bp:"enum,max=9,huffman=0:90|1:7|*:3"`
			S string `bp:"string,maxlen=9,common=ab|c"`
		}{7, 50, 9, "c"},
			[]string{"18 bits: listed 0..2 copy 0+7 listed 1..4 copy 7+7 listed 2..6 copy 14+4 listed 0..8 text 0; numbers 0+1; numbers 1+1; numbers 2+1; text 0+0"},
			[]string{`0: [7 50 9] ["c"]`}},
		{"a Huffman code without escape", struct {
			C uint8 `bp:"enum,max=3,huffman=0:90|1:7|2:1|3:1"`
		}{2},
			[]string{"2 bits: listed 0..2 copy 0+2; numbers 0+1", "verify"},
			[]string{"0: [2]"}},
		{"texts", struct {
			S string  `bp:"maxlen=12"`
			W string  `bp:"wstring,maxlen=12"`
			B [2]byte `bp:"bytes"`
			C [4]byte `bp:"cstring"`
		}{"ab", "äö", [2]byte{1, 2}, [4]byte{'x'}},
			[]string{"0 bits: text 0 text 1 text 2 text 3; text 0+0; text 1+0; text 2+0; text 3+0"},
			[]string{`0: [] ["ab" "äö" "\x01\x02" "x"]`}},
		{"a rotation and wide numbers", struct {
			Q [4]float32 `bp:"quat,bits=9,pred=lin"`
			U bits.Uint128
		}{[4]float32{3: 1}, bits.Uint128{Lo: 5, Hi: 6}},
			[]string{"157 bits: copy 0+157; rotation 0+4 lin; numbers 4+2"},
			[]string{"0: [3 256 256 256 5 6]"}},
		{"a velocity comes first", struct {
			P [2]int16 `bp:"int,min=-3000,max=3000,pred=vel:V"`
			V [2]int16 `bp:"pred=lin"`
		}{[2]int16{1, 2}, [2]int16{3, -4}},
			[]string{"58 bits: copy 0+58; numbers 2+2 lin; numbers 0+2 vel f0"},
			[]string{"0: [3001 3002 3 65532]"}},
		{"a long array is a table", [5]uint8{1, 2, 3, 4, 5},
			[]string{"0 bits: list 0; fixed of [1]", "8 bits: copy 0+8; numbers 0+1"},
			[]string{"0: [] [1:6]", "1: [1]", "1: [2]", "1: [3]", "1: [4]", "1: [5]"}},
		{"equal elements", struct {
			R []int16 `bp:"rle,maxlen=9"`
		}{[]int16{7, 7, -7}},
			[]string{"4 bits: copy 0+4 list 0; numbers 0+1; counted of [1]", "16 bits: copy 0+16; numbers 0+1"},
			[]string{"0: [3] [1:4]", "1: [7]", "1: [7]", "1: [65529]"}},
		{"a slice by index", struct {
			L []struct{ A, B uint8 } `bp:"maxlen=3"`
		}{[]struct{ A, B uint8 }{{1, 2}, {3, 4}}},
			[]string{"2 bits: copy 0+2 list 0; numbers 0+1; counted of [1]", "16 bits: copy 0+16; numbers 0+1; numbers 1+1"},
			[]string{"0: [2] [1:3]", "1: [1 2]", "1: [3 4]"}},
		{"a slice by key", struct {
			L []struct {
				V  bool
				ID int8 `bp:"key"`
			} `bp:"minlen=1,maxlen=4"`
		}{[]struct {
			V  bool
			ID int8 `bp:"key"`
		}{{true, -3}, {false, 2}}},
			[]string{"0 bits: list 0; keyed of [1]", "9 bits: copy 0+9; numbers 0+1; key 1"},
			[]string{"0: [] [1:3]", "1: [1 253]", "1: [0 2]"}},
		{"maps are by key, those of texts too", struct {
			M map[uint8]bool  `bp:"maxlen=3"`
			N map[string]int8 `bp:"maxlen=3,key.maxlen=3"`
		}{map[uint8]bool{4: true, 2: false}, map[string]int8{"b": -1, "a": 5}},
			[]string{
				"0 bits: list 0 list 1; keyed of [1]; keyed of [2]",
				"9 bits: copy 0+9; numbers 1+1; key 0",
				"8 bits: text 0 copy 0+8; numbers 0+1; key 0",
			},
			[]string{"0: [] [1:3] [1:3]", "1: [2 0]", "1: [4 1]", `2: [5] ["a"]`, `2: [255] ["b"]`}},
		{"a chain of keys", struct {
			L []struct {
				ID uint16 `bp:"relative,chain,key"`
			} `bp:"maxlen=3"`
		}{[]struct {
			ID uint16 `bp:"relative,chain,key"`
		}{{5}, {6}, {300}}},
			[]string{"0 bits: list 0; keyed of [1]", "16 bits: relative 0 to -1; key 0", "verify"},
			[]string{"0: [] [1:4]", "1: [5]", "1: [6]", "1: [300]"}},
		{"subsets of every mode", struct {
			B [4]*uint8 `bp:"subset=bitmap"`
			I [4]*uint8 `bp:"subset=index"`
			S [4]*uint8 `bp:"subset=sentinel"`
			R [4]*uint8 `bp:"subset=relative"`
			A []*uint8  `bp:"subset=auto,maxlen=5"`
		}{[4]*uint8{1: octet(9)}, [4]*uint8{2: octet(8)}, [4]*uint8{0: octet(7), 3: octet(6)}, [4]*uint8{3: octet(5)}, []*uint8{nil, octet(4), nil}},
			[]string{
				"3 bits: list 0 list 1 list 2 list 3 copy 0+3 list 4; numbers 0+1; indexed of [1]; indexed of [2]; indexed of [3]; indexed of [4]; indexed of [5]",
				"10 bits: copy 2+8; numbers 1+1; key 0",
				"10 bits: copy 2+8; numbers 1+1; key 0",
				"10 bits: copy 2+8; numbers 1+1; key 0",
				"10 bits: copy 2+8; numbers 1+1; key 0",
				"11 bits: copy 3+8; numbers 1+1; key 0",
			},
			[]string{"0: [3] [1:2] [1:2] [1:3] [1:2] [1:2]", "1: [1 9]", "2: [2 8]", "3: [0 7]", "3: [3 6]", "4: [3 5]", "5: [1 4]"}},
		{"a recursive type has one table for all its values", branch{1, &branch{2, nil}},
			[]string{
				"0 bits: list 0; fixed of [1]",
				"4 bits: copy 0+4 list 0; numbers 0+1; numbers 1+1; counted of [2]",
				"0 bits: list 0; fixed of [1]",
				"verify",
			},
			[]string{"0: [] [1:2]", "1: [1 1] [1:2]", "1: [2 0] [2:2]", "2: [] [2:3]"}},
		{"large rows pay for their memory", struct {
			L []struct{ A, B, C, D, E, F, G, H [4]uint64 } `bp:"maxlen=2"`
			M []struct{ A, B, C, D, E, F, G [4]uint64 }    `bp:"maxlen=1"`
		}{},
			[]string{
				"3 bits: copy 0+2 list 0 copy 2+1 list 1; numbers 0+1; numbers 1+1; counted of [1]; counted of [2]",
				"2048 bits: copy 0+2048; numbers 0+4; numbers 4+4; numbers 8+4; numbers 12+4; numbers 16+4; numbers 20+4; numbers 24+4; numbers 28+4; pays 2",
				"1792 bits: copy 0+1792; numbers 0+4; numbers 4+4; numbers 8+4; numbers 12+4; numbers 16+4; numbers 20+4; numbers 24+4",
			},
			[]string{"0: [0 0] [1:1] [1:1]"}},
		{"a scale", struct {
			W transform `bp:"affine"`
		}{transform{Rotation: [4]float32{3: 1}, Scale: [3]float32{2, 2, 2}}},
			[]string{"95 bits: copy 0+77 scale 7+3; numbers 0+3; rotation 3+4; numbers 7+3", "verify"},
			[]string{"0: [10000 10000 10000 3 512 512 512 15 15 15]"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, err := newSubject(reflect.TypeOf(row.value))
			require.NoError(t, err)
			require.Equal(t, row.program, s.schema.program())
			message, err := tagcodec.Marshal(row.value)
			require.NoError(t, err)
			image, err := s.parsed(message, true)
			require.NoError(t, err)
			require.Equal(t, row.rows, image.contents())
			again, err := image.pack(new(bits.Writer), nil)
			require.NoError(t, err)
			require.Equal(t, message, again)
		})
	}
}
