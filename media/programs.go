package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/scratch"
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
var needed = []string{"ebur128", "select", "scale", "showinfo", "metadata", "split", "asplit", "aresample", "apad", "lutyuv", "setrange", "lut3d", "pan"}

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
				p.Problem = tooOld(name, p.Version)
			}
			if err == nil && name == "ffmpeg" && p.Problem == "" {
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

// CheckPrograms returns an error of kind NotFound if media cannot be opened
// here: ffmpeg or ffprobe is missing, too old or lacks a part.
func CheckPrograms(ctx context.Context) error {
	for _, p := range Programs(ctx) {
		if err := ctx.Err(); err != nil { // not a fault of the program
			return err
		}
		if p.Problem != "" {
			return &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New(p.Problem)}
		}
	}
	return nil
}

// oldest is the first release with known options and output.
const oldest = "5.1"

// tooOld names a version of ffmpeg before the oldest; "" for later ones, and for
// builds between releases.
func tooOld(name, version string) string {
	m := majorMinor.FindStringSubmatch(version)
	if m == nil || slices.Compare(numbers(m[1]), numbers(oldest)) >= 0 {
		return ""
	}
	return fmt.Sprintf("%s %s is too old: %s or later is needed (%s)", name, version, oldest, howToInstall)
}

// numbers are the parts of a version such as 5.1.
func numbers(version string) (n []int) {
	for part := range strings.SplitSeq(version, ".") {
		v, _ := strconv.Atoi(part) // of digits alone
		n = append(n, v)
	}
	return n
}

// checkAge refuses an ffmpeg that is too old, whichever command runs it.
func (p *program) checkAge(ctx context.Context) error {
	if p.asked || !strings.HasPrefix(p.name, "ff") {
		return nil
	}
	text, err := answer(ctx, p.name, "-version")
	if err != nil {
		return err
	}
	if problem := tooOld(p.name, version(text)); problem != "" {
		return &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New(problem)}
	}
	return nil
}

// SelfTest makes a second of film and sound and has it measured, as all other
// films are: a build of ffmpeg may start and still do something else.
func SelfTest(ctx context.Context) error {
	files, err := scratch.New()
	if err != nil {
		return err
	}
	defer files.Close()
	film := filepath.Join(files.Path, "film.nut")
	made := program{name: "ffmpeg", path: "a film of its own", args: append(slices.Clone(general),
		"-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=16000:duration=1",
		"-c:v", "rawvideo", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", "-f", "nut", argument(film))}
	if _, err := made.run(ctx); err != nil {
		return err
	}
	f, err := Probe(ctx, film)
	if err != nil {
		return err
	}
	s, err := RunSurvey(ctx, f, SurveyOptions{Samples: []Sample{{Policy: Policy{Frames: 3}}}})
	switch {
	case err != nil:
		return err
	case s.Video == nil || s.Audio == nil || len(s.Video.Moments) != 10 || len(s.Samples[0].Frames) != 3 || s.Samples[0].Moved > 0,
		s.Video.Moments[9].Time != 900*time.Millisecond, s.Audio.Duration != time.Second, s.Audio.Loudness == nil:
		return errors.New("this build of ffmpeg does not measure a film of one second as others do: install a release from 5.1 to 8.0 (" + howToInstall + ")")
	}
	return nil
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
	p := program{name: name, asked: true, args: append([]string{"-hide_banner"}, args...), readers: []func(io.Reader) error{collect(&out, 1<<20)}}
	_, err := p.run(ctx)
	if err != nil {
		return "", unusable(ctx, q, name, err)
	}
	answers.Store(q, out.String())
	return out.String(), nil
}

// unusable is the error of a program that does not even describe itself.
func unusable(ctx context.Context, q question, name string, err error) error {
	if q.path == "" || errors.Is(context.Cause(ctx), context.Canceled) {
		return err
	}
	var e *omniscope.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("%s cannot be used: %s %s ends with: %v (%s)", name, q.path, q.args, err, howToInstall)}
}
