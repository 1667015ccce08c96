package main

// lowFaults are faults of bits, compress and the small packages below them.
var lowFaults = []fault{
	{"the bits of a value that start the next word are lost", "bits/writer.go",
		"w.word = v >> (64 - fill)", "w.word = 0", "./bits", "^TestGolden$", ""},
	{"a length below its minimum is written", "bits/writer.go",
		"if n < min || n > max {", "if n > max {", "./bits", "^TestRangeErrors$", ""},
	{"the bits of a hostile length overflow", "bits/reader.go",
		"n <= math.MaxInt/width && r.fill(n*width)", "r.fill(n*width)", "./bits", "^TestArriving$", ""},
	{"a varint with a zero group too many is accepted", "bits/varint.go",
		"case shift > 0 && b == 0:", "case shift > 63 && b == 0:", "./bits", "^TestVarint$", ""},
	{"an integer above 64 bits wraps around", "internal/bitio/expgolomb.go",
		"v >= first && v <= max", "v <= max", "./internal/bitio", "^TestExpGolombRefused$", ""},
	{"U+FFFD counts as the bad byte of a text", "internal/bitio/text.go",
		"s[i:]); n == 1 {", "s[i:]); n > 0 {", "./bits", "^TestBadUTF8$", ""},
	{"the unit of a bad text is counted in bytes", "bits/reader.go",
		"(bad - r.bit) / 32", "(bad - r.bit) / 8", "./bits", "^TestWStringUnits$", ""},
	{"the path that tries one component alone is taken too early", "compress/quat.go",
		"half * (9 +", "half * (4 +", "./compress", "^TestQuat", ""},
	{"a product is fused with its sum", "compress/quat.go",
		"float64(v[o[1]&3]*scale) + zero", "math.FMA(v[o[1]&3], scale, zero)", "./compress", "^TestFusedVectors$", ""},
	{
		name: "a float is read that is above max",
		file: "compress/float.go", old: "if v > q.Max { // unlike", new: "if v > 2*q.Max { // unlike",
		pkg: "./compress", run: "TestFloatWithinBounds",
	},
}
