// Package bench compares bitpack with other encodings of the same values. It is
// a module of its own, so that the library itself requires none of them.
//
//	go run ./cmd/report             # tables of bytes and times, and a chart
//	go run ./cmd/count              # instructions of the main benchmarks
//	go run ./cmd/builds             # the gain of profiles and of GOAMD64=v3
//	go test -v -run Sizes .         # the bytes of the packet
//	go test -bench . .              # the main benchmarks
//
// [SmallCodecs], [PacketCodecs] and [FrameCodecs] are the tables that the first
// runs over; a new row is all that another encoding needs. The code that
// generators write is in internal, each in a package of its own, and
// `go generate ./...` writes it again; it needs protoc.
//
// gotiny is at v0.0.3, which the suite of the small struct requires, and has to
// be asked for by that number: the module proxy does not list its versions. It
// does not have the suite itself, so that the suite's struct and the
// distribution of its values stand in package values.
package bench
