package tagcodec

import (
	"cmp"
	"fmt"
	"math"
	mathbits "math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// histogram counts the values of a field in bounded memory, by the algorithm of
// Misra and Gries: a new value for which there is no room lowers the count of each
// other value by one. So a value that is more than one in maxCounted+1 has a
// count, and no count is too high.
type histogram struct {
	op         *plan.Op // codes a value in full
	values     map[string]counted
	n, others  int64 // all values, and those without a count
	othersBits int64 // the others in full
	sent       int64 // the bits of all values as they were sent
	pending    int   // bits of a length and its padding, before their text
	unknown    bool  // the bits of a value in full are not known, or two ops have values
}

// counted is a value of a histogram.
type counted struct {
	n    int64
	bits int // in full
}

const (
	maxCounted     = 64 // values of a histogram
	maxCountedText = 64 // bytes of a text that has a count
	leastValues    = 30 // that a proposal needs
	maxProposed    = 15 // values of a proposal
	rarest         = 50 // a proposal has values that are at least one in so many
	weightSum      = 1000
)

// listableOps maps the ops whose values common or huffman may list to the op that
// codes a value in full. An op that lists values already is one of them.
func listableOps(p *plan.Plan) map[*plan.Op]*plan.Op {
	listable := map[*plan.Op]*plan.Op{}
	for i := range p.Ops {
		op := &p.Ops[i]
		if op.Code.Ends() {
			continue
		}
		t := p.Fields[op.Field].Type
		for op.Code.Scalar() && t.Kind() == reflect.Array {
			t = t.Elem()
		}
		switch {
		case op.Code == plan.CodeCommon, op.Code == plan.CodeHuffman:
			listable[op] = &p.Ops[op.End-1]
		case op.Code.Scalar():
			if op.Code != plan.CodeBool && op.Code != plan.CodeRelative && t.Kind() != reflect.Complex64 && t.Kind() != reflect.Complex128 {
				listable[op] = op
			}
		case (op.Code == plan.CodeString || op.Code == plan.CodeWString) && t.Kind() == reflect.String:
			listable[op] = op
		}
	}
	remove := func(i, end int) {
		for ; i < end; i++ {
			delete(listable, &p.Ops[i])
		}
	}
	for i := range p.Ops {
		switch op := &p.Ops[i]; op.Code {
		case plan.CodeRunLength, plan.CodeScale, plan.CodeMatrix:
			remove(i, int(op.End))
		case plan.CodeMap: // the tag gives the options of keys a prefix
			for k := i + 1; !p.Closes(k, -1) && p.Fields[p.Ops[k].Field].EntryPath() == "key"; k = p.After(k) {
				remove(k, p.After(k))
			}
		}
	}
	for i := 0; i < len(p.Ops); i = p.After(i) { // values that are not fields have no tags
		if op := &p.Ops[i]; !op.Code.Ends() && p.Fields[op.Field].Path == "" {
			remove(i, p.After(i))
		}
	}
	return listable
}

// add adds a part of an op whose values op codes in full.
func (h *histogram) add(op *plan.Op, part *reference.Part) {
	h.sent += int64(part.Bits)
	h.unknown = h.unknown || h.op != op
	full := part.Bits
	switch {
	case part.What == "listed":
		full = int(op.Bits)
		if text, ok := part.Value.(string); ok {
			full += 8 * len(text)
		}
		h.unknown = h.unknown || op.Code != plan.CodeString && !op.Code.Single()
	case part.What == "length" && part.Value != 0:
		h.pending = part.Bits
		return
	case part.What == "length":
		part.Value = ""
	case part.What == "padding" && h.pending > 0:
		h.pending += part.Bits
		return
	case part.What == "padding": // after the length of an empty text
		h.othersBits += int64(part.Bits)
		return
	case part.What != "":
		return
	default:
		full += h.pending
		h.pending = 0
	}
	h.n++
	text, ok := optionText(part.Value)
	v, known := h.values[text]
	switch {
	case known, ok && len(h.values) < maxCounted:
		if h.values == nil {
			h.values = map[string]counted{}
		}
		h.values[text] = counted{v.n + 1, full}
		return
	case ok:
		for text, v := range h.values {
			if v.n--; v.n == 0 {
				delete(h.values, text)
			} else {
				h.values[text] = v
			}
			h.others++
			h.othersBits += int64(v.bits)
		}
	}
	h.others++
	h.othersBits += int64(full)
}

// optionText returns a value as the options common and huffman have it. ok is false
// if they cannot have it, or if it is too long to have a count.
func optionText(v any) (text string, ok bool) {
	r := reflect.ValueOf(v)
	switch k := r.Kind(); {
	case k >= reflect.Int && k <= reflect.Int64:
		return strconv.FormatInt(r.Int(), 10), true
	case k >= reflect.Uint && k <= reflect.Uintptr:
		return strconv.FormatUint(r.Uint(), 10), true
	case k == reflect.Float32 || k == reflect.Float64:
		return strconv.FormatFloat(r.Float(), 'g', -1, r.Type().Bits()), !math.IsNaN(r.Float())
	case k == reflect.String:
		text = r.String()
		special := func(c rune) bool {
			return c != ' ' && (!unicode.IsGraphic(c) || strings.ContainsRune("*,|:`\"\\\uFFFD", c))
		}
		return text, text != "" && len(text) <= maxCountedText && text == strings.TrimSpace(text) && !strings.ContainsFunc(text, special)
	case k == reflect.Struct:
		return fmt.Sprint(v), true
	}
	return "", false
}

// counts returns the values, most frequent first.
func (h *histogram) counts() []ValueCount {
	all := make([]ValueCount, 0, len(h.values))
	for text, v := range h.values {
		all = append(all, ValueCount{text, v.n})
	}
	slices.SortFunc(all, func(a, b ValueCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return all
}

// propose returns the option that would have saved most bits, and how many. A
// Huffman code must save a tenth of the field more than common, which is simpler.
func (h *histogram) propose() (option string, saved int64) {
	if h.n < leastValues || h.unknown {
		return "", 0
	}
	values, k := h.counts(), 0
	for k < min(len(values), maxProposed) && values[k].Count*rarest >= h.n {
		k++
	}
	option, bits := h.common(values, k)
	if huffman, n := h.huffman(values, k); n < bits-h.sent/10 {
		option, bits = huffman, n
	}
	if saved = h.sent - bits; saved == 0 || saved < h.sent/10 {
		return "", 0
	}
	return option, saved
}

// common returns the best option common for at most the first most of all values,
// and the bits of all with it.
func (h *histogram) common(values []ValueCount, most int) (option string, bits int64) {
	bits, best := h.sent, 0
	listed := int64(0)
	for i := range most {
		listed += values[i].Count
		if n := h.n + listed*int64(mathbits.Len(uint(i))) + h.inFull(values[i+1:]); n < bits {
			bits, best = n, i+1
		}
	}
	var list []string
	for _, v := range values[:best] {
		list = append(list, v.Value)
	}
	return "common=" + strings.Join(list, "|"), bits
}

// huffman returns the best option huffman for at most the first most of all values,
// and the bits of all with it. It has an escape, because a value may come that has
// not been seen.
func (h *histogram) huffman(values []ValueCount, most int) (option string, bits int64) {
	bits = h.sent
	for k := 1; k <= most; k++ {
		left := h.n
		var weights []uint64
		var list []string
		for _, v := range values[:k] {
			weights = append(weights, h.weight(v.Count))
			list = append(list, v.Value)
			left -= v.Count
		}
		weights, list = append(weights, h.weight(left)), append(list, "*")
		code, err := compress.NewHuffman(weights)
		if err != nil {
			continue
		}
		n := h.inFull(values[k:])
		for i, w := range weights {
			count := left
			if i < k {
				count = values[i].Count
			}
			_, length := code.Code(i)
			n += count * int64(length)
			list[i] += ":" + strconv.FormatUint(w, 10)
		}
		if n < bits {
			option, bits = "huffman="+strings.Join(list, "|"), n
		}
	}
	return option, bits
}

// weight returns the weight of n of the values. The weights of a tag have a sum of
// about weightSum at most.
func (h *histogram) weight(n int64) uint64 {
	if h.n > weightSum {
		n = int64(math.Round(float64(n) / float64(h.n) * weightSum))
	}
	return uint64(max(1, n))
}

// inFull returns the bits in full of some of the values, and of those without a
// count.
func (h *histogram) inFull(values []ValueCount) int64 {
	bits := h.othersBits
	for _, v := range values {
		bits += v.Count * int64(h.values[v.Value].bits)
	}
	return bits
}
