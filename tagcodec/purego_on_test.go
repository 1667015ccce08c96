//go:build purego

package tagcodec

const pure = true // the build uses no unsafe
