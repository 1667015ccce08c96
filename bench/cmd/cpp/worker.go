package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gobitpack/bitpack/bench/values"
	"github.com/gobitpack/bitpack/bench/values/generated"
	"github.com/gobitpack/bitpack/tagcodec"
)

// messages are the kept messages of one name.
type messages interface {
	// load reads a message, keeps it, and writes it again.
	load(data []byte) ([]byte, error)
	// write and read write and read all kept messages.
	write(times int) error
	read(times int) error
}

// kept are the messages of a type. Their values are those of the messages, so
// floats are quantized.
type kept[T any] struct {
	codec  *tagcodec.Codec[T]
	values []T
	data   [][]byte
	into   T
	buf    []byte
}

func keep[T any]() messages {
	codec := tagcodec.MustFor[T]()
	return &kept[T]{codec: codec, buf: make([]byte, 0, codec.MaxSize()+8)}
}

func (k *kept[T]) load(data []byte) ([]byte, error) {
	var v T
	if err := k.codec.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	k.values, k.data = append(k.values, v), append(k.data, bytes.Clone(data))
	// What is written is read over the value of the message before.
	if err := k.codec.Unmarshal(data, &k.into); err != nil {
		return nil, err
	}
	return k.codec.Append(nil, &k.into)
}

func (k *kept[T]) write(times int) error {
	for range times {
		for i := range k.values {
			if _, err := k.codec.Append(k.buf, &k.values[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *kept[T]) read(times int) error {
	for range times {
		for _, data := range k.data {
			if err := k.codec.Unmarshal(data, &k.into); err != nil {
				return err
			}
		}
	}
	return nil
}

// serve obeys the commands of side.cpp with types that have generated code or
// have none.
func serve(in io.Reader, out io.Writer, withCode bool) error {
	all := map[string]messages{
		"packet": keep[values.Packet](), "real": keep[values.RealPacket](), "ship": keep[values.ShipCreate](),
	}
	if withCode {
		all = map[string]messages{
			"packet": keep[generated.Packet](), "real": keep[generated.RealPacket](), "ship": keep[generated.ShipCreate](),
		}
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) != 3 || all[words[1]] == nil {
			return fmt.Errorf("command %q", lines.Text())
		}
		answer, err := obey(all[words[1]], words[0], words[2])
		if err != nil {
			answer = err.Error()
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
	return nil
}

func obey(m messages, command, argument string) (string, error) {
	if command == "load" {
		data, err := hex.DecodeString(argument)
		if err != nil {
			return "", err
		}
		again, err := m.load(data)
		return hex.EncodeToString(again), err
	}
	times, err := strconv.Atoi(argument)
	if err != nil {
		return "", err
	}
	loop := m.read
	if command == "write" {
		loop = m.write
	}
	start := time.Now()
	err = loop(times)
	return strconv.FormatInt(time.Since(start).Nanoseconds(), 10), err
}
