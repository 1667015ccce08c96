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

  -type T      the type of the packet
  -package P   the package of the type; the default is the current directory
  -json        print JSON: the parts, and the error if there is one
`

// explain takes a packet apart. It finds packets that are refused.
func explain(c *command) (bool, error) {
	typ := c.flags.String("type", "", "")
	from := c.flags.String("package", ".", "")
	asJSON := c.flags.Bool("json", false, "")
	if err := c.parse(1); err != nil {
		return false, err
	}
	if *typ == "" {
		return false, errors.New("explain needs the type of the packet: add -type")
	}
	input := "-"
	if len(c.args) == 1 {
		input = c.args[0]
	}
	packet, err := readPacket(input, c.stdin)
	if err != nil {
		return false, err
	}
	p, err := one([]string{*from})
	if err != nil {
		return false, err
	}
	e, err := p.explain(*typ, packet)
	if err != nil {
		return false, err
	}
	if *asJSON {
		return e.Error == "", printJSON(c.stdout, e)
	}
	_, err = fmt.Fprint(c.stdout, e.Table)
	return e.Error == "", err
}

// readPacket returns the bytes that an argument stands for.
func readPacket(arg string, stdin io.Reader) ([]byte, error) {
	if arg == "-" {
		return io.ReadAll(stdin)
	}
	if packet, err := hex.DecodeString(strings.Join(strings.Fields(arg), "")); err == nil {
		return packet, nil
	}
	packet, err := os.ReadFile(arg)
	if err != nil {
		return nil, fmt.Errorf("%q is neither hexadecimal nor a file: %w", arg, err)
	}
	return packet, nil
}
