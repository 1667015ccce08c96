package main

// toolFaults are faults of generated code, its generator and bp.
var toolFaults = []fault{}
