package media

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A programInfo is one of the programs this package runs.
type programInfo struct {
	Name    string `json:"name"`
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"`
	// Problem says what is wrong and what to do about it; "" if it can be used.
	Problem string `json:"problem,omitempty"`
}

// needed are the parts of ffmpeg that its smaller builds leave out.
var needed = []string{"ebur128", "select", "scale", "showinfo", "split", "asplit"}

// Programs says of ffmpeg and ffprobe where they are, which version, and
// whether they can do what is needed.
func Programs(ctx context.Context) []programInfo {
	var list []programInfo
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		p := programInfo{Name: name}
		var err error
		if p.Path, err = locate(name); err == nil {
			var text string
			if text, err = answer(ctx, name, "-version"); err == nil {
				p.Version = version(text)
			}
			if err == nil && name == "ffmpeg" {
				p.Problem, err = missingFilters(ctx)
			}
		}
		if err != nil {
			p.Problem = err.Error()
		}
		list = append(list, p)
	}
	return list
}

// FFmpegVersion returns major.minor of the installed ffmpeg, such as 5.1, or its entire version where that
// has another form; "" = ffmpeg is missing, or does not start.
func FFmpegVersion(ctx context.Context) string {
	text, err := answer(ctx, "ffmpeg", "-version")
	if err != nil {
		return ""
	}
	return release(version(text))
}

// release returns major.minor of a version of ffmpeg that has them.
func release(version string) string {
	if m := majorMinor.FindStringSubmatch(version); m != nil {
		return m[1]
	}
	return version
}

var majorMinor = regexp.MustCompile(`^n?([0-9]+\.[0-9]+)`)

// version finds VERSION in "ffmpeg version VERSION Copyright ...".
func version(text string) string {
	words := strings.Fields(text)
	if i := slices.Index(words, "version"); i >= 0 && i+1 < len(words) {
		return printable(words[i+1], 60)
	}
	return ""
}

func missingFilters(ctx context.Context) (problem string, err error) {
	text, err := answer(ctx, "ffmpeg", "-filters")
	if err != nil {
		return "", err
	}
	have := make(map[string]bool)
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 1 {
			have[words[1]] = true
		}
	}
	var missing []string
	for _, name := range needed {
		if !have[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return "this build of ffmpeg lacks the filters " + strings.Join(missing, ", ") + ": install a full one (" + howToInstall + ")", nil
	}
	return "", nil
}

// answers are what programs said about themselves: a suite of many runs asks once.
var answers sync.Map // question: string

// A question names the program's file as it was when it was asked.
type question struct {
	path, args string
	size       int64
	changed    time.Time
}

// answer runs a program that only says something about itself, once for each question.
func answer(ctx context.Context, name string, args ...string) (string, error) {
	q := question{args: strings.Join(args, " ")}
	q.path, _ = exec.LookPath(name)
	if info, err := os.Stat(q.path); err == nil {
		q.size, q.changed = info.Size(), info.ModTime()
	}
	if text, known := answers.Load(q); known {
		return text.(string), nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var out bytes.Buffer
	p := program{name: name, args: append([]string{"-hide_banner"}, args...), readers: []func(io.Reader) error{collect(&out, 1<<20)}}
	_, err := p.run(ctx)
	if err == nil {
		answers.Store(q, out.String())
	}
	return out.String(), err
}
