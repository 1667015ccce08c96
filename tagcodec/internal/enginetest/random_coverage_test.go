package enginetest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
)

// isHint reports whether an option is only for package delta and has no effect on
// messages. The random types of that package have them.
func isHint(option string) bool { return slices.Contains([]string{"pred", "key", "step"}, option) }

// vocabulary returns the words listed by the error for a tag with an unknown
// word.
func vocabulary(t *testing.T, typ reflect.Type) []string {
	t.Helper()
	_, err := typecache.Of(typ)
	require.Error(t, err)
	_, list, ok := strings.Cut(err.Error(), "; known are ")
	require.True(t, ok, "%v", err)
	return strings.Split(list, ", ")
}

// census counts the tags and kinds in random types.
type census struct {
	words map[string]int // kinds, options, "elem." and "key.", and the values of some
	kinds map[reflect.Kind]int
	depth int // maximum nesting of structs, arrays, slices, maps and pointers
	seen  map[reflect.Type]bool

	embedded, embeddedIf, recursive, unions, links, custom, subsets int
}

func (c *census) add(typ reflect.Type, depth int) {
	c.kinds[typ.Kind()]++
	switch typ.Kind() {
	case reflect.Map:
		c.add(typ.Key(), depth)
		c.add(typ.Elem(), depth+1)
	case reflect.Array, reflect.Slice, reflect.Pointer:
		c.add(typ.Elem(), depth+1)
	case reflect.Struct:
		if typ.Name() == "" { // a random type
			c.depth = max(c.depth, depth+1)
		}
		if c.seen[typ] {
			return
		}
		c.seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			tag := f.Tag.Get("bp")
			c.tag(tag)
			if f.Anonymous && typ.Name() == "" {
				c.embedded++
				if strings.Contains(tag, "if=") {
					c.embeddedIf++
				}
			}
			if f.IsExported() || f.Anonymous {
				c.add(f.Type, depth+1)
			}
		}
	}
}

func (c *census) tag(tag string) {
	for i, part := range strings.Split(tag, ",") {
		name, value, set := strings.Cut(part, "=")
		for _, prefix := range []string{"key.", "elem."} {
			if rest, ok := strings.CutPrefix(name, prefix); ok {
				c.words[prefix]++
				name = rest
			}
		}
		switch {
		case i == 0 && !set:
			c.words["kind "+name]++
		case name == "kind":
			c.words["kind "+value]++
		case name == "subset", name == "mode", name == "unit":
			c.words[name+"="+value]++
			fallthrough
		default:
			c.words[name]++
		}
		if name == "if" {
			form := "Field"
			for _, operator := range []string{"!=", "==", "&", "!"} {
				if strings.Contains(value, operator) {
					form = operator
					break
				}
			}
			c.words["if "+form]++
		}
	}
}

// The types of a few hundred seeds have every kind and option of a tag on every
// supported Go type, and nest as deeply as realistic messages.
func TestRandomTypesHaveEverything(t *testing.T) {
	c := census{words: map[string]int{}, kinds: map[reflect.Kind]int{}, seen: map[reflect.Type]bool{}}
	for seed := range uint64(300) {
		_, s, pl := randomType(t, seed)
		c.add(s.typ, 0)
		if pl.Recursive {
			c.recursive++
		}
		for i := range pl.Ops {
			switch pl.Ops[i].Code {
			case plan.CodeUnion:
				c.unions++
			case plan.CodeLink:
				c.links++
			case plan.CodeCustom:
				c.custom++
			case plan.CodeSubset:
				c.subsets++
			}
		}
	}
	words := vocabulary(t, reflect.TypeFor[struct {
		A int `bp:"unheardof=1"`
	}]())
	require.Greater(t, len(words), 15)
	words = slices.DeleteFunc(words, isHint)
	kinds := vocabulary(t, reflect.TypeFor[struct {
		A int `bp:"unheardof"`
	}]())
	require.Greater(t, len(kinds), 20)
	for _, kind := range kinds {
		words = append(words, "kind "+kind)
	}
	words = append(words, "kind ", "key.", "elem.", "if Field", "if !", "if ==", "if !=", "if &", "unit=deg", "unit=rad", "mode=sign",
		"subset=bitmap", "subset=index", "subset=sentinel", "subset=relative", "subset=auto")
	for _, word := range words {
		require.Positive(t, c.words[word], word)
	}
	for kind := reflect.Bool; kind < reflect.UnsafePointer; kind++ {
		if kind != reflect.Chan && kind != reflect.Func {
			require.Positive(t, c.kinds[kind], kind)
		}
	}
	require.GreaterOrEqual(t, c.depth, 4)
	for what, n := range map[string]int{
		"embedded": c.embedded, "embedded under a condition": c.embeddedIf, "recursive": c.recursive,
		"unions": c.unions, "links": c.links, "Serialize": c.custom, "subsets": c.subsets,
	} {
		require.Greater(t, n, 5, what)
	}
}
