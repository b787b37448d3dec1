package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"omniscope/bench/predict/probe"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// startListener is a server that takes no pictures, and says of sounds that there is
// nothing.
func startListener(t *testing.T) *fake.Server {
	t.Helper()
	server := fake.Start(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		if bytes.Contains(r.Body, []byte("image_url")) {
			return fake.ErrorReply(400, "pictures are not taken", "invalid_request_error", "", "")
		}
		return fake.Reply{Content: "NOTHING"}
	}})
	return server
}

func (q inquest) probe(server *fake.Server, more ...string) verdict {
	q.t.Helper()
	args := []string{"probe", "--model", "openai/m,base-url=" + server.URL(), "--work-dir", q.path("work"), "--quiet"}
	return q.command(append(args, more...)...)
}

func TestProbeReportsAndRemembers(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q, server := newInquest(t), startListener(t)
	v := q.probe(server, "--trials", "beeps,silence,channels,order", "--out", q.path("probe.json")).must(t, exitFailures).says(t, "not perceived, or in part only, in 3 of 3 trials: order, beeps, silence")
	var r probe.Report
	fixture.OK(t, json.Unmarshal([]byte(q.read("probe.json")), &r))
	got := make(map[string]probe.Perception)
	for _, x := range r.Results {
		got[x.Trial] = x.Perception
		if !strings.Contains(v.out, x.Trial) || !strings.Contains(v.out, string(x.Perception)) {
			t.Errorf("%s is not in the table: %s", x.Trial, v.out)
		}
	}
	if got["beeps"] != probe.NotPerceived || got["channels"] != probe.NotSent || got["order"] != probe.NoAnswer {
		t.Errorf("%v", got)
	}
	answered := server.Stats().Answered
	q.probe(server, "--trials", "beeps,silence,channels,order", "--json", "--out", q.path("probe.json")).ends(t, exitFailures).prints(t, `"schema": "`+probe.Schema)
	if more := server.Stats().Answered - answered; more != 0 {
		t.Errorf("%d answers were asked for again", more)
	}
	q.probe(server, "--trials", "beeps", "--out", q.path("probe.json")).ends(t, exitUsage).says(t, "--force")
	q.probe(server, "--trials", "silence", "--modality", "audio").ends(t, exitDone)
}

func TestProbeDryRunAsksNothing(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q, server := newInquest(t), startListener(t)
	q.probe(server, "--dry-run", "--trials", "order,beeps,channels").ends(t, exitDone).prints(t, "8 frames of 320 x 180", "60 s of sound", "nothing: the", "2 calls to make")
	q.probe(server, "--dry-run", "--json", "--trials", "order").ends(t, exitDone).prints(t, "in the order in which they appear")
	if n := server.Stats().Answered; n != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestProbePreviewsClip(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	q.shortClip("film.mp4")
	v := q.command("probe", "--preview", q.path("film.mp4"), "--model", "vllm/m,profile=qwen3-omni", "--work-dir", q.path("work")).must(t, exitDone).prints(t, "frames ", "sound ", "media ")
	for line := range strings.Lines(v.out) {
		if n := utf8.RuneCountInString(line); n > 81 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	q.command("probe", "--preview", q.path("film.mp4"), "--model", "vllm/m,profile=qwen3-omni", "--modality", "audio", "--json", "--work-dir", q.path("work")).must(t, exitDone).prints(t, `"sound"`).lacks(t, `"frames"`)
	q.command("probe", "--preview", q.path("film.mp4")).ends(t, exitUsage).says(t, "name the model to run with --model")
	q.command("probe", "--preview", q.path("film.mp4"), "--model", "vllm/m,profile=qwen3-omni", "--dry-run").ends(t, exitUsage).says(t, "leave out --trials, --dry-run")
}

func TestProbeWithoutEndpoint(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	v := q.command("probe", "--model", "openai/m,base-url=http://127.0.0.1:1/v1", "--trials", "beeps", "--endpoint-wait", "1s", "--retry-wait", "10ms", "--quiet", "--work-dir", q.path("work"))
	v.ends(t, exitFailed).says(t, "nothing has answered at http://127.0.0.1:1/v1", "start it or correct its address").saysNo(t, "tokens in")
}

func TestProbeMisuse(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	for _, x := range []struct {
		args []string
		says string
	}{
		{nil, "name the model to run with --model"},
		{[]string{"clip.mp4", "--model", "openai/m"}, "takes no argument"},
		{[]string{"--model", "openai/m", "--trials", "beep"}, "did you mean beeps?"},
		{[]string{"--model", "openai/m", "--modality", "text"}, "nothing to perceive"},
		{[]string{"--model", "openai/m", "--modality", "visual", "--trials", "beeps"}, "none of these trials"},
		{[]string{"--model", "openai/Qwen3-Omni-30B-A3B-Captioner"}, "given no text"},
	} {
		v := q.command(append(append([]string{"probe"}, x.args...), "--work-dir", q.path("work"))...)
		if v.code != exitUsage || !strings.Contains(v.errOut, x.says) {
			t.Errorf("%v: exit %d, %q; want %q", x.args, v.code, v.errOut, x.says)
		}
	}
	if ondisk.Exists(q.path("work/probe")) {
		t.Error("clips were made")
	}
}
