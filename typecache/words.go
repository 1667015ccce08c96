package typecache

import (
	"strings"
)

// foreign returns what to write in place of a word that other libraries or other
// words of this one make likely in a tag, or "". Such a word is no misspelling, even
// if it is one letter away from an option. word is in small letters and without
// spaces and underscores.
func foreign(word string) string {
	for i := range foreignWords {
		if strings.Contains(foreignWords[i][0], " "+word+" ") {
			return foreignWords[i][1]
		}
	}
	return sized(word)
}

// foreignWords has lists of words between spaces, and what to write in place of each. A
// switch would take more of every program.
var foreignWords = [...][2]string{
	// Lengths, places, presence and byte order.
	{" big little be le bigendian littleendian endian endianness network networkorder netorder native host byteorder order msb " +
		"lsb msbfirst lsbfirst swap reverse ",
		"remove it, because the wire has one byte order, little-endian; to send network order, swap the bytes of the value, as math/bits.ReverseBytes32 does, or write them in a Serialize method"},
	{" len length size count num cap capacity sizeconst bytesize fieldlength fieldcount dim " +
		"sizeof sizefrom sizefield lenfrom lenfield lengthfrom countof countfrom sizeis lengthis numelements prefix ",
		"a slice or text sends its own length, and an array is sent whole: write maxlen=N on a slice or text for at most N, and minlen=N too for exactly N; to read a length that another field has, use a Serialize method"},
	{" until terminator terminated eof eos sizeeos repeatuntil greedy rest nullterm nullterminated zeroterminated stop ",
		"a list or text sends its length before it: write maxlen=N; to read up to an end mark, use a Serialize method"},
	{" skip offset seek at pos fieldoffset repeat jump ",
		"values follow each other without gaps: leave a field out with `bp:\"-\"`, or send zero bits with a field _ struct{} `bp:\"reserved,bits=8\"`"},
	{" pad padding fill filler pack packed alignment aligned unused blank spare gap ",
		"values are packed without gaps: fill a byte with a field _ struct{} `bp:\"align\"`, or send zero bits with _ struct{} `bp:\"reserved,bits=8\"`"},
	{" omitempty omitzero omitnil nullable nil null maybe opt present presence sparse ",
		"write optional, which sends 1 bit, and the value unless it is zero"},
	{" ignore ignored exclude omit transient private internal none nosend ",
		"leave a field out with `bp:\"-\"`"},
	{" inline squash embed embedded flatten anonymous nested array list slice map dict struct object message pointer ptr ref " +
		"repeated rep any type ",
		"remove it, because the field's Go type says it: structs and arrays are sent in place, and slices, maps and texts need maxlen=N"},
	{" required req mandatory name tag id field index ordinal number proto2 proto3 json xml yaml doc comment ",
		"remove it, because fields are sent in their order, without names or numbers"},
	{" when cond condition iff ifdef unless has exists depends requires else ",
		"write if=Field, where Field is an earlier bool or integer; !Field, Field==K, Field!=K and Field&M are possible too"},
	{" switch case oneof variant select choice sum discriminator ",
		"write if=Kind==3 at each field, where Kind is an earlier integer, or make the field an interface and write union"},
	{" since version deprecated added removed ",
		"remove it, because messages have no versions: both sides compare the hash of their types"},

	// Numbers, texts and kinds of values.
	{" dec decimal decimals digits places prec precision scale resolution quant quantize quantized quantum eps epsilon " +
		"tolerance accuracy granularity factor multiplier ratio delta steps stepsize ",
		"a float with min=, max= and res= is sent in steps of res: three decimals are res=0.001; bits=N in place of res makes 2^N-1 steps"},
	{" bit bitsize bitlen bitlength bitwidth bitfield nbits numbits width fieldbitlength w b ",
		"write bits=N for N bits"},
	{" range lo low hi high lower upper from minimum maximum between bounds bound limit gt gte lt lte clamp minvalue maxvalue " +
		"start end mid ",
		"the bounds of a number are min= and max=, which belong to it, and those of the length of a list or text are minlen= and maxlen="},
	{" default def init initial usual often ",
		"write common=V, which sends the value V in 1 bit; a field that is not sent is zero"},
	{" magic literal constant equals eq valid assert signature contents expect fixedvalue ",
		"a known value is a field _ struct{} `bp:\"const,bits=8,value=0x2a\"`"},
	{" crc crc16 crc32 checksum sum8 hash mac hmac digest ",
		"a message has no checksum: package packet protects datagrams; `bp:\"check\"` on a field _ struct{} is a known value"},
	{" varlen compact leb128 uleb128 sleb128 vlq vlen zigzag uvarint vint var ",
		"write varint, which is zigzag on signed integers, and not LEB128"},
	{" golomb expgol eg ue se rice elias gamma ",
		"write expgolomb, with k=N for integers that are usually below 2^N"},
	{" float16 f16 fp16 binary16 halffloat bfloat16 ",
		"write half on a float32"},
	{" deg degrees degree rad radians heading yaw rot ",
		"write angle,bits=N, with unit=deg for degrees; a rotation of four floats is quat"},
	{" quad quaternion rotation orientation smallest3 smallestthree ",
		"a rotation is four floats: write quat,bits=9"},
	{" dir direction normal octahedral vec vector vec2 vec3 vec4 ",
		"the options of a vector are those of its floats; a direction of length 1 is unit,bits=10"},
	{" mat mat4 matrix transform trs ",
		"a [16]float32 of translation, rotation and scale is affine"},
	{" str text utf8 char chars charset encoding ascii latin1 unicode ",
		"a text is string,maxlen=N, in UTF-8; bytes,maxlen=N sends any bytes"},
	{" wstr utf16 wchar ucs2 wide ",
		"write wstring,maxlen=N for UTF-16"},
	{" cstr strz stringz zstring asciiz asciz sz pstring lstring ",
		"a text is string,maxlen=N, which sends its length before it; cstring is for a [N]byte that ends at its first zero"},
	{" raw blob data buf buffer octets opaque base64 hex ",
		"write bytes,maxlen=N on a slice, or bytes on an array"},
	{" flag flags boolean bools ",
		"remove it, because a bool takes 1 bit, and integers take bits=N"},
	{" signed unsigned sint integer real number1 double long short single ",
		"remove it, because the field's Go type says it; bits=N, or min= and max=, make it smaller"},
	{" q fixedpoint fp frag fraction qformat ",
		"fixed point is fixed,frac=N with min= and max= in whole units"},
	{" pre prev previous last before rel diff relativeto ",
		"write relative,to=Field for the step from an earlier field, or relative,chain in the elements of a list"},
	{" time date timestamp unix duration ",
		"a time.Time is binary,maxlen=20, and a time.Duration is an int64"},
	{" compress gzip zip lz4 zstd deflate ",
		"remove it, and make the values smaller by their ranges; rle and huffman= are for values that are often equal"},
	{" node code codes model ",
		"remove it, or write huffman=V:W|V:W to give the frequent values short codes"},
}

