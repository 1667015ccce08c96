package packet

// Take returns the packet *v and sets *v to zero. A handler may keep what Take
// returns, with its slices, maps and pointers, because nothing else refers to
// them. It copies none of them: the next packet of the type allocates new ones. A
// copy of *v alone is not enough, since it shares them with the packets to come.
//
//	packet.Handle(mux, func(ctx context.Context, v *Snapshot) {
//		history = append(history, packet.Take(v))
//	})
func Take[T any](v *T) T {
	taken := *v
	*v = *new(T)
	return taken
}
