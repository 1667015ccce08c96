package typecache

import (
	"strconv"
	"unicode"

	"github.com/fatih/structtag"
)

// A misspelled bp key would change the wire format without an error. In a field
// without a bp tag, these keys are therefore errors:
//
//   - bp in another case: BP, Bp or bP;
//   - bp with a letter doubled, bpp or bbp, if the value is valid in a bp tag and
//     has a kind or an option with a value;
//   - pb, if the value is valid in a bp tag and has an option with a value, such
//     as max=3.
//
// Other keys, such as db, bps, bpm, bson, json and b, are never errors. Neither
// is pb with a value such as "varint,1,opt" or "bytes".

// nearMiss returns an error if the key of t is one of those above.
func nearMiss(t *structtag.Tag) error {
	key := lower(t.Key)
	like := key == "bp"
	if key == "bpp" || key == "bbp" || key == "pb" {
		o, err := parseOptions(t.Value(), new([]option))
		valued := false
		for _, p := range o.list {
			valued = valued || p.value != ""
		}
		switch {
		case err != nil:
		case key == "pb":
			like = valued
		default:
			like = o.kind != "" || valued
		}
	}
	if !like {
		return nil
	}
	e := fail(MistakeKey, "", "write it as `bp:"+strconv.Quote(t.Value())+"`, or rename it", "the key %q is nearly bp, and would be ignored", t.Key).with(t.Key)
	if key != "pb" { // which may be a tag of another library
		e.Suggestion = "bp"
	}
	return e
}

// lower returns s with small ASCII letters.
func lower(s string) string {
	small := []byte(s)
	for i, c := range small {
		if c >= 'A' && c <= 'Z' {
			small[i] += 'a' - 'A'
		}
	}
	return string(small)
}

// mentionsTag reports whether s contains the word bp in any case. A syntax error
// in a tag that contains it must be reported.
func mentionsTag(s string) bool {
	start := -1 // of the current word
	for i, r := range s + " " {
		inWord := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case inWord && start < 0:
			start = i
		case !inWord && start >= 0:
			if lower(s[start:i]) == "bp" {
				return true
			}
			start = -1
		}
	}
	return false
}

// separated reports whether the key:"value" pairs of tag are separated by
// spaces, as go vet requires. structtag must have parsed tag without error.
func separated(tag string) bool {
	for quoted, i := false, 0; i < len(tag); i++ {
		switch {
		case quoted && tag[i] == '\\':
			i++
		case tag[i] != '"':
		case quoted && i+1 < len(tag) && tag[i+1] != ' ':
			return false
		default:
			quoted = !quoted
		}
	}
	return true
}
