package main

// planFaults are faults of the plan and typecache.
var planFaults = []fault{}
