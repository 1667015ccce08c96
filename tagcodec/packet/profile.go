package packet

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Profile finds the most expensive fields, and options that make them smaller: it
// has a [tagcodec.Profile] for each type of the packets that a program gives it. It
// takes each packet apart, which takes much longer than encoding it.
// So a program adds a packet now and then, such as one snapshot per second, before
// it sends it or in its handler. A Profile is safe for concurrent use.
//
// A value that serializes itself is one field. So are bytes that a packet carries,
// such as a message of package delta. A profile of the same values in a protocol
// that has their type shows the fields of complete snapshots.
type Profile struct {
	p     *Protocol
	types []profile
}

// profile is a tagcodec.Profile with its type parameter erased.
type profile interface {
	add(v any) error // v is a T or a *T
	Messages() int64
	Fields() []tagcodec.FieldStats
	String() string
}

type typedProfile[T any] struct{ *tagcodec.Profile[T] }

func (t typedProfile[T]) add(v any) error {
	if p, ok := v.(*T); ok {
		return t.Add(p)
	}
	value := v.(T)
	return t.Add(&value)
}

func (t *typed[T]) profile() profile { return typedProfile[T]{t.codec.NewProfile()} }

// FieldStats are the bits and the values of a field in the packets of a [Profile].
type FieldStats struct {
	Type    reflect.Type // of the packets
	Packets int64        // of the type
	tagcodec.FieldStats
}

// NewProfile returns an empty profile.
func (p *Protocol) NewProfile() *Profile {
	f := &Profile{p: p}
	for _, c := range p.codecs {
		f.types = append(f.types, c.profile())
	}
	return f
}

// Add adds a packet: a value of one of the protocol's types, a pointer to one, or
// a [Tracked] packet. It fails as [Batch.Add] does if the packet is not valid.
func (f *Profile) Add(v any) error {
	v, _ = untracked(v)
	i, ok := f.p.index[reflect.TypeOf(v)]
	if !ok {
		return &Error{Op: "send", Type: reflect.TypeOf(v), Reason: ErrUnknownType}
	}
	if err := f.types[i].add(v); err != nil {
		return &Error{Op: "send", Type: f.p.types[i].Type, Reason: ErrInvalid, Err: err}
	}
	return nil
}

// Fields returns the fields, most expensive first.
func (f *Profile) Fields() []FieldStats {
	var all []FieldStats
	for i, t := range f.types {
		for _, s := range t.Fields() {
			all = append(all, FieldStats{f.p.types[i].Type, t.Messages(), s})
		}
	}
	slices.SortFunc(all, func(a, b FieldStats) int {
		return cmp.Or(cmp.Compare(b.Bits, a.Bits), cmp.Compare(a.Field, b.Field), cmp.Compare(typename.Of(a.Type), typename.Of(b.Type)))
	})
	return all
}

// String returns the fields as a table for each type, most expensive first, and
// the options that would save bits.
func (f *Profile) String() string {
	var text strings.Builder
	for _, t := range f.types {
		text.WriteString(t.String())
	}
	return text.String()
}
