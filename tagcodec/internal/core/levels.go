//go:build !wasm

package core

// MaxStackLevels is the maximum number of levels on the goroutine's stack. A
// level is a value that serializes itself, or a block of the reference
// interpreter. Each takes up to three kilobytes, and a stack overflow would end
// the program. At the default depth a type reaches this limit only if 65 blocks
// lie between one recursive value and the next.
const MaxStackLevels = 1 << 16
