//go:build !race

package binary_test

const raceEnabled = false
