package typecache

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// syntaxFix returns the fix of a tag that has a syntax error and mentions bp, with
// an example for a field of type t.
func syntaxFix(tag string, t reflect.Type) string {
	at := strings.Index(lower(tag), "bp")
	before, after := tag[:at], tag[at+len("bp"):]
	fix := "mend the tag before it"
	switch {
	case strings.HasSuffix(before, "\t"):
		fix = "separate tags by a space instead of a tab"
	case strings.HasPrefix(after, "="):
		fix = "write a colon after bp"
	case strings.HasPrefix(after, " "):
		fix = "remove the space after bp"
	case strings.HasPrefix(after, ": "):
		fix = "remove the space after the colon"
	case strings.HasPrefix(after, ":'"):
		fix = "use double quotes"
	case strings.HasPrefix(after, `:"`) && strings.Count(after, `"`) == 1:
		fix = "close the quotes"
	case strings.HasPrefix(after, ":") && !strings.HasPrefix(after, `:"`):
		fix = "put the value in double quotes"
	}
	return fmt.Sprintf("%s, as in `bp:%q`", fix, exampleTag(t))
}

// exampleTag returns a tag that a field of type t may have.
func exampleTag(t reflect.Type) string {
	switch k := t.Kind(); {
	case t == emptyType:
		return "reserved,bits=3"
	case k >= reflect.Int && k <= reflect.Uintptr:
		return "int,min=0,max=32"
	case k == reflect.Float32 || k == reflect.Float64:
		return "float,min=0,max=1,res=0.01"
	case k == reflect.Array:
		return exampleTag(t.Elem())
	case k == reflect.String || k == reflect.Slice || k == reflect.Map:
		return "maxlen=32"
	case k == reflect.Interface:
		return "union"
	}
	return "if=Field"
}

// blankFix returns the fix of a tagged blank field of type t: the bits that it
// would have, as reserved ones.
func blankFix(t reflect.Type, o *options) string {
	n, ok := o.take("bits")
	switch k := t.Kind(); {
	case ok:
	case k == reflect.Bool:
		n, ok = "1", true
	case k >= reflect.Int && k <= reflect.Float64:
		n, ok = strconv.Itoa(t.Bits()), true
	}
	if !ok {
		return "name it, or remove its tag"
	}
	return fmt.Sprintf("write _ struct{} `bp:\"reserved,bits=%s\"` for bits that are zero, or remove its tag", n)
}
