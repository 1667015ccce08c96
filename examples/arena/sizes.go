package main

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
)

// size is what a snapshot takes in a format.
type size struct {
	format string
	bytes  int
}

// plainBody is a [Body] as encoding/binary takes it.
type plainBody struct {
	Position [2]float32
	AtRest   bool
	Velocity [2]float32
}

// sizes returns what a snapshot takes in other formats.
func sizes(s *Snapshot) ([]size, error) {
	asJSON, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	// gob describes the type in the first message of a stream; the second stands
	// for those of a stream that loses nothing, which UDP is not.
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
	for _, v := range []any{s.Tick, uint16(len(plain)), plain} {
		if asBinary, err = binary.Append(asBinary, binary.LittleEndian, v); err != nil {
			return nil, err
		}
	}
	return []size{
		{"encoding/binary", len(asBinary)},
		{"encoding/gob, in a stream", stream.Len() - first},
		{"encoding/gob, on its own", first},
		{"encoding/json", len(asJSON)},
	}, nil
}
