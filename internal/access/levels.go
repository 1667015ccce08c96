//go:build !wasm

package access

const maxOpen = 1 << 16
