// Package values has the values that the encodings are compared on, with the
// tags that bitpack reads. The types are plain Go, so that every encoding that
// works by reflection takes them as they are.
package values
