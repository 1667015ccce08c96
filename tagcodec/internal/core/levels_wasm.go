package core

// MaxStackLevels is small in WebAssembly, where the goroutines are on the stack of
// the host, which has about a megabyte in a browser.
const MaxStackLevels = 1 << 9
