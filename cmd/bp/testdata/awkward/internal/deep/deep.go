// Package deep has a type that some packages cannot import.
package deep

type Depth uint16
