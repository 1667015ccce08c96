package main

import (
	"errors"
	"fmt"
	"strings"
)

const vetHelp = `
Vet reports the first wrong tag of each tagged type of the packages, with its
place and the fix. The default is the package in the current directory.
` + typesHelp

// noMembers is in the error of a union that bp sees no members of.
const noMembers = "no types are registered for the union"

// vet reports wrong tags.
func vet(c *command) (bool, error) {
	if err := c.parse(-1); err != nil {
		return false, err
	}
	all, err := list(c.args)
	if err != nil {
		return false, err
	}
	ok := true
	for _, p := range all {
		if err := p.parse(); err != nil {
			return false, err
		}
		types := p.messages("")
		if len(types) == 0 {
			continue
		}
		wires, err := p.describe(types)
		if e := (*tagError)(nil); errors.As(err, &e) {
			fmt.Fprintln(c.stdout, e.text)
			ok = false
		} else if err != nil {
			return false, err
		}
		for _, w := range wires {
			switch {
			case strings.Contains(w.Error, noMembers):
				fmt.Fprintf(c.stderr, "bp: %s is not vetted, because a union in it is registered only by the options of a codec\n", w.Type)
			case w.Error != "":
				fmt.Fprintf(c.stdout, "%s: %s: %s\n", p.place(w.Type, w.Path), w.Path, w.Error)
				ok = false
			}
		}
	}
	return ok, nil
}
