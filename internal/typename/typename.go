// Package typename names types for messages to people.
package typename

import "reflect"

// Of returns the name of a type without its package, or the whole of a type that
// has none: "Player", "[]game.Player".
func Of(t reflect.Type) string {
	if t.Name() != "" {
		return t.Name()
	}
	return t.String()
}
