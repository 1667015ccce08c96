// Collections sends the state of a match lobby: maps, ascending integers,
// integers of any size, text in three forms, and types with their own binary
// form.
package main

import (
	"fmt"
	"io"
	"log"
	"net/netip"
	"os"
	"reflect"
	"time"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The parts of a Lobby. Each is a type of its own so that its size can be
// shown.
type (
	// Scores is a map, sent in key order. Equal maps therefore give equal
	// messages.
	Scores struct {
		Points map[uint8]int `bp:"int,min=0,max=1000,maxlen=31,key.max=31,key.min=0"`
	}
	// Visible is ascending. An id takes 1 bit if it directly follows the
	// previous one.
	Visible struct {
		IDs []uint32 `bp:"relative,maxlen=255"`
	}
	// Bank takes a byte for each 7 bits of a number.
	Bank struct {
		Coins [3]int64 `bp:"varint"`
	}
	// Title is UTF-16 with 32 bits per unit, as other implementations send it.
	Title struct {
		Text string `bp:"wstring,maxlen=15"`
	}
	// Clan is text in a fixed-size array.
	Clan struct {
		Name [8]byte `bp:"cstring"`
	}
	// Server and Started have their own binary forms.
	Server struct {
		Addr netip.AddrPort `bp:"binary,maxlen=18"`
	}
	Started struct {
		At time.Time `bp:"binary,maxlen=15"`
	}
	Lobby struct {
		Scores  Scores
		Visible Visible
		Bank    Bank
		Title   Title
		Clan    Clan
		Server  Server
		Started Started
	}
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	lobby := newLobby()
	packet, err := tagcodec.Marshal(&lobby)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "A LOBBY IN %d BYTES: the parts alone, each filled up to whole bytes\n\n", len(packet))
	v := reflect.ValueOf(lobby)
	for i := range v.NumField() {
		size, err := tagcodec.Size(v.Field(i).Interface())
		if err != nil {
			return err
		}
		part := v.Type().Field(i).Type
		fmt.Fprintf(w, "  %-8s %3d  %-17v %s\n", part.Name(), size, part.Field(0).Type, part.Field(0).Tag.Get("bp"))
	}

	var read Lobby
	if err := tagcodec.Unmarshal(packet, &read); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nREAD BACK\n\n  %v\n  %v\n  %v %q %q\n  %v since %v\n", read.Scores.Points, read.Visible.IDs,
		read.Bank.Coins, read.Title.Text, read.Clan.Name, read.Server.Addr, read.Started.At.UTC().Format(time.DateTime))

	fmt.Fprintf(w, "\nREFUSED: what no honest sender writes\n\n")
	for _, bad := range []struct {
		packet []byte
		v      any
	}{
		{[]byte{0x22, 0x01, 0x10, 0, 0}, new(Scores)}, // 2 entries, with key 1 after key 9
		{[]byte{0xFF}, new(Visible)},                  // a count of 255 but no ids
		{[]byte{0x01, 0x00, 0x00, 0x00}, new(Bank)},   // an unnecessary last group
		{[]byte{0x03, 'a', 0, 'b'}, new(Clan)},        // a zero byte within the text
		{[]byte{0x05, 1, 2, 3, 4, 5}, new(Server)},    // rejected by netip itself
	} {
		fmt.Fprintf(w, "  %v\n", tagcodec.Unmarshal(bad.packet, bad.v))
	}
	return nil
}

func newLobby() Lobby {
	return Lobby{
		Scores:  Scores{map[uint8]int{9: 1000, 3: 250, 30: 0}},
		Visible: Visible{[]uint32{100, 101, 102, 103, 110, 111, 400}},
		Bank:    Bank{[3]int64{-5, 300, 1_000_000}},
		Title:   Title{"Føroyar 🏝"},
		Clan:    Clan{[8]byte{'p', 'u', 'f', 'f', 'i', 'n'}},
		Server:  Server{netip.MustParseAddrPort("203.0.113.9:7777")},
		Started: Started{time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)},
	}
}
