//go:build race && !purego

package packet

const raceEnabled = true
