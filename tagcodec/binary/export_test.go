package binary

// Entries returns how many types entries holds.
func Entries() (n int) {
	entries.Range(func(_, _ any) bool {
		n++
		return true
	})
	return n
}