// sized answers a word that is the name of a number with its size, such as int24,
// u2be or fixed32, and a word that is a number itself.
func sized(word string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(word, "be"), "le")
	letters := strings.TrimRight(base, "0123456789")
	digits := base[len(letters):]
	switch {
	case digits == "":
		return ""
	case letters == "":
		return "remove it, because fields are sent in their order, without names or numbers"
	case base != word:
		return foreign("be")
	}
	switch letters {
	case "int", "uint", "sint", "fixed", "sfixed", "float", "bool", "i", "u", "s", "f", "b", "si", "ui", "bits", "bit", "word", "enum", "varint", "uvarint", "complex":
		return "remove it, because the field's Go type says the size of a number, and write bits=N for N bits"
	}
	return ""
}

// goType is the answer to a Go type in the place of a kind.
const goType = "leave it out, the field's Go type says it"

// suggest adds to an error about an unknown word what to write in its place, or the
// known words of the first list. It suggests prefix followed by a known word only where
// wrong is surely a misspelling of that word: bp vet -fix writes it.
func (e *Error) suggest(prefix, wrong string, lists ...[]string) *Error {
	e.Known = lists[0]
	name, value, colon := strings.Cut(wrong, ":") // as in min:0
	if colon && value != "" && isOption(name) {
		e.Suggestion = prefix + name + "=" + value
		return e
	}
	word := normalized(name)
	for _, list := range lists {
		if !colon && contains(list, word) {
			e.Suggestion = prefix + word
			return e
		}
	}
	best := word
	if !contains(goTypes, word) {
		if e.Fix = foreign(word); e.Fix != "" {
			return e
		}
		if best = ""; !colon {
			best = nearest(word, append(lists[:len(lists):len(lists)], goTypes))
		}
	}
	switch {
	case contains(goTypes, best):
		e.Fix = goType
	case best != "":
		e.Suggestion = prefix + best
	}
	return e
}

