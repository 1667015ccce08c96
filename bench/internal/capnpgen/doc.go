// Package capnpgen contains the code that capnpc-go generates for the values as
// Cap'n Proto messages. The version of capnpc-go is in go.mod. It was run with
// capnp 0.9.2, which is installed on the system and compiles the schema.
package capnpgen

//go:generate sh -c "capnp compile -I$(go list -m -f {{.Dir}} capnproto.org/go/capnp/v3)/std -o- values.capnp | go tool capnpc-go -promises=false -schemas=false -structstrings=false"
