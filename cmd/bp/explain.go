package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const explainHelp = `
Explain shows what each bit of a packet means: its offset, the number of bits,
the bits as a number, lowest first, the field and its value. A bad packet is shown
up to where it is refused, with the reason, and bp exits with 1.

The packet is hexadecimal, in quotes if it has spaces, or the name of a file with
its bytes, or - for standard input. It is the message of one type, without what a
session adds to it.

The package is that of the type. The default is the one in the current directory.
One argument alone is the packet. Without arguments it is read from the standard
input.

  -type T   the type of the packet
  -json     print JSON: the parts, and the error if there is one
`

// explain takes a packet apart. It finds packets that are refused.
func explain(c *command) (bool, error) {
	typ := c.flags.String("type", "", "")
	asJSON := c.flags.Bool("json", false, "")
	if err := c.parse(2); err != nil {
		return false, err
	}
	if *typ == "" {
		return false, errors.New("explain needs the type of the packet: add -type")
	}
	t, err := parseType(*typ)
	if err != nil {
		return false, fmt.Errorf("-type %w", err)
	}
	from, input := c.args, "-"
	if n := len(c.args); n > 0 {
		from, input = c.args[:n-1], c.args[n-1]
	}
	packet, err := readPacket(input, c.stdin)
	if err != nil {
		return false, err
	}
	p, err := one(from)
	if err != nil {
		return false, err
	}
	e, err := p.explain(p.resolved(t.text), packet)
	if err != nil {
		return false, err
	}
	if *asJSON {
		return e.Error == "", printJSON(c.stdout, e)
	}
	_, err = fmt.Fprint(c.stdout, e.Table)
	return e.Error == "", err
}

// maxInput is the largest number of bytes of a packet or a lock.
const maxInput = 16 << 20

// readAll reads what must be no larger than maxInput. A device may have no end.
func readAll(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("%s has more than %d bytes, which bp does not read: is it the right file?", name, maxInput)
	}
	return data, err
}

// readPacket returns the bytes that an argument stands for.
func readPacket(arg string, stdin io.Reader) ([]byte, error) {
	if arg == "-" {
		return readAll(stdin, "the standard input")
	}
	if packet, err := hex.DecodeString(strings.Join(strings.Fields(arg), "")); err == nil {
		return packet, nil
	}
	file, err := os.Open(arg)
	if err != nil {
		return nil, fmt.Errorf("%q is neither hexadecimal nor a file: %w", arg, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%q is a directory: the packet comes after the package, or - for the standard input", arg)
	}
	return readAll(file, arg)
}
