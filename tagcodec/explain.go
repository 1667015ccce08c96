package tagcodec

import (
	"fmt"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// Part is consecutive bits of a message.
type Part struct {
	Bit  int // the first, from the start of the message
	Bits int // their number, at least 1

	// Path names the field, as in an [Error].
	Path string

	// What says what the bits are if they are not a value: "count", "not nil",
	// "padding" and so on. It is for people, and may be reworded.
	What string

	// Value is the value of the field, the count, length or index, or nil.
	Value any

	// Code has the bits, lowest first, or the first 64 of them.
	Code uint64
}

// Explanation is what [Codec.Explain] returns.
type Explanation struct {
	// Parts are the parts of the message in order. Without an error they have
	// all of its bits. Otherwise the last part may end before a refused value, or
	// have the bits of a value that was refused only after it.
	Parts []Part

	// Err is the error of Unmarshal, or nil.
	Err error
}

// Explain takes a message apart: it returns its bits, and what they mean, up to
// the end of the message or to where Unmarshal would refuse it. Values that
// serialize themselves are one part each. Links are shown by their id, and
// resolved to no object.
//
// Explain is for people who look into a wire. It takes much more time than
// Unmarshal, and memory for each part, but not more than the message has bits
// for.
func (c *Codec[T]) Explain(data []byte) *Explanation {
	var e Explanation
	var v T
	e.Err = engine.Explain(&c.settings, c.plan, reflect.ValueOf(&v).Elem(), data, func(p reference.Part) {
		code := bitio.PeekWord(data, p.Bit)
		if p.Bits < 64 {
			code &= 1<<p.Bits - 1
		}
		e.Parts = append(e.Parts, Part{p.Bit, p.Bits, p.Path, p.What, p.Value, code})
	})
	return &e
}

// String returns the explanation as a table with a line for each part, and then
// the error.
func (e *Explanation) String() string {
	var s strings.Builder
	t := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "bit\tbits\tcode\tfield\tvalue")
	for _, p := range e.Parts {
		value := p.What
		if p.Value != nil {
			value = strings.TrimSpace(value + " " + shownValue(p.Value))
		}
		more := ""
		if p.Bits > 64 {
			more = "..."
		}
		fmt.Fprintf(t, "%d\t%d\t%#x%s\t%s\t%s\n", p.Bit, p.Bits, p.Code, more, p.Path, value)
	}
	t.Flush()
	if e.Err != nil {
		fmt.Fprintln(&s, e.Err)
	}
	return s.String()
}

// shownValue formats a value in at most shownBytes bytes or so.
func shownValue(v any) string {
	const shownBytes = 60
	text := fmt.Sprintf("%v", v)
	if r := reflect.ValueOf(v); r.Kind() == reflect.String {
		text = fmt.Sprintf("%.*q", shownBytes, r.String())
	}
	if len(text) > shownBytes {
		text = strings.ToValidUTF8(text[:shownBytes], "") + "..."
	}
	return text
}
