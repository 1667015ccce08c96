module github.com/gobitpack/bitpack/bench

go 1.26

require (
	capnproto.org/go/capnp/v3 v3.1.0-alpha.1
	github.com/fxamacker/cbor/v2 v2.9.6
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3
	github.com/go-restruct/restruct v1.2.0-alpha
	github.com/gobitpack/bitpack v0.0.0
	github.com/google/flatbuffers v25.12.19+incompatible
	github.com/icza/bitio v1.0.0
	github.com/kelindar/binary v1.0.19
	github.com/klauspost/compress v1.20.3
	github.com/lunixbochs/struc v0.0.0-20241101090106-8d528fa2c543
	github.com/mus-format/mus-go v0.7.2
	github.com/mus-format/musgen-go v0.2.3
	github.com/niubaoshu/gotiny v0.0.3
	github.com/planetscale/vtprotobuf v0.6.0
	github.com/stretchr/testify v1.12.1
	github.com/tinylib/msgp v1.6.5
	github.com/vmihailenco/msgpack/v5 v5.4.1
	go.mongodb.org/mongo-driver/v2 v2.10.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/colega/zeropool v0.0.0-20230505084239-6fb4a4f75381 // indirect
	github.com/fatih/structtag v1.2.0 // indirect
	github.com/mus-format/common-go v0.0.0-20251026152644-9f5ac6728d8a // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/pkg/errors v0.8.1 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20240604190554-fc45aab8b7f8 // indirect
	golang.org/x/mod v0.39.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/tools v0.49.0 // indirect
)

replace github.com/gobitpack/bitpack => ../

tool (
	capnproto.org/go/capnp/v3/capnpc-go
	github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto
	github.com/tinylib/msgp
	google.golang.org/protobuf/cmd/protoc-gen-go
)
