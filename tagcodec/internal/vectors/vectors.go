// Package vectors loads conformance vectors of the wire format "serialize
// 1.0": messages with their bytes, bytes that a reader must refuse, bytes that
// it must accept although no writer makes them, and game messages.
//
// The full set is in the folder of package shared, with a description of its
// format. A small set of the same format is part of the module.
package vectors

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/shared"
)

// Set is the content of messages.json and structs.json.
type Set struct {
	Shared   bool // whether this is the full set
	Messages []Message
	Rejects  []Reject
	Accepts  []Accept
	Structs  []Struct
}

// Message is a list of values and their encoding. Writing Ops must give Bytes.
// Reading Bytes must give the values, and reading a shorter prefix must fail.
type Message struct {
	Name        string
	Ops         []Op
	Bits        int // the exact size
	MeasureBits int // the size according to a measurer that counts 7 bits for each align
	Bytes       []byte
}

// Reject is a message that a reader must refuse at one op, and not before it.
type Reject struct {
	Name   string
	Reason string // OutOfRange or one of the constants after it
	FailOp int    // the index in Ops of the op that fails
	Ops    []Op   // the ops after FailOp are not reached, and may lack values
	Bytes  []byte
}

// Sentinel returns the error with which a reader refuses the message for its
// reason, or nil for an unknown reason.
func (r *Reject) Sentinel() error {
	failing := r.Ops[r.FailOp]
	switch r.Reason {
	case NonzeroPadding:
		return bits.ErrPadding
	case Overread:
		return bits.ErrOverread
	case BadUTF8, InteriorNUL, UnpairedSurrogate:
		return bits.ErrText
	case OutOfRange, RelativeNotIncreasing:
		switch {
		case failing.Kind == "string", failing.Kind == "wstring" && strings.HasPrefix(failing.Note, "length"):
			return bits.ErrLength
		case failing.Kind == "wstring": // a unit above 0xFFFF
			return bits.ErrText
		}
		return bits.ErrRange
	}
	return nil
}

// Accept is a message that a reader must accept, although writing its values
// gives different bytes.
type Accept struct {
	Name   string
	Reason string // TrailingBits or one of the constants after it
	Ops    []Op
	Bits   int // the exact size; Bytes may be longer
	Bytes  []byte
}

// The reasons of a [Reject].
const (
	OutOfRange            = "out_of_range"
	NonzeroPadding        = "nonzero_padding"
	Overread              = "overread"
	BadUTF8               = "bad_utf8"
	InteriorNUL           = "interior_nul"
	RelativeNotIncreasing = "relative_not_increasing"
	UnpairedSurrogate     = "unpaired_surrogate"
)

// The reasons of an [Accept].
const (
	TrailingBits       = "trailing_bits"
	TrailingBytes      = "trailing_bytes"
	RelativeNonMinimal = "relative_non_minimal"
)

// Struct is the layout of a game message, with instances of the message.
type Struct struct {
	Name      string
	Layout    []string // the fields in wire order, one per string
	Instances []Instance
}

// Instance is a game message with its encoding. [Value.Fill] copies Fields to a
// Go struct.
type Instance struct {
	Fields      Value
	Bits        int
	MeasureBits int
	Bytes       []byte
}

// Struct returns the game message of the given name.
func (s *Set) Struct(tb testing.TB, name string) *Struct {
	tb.Helper()
	i := slices.IndexFunc(s.Structs, func(st Struct) bool { return st.Name == name })
	if i < 0 {
		tb.Fatalf("vectors: there is no struct %s", name)
	}
	return &s.Structs[i]
}

// Each runs f as subtests for the small set and for the full set, if that is at
// hand. They fail if a file is malformed.
func Each(t *testing.T, f func(*testing.T, *Set)) {
	t.Run("small", func(t *testing.T) { f(t, Small(t)) })
	t.Run("shared", func(t *testing.T) {
		dir := shared.Path("vectors")
		if dir == "" {
			t.Skipf("%s is not set", shared.Variable)
		}
		s := load(t, dir)
		s.Shared = true
		f(t, s)
	})
}

// Small returns the small set. It has every op, every reason and some of the
// structs.
func Small(tb testing.TB) *Set {
	tb.Helper()
	return load(tb, filepath.Join(moduleRoot(tb), "tagcodec", "testdata", "vectors"))
}

// moduleRoot returns the directory of go.mod, which is above the working directory
// of a test.
func moduleRoot(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			tb.Fatal("vectors: no go.mod above the working directory")
		}
		dir = parent
	}
}

func load(tb testing.TB, dir string) *Set {
	tb.Helper()
	defer func() {
		if bad, ok := recover().(string); ok {
			tb.Fatal(bad)
		}
	}()
	s := new(Set)
	messages := parse(tb, filepath.Join(dir, "messages.json"))
	for _, v := range messages.Get("vectors").List() {
		m := Message{Name: v.Get("name").String(), Ops: ops(v), Bits: v.Get("bits").Int(),
			MeasureBits: v.Get("measure_bits").Int(), Bytes: v.Get("bytes_hex").Hex()}
		if len(m.Bytes) != (m.Bits+7)/8 {
			v.bad("a message of as many bytes as its bits take")
		}
		s.Messages = append(s.Messages, m)
	}
	for _, v := range messages.Get("rejects").List() {
		r := Reject{Name: v.Get("name").String(), Reason: v.Get("reason").String(),
			FailOp: v.Get("fail_op").Int(), Ops: ops(v), Bytes: v.Get("bytes_hex").Hex()}
		if r.FailOp < 0 || r.FailOp >= len(r.Ops) {
			v.bad("a reject at one of its ops")
		}
		s.Rejects = append(s.Rejects, r)
	}
	for _, v := range messages.Get("accepts").List() {
		a := Accept{Name: v.Get("name").String(), Reason: v.Get("reason").String(),
			Ops: ops(v), Bits: v.Get("bits").Int(), Bytes: v.Get("bytes_hex").Hex()}
		if len(a.Bytes) < (a.Bits+7)/8 {
			v.bad("an accept that has its bits")
		}
		s.Accepts = append(s.Accepts, a)
	}
	for _, v := range parse(tb, filepath.Join(dir, "structs.json")).Get("structs").List() {
		st := Struct{Name: v.Get("struct").String()}
		for _, line := range v.Get("layout").List() {
			st.Layout = append(st.Layout, line.String())
		}
		for _, in := range v.Get("instances").List() {
			in.path += " " + st.Name
			st.Instances = append(st.Instances, Instance{Fields: in.Get("fields"), Bits: in.Get("bits").Int(),
				MeasureBits: in.Get("measure_bits").Int(), Bytes: in.Get("bytes_hex").Hex()})
		}
		s.Structs = append(s.Structs, st)
	}
	return s
}

func ops(v Value) []Op {
	list := v.Get("ops").List()
	ops := make([]Op, len(list))
	for i := range list {
		ops[i] = newOp(list[i])
	}
	return ops
}

func parse(tb testing.TB, file string) Value {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	v := Value{path: filepath.Base(file)}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // the integers may be too large for a float64
	if err := d.Decode(&v.v); err != nil {
		tb.Fatalf("%s: %v", v.path, err)
	}
	return v
}
