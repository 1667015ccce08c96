// Package compress converts values to small integers and back: quantized
// floats, half precision, fixed point, angles, rotations, directions, subsets
// of an array, and Huffman codes for values that are not equally common.
//
// Everything here is a pure function of its arguments with a documented error.
// The same input gives the same bits on every CPU. Where it matters, each
// operation rounds on its own and no product is fused with a sum.
package compress
