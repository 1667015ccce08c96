package tagcodec

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/internal/columns"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// Profile finds the most expensive fields of T, and options that make them
// smaller: it sums up the bits of each field, and counts its values, over the
// messages that a program gives it. It takes each message apart with
// [Codec.Explain], which takes much longer than encoding it, so a program adds a
// message now and then. A Profile is safe for concurrent use.
//
// A value that serializes itself is one field, and so are bytes. A field of a type
// that occurs in several places has a row in [Profile.Fields] for each of them.
type Profile[T any] struct {
	codec *Codec[T]
	counts
}

// counts are what a profile knows of its messages.
type counts struct {
	mu             sync.Mutex
	plan           *plan.Plan
	messages, bits int64
	fields         map[string]*fieldCounts
	listable       map[*plan.Op]*plan.Op // see listableOps
}

// fieldCounts are what a profile knows of a field.
type fieldCounts struct {
	bits   int64
	values *histogram // or nil
}

// FieldStats are the bits and the values of a field in the messages of a
// [Profile].
type FieldStats struct {
	// Field is the path of the field without indices and keys, such as
	// "Bodies[].Position[]".
	Field string
	Bits  int64   // in all messages, with those of counts, lengths and padding
	Share float64 // of the bits of all messages, from 0 to 1

	// Values are the values of the field, most frequent first. They are those of
	// numbers and texts, without relative and complex numbers, bools and the keys
	// of maps. A field has at most 64 of them, and has every value that is more
	// than a 65th of all. Once it has had more, the counts may be too low, by a
	// 65th of all values at most.
	Values []ValueCount
	Others int64 // the number of values that Values does not count

	// Option is the option that would have made the messages smaller, as the tag
	// of the field has it, such as "common=0" or "huffman=0:90|1:7|*:3". It takes
	// the place of such an option that the field has. It lists values that are one
	// in 50 or more frequent. It is empty if no such option saves a tenth of the
	// field, or if there were fewer than 30 values.
	Option string
	Saving float64 // the mean number of bits that Option saves in a message
}

// ValueCount says how often a field had a value.
type ValueCount struct {
	Value string // as a tag has it
	Count int64
}

// maxFields is the number of fields that a profile tells apart. Only recursive
// types have more, which are summed up as otherFields.
const (
	maxFields   = 1000
	otherFields = "(other fields)"
)

// NewProfile returns an empty profile of the codec's messages.
func (c *Codec[T]) NewProfile() *Profile[T] {
	return &Profile[T]{codec: c, counts: counts{plan: c.plan, fields: map[string]*fieldCounts{}, listable: listableOps(c.plan)}}
}

// Add adds the message of *v. It fails with the error that [Codec.Append] would
// return, and then adds nothing.
func (p *Profile[T]) Add(v *T) error {
	data, err := p.codec.Append(nil, v)
	if err != nil {
		return err
	}
	var parts []reference.Part
	var read T
	err = engine.Explain(&p.codec.settings, p.plan, reflect.ValueOf(&read).Elem(), data, func(part reference.Part) {
		parts = append(parts, part)
	})
	if err == nil {
		p.add(parts)
	}
	return err
}

// add adds the parts of a message.
func (c *counts) add(parts []reference.Part) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages++
	for i := range parts {
		part := &parts[i]
		path := fieldOf(part.Path, c.plan.Type)
		if c.fields[path] == nil && len(c.fields) >= maxFields {
			path = otherFields
		}
		field := c.fields[path]
		if field == nil {
			field = new(fieldCounts)
			c.fields[path] = field
		}
		field.bits += int64(part.Bits)
		c.bits += int64(part.Bits)
		if op := c.listable[part.Op]; op != nil && path != otherFields {
			if field.values == nil {
				field.values = &histogram{op: op}
			}
			field.values.add(op, part)
		}
	}
}

// fieldOf returns the path of a value without the name of its message's type, and
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

// Messages returns the number of messages that have been added.
func (p *Profile[T]) Messages() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.messages
}

// Fields returns the fields, most expensive first.
func (p *Profile[T]) Fields() []FieldStats { return p.stats() }

func (c *counts) stats() []FieldStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]FieldStats, 0, len(c.fields))
	for path, field := range c.fields {
		s := FieldStats{Field: path, Bits: field.bits, Share: float64(field.bits) / float64(c.bits)}
		if h := field.values; h != nil {
			s.Values, s.Others = h.counts(), h.others
			option, saved := h.propose()
			s.Option, s.Saving = option, float64(saved)/float64(c.messages)
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b FieldStats) int {
		return cmp.Or(cmp.Compare(b.Bits, a.Bits), strings.Compare(a.Field, b.Field))
	})
	return all
}

// String returns the fields as a table, most expensive first, and the options that
// would save bits. It is empty if there are no messages.
func (p *Profile[T]) String() string { return p.table() }

func (c *counts) table() string {
	fields := c.stats()
	c.mu.Lock()
	messages := c.messages
	c.mu.Unlock()
	if messages == 0 {
		return ""
	}
	rows := [][]string{{"", "bits per message", "share"}}
	var options strings.Builder
	for _, s := range fields {
		rows = append(rows, []string{s.Field, columns.Tenths(float64(s.Bits) / float64(messages)), columns.Percent(s.Share)})
		if s.Option != "" {
			options.WriteString("  " + s.Field + ": " + s.Option + " saves " + columns.Tenths(s.Saving) + " bits per message\n")
		}
	}
	return typename.Of(c.plan.Type) + ": " + columns.Number(messages, "message") + "\n" + columns.Format(rows) + options.String()
}
