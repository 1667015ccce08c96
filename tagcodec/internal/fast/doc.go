//go:build !purego

// Package fast executes plans on values in memory, which it reaches by offsets.
//
// An encoder or a decoder executes the ops of a plan one by one. Before the ops
// of a run it tries a tight loop that executes all of them. If the loop refuses
// a value, the ops are executed one by one, which finds the value again and
// makes the error with its path, bit and bounds.
package fast
