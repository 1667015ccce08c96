module github.com/gobitpack/bitpack/examples/quic

go 1.26.0

require (
	github.com/gobitpack/bitpack v0.0.0
	github.com/quic-go/quic-go v0.65.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/fatih/structtag v1.2.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.55.0 // indirect
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace github.com/gobitpack/bitpack => ../..
