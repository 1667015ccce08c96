// Package order sorts. Package slices would add the text of a sort for each type
// of element to every program.
package order

// Of returns the numbers from 0 to n-1 in ascending order, as compare tells, which
// returns a negative number if i comes before j and a positive number if it comes
// after it. Equal numbers keep their order.
func Of(n int, compare func(i, j int) int) []int {
	order, merged := make([]int, n), make([]int, n)
	for i := range order {
		order[i] = i
	}
	for width := 1; width < n; width *= 2 {
		for from := 0; from < n; from += 2 * width {
			middle, end := min(from+width, n), min(from+2*width, n)
			left, right := from, middle
			for at := from; at < end; at++ {
				next := &left
				if left == middle || right < end && compare(order[left], order[right]) > 0 {
					next = &right
				}
				merged[at] = order[*next]
				*next++
			}
		}
		order, merged = merged, order
	}
	return order
}
