package typecache

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fatih/structtag"
)

// The vocabulary of tags.
var (
	kinds = []string{
		"int", "uint", "enum", "fixed", "varint", "relative",
		"float", "half", "angle",
		"string", "wstring", "bytes", "cstring", "binary",
		"align", "reserved", "const", "check",
		"quat", "unit", "affine", "union", "link",
	}
	optionNames = []string{
		"min", "max", "res", "bits", "frac", "unit", "value",
		"base", "to", "chain", "minlen", "maxlen", "if",
		"optional", "common", "huffman", "subset", "by", "mode",
		"pred", "key", "step",
	}
	// goTypes are Go types that a user may mistake for kinds.
	goTypes = []string{
		"bool", "int8", "int16", "int32", "int64", "uint8", "byte", "uint16", "uint32", "uint64", "rune",
		"float32", "float64", "complex64", "complex128",
	}
	structurals = []string{"align", "reserved", "const", "check"} // the kinds of struct{} fields
	prefixes    = []string{"key.", "elem."}
	// synonyms maps names that a user may mistake for options to the right options.
	synonyms = map[string]string{"len": "maxlen", "length": "maxlen", "size": "maxlen"}
)

var isKind, isOption = setOf(kinds), setOf(optionNames)

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

// options is a parsed tag. Each step of planning removes the options that it
// uses. An option that is left at the end does not apply, and is an error.
type options struct {
	kind string // "" if the Go type decides
	list []option
}

// option is an option of a tag. Its value is empty if it takes none.
type option struct{ name, value string }

// parseTag parses the bp tag of a field. If there is none, ok is false. text is
// the value of the tag.
func parseTag(tag reflect.StructTag) (o options, text string, ok bool, err error) {
	if !strings.ContainsAny(string(tag), "bB") || !strings.ContainsAny(string(tag), "pP") {
		return o, "", false, nil
	}
	tags, err := structtag.Parse(string(tag))
	if err != nil && !mentionsTag(string(tag)) || tags == nil && err == nil {
		return o, "", false, nil
	}
	if err != nil {
		return o, "", false, fmt.Errorf("%w in `%s`: write it as `bp:\"int,min=0,max=32\"`", err, tag)
	}
	var bp *structtag.Tag
	for _, t := range tags.Tags() {
		switch {
		case t.Key == "bp" && bp != nil:
			return o, "", false, fmt.Errorf("there are two bp tags: join them into one, separated by commas")
		case t.Key == "bp":
			bp = t
		case !strings.EqualFold(t.Key, "bp") && mentionsTag(t.Key): // as in `json:"x",bp:"y"`
			return o, "", false, fmt.Errorf("the key %q in `%s` is not bp: separate tags by spaces alone", t.Key, tag)
		}
	}
	if bp == nil {
		for _, t := range tags.Tags() {
			if err := nearMiss(t); err != nil {
				return o, "", false, err
			}
		}
		return o, "", false, nil
	}
	if !separated(string(tag)) {
		return o, "", false, fmt.Errorf("there is no space between two tags in `%s`: separate them by one", tag)
	}
	o, err = parseOptions(bp.Name, bp.Options)
	return o, tag.Get("bp"), true, err
}

// parseOptions parses the comma-separated parts of a bp tag. The first part is
// the kind or, if the kind is left out, an option.
func parseOptions(first string, rest []string) (o options, err error) {
	name, _, set := strings.Cut(first, "=")
	switch {
	case set || isOption[name] && !isKind[name]:
		rest = append([]string{first}, rest...)
	case first != "" && first != "-" && !isKind[first]:
		if slices.Contains(goTypes, first) {
			return o, fmt.Errorf("kind %q is not known: leave it out, the field's Go type says it", first)
		}
		return o, fmt.Errorf("kind %q is not known%s", first, suggest("", first, kinds, optionNames))
	default:
		o.kind = first
	}
	o.list = make([]option, 0, len(rest))
	for _, part := range rest {
		name, value, set := strings.Cut(part, "=")
		switch {
		case part == "":
			return o, fmt.Errorf("there is nothing between two commas, or after the last: remove one")
		case !isKind[name] || set && isOption[name]:
		case o.kind != "":
			return o, fmt.Errorf("%s and %s are both kinds: keep one", o.kind, name)
		default:
			return o, fmt.Errorf("%q is a kind and must come first: `bp:\"%s,...\"`", name, name)
		}
		base := name
		for cut := true; cut; {
			base, cut = cutPrefix(base)
		}
		if !isOption[base] && (base != "kind" || base == name) {
			return o, notKnown(name, base, value)
		}
		if slices.ContainsFunc(o.list, func(p option) bool { return p.name == name }) {
			return o, fmt.Errorf("option %q is given twice: keep one", name)
		}
		if flag := base == "chain" || base == "optional" || base == "key"; flag == set || set && value == "" {
			if flag {
				return o, fmt.Errorf("option %q takes no value: write it alone", name)
			}
			return o, fmt.Errorf("option %q needs a value: write it after %s=", name, name)
		}
		o.list = append(o.list, option{name, value})
	}
	return o, nil
}

// notKnown returns the error for an option that does not exist. base is its name
// without the prefixes.
func notKnown(name, base, value string) error {
	if name == "kind" {
		return fmt.Errorf("the kind comes first and by itself, while kind= is for elem. and key.: `bp:\"%s,...\"`", value)
	}
	if before, _, ok := strings.Cut(base, "."); ok {
		return fmt.Errorf("the prefix %q of option %q is not known: it is elem. for elements and the values of a map, and key. for its keys", before+".", name)
	}
	return fmt.Errorf("option %q is not known%s", name, suggest(strings.TrimSuffix(name, base), base, optionNames))
}

