package main

// packetFaults are faults of tagcodec/packet, tagcodec/delta and tagcodec/binary.
var packetFaults = []fault{}
