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
		old: "c.owed += n * t.pay; c.owed > c.r.left()", new: "c.owed += n * t.pay; n > 8*c.r.left()",
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
		name: "two snapshots may be meant by one usual spacing", file: "tagcodec/delta/sender.go",
		old: "return n == 1", new: "return n >= 1",
		pkg: "./tagcodec/delta", run: "^TestResetKeepsSpacings$",
	},
	{
		name: "an image is reused while a Sender needs it", file: "tagcodec/delta/image.go",
		old: "if users == 0 {", new: "if users%held == 0 {",
		pkg: "./tagcodec/delta", run: "^TestReleasedTooEarly$",
	},
	{
		name: "models learn across messages", file: "tagcodec/delta/coder.go",
		old: "	clear(c.met)\n", new: "",
		pkg: "./tagcodec/delta", run: "^TestGolden$",
	},
	{
		name: "negative halves round up", file: "tagcodec/delta/model.go",
		old: "return -((-a + b/2) / b)", new: "return -((-a + (b-1)/2) / b)",
		pkg: "./tagcodec/delta", run: "^TestGolden$",
	},
	{
		name: "a residual loses its sign", file: "tagcodec/delta/field.go",
		old: "v = int64(bitio.Unzigzag(folded))", new: "v = int64(folded >> 1)",
		pkg: "./tagcodec/delta", run: "^TestKeyed$",
	},
	{
		name: "a position after the end of a set", file: "tagcodec/delta/set.go",
		old: "gap >= uint64(n-next)", new: "gap > uint64(n-next)",
		pkg: "./tagcodec/delta", run: "^TestSets$",
	},
	{
		name: "a set of half the positions lists the others", file: "tagcodec/delta/set.go",
		old: "2*len(in) > n", new: "2*len(in) >= n",
		pkg: "./tagcodec/delta", run: "^TestSets$",
	},
	{
		name: "a header with a second but no first older image", file: "tagcodec/delta/header.go",
		old: "h.spacing.older < 4", new: "h.spacing.older < 0",
		pkg: "./tagcodec/delta", run: "^TestHeaders$",
	},
	{
		name: "a chained integer is parsed relative to the base", file: "tagcodec/delta/parse.go",
		old: "		before = j\n", new: "",
		pkg: "./tagcodec/delta", run: "^TestCompile$",
	},
	{
		name: "a tick beyond those of step=auto", file: "tagcodec/delta/ticks.go",
		old: "ticks >= first+stepSpan {", new: "ticks > first+stepSpan {",
		pkg: "./tagcodec/delta", run: "^TestTicksOfRows$",
	},
	{
		name: "values without an own check are taken as sent", file: "tagcodec/delta/compile.go",
		old: "			c.schema.verify = true\n		}\n	}\n	return nil", new: "		}\n	}\n	return nil",
		pkg: "./tagcodec/delta", run: "^TestCompile$",
	},
	{
		name: "a condition on a velocity is read too late", file: "tagcodec/delta/compile.go",
		old: "			if late {", new: "			if late && start < 0 {",
		pkg: "./tagcodec/delta", run: "^TestBadTags$",
	},
	{
		name: "blank fields keep what the buffer had", file: "tagcodec/binary/copy.go",
		old: "clear(to.Array(n))", new: "_ = to",
		pkg: "./tagcodec/binary", run: "^TestOdd$",
	},
	{
		name: "a part of a slice counts its phase", file: "tagcodec/binary/tagged.go",
		old: "bit += end - phase", new: "bit += end",
		pkg: "./tagcodec/binary", run: "^TestSizeOfLongSlices$",
	},
	{
		name: "the size of an empty slice is that of an element", file: "tagcodec/binary/fast.go",
		old: "return data.Slice().Len * e.size", new: "return max(1, data.Slice().Len) * e.size",
		pkg: "./tagcodec/binary", run: "^TestOdd$",
	},
	{
		name: "two 32-bit words swap places", file: "tagcodec/binary/copy.go",
		old: "bits.RotateLeft64(bits.ReverseBytes64(from.At(i).Load64()), 32)", new: "bits.ReverseBytes64(from.At(i).Load64())",
		pkg: "./tagcodec/binary", run: "^TestOdd$",
	},
	{
		name: "an odd word at the end keeps its order", file: "tagcodec/binary/copy.go",
		old: "	for ; i < end; i += 2 {", new: "	for ; i < end-2; i += 2 {",
		pkg: "./tagcodec/binary", run: "^TestOdd$",
	},
	{
		name: "the walk stops a byte early", file: "tagcodec/binary/source.go",
		old: "missing := (s.bit+n+7)/8", new: "missing := (s.bit+n)/8",
		pkg: "./tagcodec/binary", run: "^TestReadStopsAtTheEnd$",
	},
	{
		name: "the walk reserves an element too many", file: "tagcodec/binary/walker.go",
		old: "for left := n - 1; left >= 0 && x.err == nil; left-- {\n		x.reservedBits = saturate.MulAdd(left, each", new: "for left := n - 1; left >= 0 && x.err == nil; left-- {\n		x.reservedBits = saturate.MulAdd(left+1, each",
		pkg: "./tagcodec/binary", run: "^TestReadStopsAtTheEnd$",
	},
	{
		name: "the walk reads past a listed value", file: "tagcodec/binary/walker.go",
		old: "		if x.listed(op, b) {\n			return int(op.End)\n		}", new: "		x.listed(op, b)",
		pkg: "./tagcodec/binary", run: "^TestReadStopsAtTheEnd$",
	},
	{
		name: "the walk does not check listed indices", file: "tagcodec/binary/walkervalue.go",
		old: "index >= len(values)", new: "index > len(values)",
		pkg: "./tagcodec/binary", run: "^TestReadLikeDecode$",
	},
	{
		name: "an absent value keeps that of the element before", file: "tagcodec/binary/walkervalue.go",
		old: "			b.values[i] = 0", new: "			_ = i",
		pkg: "./tagcodec/binary", run: "^TestReadStopsAtTheEnd$",
	},
	{
		name: "unused bits of the last byte are ignored", file: "tagcodec/binary/tagged.go",
		old: "buf[end>>3]>>(end&7) != 0", new: "buf[end>>3]>>(end&7) > 1<<7",
		pkg: "./tagcodec/binary", run: "^TestTaggedRefusals$",
	},
	{
		name: "an element is encoded over its own memory", file: "tagcodec/binary/direct.go",
		old: "!e.references && !v.Overlaps(int(e.elemSize), buf)", new: "!v.Overlaps(int(e.elemSize), buf)",
		pkg: "./tagcodec/binary", run: "^TestValueInTheBuffer$",
	},
}
