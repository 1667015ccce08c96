// Package examples holds programs that show the library at work, one in each
// folder, and the test of what README.md says.
package examples
