// Package compress converts values to small integers and back: quantized
// floats, half precision, fixed point, angles, rotations, directions, subsets
// of an array, and Huffman codes for values that are not equally common.
//
// The codes have methods that serialize a variable on a bits.Stream, for
// hand-written serialize functions:
//
//	position.Serialize(s, &v.Height)                  // a Float32
//	rotation.Serialize32(s, &v.Rotation)              // a Quat
//	bits.Each(s, v.Position[:], position.Serialize)
//
// Every conversion is a pure function of its arguments, and its largest error is
// documented. The same input gives the same bits on every CPU: where it matters,
// each operation rounds separately and no product is fused with a sum.
package compress
