package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

const planHelp = `
Plan shows the wire of each message type of a package: the bit where each field
starts, if it is the same in every message, its bits, and its encoding. The
fields of a struct in several lists are shown once. Below are the most bytes
that a bit of a message makes Unmarshal allocate, and the hash. The default is the
package in the current directory.

  -type A,B   the types to show
  -json       print JSON: type, rule, plan, hash, minBits, maxBits and
              bytesPerBit (-1 if there is no limit), all rows, and the lines of
              the wire's text; or the error
  -svg        print a drawing: a line for each field, with its bits to scale. A
              solid bar is the field's smallest size, and a hatched bar is what it
              may take beyond that. A bar that is cut has a break mark.
` + typesHelp

// showPlans prints the plans of types. It finds types without a plan.
func showPlans(c *command) (bool, error) {
	names := c.flags.String("type", "", "")
	asJSON := c.flags.Bool("json", false, "")
	asSVG := c.flags.Bool("svg", false, "")
	if err := c.parse(1); err != nil {
		return false, err
	}
	if *asJSON && *asSVG {
		return false, errors.New("-json and -svg are two forms of the result: remove one")
	}
	p, err := one(c.args)
	if err != nil {
		return false, err
	}
	types, err := p.chosen(*names)
	if err != nil {
		return false, err
	}
	all, err := p.describe(types)
	if err != nil {
		return false, err
	}
	ok := true
	for _, w := range all {
		ok = ok && w.Error == nil
	}
	if *asJSON {
		return ok, printJSON(c.stdout, all)
	}
	if *asSVG {
		all = slices.DeleteFunc(all, func(w wire) bool {
			if w.Error != nil {
				r := p.wrong(&w)
				fmt.Fprintf(c.stderr, "%v: %s\n", r.at, r.text)
			}
			return w.Error != nil
		})
		if len(all) > 0 {
			drawSVG(c.stdout, all)
		}
		return ok, nil
	}
	for i, w := range all {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		if w.Error != nil {
			reports{p.wrong(&w)}.print(c)
			continue
		}
		heading, table, _ := strings.Cut(w.Plan, "\n")
		fmt.Fprintf(c.stdout, "%s\n%s", c.paint(bold, heading), table)
		switch w.BytesPerBit {
		case 0:
		case -1:
			fmt.Fprintln(c.stdout, "reading allocates memory that no bits pay for")
		default:
			fmt.Fprintf(c.stdout, "reading a bit allocates at most %d bytes\n", w.BytesPerBit)
		}
		fmt.Fprintf(c.stdout, "hash %s; %s\n", w.Hash, w.Rule)
	}
	return ok, nil
}
