package main

import "slices"

// faults returns all faults, from the bits to the tools.
func faults() []fault {
	return slices.Concat(lowFaults, planFaults, engineFaults, codecFaults, packetFaults, deltaFaults, toolFaults)
}
