package values

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// Frame is one frame of a recorded Rocket League match: a ball and up to eight
// cars, about thirty times a second. The bit widths are wide enough for every
// value in the recording. An absent object takes only the bits of its kind.
type Frame struct {
	Objects [9]Object
}

// Object is one slot of a [Frame].
type Object struct {
	Kind uint8 `bp:"uint,bits=2"` // 0 none, 1 ball, 2 car
	Body `bp:"if=Kind"`
}

// Body is the state of a ball or a car. Lengths and speeds are in hundredths of
// a unit. The rotation is in the form of its smallest three components.
type Body struct {
	Sleeping    bool
	X           int32     `bp:"int,bits=20"`
	Y           int32     `bp:"int,bits=21"`
	Z           int32     `bp:"int,min=0,max=262143"`
	Largest     uint8     `bp:"uint,bits=2"`
	Orientation [3]uint32 `bp:"uint,bits=18"`
	Velocity    [3]int32  `bp:"int,bits=20"`
	Angular     [3]int32  `bp:"int,bits=17"`
	Steer       uint8
	Throttle    uint8
	Handbrake   bool
}

// ReadMatch reads a recording: gzipped frames of 9 slots of 18 little-endian
// int32 values. The error matches [os.ErrNotExist] if there is no such file.
func ReadMatch(name string) ([]Frame, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	in := bufio.NewReader(unzipped)
	var frames []Frame
	for {
		var slots [9][18]int32
		err := binary.Read(in, binary.LittleEndian, &slots)
		if errors.Is(err, io.EOF) {
			return frames, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: frame %d: %w", name, len(frames), err)
		}
		var f Frame
		for i, s := range slots {
			f.Objects[i] = object(s)
		}
		frames = append(frames, f)
	}
}

func object(s [18]int32) Object {
	return Object{uint8(s[0]), Body{
		Sleeping:    s[1] != 0,
		X:           s[2],
		Y:           s[3],
		Z:           s[4],
		Largest:     uint8(s[5]),
		Orientation: [3]uint32{uint32(s[6]), uint32(s[7]), uint32(s[8])},
		Velocity:    [3]int32(s[9:12]),
		Angular:     [3]int32(s[12:15]),
		Steer:       uint8(s[15]),
		Throttle:    uint8(s[16]),
		Handbrake:   s[17] != 0,
	}}
}

// SampleFrames returns n frames similar to those of a match, to be used if
// there is no recording.
func SampleFrames(n int) []Frame {
	frames := make([]Frame, n)
	for i := range frames {
		for k := range frames[i].Objects[:7] {
			v := int32(i + 100*k)
			frames[i].Objects[k] = Object{uint8(min(k, 1) + 1), Body{
				X: 300*v - 60000, Y: 90000 - 500*v, Z: 1700 + v,
				Largest:     uint8(k % 4),
				Orientation: [3]uint32{uint32(131072 + 40*v), uint32(90000 - 30*v), 131072},
				Velocity:    [3]int32{700 * v, 90000 - 300*v, v % 7}, Angular: [3]int32{v, -v, 20 * v},
				Steer: uint8(128 + v%60), Throttle: 255, Handbrake: v%19 == 0,
			}}
		}
	}
	return frames
}
