package game

import "testing"

func TestMain(m *testing.M) { panic("bp does not run the package's own tests") }

type onlyInTests struct {
	A uint8 `bp:"enum"`
}

var _ onlyInTests
