package main

import "slices"

// faults returns all faults: of the wire and the engines, of what stands on them, and
// of the tools.
func faults() []fault { return slices.Concat(coreFaults, packetFaults, toolFaults) }
