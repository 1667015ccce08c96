// Package bench compares bitpack with other encodings of the same packet. It
// is a module of its own, so that the library itself requires none of them.
//
//	go test -v -run Sizes .     # the sizes as a table
//	go test -bench . .          # the time of each codec
//
// [Codecs] is the table that both run over; a new row is all that another
// encoding needs.
package bench
