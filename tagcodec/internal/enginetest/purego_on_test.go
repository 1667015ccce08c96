//go:build purego

package enginetest

const pure = true // the build does not use unsafe
