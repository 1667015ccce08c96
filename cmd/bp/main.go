// Bp shows, locks and checks the wire of tagged types. Run "bp help" for its
// verbs, and see docs/TOOLS.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/gobitpack/bitpack/cmd/bp/analyzer"
	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// The exit codes.
const (
	exitOK      = 0
	exitFound   = 1 // bp has found what it looks for: a wrong tag, a changed wire, stale code, a bad packet
	exitFailure = 2 // wrong usage, or a package that does not build
)

func main() {
	if fromGoVet(os.Args[1:]) {
		for _, name := range analyzer.Warnings { // go vet fails after a warning, too
			analyzer.Analyzer.Flags.Lookup(name).DefValue = "false"
			_ = analyzer.Analyzer.Flags.Set(name, "false")
		}
		unitchecker.Main(analyzer.Analyzer) // does not return
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// fromGoVet reports whether go vet -vettool runs bp. It asks for the version and
// the flags, and then passes flags and the name of a file with a package.
func fromGoVet(args []string) bool {
	return len(args) > 0 && (args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg") && (len(args) == 1 || args[0][0] == '-'))
}

// verb is a subcommand. Its run function returns false if it has found what the
// verb looks for.
type verb struct {
	name, args, short, long string
	run                     func(c *command) (ok bool, err error)
}

// command is a call of a verb.
type command struct {
	verb           *verb
	flags          *flag.FlagSet
	args           []string // after the flags
	stdin          io.Reader
	stdout, stderr io.Writer
	color          bool // stdout shows colors
}

// errUsage is the error of a wrong call. It has been reported.
var errUsage = errors.New("wrong usage")

var verbs []*verb

func init() { // not in the declaration, because help refers to verbs
	verbs = []*verb{
		{"vet", "[-fix] [-json] [-test] [-exact] [-mtu N] [PACKAGES]", "report wrong tags, with their place in the source", vetHelp, vet},
		{"plan", "[-type A,B] [-json | -svg] [PACKAGE]", "show the wire of each message type as a table", planHelp, showPlans},
		{"explain", "-type T [-json] [PACKAGE] [HEX | FILE | -]", "show what each bit of a packet means", explainHelp, explain},
		{"lock", "[-type A,B] [-o FILE] [PACKAGE]", "write the wire of all message types down in bp.lock", lockHelp, lock},
		{"check", "[-o FILE] [-json] [PACKAGE]", "compare the wire with bp.lock, and generated code with its types", checkHelp, check},
		{"gen", "[-type A,B] [-o FILE] [-check] [-json] [PACKAGE]", "write straight-line Go code for the message types", genHelp, gen},
		{"version", "", "print the version of bp", "", version},
		{"help", "[VERB]", "print help", "", help},
	}
}

const typesHelp = `
Message types are those named by -type, in any form that the package itself could
write, such as Box[int]. Without it they are the types of the package that it
passes to tagcodec.For, packet.Of or delta.For, or as a value to Marshal, Append,
Unmarshal, UnmarshalFirst, Size or MaxSize of tagcodec, and tagged structs that no
other type or union of the package contains.

The types are found in the source. Their wire comes from the library itself: bp
compiles the package with a test file of its own, which only the build sees, and
runs it. So init functions run, and unions that they register are known. Options
of a codec count where the call has them written out, such as
tagcodec.For[T](tagcodec.WithUnion[Event](Hit{})).
`

// run runs bp.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	name := "help"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	for _, v := range verbs {
		if v.name != name {
			continue
		}
		color := colorful(stdout)
		c := &command{verb: v, flags: flag.NewFlagSet("bp "+name, flag.ContinueOnError), args: args, stdin: stdin, stdout: stdout, stderr: stderr, color: color}
		c.flags.SetOutput(stderr)
		c.flags.Usage = func() { v.usage(stderr) }
		switch ok, err := v.run(c); {
		case errors.Is(err, flag.ErrHelp):
			return exitOK
		case err == errUsage:
			return exitFailure
		case err != nil:
			fmt.Fprintln(stderr, "bp:", err)
			return exitFailure
		case !ok:
			return exitFound
		}
		return exitOK
	}
	fmt.Fprintf(stderr, "bp: there is no verb %q: run \"bp help\"\n", name)
	return exitFailure
}

// parse parses the flags. At most most arguments may follow them, or any number
// if most is negative.
func (c *command) parse(most int) error {
	if err := c.flags.Parse(c.args); err != nil {
		if err == flag.ErrHelp {
			return err
		}
		return errUsage // the flag set has reported it
	}
	c.args = c.flags.Args()
	if most >= 0 && len(c.args) > most {
		hint := ""
		if strings.HasPrefix(c.args[most], "-") {
			hint = ": flags come first"
		}
		fmt.Fprintf(c.stderr, "bp %s: unexpected argument %q%s\n", c.verb.name, c.args[most], hint)
		c.verb.usage(c.stderr)
		return errUsage
	}
	return nil
}

func (v *verb) usage(w io.Writer) {
	fmt.Fprintln(w, strings.TrimSpace("usage: bp "+v.name+" "+v.args))
	if v.long != "" {
		fmt.Fprint(w, v.long)
	}
}

func help(c *command) (bool, error) {
	if err := c.parse(1); err != nil {
		return false, err
	}
	for _, v := range verbs {
		if len(c.args) == 1 && v.name == c.args[0] {
			v.usage(c.stdout)
			return true, nil
		}
	}
	if len(c.args) == 1 {
		return false, fmt.Errorf("there is no verb %q: run \"bp help\"", c.args[0])
	}
	fmt.Fprint(c.stdout, "Bp shows, locks and checks the wire of types with bitpack's tags.\n\n")
	for _, v := range verbs {
		fmt.Fprintf(c.stdout, "  bp %-8s %s\n", v.name, v.short)
	}
	fmt.Fprint(c.stdout, "\nRun \"bp help VERB\" for its flags. Bp exits with 0 if all is well, with 1 if it\n"+
		"has found a wrong tag, a type above its budget, a changed wire, stale code or a\nbad packet, and with 2 if it could not do its work.\n")
	return true, nil
}

func version(c *command) (bool, error) {
	if err := c.parse(0); err != nil {
		return false, err
	}
	fmt.Fprintln(c.stdout, "bp", ownVersion())
	return true, nil
}

// ownVersion returns the version of the module that bp was built from, or
// "(devel)".
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != library.Path || info.Main.Version == "" {
		return devel
	}
	return info.Main.Version
}

const devel = "(devel)"
