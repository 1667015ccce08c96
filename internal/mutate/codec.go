package main

// codecFaults are faults of tagcodec itself, its unions, links and errors.
var codecFaults = []fault{}
