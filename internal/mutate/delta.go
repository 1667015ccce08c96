package main

// deltaFaults are faults of tagcodec/delta and tagcodec/binary.
var deltaFaults = []fault{
	{
		name: "Read accepts an optional value that is zero", file: "tagcodec/delta/coder.go",
		old: "cell.value(cell.load(data, at)) == 0 {", new: "cell.value(cell.load(data, at)) == 1<<63 {",
		pkg: "./tagcodec/delta", run: "^TestOptionalZero$",
	},
	{
		name: "the bits that pay for memory need not be zero", file: "tagcodec/delta/coder.go",
		old: "c.r.get(uint(min(n, 32))) != 0 {", new: "c.r.get(uint(min(n, 32))) == 1<<63 {",
		pkg: "./tagcodec/delta", run: "^TestPaidBits$",
	},
	{
		name: "a new element may have the key of one that is there", file: "tagcodec/delta/keyed.go",
		old: "&c.added, i) == 0 {", new: "&c.added, i) == 2 {",
		pkg: "./tagcodec/delta", run: "^TestKeysOfNewElements$",
	},
	{
		name: "new rows need no bits", file: "tagcodec/delta/list.go",
		old: "c.reservedBits += n * t.pay; c.reservedBits > c.r.left()", new: "c.reservedBits += n * t.pay; n > 8*c.r.left()",
		pkg: "./tagcodec/delta", run: "^TestElementsPay$",
	},
	{
		name: "the base need not be acknowledged", file: "tagcodec/delta/sender.go",
		old: "if s.sent[i].acked {", new: "if s.sent[i].image != nil {",
		pkg: "./tagcodec/delta", run: "^TestClientRestarts$",
	},
	{
		name: "images are kept a tick too long", file: "tagcodec/delta/sender.go",
		old: "tick-s.tick >= uint64(window)", new: "tick-s.tick > uint64(window)",
		pkg: "./tagcodec/delta", run: "^TestSilence$",
	},
	{
		name: "a message as old as the window is late, not stale", file: "tagcodec/delta/receiver.go",
		old: "newest-tick >= uint64(r.window)", new: "newest-tick > uint64(r.window)",
		pkg: "./tagcodec/delta", run: "^TestLateRepeatedAndStale$",
	},
	{
		name: "models learn across messages", file: "tagcodec/delta/coder.go",
		old: "	clear(c.met)\n", new: "",
		pkg: "./tagcodec/delta", run: "^TestGolden$",
	},
	{
		name: "a residual loses its sign", file: "tagcodec/delta/field.go",
		old: "v = int64(bitio.Unzigzag(folded))", new: "v = int64(folded >> 1)",
		pkg: "./tagcodec/delta", run: "^TestKeyed$",
	},
	{
		name: "a tick beyond those of step=auto", file: "tagcodec/delta/ticks.go",
		old: "ticks >= first+stepSpan {", new: "ticks > first+stepSpan {",
		pkg: "./tagcodec/delta", run: "^TestTicksOfRows$",
	},
	{
		name: "blank fields keep what the buffer had", file: "tagcodec/binary/copy.go",
		old: "clear(to.Array(n))", new: "_ = to",
		pkg: "./tagcodec/binary", run: "^TestOdd$",
	},
	{
		name: "the size of an empty slice is that of an element", file: "tagcodec/binary/fast.go",
		old: "return data.Slice().Len * e.size", new: "return max(1, data.Slice().Len) * e.size",
		pkg: "./tagcodec/binary", run: "^TestOdd$",
	},
	{
		name: "two 32-bit words swap places", file: "tagcodec/binary/copy.go",
		old: "mathbits.RotateLeft64(mathbits.ReverseBytes64(from.At(i).Load64()), 32)", new: "mathbits.ReverseBytes64(from.At(i).Load64())",
		pkg: "./tagcodec/binary", run: "^TestOdd$",
	},
	{
		name: "reading ahead counts the reserved bits twice", file: "tagcodec/internal/reference/read.go",
		old: "*d.ahead = 0 //", new: "//",
		pkg: "./tagcodec/binary", run: "^TestReadStopsAtTheEnd$",
	},
	{
		name: "nothing is read ahead", file: "tagcodec/binary/taggedread.go",
		old: "s.Context.Ahead = new(int)", new: "s.Context.Ahead = nil",
		pkg: "./tagcodec/binary", run: "^TestReadsAhead$",
	},
	{
		name: "an element is encoded over its own memory", file: "tagcodec/binary/direct.go",
		old: "!e.references && !v.Overlaps(int(e.elemSize), buf)", new: "!v.Overlaps(int(e.elemSize), buf)",
		pkg: "./tagcodec/binary", run: "^TestValueInTheBuffer$",
	},
	{
		name: "a complete snapshot in each tick of an outage",
		file: "tagcodec/delta/sender.go", old: "base < 0 && s.complete > 0", new: "base < 0 && s.complete > 1<<60",
		pkg: "./tagcodec/delta", run: "TestOutage",
	},
}
