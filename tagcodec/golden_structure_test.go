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
	)
	runRows(t, []goldenRow{
		{"align", of("", true, "align", struct{}{}, "", true), "1 | 1", nil, "zeros up to the next byte"},
		{"align at the start", of("align", struct{}{}, "", true), "1", nil, "there is nothing to fill"},
		{"align at a byte", of("", uint8(7), "align", struct{}{}, "", true), "7:8 1", nil, "there is nothing to fill"},
		{"align at the end", of("", true, "align", struct{}{}), "1 |", nil, "the zeros belong to the message"},
		{"reserved", of("", true, "reserved,bits=3", struct{}{}, "", true), "1 000 1", nil, "zeros"},
		{"64 bits reserved", of("", true, "reserved,bits=64", struct{}{}, "", true), "1 0:64 1", nil, "across a word"},
		{"const", of("", true, "const,bits=4,value=0xA", struct{}{}, "", true), "1 10:4 1", nil, "the constant in its bits"},
		{"64 bits of a const", of("const,bits=64,value=0xFEDCBA9876543210", struct{}{}), "[10 32 54 76 98 ba dc fe]", nil, "the low byte first"},
		{"check", of("", true, "check", struct{}{}), "1 0x12345679:32", nil, "0x12345678 and the field's index, by exclusive or"},
		{"two checks", of("check", struct{}{}, "", true, "check", struct{}{}), "0x12345678:32 1 0x1234567A:32", nil, "they differ by their places"},
		{"check of a value", of("check,value=7", struct{}{}), "7:32", nil, "32 bits"},
		{"reserved under a name", of("reserved,bits=2", struct{}{}, "", true), "00 1", nil, "the name says nothing"},
		{"field that is left out", of("", true, "-", uint8(0), "", true), "1 1", nil, "nothing of it is sent"},
		{"field that is not exported", hiddenField{A: true, b: 0, C: true}, "1 1", nil, "nothing of it is sent"},
		{"fields without a name", blank{A: true, B: true}, "1 1", nil, "they are room in memory alone"},
		{"no field", nothing{}, "", nil, "no bits"},
		{"type that serializes itself", of("", true, "", ammo{5, 1000}, "", true), "1 5:4 1000:10 1", nil, "in place, at whatever bit"},
		{"slice of what serializes itself", of("maxlen=3", []ammo{{1, 2}, {3, 4}}), "2:2 1:4 2:10 3:4 4:10", nil, "one after the other"},
		{"what serializes itself, not there", of("", false, "if=A", ammo{1, 2}, "", true), "0 1", values{false, ammo{}, true}, "nothing"},
		{"pointer to what serializes itself", of("", &ammo{1, 2}), "1 1:4 2:10", nil, "a bit, then its own"},
		{"alignment in what serializes itself", of("", true, "", padded{0x41}, "", true), "1 | [41] 1", nil, "counted from the start of the message"},
		{"text in what serializes itself", of("", uint64(1), "", true, "", note{"hi"}, "", true), "1:64 1 2:5 | [68 69] 1", nil, "after a whole word"},
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
