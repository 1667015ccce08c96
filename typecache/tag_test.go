package typecache

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSoleValue checks that a tag means the same alone, where it is parsed without
// structtag, and before another one.
func TestSoleValue(t *testing.T) {
	for _, text := range []string{
		``, `-`, `-,optional`, `,`, `,max=3`, `max=3`, `int`, `int,`, `int,,`, `int,min=0,max=3`, `int,min=0,min=1`, `float, min=0`,
		`bits=1,int`, `unit`, `unit=deg`, `nonsense`, `a=b=c`, `common=a|b\\|c`, `common=é`, `\x69nt`, `int\n`, "int\x00", "\x7f", `check,value=\"1\"`,
	} {
		alone := reflect.StructTag(`bp:"` + text + `"`)
		o, value, ok, err := parseTag(alone, reflect.TypeFor[int](), new([]option))
		o2, value2, ok2, err2 := parseTag(alone+` json:"x"`, reflect.TypeFor[int](), new([]option))
		require.Equal(t, []any{o2.kind, len(o2.list), value2, ok2}, []any{o.kind, len(o.list), value, ok}, text)
		for i := range o.list {
			require.Equal(t, o2.list[i], o.list[i], text)
		}
		if err2 != nil {
			require.EqualError(t, err, strings.ReplaceAll(err2.Error(), ` json:"x"`, ""), text)
		} else {
			require.NoError(t, err, text)
		}
	}
}
