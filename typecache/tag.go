package typecache

import (
	"reflect"
	"slices"
	"strings"

	"github.com/fatih/structtag"
)

// The vocabulary of tags.
var (
	kinds = []string{
		"int", "uint", "enum", "fixed", "varint", "expgolomb", "relative",
		"float", "half", "angle",
		"string", "wstring", "bytes", "cstring", "binary",
		"align", "reserved", "const", "check",
		"quat", "unit", "affine", "union", "link",
	}
	optionNames = []string{
		"min", "max", "res", "bits", "frac", "k", "unit", "value",
		"base", "to", "chain", "minlen", "maxlen", "if",
		"optional", "common", "huffman", "subset", "by", "rle", "mode",
		"pred", "key", "step",
	}
	// goTypes are Go types that a user may mistake for kinds and options.
	goTypes = []string{
		"bool", "int8", "int16", "int32", "int64", "uint8", "byte", "uint16", "uint32", "uint64", "rune",
		"float32", "float64", "complex64", "complex128",
	}
	structurals = []string{"align", "reserved", "const", "check"} // the kinds of struct{} fields
	prefixes    = []string{"key.", "elem."}
)

// table maps strings to strings. A program would make a map when it starts.
type table [][2]string

// of returns the string that key is mapped to, or "". It is not copied into its callers.
//
//go:noinline
func (t table) of(key string) string {
	for _, row := range t {
		if row[0] == key {
			return row[1]
		}
	}
	return ""
}

// isKind and isOption look at one word after the other: the frequent ones come first,
// and a program would make maps when it starts.
func isKind(word string) bool   { return contains(kinds, word) }
func isOption(word string) bool { return contains(optionNames, word) }

// contains is slices.Contains, which would be copied into its callers.
//
//go:noinline
func contains(words []string, word string) bool { return slices.Contains(words, word) }

// parseTag parses the bp tag of a field. Without one, ok is false. text is the
// value of the tag. t is the type of the field, for the example in an error. room is
// as in parseOptions.
func parseTag(tag reflect.StructTag, t reflect.Type, room *[]option) (o options, text string, ok bool, err error) {
	if text, ok := soleValue(string(tag)); ok {
		o, err = parseOptions(text, room)
		return o, text, true, err
	}
	has := func(small rune) bool {
		return strings.ContainsFunc(string(tag), func(r rune) bool { return r|0x20 == small })
	}
	if !has('b') || !has('p') {
		return o, "", false, nil
	}
	tags, err := structtag.Parse(string(tag))
	if err != nil && !mentionsTag(string(tag)) || tags == nil && err == nil {
		return o, "", false, nil
	}
	if err != nil {
		return o, "", false, fail(MistakeSyntax, "", syntaxFix(string(tag), t), "%v in `%s`", err, tag)
	}
	var bp *structtag.Tag
	for _, t := range tags.Tags() {
		switch {
		case t.Key == "bp" && bp != nil:
			return o, "", false, fail(MistakeConflict, "", "join them into one, separated by commas", "there are two bp tags")
		case t.Key == "bp":
			bp = t
		case lower(t.Key) != "bp" && mentionsTag(t.Key): // as in `json:"x",bp:"y"`
			return o, "", false, fail(MistakeSyntax, "", "separate tags by spaces alone", "the key %q in `%s` is not bp", t.Key, tag)
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
		return o, "", false, fail(MistakeSyntax, "", "separate them by one", "there is no space between two tags in `%s`", tag)
	}
	text = tag.Get("bp")
	o, err = parseOptions(text, room)
	return o, text, true, err
}

// soleValue returns the value of a tag that consists of bp:"value" with a value of
// printable ASCII characters without quotes and backslashes. Most tags do, and need
// none of the memory that structtag.Parse allocates.
func soleValue(tag string) (value string, ok bool) {
	value, ok = strings.CutPrefix(tag, `bp:"`)
	if !ok {
		return "", false
	}
	for i := range len(value) {
		switch c := value[i]; {
		case c == '"':
			return value[:i], i == len(value)-1
		case c == '\\' || c < ' ' || c > '~':
			return "", false
		}
	}
	return "", false
}

// parseOptions parses the comma-separated parts of a bp tag. The first part is
// the kind or, if the kind is left out, an option. The options are appended to room,
// which the tags of a type share.
func parseOptions(text string, room *[]option) (o options, err error) {
	first, rest, more := strings.Cut(text, ",")
	name, _, set := strings.Cut(first, "=")
	switch {
	case set || !isKind(name) && isOption(name):
		rest, more = text, true
	case first != "" && first != "-" && !isKind(first):
		return o, fail(MistakeUnknown, "kind", "", "is not known").with(first).suggest("", first, kinds, optionNames)
	default:
		o.kind = first
	}
	if more {
		from := len(*room)
		to := from + 1 + strings.Count(rest, ",")
		*room = slices.Grow(*room, to-from)[:to]
		o.list = (*room)[from:from:to]
	}
	var part string
	for more {
		part, rest, more = strings.Cut(rest, ",")
		name, value, set := strings.Cut(part, "=")
		base := name
		for cut := true; cut; {
			base, cut = cutPrefix(base)
		}
		known := isOption(base)
		switch {
		case part == "":
			return o, fail(MistakeSyntax, "", "remove one", "there is nothing between two commas, or after the last")
		case set && known || !isKind(name):
		case o.kind != "":
			return o, fail(MistakeConflict, "kind", "keep one", "and kind %q exclude each other", name).with(o.kind)
		default:
			return o, fail(MistakePlace, "kind", "write `bp:\""+name+",...\"`", "must come first").with(name)
		}
		if !known && (base != "kind" || base == name) {
			return o, notKnown(name, base, value)
		}
		if o.has(name) {
			fix := "keep one"
			if name == "if" {
				fix = "join the conditions in a bool field before this one"
			}
			return o, fail(MistakeConflict, name, fix, "is given twice")
		}
		if flag := base == "chain" || base == "optional" || base == "key" || base == "rle"; flag == set || set && value == "" {
			if flag {
				return o, fail(MistakeValue, name, "write it alone", "takes no value")
			}
			return o, fail(MistakeValue, name, "write it after "+name+"=", "needs a value")
		}
		o.list = append(o.list, option{name, value})
	}
	return o, nil
}

// notKnown returns the error for an option that does not exist. base is its name
// without the prefixes.
func notKnown(name, base, value string) error {
	if name == "kind" {
		return fail(MistakePlace, name, "write `bp:\""+value+",...\"`", "must come first, without kind=, which is for elem. and key.").with(value)
	}
	e := fail(MistakeUnknown, name, "", "is not known")
	if strings.Contains(base, ".") {
		e.Fix = "its prefix is elem. for elements and the values of a map, and key. for its keys"
		return e
	}
	return e.suggest(strings.TrimSuffix(name, base), base, optionNames)
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
