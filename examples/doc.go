// Package examples holds programs that show the library at work, one in each
// folder, and the tests of what the documents say.
//
//	quickstart   a packet bit by bit, its size in other formats, hostile packets refused
//	scene        4000 objects, and what it takes to say which of them are sent
//	presence     what optional, common and huffman cost where most values are the same
//	collections  maps, ascending integers, varints, texts, types with a binary form
//	scalars      angles, halves, enums, named types, embedding, options handed on
//	orientation  rotations, directions and matrices, and how far they are off
//	events       an interface that holds one of several types
//	links        objects that refer to each other by ids
//	tree         recursive types, and the limit of their depth
//	unified      tags and serialize functions inside of each other
//	migrate      a program on encoding/binary, with the import changed, and with tags
//	arena        a server and its clients over UDP
//
// Run one with go run ./examples/quickstart.
package examples