// suggestField adds to an error about the name of a field the one that wrong is surely
// a misspelling of, and the names that are possible. A short name may be that of a field
// that has been forgotten, since short words are near to others.
func (e *Error) suggestField(wrong string, names []string) *Error {
	e.Known = names
	same := 0
	for _, name := range names {
		if strings.EqualFold(name, wrong) {
			e.Suggestion = name
			same++
		}
	}
	if near := nearest(wrong, [][]string{names}); same > 1 {
		e.Suggestion = ""
	} else if same == 0 && (len(wrong) > len(near) || len(near) > 4) {
		e.Suggestion = near
	}
	return e
}

// normalized returns a word of a tag in small letters, without spaces, underscores and
// hyphens.
func normalized(word string) string {
	letters := make([]byte, 0, len(word))
	for _, c := range []byte(lower(word)) {
		if c != ' ' && c != '_' && c != '-' {
			letters = append(letters, c)
		}
	}
	return string(letters)
}

// nearest returns the only word of the lists that wrong misspells, or "".
func nearest(wrong string, lists [][]string) (best string) {
	for _, list := range lists {
		for _, word := range list {
			if !misspells(lower(wrong), lower(word)) {
				continue
			}
			if best != "" && best != word {
				return ""
			}
			best = word
		}
	}
	return best
}

// misspells reports whether wrong is word with one slip of a finger: two neighboring
// letters swapped, a letter doubled, an inner letter left out, or an inner letter
// replaced by one of a neighboring key. Other words that are as near are often
// words of their own, such as pad for max.
func misspells(wrong, word string) bool {
	if len(word) < 2 {
		return false
	}
	i := 0
	for i < len(wrong) && i < len(word) && wrong[i] == word[i] {
		i++
	}
	letters := func(s string, from, to int) bool {
		return to <= len(s) && !strings.ContainsFunc(s[from:to], func(r rune) bool { return r < 'a' || r > 'z' })
	}
	inner := 0 < i && i < len(word)-1 && letters(word, i, i+1)
	switch len(wrong) - len(word) {
	case 1:
		return i > 0 && letters(wrong, i-1, i) && wrong[i] == wrong[i-1] && wrong[i+1:] == word[i:]
	case -1:
		return inner && wrong[i:] == word[i+1:]
	case 0:
		if inner && len(word) > 2 && neighbors(wrong[i], word[i]) && wrong[i+1:] == word[i+1:] {
			return true
		}
		return len(word) > 2 && letters(word, i, i+2) && i+2 <= len(wrong) &&
			wrong[i] == word[i+1] && wrong[i+1] == word[i] && wrong[i+2:] == word[i+2:]
	}
	return false
}

// neighbors reports whether two small letters are neighbors on a keyboard.
func neighbors(a, b byte) bool {
	const letters = "qwertyuiop*asdfghjkl**zxcvbnm" // three rows of 11 keys
	i, j := strings.IndexByte(letters, a), strings.IndexByte(letters, b)
	if i < 0 || j < 0 || a == b {
		return false
	}
	if i > j {
		i, j = j, i
	}
	rows, columns := j/11-i/11, j%11-i%11 // each row begins half a key to the right of the one above
	return rows == 0 && columns == 1 || rows == 1 && (columns == 0 || columns == -1)
}
