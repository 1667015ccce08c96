package binary

// Entries returns the number of types in entries.
func CachedArgTypes() (n int) {
	argTypes.Range(func(_, _ any) bool {
		n++
		return true
	})
	return n
}
