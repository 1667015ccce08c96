package main

const (
	fastLoops   = "tagcodec/internal/fast/"
	engineTests = "./tagcodec/internal/enginetest"
)

// engineFaults are faults of the engines and generated code's runtime.
var engineFaults = []fault{
	{
		name: "the second integer of a pair is written without its bound", file: fastLoops + "encoderun.go",
		old: "if v > x.Span || u > last.Span {", new: "if v > x.Span {",
		pkg: engineTests, run: "^TestPairs$",
	},
	{
		name: "four codes of 15 bits are read with one load", file: fastLoops + "packed.go",
		old: "if width <= plan.MostPeeked/4 {", new: "if width <= plan.MostPeeked/4+1 {",
		pkg: engineTests, run: "^TestPairs$",
	},
	{
		name: "the padding before the text of a run may be anything", file: fastLoops + "text.go",
		old: "|| zeros != 0 {", new: "|| zeros > 1<<7 {",
		pkg: engineTests, run: "^TestRunText$",
	},
	{
		name: "a decoded text shares memory with the message", file: fastLoops + "text.go",
		old: "setString(s, raw)", new: "*s = memory.String(raw)",
		pkg: engineTests, run: "^TestNothingRefersToTheData$",
	},
	{
		name: "a value may be one level too deep", file: fastLoops + "decodeblock.go",
		old: "d.depth > d.c.MaxDepth {", new: "d.depth > d.c.MaxDepth+1 {",
		pkg: engineTests, run: "^TestDepthOfBlocks$",
	},
	{
		name: "the bits after a slice pay for its elements", file: fastLoops + "decodeblock.go",
		old: "saturate.MulAdd(e.n-1, least, saturate.Add(d.reserved, int(op.Rest)))", new: "saturate.MulAdd(e.n-1, least, d.reserved)",
		pkg: engineTests, run: "^TestRandomTypes$",
	},
	{
		name: "a key of a map may repeat", file: fastLoops + "map.go",
		old: "Compare(keyOf(entry, elem)) < 0", new: "Compare(keyOf(entry, elem)) <= 0",
		pkg: engineTests, run: "^TestUnmarshalRefuses$",
	},
	{
		name: "a stretch that is not full may go on", file: fastLoops + "runlength.go",
		old: "last, whole = code, length == bitio.MaxStretch", new: "last, whole = code, length >= bitio.MaxStretch-1",
		pkg: engineTests, run: "^TestStretchBits$",
	},
	{
		name: "the first absent element of a subset keeps its value", file: fastLoops + "subset.go",
		old: "f.elem, previous+1, i)", new: "f.elem, previous+2, i)",
		pkg: engineTests, run: "^TestUsedThroughFailures$",
	},
	{
		name: "bytes beyond a shorter message stay in memory", file: "tagcodec/internal/core/limits.go",
		old: "clear((*s)[len(raw):])", new: "clear((*s)[len(*s):])",
		pkg: engineTests, run: "^TestFailedLeavesWhatWasRead$",
	},
	{
		name: "a map keeps its old entries", file: "tagcodec/internal/core/limits.go",
		old: "m.Clear()", new: "_ = n",
		pkg: engineTests, run: "^TestFailedLeavesWhatWasRead$",
	},
	{
		name: "the interpreter reserves bits for an element that it has read", file: "tagcodec/internal/reference/read.go",
		old: "saturate.MulAdd(v.Len()-1-i, each, reserved)", new: "saturate.MulAdd(v.Len()-i, each, reserved)",
		pkg: engineTests, run: "^TestRandomTypes$",
	},
	{
		name: "generated code reads varints with a group of zeros", file: "tagcodec/genrt/variable.go",
		old: "shift > 0 && group == 0, shift == 63", new: "shift == 63",
		pkg: "./tagcodec/genrt", run: "^TestVarint$",
	},
	{
		name: "generated code takes a count of a subset above the elements", file: "tagcodec/genrt/subset.go",
		old: "bit > end || s.left > s.total {", new: "bit > end {",
		pkg: "./tagcodec/genrt", run: "^TestSubsetCount$",
	},
	{
		name: "the word of generated code ends one bit too early", file: "tagcodec/genrt/append.go",
		old: "if end < 64 {\n\t\treturn buf, pos, w, end", new: "if end < 63 {\n\t\treturn buf, pos, w, end",
		pkg: "./tagcodec/genrt", run: "^TestSubset$",
	},
}
