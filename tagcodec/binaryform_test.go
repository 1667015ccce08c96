package tagcodec_test

import (
	"net/url"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// A binary form that is longer than its maxlen proposes the maxlen that it needs.
func TestBinaryFormTooLong(t *testing.T) {
	type page struct {
		Visits uint8     `bp:"uint,bits=3"`
		Links  []url.URL `bp:"binary,maxlen=3,elem.maxlen=4"`
	}
	p := page{Links: []url.URL{{Path: "/abc"}, {Scheme: "http", Host: "localhost", Path: "/abc"}}}
	_, err := tagcodec.Marshal(&p)
	require.EqualError(t, err, "tagcodec: marshal page.Links[1] at bit 40: length out of bounds: 20 is outside [0, 4]: "+
		"the binary form of the value needs maxlen=20 or more")
	require.ErrorIs(t, err, tagcodec.ErrLength)
	var cause *bits.Error
	require.ErrorAs(t, err, &cause)
	require.Equal(t, bits.Error{Op: "write", Bit: 40, Err: bits.ErrLength, Value: 20, Min: 0, Max: 4,
		Fix: "the binary form of the value needs maxlen=20 or more"}, *cause)

	type fits struct {
		Visits uint8     `bp:"uint,bits=3"`
		Links  []url.URL `bp:"binary,maxlen=3,elem.maxlen=20"`
	}
	_, err = tagcodec.Marshal(&fits{Links: p.Links})
	require.NoError(t, err)
}
