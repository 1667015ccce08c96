// Package library names what bp and its analyzer look for in programs.
package library

// Path is the import path of the module.
const Path = "github.com/gobitpack/bitpack"

// Takers are the functions whose type argument is a message type, by import path.
var Takers = map[string][]string{
	Path + "/tagcodec":        {"For", "MustFor"},
	Path + "/tagcodec/packet": {"Of"},
	Path + "/tagcodec/delta":  {"For", "MustFor"},
}
