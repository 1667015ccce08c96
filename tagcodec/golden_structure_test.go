package tagcodec_test

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// Bits without values, fields that are not written, and types that serialize
// themselves.
func TestGoldenStructure(t *testing.T) {
	type (
		aligned struct {
			A bool
			_ struct{} `bp:"align"`
			B bool
		}
		atStart struct {
			_ struct{} `bp:"align"`
			A bool
		}
		atByte struct {
			A uint8
			_ struct{} `bp:"align"`
			B bool
		}
		atEnd struct {
			A bool
			_ struct{} `bp:"align"`
		}
		reserved struct {
			A bool
			_ struct{} `bp:"reserved,bits=3"`
			B bool
		}
		reservedLong struct {
			A bool
			_ struct{} `bp:"reserved,bits=64"`
			B bool
		}
		constant struct {
			A bool
			_ struct{} `bp:"const,bits=4,value=0xA"`
			B bool
		}
		magic struct {
			_ struct{} `bp:"const,bits=64,value=0xFEDCBA9876543210"`
		}
		checked struct {
			A bool
			_ struct{} `bp:"check"`
		}
		checkedFirst struct {
			_ struct{} `bp:"check"`
			A bool
			_ struct{} `bp:"check"`
		}
		checkedValue struct {
			_ struct{} `bp:"check,value=7"`
		}
		exported struct {
			Pad struct{} `bp:"reserved,bits=2"`
			A   bool
		}
		skipped struct {
			A bool
			B uint8 `bp:"-"`
			C bool
		}
		blank struct {
			_ uint16
			A bool
			_ [3]byte
			B bool
		}
		hiddenField struct {
			A bool
			b uint8
			C bool
		}
		nothing struct{}
		own     struct {
			A bool
			B ammo
			C bool
		}
		owns struct {
			A []ammo `bp:"maxlen=3"`
		}
		ownIf struct {
			A bool
			B ammo `bp:"if=A"`
			C bool
		}
		ownPointer struct{ A *ammo }
		ownAlign   struct {
			A bool
			B padded
			C bool
		}
		ownText struct {
			A uint64
			B bool
			C note
			D bool
		}
	)
	runRows(t, []goldenRow{
		{"align", aligned{A: true, B: true}, "1 | 1", "0101", nil, "zeros up to the next byte"},
		{"align at the start", atStart{A: true}, "1", "01", nil, "there is nothing to fill"},
		{"align at a byte", atByte{A: 7, B: true}, "7:8 1", "0701", nil, "there is nothing to fill"},
		{"align at the end", atEnd{A: true}, "1 |", "01", nil, "the zeros belong to the message"},
		{"reserved", reserved{A: true, B: true}, "1 000 1", "11", nil, "zeros"},
		{"64 bits reserved", reservedLong{A: true, B: true}, "1 0:64 1", "010000000000000002", nil, "across a word"},
		{"const", constant{A: true, B: true}, "1 10:4 1", "35", nil, "the constant in its bits"},
		{"64 bits of a const", magic{}, "[10 32 54 76 98 ba dc fe]", "1032547698badcfe", nil, "the low byte first"},
		{"check", checked{A: true}, "1 0x12345679:32",
			"f3ac682400", nil, "0x12345678 and the field's index, by exclusive or"},
		{"two checks", checkedFirst{A: true}, "0x12345678:32 1 0x1234567A:32",
			"78563412f5ac682400", nil, "they differ by their places"},
		{"check of a value", checkedValue{}, "7:32", "07000000", nil, "32 bits"},
		{"reserved under a name", exported{A: true}, "00 1", "04", nil, "the name says nothing"},
		{"field that is left out", skipped{true, 0, true}, "1 1", "03", nil, "nothing of it is sent"},
		{"field that is not exported", hiddenField{A: true, b: 0, C: true}, "1 1",
			"03", nil, "nothing of it is sent"},
		{"fields without a name", blank{A: true, B: true}, "1 1", "03", nil, "they are room in memory alone"},
		{"no field", nothing{}, "", "", nil, "no bits"},
		{"type that serializes itself", own{true, ammo{5, 1000}, true}, "1 5:4 1000:10 1",
			"0bfd", nil, "in place, at whatever bit"},
		{"slice of what serializes itself", owns{[]ammo{{1, 2}, {3, 4}}}, "2:2 1:4 2:10 3:4 4:10",
			"86004300", nil, "one after the other"},
		{"what serializes itself, not there", ownIf{false, ammo{1, 2}, true}, "0 1",
			"02", ownIf{false, ammo{}, true}, "nothing"},
		{"pointer to what serializes itself", ownPointer{&ammo{1, 2}}, "1 1:4 2:10",
			"4300", nil, "a bit, then its own"},
		{"alignment in what serializes itself", ownAlign{true, padded{0x41}, true}, "1 | [41] 1",
			"014101", nil, "counted from the start of the message"},
		{"text in what serializes itself", ownText{1, true, note{"hi"}, true}, "1:64 1 2:5 | [68 69] 1",
			"010000000000000005686901", nil, "after a whole word"},
	})
}

type (
	ammo struct {
		Kind  uint8
		Count int
	}
	padded struct{ B uint8 }
	note   struct{ Text string }
)

func (a *ammo) Serialize(s *bits.Stream) error {
	bits.Int(s, &a.Kind, 0, 9)
	bits.Int(s, &a.Count, 0, 1000)
	return s.Err()
}

func (p *padded) Serialize(s *bits.Stream) error {
	s.Align()
	bits.Bits(s, &p.B, 8)
	return s.Err()
}

func (n *note) Serialize(s *bits.Stream) error {
	s.String(&n.Text, 31)
	return s.Err()
}

// Changing any bit that both sides know in advance makes the message invalid.
func TestGoldenRefused(t *testing.T) {
	type message struct {
		A bool
		_ struct{} `bp:"align"`
		_ struct{} `bp:"reserved,bits=3"`
		_ struct{} `bp:"const,bits=5,value=21"`
		_ struct{} `bp:"check,value=0xC0FFEE"`
		B bool
	}
	want, n := wireOf("1 | 000 21:5 0xC0FFEE:32 1")
	data, err := tagcodec.Marshal(message{A: true, B: true})
	require.NoError(t, err)
	require.Equal(t, want, data)
	for bit := range n {
		bad := append([]byte(nil), want...)
		bad[bit/8] ^= 1 << (bit % 8)
		var out message
		err := tagcodec.Unmarshal(bad, &out)
		switch {
		case bit == 0 || bit == n-1:
			require.NoError(t, err, "bit %d is a value", bit)
			require.NotEqual(t, message{A: true, B: true}, out)
		case bit < 11:
			require.ErrorIs(t, err, tagcodec.ErrPadding, "bit %d is padding or reserved", bit)
		default:
			require.ErrorIs(t, err, tagcodec.ErrCheck, "bit %d is known", bit)
		}
	}
}