// cutPrefix removes a prefix such as "elem." from an option's name, if it has
// one.
func cutPrefix(name string) (string, bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(name, p); ok {
			return rest, true
		}
	}
	return name, false
}

// suggest returns the end of an error text about an unknown word. It proposes
// prefix followed by the most similar known word. If none is similar, it names
// all words of the first list.
func suggest(prefix, wrong string, lists ...[]string) string {
	best, dist := synonyms[strings.ToLower(wrong)], 3
	if best != "" {
		dist = 0
	}
	for _, list := range lists {
		for _, word := range list {
			if d := editDistance(strings.ToLower(wrong), strings.ToLower(word)); d < dist && d < len(word) {
				best, dist = word, d
			}
		}
	}
	switch {
	case best == "" && len(lists[0]) == 0:
		return ""
	case best == "":
		return "; known are " + strings.Join(lists[0], ", ")
	}
	return fmt.Sprintf("; did you mean %q?", prefix+best)
}

// editDistance returns the smallest number of letters to insert, delete, change
// or swap with a neighbor that turns a into b.
func editDistance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

// empty reports whether o has neither a kind nor options.
func (o *options) empty() bool { return o.kind == "" && len(o.list) == 0 }

func (o *options) has(name string) bool {
	return slices.ContainsFunc(o.list, func(p option) bool { return p.name == name })
}

func (o *options) hasAny(names ...string) bool { return slices.ContainsFunc(names, o.has) }

// mentions reports whether o has an option, with or without a prefix.
func (o *options) mentions(name string) bool {
	return slices.ContainsFunc(o.list, func(p option) bool { return p.name == name || strings.HasSuffix(p.name, "."+name) })
}

// take removes an option and returns its value. ok is false if o lacks it.
func (o *options) take(name string) (value string, ok bool) {
	for i, p := range o.list {
		if p.name == name {
			switch i { // the list may be shared, so its elements must not change
			case 0:
				o.list = o.list[1:]
			case len(o.list) - 1:
				o.list = o.list[:i:i]
			default:
				o.list = slices.Concat(o.list[:i], o.list[i+1:])
			}
			return p.value, true
		}
	}
	return "", false
}

// takePrefixed removes the options with a prefix and returns them without the
// prefix.
func (o *options) takePrefixed(prefix string) (taken options, err error) {
	var rest []option
	for _, p := range o.list {
		name, ok := strings.CutPrefix(p.name, prefix)
		switch {
		case !ok:
			rest = append(rest, p)
		case name == "kind":
			if !isKind[p.value] {
				return taken, fmt.Errorf("kind %q is not known%s", p.value, suggest("", p.value, kinds))
			}
			taken.kind = p.value
		default:
			taken.list = append(taken.list, option{name, p.value})
		}
	}
	o.list = rest
	return taken, nil
}

// merge returns the options of both o and more. If both set one, that of more is
// used.
func (o options) merge(more options) options {
	if more.kind != "" {
		o.kind = more.kind
	}
	if len(more.list) == 0 {
		return o
	}
	list := slices.Clone(more.list)
	for _, p := range o.list {
		if !more.has(p.name) {
			list = append(list, p)
		}
	}
	o.list = list
	return o
}

// takeInt removes an integer option. It accepts the syntax of Go literals.
func (o *options) takeInt(name string) (*big.Int, bool, error) {
	text, ok := o.take(name)
	if !ok {
		return nil, false, nil
	}
	x, valid := parseInt(text)
	if !valid {
		return nil, true, fmt.Errorf("option %q must be an integer, not %q", name, text)
	}
	return x, true, nil
}

// parseInt reads an integer in the syntax of Go literals.
func parseInt(text string) (*big.Int, bool) {
	if x, err := strconv.ParseInt(text, 0, 64); err == nil {
		return big.NewInt(x), true // cheaper, and nearly always enough
	}
	return new(big.Int).SetString(text, 0)
}

// takeSmall removes an integer option, which must be in [lo, hi].
func (o *options) takeSmall(name string, lo, hi int64) (int64, bool, error) {
	x, ok, err := o.takeInt(name)
	if !ok || err != nil {
		return 0, ok, err
	}
	if !x.IsInt64() || x.Int64() < lo || x.Int64() > hi {
		return 0, true, fmt.Errorf("option %q must be in [%d, %d], not %v", name, lo, hi, x)
	}
	return x.Int64(), true, nil
}

// takeRange removes min and max. Both are required.
func (o *options) takeRange() (lo, hi *big.Int, err error) {
	lo, okLo, err := o.takeInt("min")
	if err != nil {
		return nil, nil, err
	}
	hi, okHi, err := o.takeInt("max")
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !okLo && !okHi:
		return nil, nil, fmt.Errorf("a range is missing: add min= and max=")
	case !okLo:
		return nil, nil, fmt.Errorf("max is given without min: add min=")
	case !okHi:
		return nil, nil, fmt.Errorf("min is given without max: add max=")
	case lo.Cmp(hi) > 0:
		return nil, nil, fmt.Errorf("min=%v is above max=%v: swap them", lo, hi)
	}
	return lo, hi, nil
}

// takeFloat removes an option that is a float of size bits, 32 or 64.
func (o *options) takeFloat(name string, size int) (float64, bool, error) {
	text, ok := o.take(name)
	if !ok {
		return 0, false, nil
	}
	x, err := strconv.ParseFloat(text, size)
	if err != nil {
		return 0, true, fmt.Errorf("option %q must be a float%d, not %q", name, size, text)
	}
	return x, true, nil
}
