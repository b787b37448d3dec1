package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/session/caption"
	"omniscope/session/catalog"
)

// TestMediaNotMedia is told what is wrong with each, and fails.
func TestMediaNotMedia(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip, err := os.ReadFile(q.shortClip("clip.mp4"))
	fixture.OK(t, err)
	caption := q.write("caption.txt", "Nobody speaks.")
	for name, c := range map[string]struct {
		file string
		says string
	}{
		"text":      {q.write("text.mp4", "Dear diary, today I made a film.\n"), "not media, or damaged from its start: it looks like text"},
		"zero":      {q.write("zero.mp4", ""), "the file is empty"},
		"cut off":   {q.write("half.mp4", string(clip[:len(clip)/2])), "half.mp4: "},
		"noise":     {q.write("noise.mp4", strings.Repeat("\x00\xff\x13\x37", 5000)), "noise.mp4: "},
		"not there": {q.path("absent.mp4"), "no such file"},
		"a list":    {q.write("list.mp4", "ffconcat version 1.0\nfile clip.mp4\n"), "list.mp4: "},
	} {
		t.Run(name, func(t *testing.T) {
			verdicts := []verdict{q.run(c.file, "--tools", "sound")}
			if name == "text" || name == "cut off" {
				verdicts = append(verdicts, q.command("audit", caption, c.file, "--tools", "sound", "--work-dir", q.path("work")))
			}
			verdicts[0].ends(t, exitFailed).says(t, c.says)
			for _, audit := range verdicts[1:] {
				audit.ends(t, exitFailures).says(t, c.says)
			}
		})
	}
	if entries, err := os.ReadDir(q.path("out")); err != nil || len(entries) > 2 {
		t.Errorf("the results have %v, %v: want a lock and an empty list of trajectories", entries, err)
	}
}

// Names are never commands, flags or patterns, whatever is in them.
func TestMediaWithOddNames(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.shortClip("clip.mp4")
	fixture.OK(t, os.Mkdir(q.path("odd"), 0o755))
	names := []string{"-dash.mp4", "--out.mp4", "not\xff\xfeutf8.mp4", "$(touch a);`touch b`|touch c.mp4", "%d.mp4", "a:b.mp4", "line\nend.mp4", "wrong.txt", "<script>alert(1)<!--.mp4"}
	for _, name := range names {
		if err := os.Link(clip, filepath.Join(q.path("odd"), name)); err != nil {
			t.Skipf("this file system does not take the name %q: %v", name, err)
		}
	}
	cmd := exec.Command("omniscope", append(q.args("--tools", "sound", "--concurrency", "2", "--"), names...)...)
	cmd.Dir = q.path("odd")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if left, err := os.ReadDir(q.path("odd")); err != nil || len(left) != len(names) {
		t.Errorf("the folder has %v, %v", left, err)
	}
	for _, name := range caption.ClipNames(names) {
		page := q.read(filepath.Join("out", name, "index.html"))
		if q.report(name).Caption.Text == "" || strings.Contains(page, "alert(1)") {
			t.Errorf("%s: no caption, or a page with the script that its name has", name)
		}
	}
	for name, want := range map[string]string{"not__utf8-6c83d5d6": "odd/not%FF%FEutf8.mp4", "a_b": "odd/a:b.mp4"} {
		if page := q.read(filepath.Join("out", name, "index.html")); !strings.Contains(page, want) {
			t.Errorf("the player of %s does not show %s", name, want)
		}
	}
}

// TestMissingPrograms says which, and how to get them.
func TestMissingPrograms(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.shortClip("clip.mp4")
	alone := q.path("programs")
	fixture.OK(t, os.Mkdir(alone, 0o755))
	self, err := exec.LookPath("omniscope")
	fixture.OK(t, err)
	run := func(path string, args ...string) (int, string) {
		var out bytes.Buffer
		cmd := exec.Command(self, args...)
		cmd.Env = append(os.Environ(), "PATH="+path)
		cmd.Stdout, cmd.Stderr = &out, &out
		return exitCodeOf(cmd.Run()), out.String()
	}
	code, says := run(alone, q.args(clip)...)
	if code != exitFailed || !strings.Contains(says, "ffmpeg is not installed, or not in PATH: install ffmpeg") {
		t.Errorf("without any program: exit code %d: %s", code, says)
	}
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		fixture.OK(t, os.Symlink(need.Program(t, name), filepath.Join(alone, name)))
	}
	code, says = run(alone, q.args(clip, "--tools", "ocr")...)
	if code != exitFailed || !strings.Contains(says, "tesseract is not installed") {
		t.Errorf("with ocr asked for: exit code %d: %s", code, says)
	}
	code, says = run(alone, q.args(clip)...)
	if code != exitDone || !strings.Contains(says, "left out: ocr: ") || !strings.Contains(says, "The sound is") {
		t.Errorf("without tesseract: exit code %d: %s", code, says)
	}
}

