package binary

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// undecided returns an error if a struct in root, which has tags and a plan, has a
// blank or unexported field without a tag. encoding/binary writes the bytes of such
// a field, and the plan does not. Structs that code themselves or are not sent do
// not count, and neither do fields without bytes.
func undecided(root reflect.Type) error {
	seen := map[reflect.Type]bool{}
	var look func(t reflect.Type, path string) error
	look = func(t reflect.Type, path string) (err error) {
		if seen[t] {
			return nil
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Array, reflect.Slice, reflect.Pointer:
			return look(t.Elem(), path)
		case reflect.Map:
			if err = look(t.Key(), path); err == nil {
				err = look(t.Elem(), path)
			}
			return err
		case reflect.Struct:
		default:
			return nil
		}
		if reflect.PointerTo(t).Implements(reflect.TypeFor[bits.Serializer]()) {
			return nil
		}
		if t.Name() != "" {
			path = t.Name()
		}
		for i := 0; i < t.NumField() && err == nil; i++ {
			f := t.Field(i)
			name := f.Name
			if name == "_" { // there may be several
				name = "_ (field " + strconv.Itoa(i+1) + ")"
			}
			embedded := f.Anonymous && f.Type.Kind() == reflect.Struct
			switch _, tagged := f.Tag.Lookup("bp"); {
			case tagged && apart(f.Tag.Get("bp")), f.Type.Size() == 0:
			case !tagged && !f.IsExported() && !embedded:
				e := &typecache.Error{Type: root, Mistake: typecache.MistakePlace, Struct: path, Field: name}
				e.Problem, e.Fix = lost(f)
				return e
			default:
				err = look(f.Type, path+"."+name)
			}
		}
		return err
	}
	return look(root, "struct") // the name of a type without one, as in other errors
}

// apart reports whether a field with the tag sends nothing of the structs in its
// type: it is left out, or they are sent as links or in their own binary form.
func apart(tag string) bool {
	for option := range strings.SplitSeq(tag, ",") {
		switch option[strings.LastIndexByte(option, '.')+1:] {
		case "-", "link", "binary":
			return true
		}
	}
	return false
}

// lost describes a field that encoding/binary writes and the plan does not, and
// the ways out.
func lost(f reflect.StructField) (problem, fix string) {
	n := binary.Size(reflect.Zero(f.Type).Interface())
	what, ways := "is blank", ""
	if f.Name != "_" {
		what, ways = "is not exported", "export it, "
	}
	if n <= 0 { // encoding/binary cannot write it
		return fmt.Sprintf("the field %s and has no tag, so it would not be sent", what), ways + "or leave it out with bp:\"-\""
	}
	return fmt.Sprintf("the field %s. Without tags in the type it would take %s, and with them it takes none", what, count(n, "byte")),
		fmt.Sprintf("%skeep its place with %s, or leave it out with bp:\"-\"", ways, reserved(8*n))
}

// reserved returns fields that reserve n bits.
func reserved(n int) string {
	field := func(n int) string { return fmt.Sprintf("_ struct{} `bp:\"reserved,bits=%d\"`", n) }
	const most = 64 // bits of a reserved field
	if n <= most {
		return field(n)
	}
	text := count(n/most, "field") + " " + field(most)
	if n%most > 0 {
		text += " and a last one with bits=" + strconv.Itoa(n%most)
	}
	return text
}

// count returns a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
