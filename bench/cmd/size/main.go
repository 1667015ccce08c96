// Command size builds a program that uses what almost every program uses, fmt.Printf,
// fmt.Println and errors.Is, and the same program with each package of the library,
// and prints how many bytes each package adds. The programs are stripped: go build
// -trimpath -ldflags="-s -w". Run it in the directory of the module:
//
//	go run ./cmd/size
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// platform is where a program runs.
type platform struct{ os, arch string }

var platforms = []platform{{"linux", "amd64"}, {"js", "wasm"}}

// program is the small program with a use of one package.
type program struct {
	name string // what the use is, for the table
	path string // the package, below the library's, or "" for the small program alone
	code string // statements that use value, a variable of type Player, and print with fmt, or "" to import alone
}

var programs = []program{
	{"bits alone, without a use", "bits", ""},
	{"bits.Writer and bits.Reader", "bits", `w := bits.NewWriter(make([]byte, 8))
	w.WriteInt(value.Health, 0, 100)
	r := bits.NewReader(w.Bytes())
	fmt.Println(r.ReadInt(0, 100), w.Err(), r.Err())`},
	{"tagcodec.Marshal and Unmarshal", "tagcodec", `data, err := tagcodec.Marshal(&value)
	fmt.Println(data, err, tagcodec.Unmarshal(data, &value))`},
	{"tagcodec.MustFor: Append, Unmarshal", "tagcodec", `codec := tagcodec.MustFor[Player]()
	data, err := codec.Append(nil, &value)
	fmt.Println(data, err, codec.Unmarshal(data, &value))`},
	{"the same, and Hash and String of its Plan", "tagcodec", `codec := tagcodec.MustFor[Player]()
	data, err := codec.Append(nil, &value)
	fmt.Println(data, err, codec.Unmarshal(data, &value), codec.Plan().Hash(), codec.Plan())`},
	{"binary.Append and Decode", "tagcodec/binary", `data, err := binary.Append(nil, binary.LittleEndian, &value)
	read, err2 := binary.Decode(data, binary.LittleEndian, &value)
	fmt.Println(data, err, read, err2)`},
	{"packet.Session: Append and Decode", "tagcodec/packet", `protocol := packet.MustNew(packet.Config{Application: "size", Version: 1, Protection: packet.ChaCha20Poly1305, MTU: packet.DefaultMTU}, packet.Of[Player]())
	session, err := protocol.NewSession(packet.ClientSide, make([]byte, 32), make([]byte, 32))
	if err != nil {
		panic(err)
	}
	data, err := session.Append(nil, &value)
	received, err2 := session.Decode(data)
	fmt.Println(data, err, received, err2)`},
}

func main() {
	log.SetFlags(0)
	table, err := measure()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(table)
}

// measure returns a table of the bytes that each program has in addition to the
// one that only uses fmt.
func measure() (string, error) {
	dir, err := os.MkdirTemp("", "size")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var b strings.Builder
	fmt.Fprintf(&b, "Bytes of a stripped program, built with %s.\n\n| |", runtime.Version())
	base := make([]int64, len(platforms))
	for i, at := range platforms {
		fmt.Fprintf(&b, " %s/%s |", at.os, at.arch)
		if base[i], err = (program{}).size(dir, at); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(&b, "\n|---|%s\n| fmt and errors alone |", strings.Repeat("--:|", len(platforms)))
	for _, size := range base {
		fmt.Fprintf(&b, " %d |", size)
	}
	for _, p := range programs {
		fmt.Fprintf(&b, "\n| %s |", p.name)
		for i, at := range platforms {
			size, err := p.size(dir, at)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " +%d |", size-base[i])
		}
	}
	b.WriteByte('\n')
	return b.String(), nil
}

// source returns the text of the program.
func (p program) source() string {
	imported, blank := "", ""
	if p.code == "" {
		blank = "_"
	}
	if p.path != "" {
		imported = fmt.Sprintf("import %s %q\n", blank, "github.com/gobitpack/bitpack/"+p.path)
	}
	return `package main

import (
	"errors"
	"fmt"
	"io"
)

` + imported + `
type Player struct {
	Health int64 ` + "`bp:\"int,min=0,max=100\"`" + `
}

func main() {
	value := Player{Health: 87}
	n, err := fmt.Println(value)
	fmt.Printf("%d %v\n", n, errors.Is(err, io.EOF))
	` + p.code + `
}
`
}

// size builds the program in dir and returns its bytes.
func (p program) size(dir string, at platform) (int64, error) {
	source, out := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	if err := os.WriteFile(source, []byte(p.source()), 0o644); err != nil {
		return 0, err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, source)
	cmd.Dir = ".." // the library's module
	cmd.Env = append(os.Environ(), "GOOS="+at.os, "GOARCH="+at.arch, "CGO_ENABLED=0", "GOFLAGS=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s for %s/%s: %w: %s", p.name, at.os, at.arch, err, output)
	}
	info, err := os.Stat(out)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
