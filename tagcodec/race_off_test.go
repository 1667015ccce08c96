//go:build !race

package tagcodec

const raceEnabled = false
