//go:build !purego

package enginetest

const pure = false
