//go:build purego

package tagcodec

const pure = true // the build does not use unsafe
