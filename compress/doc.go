// Package compress turns values into small integers and back: quantized
// floats, half precision, fixed point and angles, rotations and directions,
// subsets of an array, and codes for values of which some are far more common
// than others.
//
// Everything here is a pure function of its arguments with a stated error.
// The same input gives the same bits on every CPU: where the order of
// roundings matters each operation rounds on its own, and nothing is fused.
package compress