func TestInvestigateUsage(t *testing.T) {
	t.Parallel()
	need.Processes(t)
	q := newInquest(t)
	film := q.write("x.mp4", "no film") // flags are checked before it is opened
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{}, "name the media files"},
		{[]string{film, "--modality", "smell"}, "--modality is audio-visual, audio or visual"},
		{[]string{film, "--inquiries", "0"}, "--inquiries must be at least 1"},
		{[]string{film, "--max-calls", "-1"}, "--max-calls and --max-rpm must not be negative"},
		{[]string{film, "--concurrency", "0"}, "--concurrency must be at least 1"},
		{[]string{film, "--tools", "ocr,nose"}, `there is no tool "nose"; there are: scene, ocr`},
		{[]string{film, "--detective", "gpt"}, catalog.Providers[0].Name},
		{[]string{film, "--observer", "offline"}, "offline is no model"},
		{[]string{film, "--asr", "offline"}, "--asr names a transcription model"},
		{[]string{film, "--prompts", "nowhere"}, "--prompts nowhere is not a folder"},
		{[]string{"-x.mp4"}, "shorthand"},
	} {
		if v := q.run(c.args...); v.code != exitUsage || !strings.Contains(v.errOut, c.says) {
			t.Errorf("%v: exit code %d: %s", c.args, v.code, v.errOut)
		}
	}
	for name, text := range map[string]string{"binary": "a\x00b", "no UTF-8": "caf\xe9", "large": strings.Repeat("A dog. ", 200_000)} {
		v := q.command("audit", q.write("caption.txt", text), "x.mp4", "--work-dir", q.path("work"))
		if v.code != exitFailed || !strings.Contains(v.errOut, "is not a caption: give a text file in UTF-8") {
			t.Errorf("%s: exit code %d: %s", name, v.code, v.errOut)
		}
	}
}

// TestThreeHours investigates a picture of three hours; with OMNISCOPE_SOAK it
// has sound as well, which takes most of the time.
func TestLongThreeHours(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	args := []string{"-f", "lavfi", "-i", "color=c=0x102040:s=64x48:r=1:d=10800"}
	if os.Getenv(soakEnv) != "" {
		args = append(args, "-f", "lavfi", "-i", "anoisesrc=r=8000:a=0.1:d=10800", "-c:a", "pcm_mulaw")
	}
	clips.Make(t, q.path("long.mkv"), append(args, "-c:v", "mpeg4", "-g", "300", "-f", "matroska")...)
	began := time.Now()
	var said bytes.Buffer
	cmd := exec.Command("omniscope", q.args(q.path("long.mkv"), "--tools", "scene,sound")...)
	cmd.Stdout, cmd.Stderr = &said, &said
	fixture.OK(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	peak, err := watchMemory(cmd.Process.Pid, ended)
	if err != nil {
		t.Fatalf("%v: %s", err, &said)
	}
	r := q.report("long")
	t.Logf("%v, peak memory %d MB: %s", time.Since(began).Round(time.Second), peak, r.Caption.Text)
	if r.Clip.LengthS < 10799 || !strings.Contains(r.Caption.Text, "dark blue") {
		t.Errorf("%v s: %s", r.Clip.LengthS, r.Caption.Text)
	}
	if peak > 400 {
		t.Errorf("it needed %d MB, want at most 400", peak)
	}
}

// watchMemory returns the largest resident memory of a process in MB, 0 where
// the system does not say, and how the process ended. It looks on, since what
// getrusage says of a process that was just started is its parent's.
func watchMemory(pid int, ended <-chan error) (peakMB int, err error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return peakMB, err
		case <-tick.C:
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
			kB := 0
			fmt.Sscan(after, &kB)
			peakMB = max(peakMB, kB/1024)
		}
	}
}

func TestResultsOfOtherFileStay(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	first := q.shortClip("clip.mp4")
	q.run(first, "--tools", "sound").must(t, exitDone)
	text, err := os.ReadFile(first)
	fixture.OK(t, err)
	if err := os.WriteFile(first, append(text, 0), 0o644); err != nil { // another file under the same name
		t.Fatal(err)
	}
	q.run(first, "--tools", "sound").ends(t, exitFailed).says(t, "holds the results of another file")
}
