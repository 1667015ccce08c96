module github.com/gobitpack/bitpack

go 1.25.0

require github.com/fatih/structtag v1.2.0 // indirect
