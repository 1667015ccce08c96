//go:build !purego

package tagcodec

const pure = false
