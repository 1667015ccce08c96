// Package engine runs plans for package tagcodec. It chooses an engine by build
// tag: the fast loops of package fast or, with the tag purego, the interpreter
// of package reference. Its type [Variable] is the form in which the chosen
// engine takes values.
package engine
