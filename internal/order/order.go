// Package order sorts. Package slices would add the text of a sort for each type
// of element to every program.
package order

import "sort"

// Of returns the numbers from 0 to n-1 in ascending order, as compare tells, which
// returns a negative number if i comes before j and a positive number if it comes
// after it. Equal numbers keep their order.
func Of(n int, compare func(i, j int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.Sort(&sorter{order, compare})
	return order
}

// sorter implements [sort.Interface].
type sorter struct {
	order   []int
	compare func(i, j int) int
}

func (s *sorter) Len() int { return len(s.order) }
func (s *sorter) Less(i, j int) bool {
	c := s.compare(s.order[i], s.order[j])
	return c < 0 || c == 0 && s.order[i] < s.order[j]
}
func (s *sorter) Swap(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] }
