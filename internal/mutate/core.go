package main

// coreFaults are faults of bits, compress, the plan and the engines.
var coreFaults = []fault{}
