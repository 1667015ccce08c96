// Package examples contains programs that show the library at work, one per
// directory, and the tests of the documents.
//
//	quickstart   a packet bit by bit, its size in other formats, from XML to bits, hostile packets refused
//	scene        4000 objects, and the cost of saying which of them are sent
//	presence     the cost of optional, common and huffman where most values are the same, and of locations
//	collections  maps, ascending integers, varints, texts, types with a binary form
//	scalars      angles, halves, enums, named types, embedding, inherited options
//	orientation  rotations, directions and matrices, and their errors
//	events       an interface that holds one of several types
//	links        objects that refer to each other by ids
//	tree         recursive types, and the limit of their depth
//	unified      tags and serialize functions inside each other
//	migrate      a program using encoding/binary, with the import changed, and with tags
//	replication  a world sent as deltas over bad networks, and recorded as a replay
//	arena        a server and its clients over UDP: deltas of what each sees, messages, and an attacker
//	quic         a server and its clients over QUIC
//
// Run one with go run ./examples/quickstart. Directory quic is a module of its
// own: run it there with go run .
package examples
