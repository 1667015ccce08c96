package delta

import (
	"fmt"
	mathbits "math/bits"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/custom"
)

// script says what a text is, and how it stands in a message. A text is
// everything that has no order: bytes, strings, and the values of types that
// encode themselves.
type script struct {
	code        plan.Code
	width       uint // of the length in a message
	least, most int  // lengths in bytes, or in UTF-16 units for CodeWString
	utf8        bool // UTF-8 without NUL
	typ         reflect.Type
	copier      *custom.Copier // for CodeCustom
	zero        string
	verify      bool // only decoding tells whether it is valid
}

// newScript returns the script of an op.
func newScript(p *plan.Plan, op *plan.Op, copier *custom.Copier) (*script, error) {
	s := &script{copier: copier, code: op.Code, width: uint(op.Bits), least: int(op.Bias), most: int(op.Bias + op.Span), typ: p.Fields[op.Field].Type}
	s.utf8 = op.Flags&plan.FlagText != 0
	switch op.Code {
	case plan.CodeBytes:
		s.least, s.most, s.width = op.Count, op.Count, 0
		s.zero = string(make([]byte, op.Count))
	case plan.CodeCString:
		s.utf8 = true
	case plan.CodeString:
		s.verify = s.least > 0 // an empty text of the base may not be sent
	case plan.CodeWString:
		s.utf8 = true
	case plan.CodeBinary, plan.CodeCustom:
		s.verify = true
	default:
		return nil, fmt.Errorf("package delta does not know ops of code %v", op.Code)
	}
	return s, nil
}

// check refuses a text that may not stand in a message.
func (s *script) check(text string) error {
	n := len(text)
	switch s.code {
	case plan.CodeCustom:
		return nil
	case plan.CodeWString:
		n = bitio.UTF16Len(text)
	}
	switch {
	case n < s.least || n > s.most:
		return core.NewRefusal(ErrLength, n, s.least, s.most)
	case s.utf8 && !bitio.ValidText(text):
		return core.BadText(text)
	}
	return nil
}

// parse returns the text that begins at the reader, which is that of a valid
// message. old is returned if it is equal.
func (s *script) parse(p *parser, old string) string {
	switch s.code {
	case plan.CodeWString:
		r := p.reader()
		text := r.ReadWString(s.most)
		p.bit = r.Bit()
		return reuse(old, []byte(text))
	case plan.CodeCustom:
		r, w := p.reader(), bits.NewAppendWriter(nil)
		if err := s.copier.Copy(w, r, s.typ); err != nil {
			p.fail(err)
		}
		p.bit = r.Bit()
		return reuse(old, w.Bytes())
	}
	n := s.least + int(p.take(s.width))
	p.align()
	start := p.bit / 8
	p.bit += 8 * n
	return reuse(old, p.data[start:start+n])
}

// reuse returns text as a string, and old if that is equal.
func reuse(old string, text []byte) string {
	if old == string(text) {
		return old
	}
	return string(text)
}

// pack writes a text to a message.
func (s *script) pack(w *bits.Writer, text string) {
	switch s.code {
	case plan.CodeWString:
		w.WriteWString(text, s.most)
		return
	case plan.CodeCustom:
		if err := s.copyAll(w, text); err != nil {
			w.Fail(err)
		}
		return
	case plan.CodeBytes:
	default:
		w.WriteCount(len(text), s.least, s.most)
	}
	w.WriteAlign()
	w.WriteBytes([]byte(text))
}

// copyAll writes a value that serializes itself, and whose encoding a text is. It
// refuses what follows the value in the text.
func (s *script) copyAll(w *bits.Writer, text string) error {
	r := bits.NewReader([]byte(text))
	if err := s.copier.Copy(w, r, s.typ); err != nil {
		return err
	}
	switch left := r.Remaining(); {
	case left >= 8:
		return ErrTrailing
	case left > 0 && r.ReadBits(left) != 0:
		return ErrPadding
	}
	return nil
}

// listed says how listed values stand in a message.
type listed struct {
	values  []plan.Value
	huffman *compress.Huffman // or nil: a bit, and an index
	escape  int
}

func newListed(p *plan.Plan, op *plan.Op) *listed {
	if op.Code == plan.CodeHuffman {
		h := &p.Huffmans[op.Aux]
		return &listed{h.Values, h.Code, h.Escape}
	}
	return &listed{values: p.Commons[op.Aux], escape: none}
}

// parse returns the listed value that begins at the parser, or nil if the value
// follows.
func (l *listed) parse(p *parser) *plan.Value {
	if l.huffman != nil {
		symbol, n := l.huffman.Decode(bitio.PeekWord(p.data, p.bit))
		if p.bit += n; symbol == l.escape {
			return nil
		}
		return &l.values[symbol]
	}
	if p.take(1) == 0 {
		return nil
	}
	i := int(p.take(uint(mathbits.Len(uint(len(l.values) - 1)))))
	if len(l.values) == 2 {
		i = 1 - i
	}
	return &l.values[i]
}

// pack writes listed value i, or the escape if i is none. It reports whether
// that is possible.
func (l *listed) pack(w *bits.Writer, i int) bool {
	switch {
	case l.huffman != nil:
		if i == none {
			if i = l.escape; i < 0 {
				return false
			}
		}
		w.WriteBits(l.huffman.Code(i))
	case i == none:
		w.WriteBool(false)
	case len(l.values) == 2:
		w.WriteBool(true)
		w.WriteBool(i == 0)
	default:
		w.WriteBool(true)
		w.WriteUint(uint64(i), 0, uint64(len(l.values)-1))
	}
	return true
}
