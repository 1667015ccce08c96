// Package compress converts values to small integers and back: quantized
// floats, half precision, fixed point, angles, rotations, directions, subsets
// of an array, and Huffman codes for values that are not equally common.
//
// Struct tags have all of them. For hand-written serialize functions, tagcodec.Field
// codes a variable by a tag. [Float32.Serialize], [Float64.Serialize] and [Index]
// take a bits.Stream themselves.
//
// Every conversion is a pure function of its arguments, and its largest error is
// documented. The same input gives the same bits on every CPU: where it matters,
// each operation rounds separately and no product is fused with a sum.
package compress
