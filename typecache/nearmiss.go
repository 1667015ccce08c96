package typecache

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
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
	lower := strings.ToLower(t.Key)
	like := lower == "bp"
	if lower == "bpp" || lower == "bbp" || lower == "pb" {
		o, err := parseOptions(t.Name, t.Options)
		valued := slices.ContainsFunc(o.list, func(p option) bool { return p.value != "" })
		switch {
		case err != nil:
		case lower == "pb":
			like = valued
		default:
			like = o.kind != "" || valued
		}
	}
	if !like {
		return nil
	}
	return fmt.Errorf("the key %q is nearly bp, and would be ignored: write it as `bp:%q`, or rename it", t.Key, t.Value())
}

// mentionsTag reports whether s contains the word bp in any case. A syntax error
// in a tag that contains it must be reported.
func mentionsTag(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, "bp") })
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

// ownTags checks the tags of a struct type t that has an encoding of its own, by
// a method Serialize or by kind binary. Such a method may pass the value on to
// tagcodec.Serialize as a type without methods, which would report a wrong tag
// only at the first message. Fields without a tag need no encoding here.
func (b *builder) ownTags(t reflect.Type, at *place) error {
	if t.Kind() != reflect.Struct || b.checked[t] {
		return nil
	}
	b.checked[t] = true
	tagged := false
	for i := range t.NumField() {
		_, _, ok, err := parseTag(t.Field(i).Tag)
		tagged = tagged || ok || err != nil
	}
	if !tagged {
		return nil
	}
	apart := newBuilder(t, b.registry)
	apart.checked, apart.lenient = b.checked, true
	if err := apart.fields(t, place{name: at.name, cond: -1}, options{}); err != nil {
		return err
	}
	_, err := apart.planCalled() // the recursive types that t holds
	return err
}

// overlooks reports whether an error in field f is to be ignored: the builder is
// lenient, and no tag caused the error.
func (b *builder) overlooks(f reflect.StructField, pushed options) bool {
	if !b.lenient || b.wrong {
		return false
	}
	_, _, tagged, err := parseTag(f.Tag)
	b.wrong = tagged || err != nil || !pushed.empty()
	return !b.wrong
}
