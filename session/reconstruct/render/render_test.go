package render

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/session/reconstruct"
)

// TestMain is the program that makes videos, too: with the arguments render, a way to behave, and those of
// the template.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "render" {
		os.Exit(program(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

func program(how string, args []string) int {
	switch how {
	case "well":
		prompt, err := os.ReadFile(args[0])
		if err == nil {
			err = os.WriteFile(args[len(args)-1], []byte(strings.Join(append([]string{string(prompt)}, args[1:len(args)-1]...), "\n")), 0o600)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	case "badly":
		fmt.Fprintln(os.Stderr, "Loading.\n\nTraceback:\n  CUDA out \x1b[31mof memory")
		return 7
	case "for ever":
		time.Sleep(time.Minute)
	case "large":
		f, err := os.Create(args[len(args)-1])
		for err == nil {
			_, err = f.Write(make([]byte, 1<<20))
			time.Sleep(5 * time.Millisecond)
		}
	}
	return 0
}

func start(t *testing.T, template string) *renderProgram {
	t.Helper()
	p, err := New("exec:"+strings.ReplaceAll(template, "SELF", "'"+os.Args[0]+"'"), time.Minute, 1<<20)
	fixture.OK(t, err)
	p.look = 10 * time.Millisecond
	return p
}

// TestArguments passes on prompts that a shell would make something of, and fills no placeholder that
// stands in a prompt or a name.
func TestArguments(t *testing.T) {
	p := start(t, `SELF render well {prompt_file} "--seconds={seconds}" '{"steps": 20}' {name} {out}`)
	hostile := "$(touch owned) `id` ; rm -rf / --out {out} \"' \n犬"
	out := filepath.Join(t.TempDir(), "a b;c.mp4")
	fixture.OK(t, p.Make(t.Context(), &reconstruct.Job{Name: "j{seconds}", Prompt: hostile, Seconds: 4.5}, out))
	got, err := os.ReadFile(out)
	if want := hostile + "\n--seconds=4.5\n{\"steps\": 20}\nj{seconds}"; err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if ondisk.Exists("owned") {
		t.Error("a shell read the prompt")
	}
}

func TestTemplates(t *testing.T) {
	for template, want := range map[string]string{
		"exec:":                     "name a program",
		"exec:ffmpeg {prompt_file}": "not told {out}",
		"exec:ffmpeg {out}":         "not told {prompt_file}",
		"exec:ffmpeg {prompt_file} {length} {out}":              "no placeholder {length}",
		"exec:{prompt_file} {out}":                              "program itself",
		"exec:no-such-program {prompt_file} {out}":              "cannot be run",
		"exec:./no/such/program.py {prompt_file} {out}":         "cannot be run",
		"exec:python 'unclosed {prompt_file} {out}":             "EOF",
		"exec:python {prompt_file} {out} {prompt}":              "no placeholder {prompt}",
		"exec:python {prompt_file} {out} {PROMPT_FILE} {other}": "no placeholder {PROMPT_FILE}",
	} {
		if _, err := New(template, time.Second, 1); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", template, err, want)
		}
	}
}

func TestFailures(t *testing.T) {
	job := &reconstruct.Job{Name: "j", Prompt: "A dog.", Seconds: 4}
	out := filepath.Join(t.TempDir(), "out.mp4")
	err := start(t, "SELF render badly {prompt_file} {out}").Make(t.Context(), job, out)
	if omniscope.KindOf(err) != omniscope.Exhausted || !strings.Contains(err.Error(), "exit status 7; it wrote: Loading. | Traceback: | CUDA out") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%q", err)
	}
	late := start(t, "SELF render 'for ever' {prompt_file} {out}")
	late.timeout = 100 * time.Millisecond
	if err := late.Make(t.Context(), job, out); err == nil || !strings.Contains(err.Error(), "not done in 100ms") {
		t.Errorf("%v", err)
	}
	if err := start(t, "SELF render large {prompt_file} {out}").Make(t.Context(), job, out); err == nil || !strings.Contains(err.Error(), "larger than --max-video-size") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := late.withTime(time.Minute).Make(ctx, job, out+"2"); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

func (p *renderProgram) withTime(d time.Duration) *renderProgram { p.timeout = d; return p }

// TestFFmpeg has a program that is no script make a video that passes for one.
func TestFFmpeg(t *testing.T) {
	need.FFmpeg(t)
	p := start(t, "ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x48:rate=10 -t {seconds} -metadata comment={prompt_file} {out}")
	out := filepath.Join(t.TempDir(), "out.mp4")
	fixture.OK(t, p.Make(t.Context(), &reconstruct.Job{Name: "j", Prompt: "A dog.", Seconds: 2}, out))
	if is, err := reconstruct.Look(t.Context(), out); err != nil || is.Seconds != 2 || is.Sound {
		t.Errorf("%+v, %v", is, err)
	}
}
