// Package generator writes Go code for plans: straight-line functions that do
// what the engine of package tagcodec does with the plan of a type. The command
// "bp gen" runs it in the package of the types, because only that package can
// reach all of them.
//
// The code of a type comes from its plan in two steps. The first one, in
// node.go, makes a tree of nodes. Neighboring values of fixed width are one
// segment, and what no node stands for is a part that the code leaves to the
// engine. The second step prints the nodes as a function that writes them, in
// append.go, and as one that reads them, in read.go. The nodes of subsets, unions
// and maps have a file each, with both steps.
package generator
