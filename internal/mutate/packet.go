package main

// packetFaults are faults of tagcodec/packet.
var packetFaults = []fault{}
