package main

// deltaFaults are faults of tagcodec/delta and tagcodec/binary.
var deltaFaults = []fault{}
