module github.com/gobitpack/bitpack

go 1.25.0
