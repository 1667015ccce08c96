// Package core holds what both engines share: the settings of a codec, errors
// and their paths, bounds of memory, unions, and links with the storage that
// contains them. Packages fast and reference call it for each value. Package
// tagcodec makes the settings and declares the public types.
package core
