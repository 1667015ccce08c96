//go:build race && !purego

package binary_test

const raceEnabled = true
