module github.com/gobitpack/bitpack/bench

go 1.25.0

require (
	github.com/fxamacker/cbor/v2 v2.9.6
	github.com/gobitpack/bitpack v0.0.0
	github.com/stretchr/testify v1.12.1
	github.com/vmihailenco/msgpack/v5 v5.4.1
)

require (
	github.com/fatih/structtag v1.2.0 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/gobitpack/bitpack => ../
