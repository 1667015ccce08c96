// Package effort decides how much random work the tests do.
//
// By default they do little, so that go test ./... is quick. The environment
// variable BITPACK_EFFORT multiplies it: the full check sets 8, and a search for
// rare faults may set 100.
package effort

import (
	"os"
	"strconv"
	"testing"
)

// Variable is the environment variable with the factor, an integer of 1 or more.
const Variable = "BITPACK_EFFORT"

// Factor returns the factor, which is 1 if the variable is not set. It panics if the
// variable is not a positive integer.
func Factor() int {
	text := os.Getenv(Variable)
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		panic(Variable + " must be a positive integer, not " + strconv.Quote(text))
	}
	return n
}

// Rounds returns n times the factor, and logs how many rounds that is.
func Rounds(t testing.TB, n int) int {
	t.Helper()
	rounds := n * Factor()
	t.Logf("effort: %d rounds", rounds)
	return rounds
}

// Slow skips a test that takes more than a second or two, or much memory, unless
// the factor is above 1. The reason says what takes long.
func Slow(t testing.TB, reason string) {
	t.Helper()
	if Factor() == 1 {
		t.Skipf("%s: only with %s above 1", reason, Variable)
	}
}
