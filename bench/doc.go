// Package bench compares bitpack with other encodings of the same values. It is
// a separate module, so that the library does not depend on them.
//
//	go run ./cmd/report             # tables of bytes and times, and a chart
//	go run ./cmd/count              # instructions of the main benchmarks
//	go run ./cmd/delta              # sizes of deltas of recorded and generated states
//	go run ./cmd/builds             # the gain of profiles and of GOAMD64=v3
//	go run ./cmd/cpp                # ratios to the C++ implementation of the wire
//	go run ./cmd/size               # what each package adds to a program
//	go test -v -run Sizes .         # the bytes of the packet
//	go test -bench . .              # the main benchmarks
//
// Package values/generated has types with code written by bp gen. cmd/cpp and the
// codec "bitpack, generated" use them.
//
// cmd/report runs the codecs of [SmallCodecs], [PacketCodecs] and
// [FrameCodecs]. To compare another encoding, add a row there. Generated code
// is in internal, with one package per generator. `go generate ./...` writes it
// again and needs protoc, flatc and capnp.
//
// gotiny must be at v0.0.3, the version in the suite of the small struct.
// Request it by that number, because the module proxy does not list its
// versions. The module does not contain the suite, so package values has its
// own copy of the suite's struct and of the distribution of its values.
package bench
