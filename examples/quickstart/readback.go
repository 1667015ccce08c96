package main

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
)

// readBack reads a player's packet and prints the fields that differ from the
// original. Only quantized floats may differ. Marshaling the result must give
// the same bytes.
func readBack(w io.Writer, packet []byte, sent *Player) error {
	var read Player
	if err := players.Unmarshal(packet, &read); err != nil {
		return err
	}
	again, err := players.Append(nil, &read)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, packet) {
		return fmt.Errorf("what was read gives % x, not % x", again, packet)
	}
	before, after := reflect.ValueOf(*sent), reflect.ValueOf(read)
	for i := range before.NumField() {
		a, b := before.Field(i).Interface(), after.Field(i).Interface()
		if !reflect.DeepEqual(a, b) {
			fmt.Fprintf(w, "  %-12s %-22s read as %v\n", before.Type().Field(i).Name, fmt.Sprint(a), b)
		}
	}
	fmt.Fprintln(w, "  All other fields are equal; marshalled again, the bytes are the same.")
	return nil
}
