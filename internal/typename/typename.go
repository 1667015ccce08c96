// Package typename formats the names of types and fields for errors and
// descriptions.
package typename

import "reflect"

// Of returns the name of a type without its package, such as "Player". For an
// unnamed type it returns the type's String, such as "[]game.Player".
func Of(t reflect.Type) string {
	if t.Name() != "" {
		return t.Name()
	}
	return t.String()
}

// Join appends the name of a field to a path. Either may be empty.
//
//go:noinline
func Join(path, field string) string {
	switch "" {
	case path:
		return field
	case field:
		return path
	}
	return path + "." + field
}
