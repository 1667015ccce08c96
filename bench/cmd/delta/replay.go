package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"

	"github.com/klauspost/compress/zstd"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

// keyframes is the number of frames from one complete one to the next. A reader
// that seeks reads no more than these.
const keyframes = 240

// replay is a recording of keyframes and deltas. Each frame refers to the one
// before it, and to those 2 and 4 before it as far as they are not before its
// keyframe. examples/replication has one that seeks.
type replay[T any] struct {
	codec *delta.Codec[T]
	ticks uint64 // from a frame to the next
	last  [8]*delta.Image
}

// refs returns the references of a frame.
func (r *replay[T]) refs(frame int) delta.Refs {
	at := func(back int) delta.Ref {
		if frame%keyframes < back {
			return delta.Ref{}
		}
		return delta.Ref{Tick: uint64(frame-back) * r.ticks, Image: r.last[(frame-back)%8]}
	}
	return delta.Refs{Tick: uint64(frame) * r.ticks, Base: at(1), Older: [2]delta.Ref{at(2), at(4)}}
}

// keep makes an image a reference of later frames.
func (r *replay[T]) keep(frame int, image *delta.Image) {
	r.last[frame%8].Release()
	r.last[frame%8] = image
}

// record records a match, reads it again, and prints its size next to those of
// the same frames through general compressors. The length of each frame counts in
// none of them.
func record[T any](name string, frames []T, ticks uint64, opts ...delta.Option) {
	codec := delta.MustFor[T](opts...)
	writer, reader := replay[T]{codec: codec, ticks: ticks}, replay[T]{codec: codec, ticks: ticks}
	var whole []byte
	var state T
	size := 0
	for i := range frames {
		image, err := codec.Quantize(&frames[i], nil)
		if err != nil {
			log.Fatal(err)
		}
		data, err := codec.Append(nil, image, writer.refs(i))
		if err != nil {
			log.Fatal(err)
		}
		writer.keep(i, image)
		size += len(data)
		if image, err = codec.Read(data, reader.refs(i), nil); err != nil {
			log.Fatal(err)
		}
		if err := codec.Restore(image, &state); err != nil {
			log.Fatal(err)
		}
		reader.keep(i, image)
		before, err := tagcodec.Marshal(&frames[i])
		if err != nil {
			log.Fatal(err)
		}
		if after, err := tagcodec.Marshal(&state); err != nil || !bytes.Equal(before, after) {
			log.Fatalf("%s: frame %d of the replay differs: %v", name, i, err)
		}
		whole = append(whole, before...)
	}
	fmt.Printf("%-28s%12d%12d%12d%12d%12d%12d\n", name, len(frames), len(whole), gzipped(whole),
		zstandard(whole, zstd.SpeedDefault), zstandard(whole, zstd.SpeedBestCompression), size)
}

// gzipped returns the size of data through gzip at its best.
func gzipped(data []byte) int {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
	return out.Len()
}

// zstandard returns the size of data through zstd, with a window of all of it.
func zstandard(data []byte, level zstd.EncoderLevel) int {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(level), zstd.WithWindowSize(zstd.MaxWindowSize), zstd.WithEncoderConcurrency(1))
	if err == nil {
		_, err = io.Copy(z, bytes.NewReader(data))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
	return out.Len()
}
