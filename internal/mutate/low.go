package main

// lowFaults are faults of bits, compress and the small packages below them.
var lowFaults = []fault{}
