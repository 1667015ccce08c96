package main

// engineFaults are faults of the engines and generated code's runtime.
var engineFaults = []fault{}
