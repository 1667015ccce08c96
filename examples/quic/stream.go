package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gobitpack/bitpack/tagcodec"
)

// A stream has no messages, only bytes. Each message on it is preceded by its
// length in two bytes.
const lengthBytes = 2

// writeMessage writes a message to a stream.
func writeMessage[T any](w io.Writer, codec *tagcodec.Codec[T], v *T) error {
	message, err := codec.Append(make([]byte, lengthBytes), v)
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint16(message, uint16(len(message)-lengthBytes))
	_, err = w.Write(message)
	return err
}

// readMessage reads a message from a stream. The buffer of r must be as large as
// the largest message. A peer that claims more than the codec's maximum is
// refused before anything is read for it.
func readMessage[T any](r *bufio.Reader, codec *tagcodec.Codec[T], v *T) error {
	head, err := r.Peek(lengthBytes)
	if err != nil {
		return err
	}
	n := int(binary.LittleEndian.Uint16(head))
	if n > codec.MaxSize() {
		return fmt.Errorf("%w: a length of %d bytes", errMessage, n)
	}
	message, err := r.Peek(lengthBytes + n)
	if err != nil {
		return err
	}
	if err := codec.Unmarshal(message[lengthBytes:], v); err != nil {
		return fmt.Errorf("%w: %w", errMessage, err)
	}
	_, err = r.Discard(lengthBytes + n)
	return err
}
