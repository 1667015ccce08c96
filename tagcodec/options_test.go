package tagcodec_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// freight passes its wagons on to a codec with options of its own.
type freight struct{ First wagon }

var freightCodec = tagcodec.MustFor[wagon](tagcodec.WithMaxDepth(3))

func (f *freight) Serialize(s *bits.Stream) error { return freightCodec.Serialize(s, &f.First) }

// wagons returns a train of n wagons.
func wagons(n int) wagon {
	var train wagon
	for range n - 1 {
		next := train
		train = wagon{Next: &next}
	}
	return train
}

// A codec in a Serialize method can lower the depth limit of the codec around it,
// but not raise it, and keeps its errors brief.
func TestNestedOptions(t *testing.T) {
	data, err := tagcodec.Marshal(wagons(4))
	require.NoError(t, err)
	short, err := tagcodec.Marshal(wagons(3))
	require.NoError(t, err)
	plain, err := tagcodec.For[freight]()
	require.NoError(t, err)
	require.NoError(t, plain.Unmarshal(short, new(freight)))
	require.ErrorIs(t, plain.Unmarshal(data, new(freight)), tagcodec.ErrDepth, "the limit of the inner codec")
	strict := tagcodec.MustFor[freight](tagcodec.WithMaxDepth(2))
	require.ErrorIs(t, strict.Unmarshal(short, new(freight)), tagcodec.ErrDepth, "the limit of the outer codec")
	brief := tagcodec.MustFor[freight](tagcodec.WithSentinelErrors())
	require.Equal(t, tagcodec.ErrDepth, brief.Unmarshal(data, new(freight)))
}

// The Linker of a codec learns of the links in a value that is read from a Stream.
func TestSerializeReleasesLinks(t *testing.T) {
	context := tagcodec.NewLinkingContext()
	codec := tagcodec.MustFor[cat](tagcodec.WithLinker(context))
	v, home := new(cat), new(homeBase)
	require.NoError(t, codec.Serialize(bits.NewReadStream(bits.NewReader(lows(low(9, 4)+low(3, 8)))), v))
	require.Len(t, context.Waiting(), 1)
	require.NoError(t, context.Add(3, home))
	require.Same(t, home, v.Home)
}

// The bit of an error is that of the Stream, also where a Writer has a fixed buffer.
func TestSerializeErrorBit(t *testing.T) {
	for _, w := range []*bits.Writer{bits.NewWriter(make([]byte, 9)), bits.NewAppendWriter(nil)} {
		w.WriteBits(0, 12)
		var e *tagcodec.Error
		require.ErrorAs(t, tagcodec.Serialize(bits.NewWriteStream(w), &aim{"", 4}), &e)
		require.Equal(t, "aim.X", e.Path)
		require.Equal(t, 16, e.Bit)
		require.Equal(t, &bits.Error{Op: "write", Bit: 16, Err: tagcodec.ErrRange, Value: int64(4), Min: int64(-4), Max: int64(3)}, e.Err)
	}
}

// With adds options to those that the codec has.
func TestWithKeepsOptions(t *testing.T) {
	data, err := tagcodec.Marshal(wagons(3))
	require.NoError(t, err)
	codec := tagcodec.MustFor[wagon](tagcodec.WithMaxDepth(2)).With(tagcodec.WithSentinelErrors())
	require.Equal(t, tagcodec.ErrDepth, codec.Unmarshal(data, new(wagon)))
}

// A later message does not change one that Marshal has returned.
func TestMarshalReturnsItsOwnMemory(t *testing.T) {
	type text struct {
		S string `bp:"maxlen=60000"`
	}
	for range 20 { // a pool may lose what it holds
		first, err := tagcodec.Marshal(text{"first"})
		require.NoError(t, err)
		kept := bytes.Clone(first)
		_, err = tagcodec.Marshal(text{"other"})
		require.NoError(t, err)
		require.Equal(t, kept, first)
	}
}

// Explain refuses what Unmarshal refuses, also after the last part.
func TestExplainTrailing(t *testing.T) {
	codec := tagcodec.MustFor[wagon]()
	e := codec.Explain([]byte{5, 0})
	require.Equal(t, codec.Unmarshal([]byte{5, 0}, new(wagon)), e.Err)
	require.ErrorIs(t, e.Err, tagcodec.ErrTrailing)
	require.Equal(t, []tagcodec.Part{{Bit: 0, Bits: 4, Path: "wagon.Load", Value: uint8(5), Code: 5}, {Bit: 4, Bits: 1, Path: "wagon.Next", What: "nil"}}, e.Parts)
}
