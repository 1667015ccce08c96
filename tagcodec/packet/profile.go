package packet

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// Profile finds the most expensive fields: it sums up the bits of each field over
// the packets that a program gives it. It takes each packet apart with
// [tagcodec.Codec.Explain], which takes much longer than encoding it.
// So a program adds a packet now and then, such as one snapshot per second, before
// it sends it or in its handler. A Profile is safe for concurrent use.
//
// A value that serializes itself is one field. So are bytes that a packet carries,
// such as a message of package delta. A profile of the same values in a protocol
// that has their type shows the fields of complete snapshots.
type Profile struct {
	p     *Protocol
	mu    sync.Mutex
	types []profiled
}

// profiled is the profile of a type.
type profiled struct {
	packets, bits int64
	fields        map[string]*FieldStats
}

// FieldStats are the bits of a field in the packets of a [Profile].
type FieldStats struct {
	Type    reflect.Type // of the packets
	Packets int64        // of the type
	// Field is the path of the field without indices and keys, such as
	// "Bodies[].Position[]".
	Field string
	Bits  int64   // in all packets, with those of counts, lengths and padding
	Share float64 // of the bits of the type, from 0 to 1
}

// maxFields is the number of fields of a type that a Profile tells apart. Only
// recursive types have more, which are summed up as otherFields.
const (
	maxFields   = 1000
	otherFields = "(other fields)"
)

// NewProfile returns an empty profile.
func (p *Protocol) NewProfile() *Profile {
	return &Profile{p: p, types: make([]profiled, len(p.types))}
}

// Add adds a packet: a value of one of the protocol's types, a pointer to one, or
// a [Tracked] packet. It fails as [Batch.Add] does if the packet is not valid.
func (f *Profile) Add(v any) error {
	v, _ = untracked(v)
	i, ok := f.p.index[reflect.TypeOf(v)]
	if !ok {
		return &Error{Op: "send", Type: reflect.TypeOf(v), Reason: ErrUnknownType}
	}
	typ := f.p.types[i].Type
	codec := f.p.codecs[i]
	var parts []reference.Part
	data, _, err := appendPacket(nil, codec, 0, 0, v)
	if err == nil {
		_, err = codec.explain(data, 0, func(p reference.Part) { parts = append(parts, p) })
	}
	if err != nil {
		return &Error{Op: "send", Type: typ, Reason: ErrInvalid, Err: err}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	t := &f.types[i]
	if t.fields == nil {
		t.fields = map[string]*FieldStats{}
	}
	t.packets++
	for _, part := range parts {
		field := fieldOf(part.Path, typ)
		if t.fields[field] == nil && len(t.fields) >= maxFields {
			field = otherFields
		}
		if t.fields[field] == nil {
			t.fields[field] = &FieldStats{Type: typ, Field: field}
		}
		t.fields[field].Bits += int64(part.Bits)
		t.bits += int64(part.Bits)
	}
	return nil
}

// fieldOf returns the path of a value without the name of its packet's type, and
// without indices and keys.
func fieldOf(path string, typ reflect.Type) string {
	name := typename.Of(typ)
	path = strings.TrimPrefix(strings.TrimPrefix(path, name), ".")
	if path == "" {
		return name
	}
	var field strings.Builder
	for path != "" {
		from := strings.IndexByte(path, '[') + 1
		if from == 0 {
			break
		}
		field.WriteString(path[:from] + "]")
		path = path[from:]
		if key, err := strconv.QuotedPrefix(path); err == nil {
			path = path[len(key):]
		}
		_, path, _ = strings.Cut(path, "]")
	}
	return field.String() + path
}

// Fields returns the fields, most expensive first.
func (f *Profile) Fields() []FieldStats {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []FieldStats
	for i := range f.types {
		t := &f.types[i]
		for _, field := range t.fields {
			s := *field
			s.Packets, s.Share = t.packets, float64(s.Bits)/float64(t.bits)
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b FieldStats) int {
		return cmp.Or(cmp.Compare(b.Bits, a.Bits), cmp.Compare(a.Field, b.Field), cmp.Compare(typename.Of(a.Type), typename.Of(b.Type)))
	})
	return all
}

// String returns the fields as a table for each type, most expensive first.
func (f *Profile) String() string {
	fields := f.Fields()
	var text strings.Builder
	for _, info := range f.p.types {
		rows := [][]string{{"", "bits per packet", "share"}}
		packets := int64(0)
		for _, s := range fields {
			if s.Type == info.Type {
				packets = s.Packets
				rows = append(rows, []string{s.Field, strconv.FormatFloat(float64(s.Bits)/float64(packets), 'f', 1, 64),
					percent(s.Share)})
			}
		}
		if packets > 0 {
			text.WriteString(typename.Of(info.Type) + ": " + number(packets, "packet") + "\n" + table(rows))
		}
	}
	return text.String()
}
