// Package pb has the values as protobuf messages, by protoc-gen-go, and the
// code of vtprotobuf for them. go.mod has the versions of both generators; the
// head of values.pb.go has that of protoc, which comes from the system.
package pb

//go:generate sh -c "protoc --plugin=protoc-gen-go=$(go tool -n protoc-gen-go) --plugin=protoc-gen-go-vtproto=$(go tool -n protoc-gen-go-vtproto) --go_out=. --go_opt=paths=source_relative --go-vtproto_out=. --go-vtproto_opt=paths=source_relative --go-vtproto_opt=features=marshal+unmarshal+unmarshal_unsafe+size+pool --go-vtproto_opt=pool=github.com/gobitpack/bitpack/bench/internal/pb.* values.proto"
