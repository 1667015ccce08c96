//go:build purego

package genrt

import "reflect"

// Shares reports whether s shares memory with the spare capacity of dst.
func Shares(dst, s []byte) bool {
	from, start := reflect.ValueOf(s).Pointer(), reflect.ValueOf(dst[len(dst):cap(dst)]).Pointer()
	return len(s) > 0 && from < start+uintptr(cap(dst)-len(dst)) && start < from+uintptr(len(s))
}
