package main

// toolFaults are faults of the generator, the analyzer and bp.
var toolFaults = []fault{}
