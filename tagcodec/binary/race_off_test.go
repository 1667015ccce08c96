//go:build !race && !purego

package binary_test

const raceEnabled = false
