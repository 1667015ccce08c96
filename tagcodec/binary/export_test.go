package binary

// CachedArgTypes returns the number of types in argTypes.
func CachedArgTypes() (n int) {
	argTypes.Range(func(_, _ any) bool {
		n++
		return true
	})
	return n
}
