package main

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"

	"github.com/gobitpack/bitpack/tagcodec"
)

// size is the size of a snapshot in some format.
type size struct {
	format string
	bytes  int
}

// plainBody is a [Body] without tags.
type plainBody struct {
	ID       uint16
	AtRest   bool
	Position [2]float32
	Velocity [2]float32
}

// sizes returns the sizes of a complete snapshot in several formats.
func sizes(s *World) ([]size, error) {
	tagged, err := tagcodec.Size(s)
	if err != nil {
		return nil, err
	}
	asJSON, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	// The first gob message of a stream describes the type. The size of the
	// second applies only to lossless streams, which UDP does not provide.
	var stream bytes.Buffer
	enc := gob.NewEncoder(&stream)
	if err := enc.Encode(s); err != nil {
		return nil, err
	}
	first := stream.Len()
	if err := enc.Encode(s); err != nil {
		return nil, err
	}
	plain := make([]plainBody, len(s.Bodies))
	for i, b := range s.Bodies {
		plain[i] = plainBody(b)
	}
	var asBinary []byte
	for _, v := range []any{uint16(len(plain)), plain} {
		if asBinary, err = binary.Append(asBinary, binary.LittleEndian, v); err != nil {
			return nil, err
		}
	}
	return []size{
		{"complete, by package tagcodec", tagged},
		{"encoding/binary", len(asBinary)},
		{"encoding/gob, in a stream", stream.Len() - first},
		{"encoding/gob, on its own", first},
		{"encoding/json", len(asJSON)},
	}, nil
}
