package main

import "sync/atomic"

// queue is a bounded queue between a tick, which must not wait, and a goroutine
// that sends. When it is full it drops its oldest value, because a newer
// snapshot or input replaces an older one.
//
// It is needed because SendDatagram blocks while 32 datagrams wait, which
// congestion control can cause at any time.
type queue[T any] struct {
	values  chan T
	dropped atomic.Uint64
}

func newQueue[T any](size int) *queue[T] { return &queue[T]{values: make(chan T, size)} }

// put adds a value. It does not block.
func (q *queue[T]) put(v T) {
	for {
		select {
		case q.values <- v:
			return
		default:
		}
		select {
		case <-q.values:
			q.dropped.Add(1)
		default: // the goroutine has just taken it
		}
	}
}
