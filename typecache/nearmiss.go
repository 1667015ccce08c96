package typecache

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/fatih/structtag"
)

// A key that is nearly bp is a mistake that would change the wire in silence. A
// field has none, unless it has a bp tag, if one of its keys is
//
//   - bp in other letters: BP, Bp or bP;
//   - bp with a letter twice: bpp or bbp, where the value is one of a bp tag;
//   - pb, or bp with one more letter, as in bps, where the value is one of a bp
//     tag and has an option with a value, such as max=3.
//
// Others, such as db, bson, json, bp2 or b, are never taken for bp, nor is pb
// with a value like "varint,1,opt" or "bytes".

// nearMiss returns an error for a tag whose key is nearly bp.
func nearMiss(t *structtag.Tag) error {
	lower := strings.ToLower(t.Key)
	like := lower == "bp"
	if !like && editDistance(lower, "bp") == 1 && len(lower) >= 2 && !strings.ContainsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) }) {
		o, err := parseOptions(t.Name, t.Options)
		valued := slices.ContainsFunc(o.list, func(p option) bool { return p.value != "" })
		switch {
		case err != nil:
		case lower == "bpp" || lower == "bbp":
			like = o.kind != "" || valued
		case lower == "pb" || len(lower) == 3:
			like = valued
		}
	}
	if !like {
		return nil
	}
	return fmt.Errorf("the key %q is nearly bp, and would be passed over: write it as `bp:%q`, or rename it", t.Key, t.Value())
}

// mentionsTag reports whether bp is a word of s, in any letters: what is wrong
// with a tag that has it is not to be passed over.
func mentionsTag(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, "bp") })
}

// separated reports whether the tags of a field are separated by spaces, as vet
// has it, of a tag that structtag parses.
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

// ownTags returns an error if tags of struct type t are wrong though its values
// have a form of their own, by a method Serialize or kind binary. Such a method
// may hand the value on to tagcodec.Serialize as a type without methods, which
// would find out at the first message. Only what the tags say is looked at:
// fields without a tag need have no encoding.
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
	_, err := apart.subprograms() // of the recursive types in it
	return err
}

// overlooks reports whether an error in field f does not count, because no tag is
// to blame.
func (b *builder) overlooks(f reflect.StructField, pushed options) bool {
	if !b.lenient || b.wrong {
		return false
	}
	_, _, tagged, err := parseTag(f.Tag)
	b.wrong = tagged || err != nil || !pushed.empty()
	return !b.wrong
}
