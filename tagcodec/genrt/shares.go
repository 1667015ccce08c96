package genrt

import "reflect"

// Shares reports whether s shares memory with the spare capacity of dst.
func Shares(dst, s []byte) bool {
	spare := dst[len(dst):cap(dst)]
	if len(s) == 0 || len(spare) == 0 {
		return false
	}
	from, start := reflect.ValueOf(&s[0]).Pointer(), reflect.ValueOf(&spare[0]).Pointer()
	return from < start+uintptr(len(spare)) && start < from+uintptr(len(s))
}
