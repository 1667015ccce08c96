package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"
)

// isTerminal reports whether a writer is a terminal that understands escape
// sequences.
var isTerminal = func(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || runtime.GOOS == "windows" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && !os.SameFile(info, null)
}

// colorful reports whether what goes to a writer has colors: the writer is a
// terminal, and the environment variable NO_COLOR is not set.
func colorful(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

// The colors of the output.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	bold   = "1"
)

// paint returns a text in a color, if the command's output has colors.
func (c *command) paint(color, text string) string {
	if !c.color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[m"
}

// progress is a line on a terminal that says that bp still works.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	name  string
	shown bool
	over  bool
	quit  chan struct{}
}

// startProgress starts a progress line that appears after a second.
func startProgress(w io.Writer, name string) *progress {
	p := &progress{w: w, name: name, quit: make(chan struct{})}
	go func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for start := time.Now(); ; {
			select {
			case <-t.C:
				p.show(time.Since(start))
			case <-p.quit:
				return
			}
		}
	}()
	return p
}

// show writes the line anew, unless the progress is over.
func (p *progress) show(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		fmt.Fprintf(p.w, "\r%s: working, %d s\x1b[K", p.name, int(d.Seconds()))
		p.shown = true
	}
}

// end removes the line for good.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.over = true
	close(p.quit)
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// before is a writer whose first output ends a progress.
type before struct {
	io.Writer
	p *progress
}

// Write ends the progress and writes data.
func (b before) Write(data []byte) (int, error) {
	b.p.end()
	return b.Writer.Write(data)
}
