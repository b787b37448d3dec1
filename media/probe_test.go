package media

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

func TestNotMedia(t *testing.T) {
	need.FFmpeg(t)
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	unfinished := clips.Made(t, "unfinished.mp4", "-f lavfi -i testsrc2=s=320x240 -t 1 "+x264)
	truncated(t, unfinished, 0.5)
	halfIndex := clips.Made(t, "index.mp4", counting+"-t 1 "+x264)
	truncated(t, halfIndex, 0.7)
	for _, c := range []struct {
		name, path string
		kind       omniscope.Kind
		says       string
	}{
		{"nothing there", filepath.Join(folder, "none.mp4"), omniscope.NotFound, "no such file"},
		{"no name", "", omniscope.Usage, "no file named"},
		{"a zero byte in the name", "a\x00b", omniscope.Invalid, "zero byte"},
		{"a folder", folder, omniscope.Invalid, "a folder"},
		{"zero bytes", write("empty.mp4", ""), omniscope.Invalid, "zero bytes"},
		{"text called mp4", write("text.mp4", strings.Repeat("A sunny day.\n", 200)), omniscope.Invalid, "text"},
		{"JSON called mp4", write("json.mp4", `{"a": 1}`), omniscope.Invalid, "JSON"},
		{"a pointer to a file elsewhere", write("lfs.mp4", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), omniscope.Invalid, "git lfs pull"},
		{"a playlist", write("list.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n/etc/passwd\n#EXT-X-ENDLIST\n"), omniscope.Invalid, ""},
		{"a list of files", write("list.ffconcat", "ffconcat version 1.0\nfile empty.mp4\n"), omniscope.Invalid, ""},
		{"subtitles alone", write("words.srt", "1\n00:00:01,000 --> 00:00:02,000\nHello\n\n"), omniscope.Invalid, "without video and audio"},
		{"half an index", halfIndex, omniscope.Invalid, "cut off or damaged"},
		{"an MP4 without its index", unfinished, omniscope.Invalid, "cut off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Probe(t.Context(), c.path)
			fixture.WantError(t, err, c.kind, c.says)
		})
	}
}

func TestUnusualFileNames(t *testing.T) {
	clip := clips.Made(t, "clip.mp4", counting+"-f lavfi -i sine=d=1 -t 1 -c:a aac "+x264)
	text, err := os.ReadFile(clip)
	fixture.OK(t, err)
	t.Chdir(t.TempDir())
	for _, name := range []string{"-i", "--help", "-y.mp4", "a b'c\"d.mp4", "http:x.mp4", "50%03d.mp4", "$(touch pwned).mp4", ";id", "line\nbreak.mp4", "\xff\xfe.mp4", "кадр.mp4", "pipe:0"} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			if runtime.GOOS != "linux" {
				continue // not every file system takes such names
			}
			t.Fatal(err)
		}
		f, err := Probe(t.Context(), name)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if !strings.ContainsAny(name, "-%:\n") {
			continue // of no meaning to ffmpeg
		}
		if taken, err := Frames(t.Context(), f, Policy{Frames: 2}, omniscope.Span{}, ""); err != nil || len(taken.Frames) != 2 {
			t.Errorf("%q: frames: %v", name, err)
		}
		if _, err := RunSurvey(t.Context(), f, SurveyOptions{}); err != nil {
			t.Errorf("%q: survey: %v", name, err)
		}
		if err := CutAudio(t.Context(), f, omniscope.Span{End: time.Second / 2}, "-out"+name); err != nil {
			t.Errorf("%q: cut: %v", name, err)
		}
	}
	if ondisk.Exists("pwned") {
		t.Error("a file's name was run as a command")
	}
}

func TestPipesRefused(t *testing.T) {
	need.FFmpeg(t)
	path := filepath.Join(t.TempDir(), "pipe.mp4")
	if err := exec.Command("mkfifo", path).Run(); err != nil {
		t.Skip("no named pipes here")
	}
	_, err := Probe(t.Context(), path)
	fixture.WantError(t, err, omniscope.Invalid, "not a regular file")
}

func TestStreams(t *testing.T) {
	f := probedFile(t, clips.Made(t, "two.mkv", counting+
		"-f lavfi -i color=red:s=128x96:r=30000/1001 -f lavfi -i sine=r=8000:d=2 -f lavfi -i sine=r=44100:d=2 -map 0 -map 1 -map 2 -map 3 -t 2 "+
		"-c:a pcm_s16le -ac:a:0 2 -metadata:s:a:1 language=ita -disposition:a:0 default "+x264))
	if f.Video.Index != 1 || f.Video.Width != 128 || f.Video.FrameRate != (Rational{30000, 1001}) || f.Video.Packets != 60 {
		t.Errorf("video %+v, want the larger picture", *f.Video)
	}
	if f.Audio.Index != 3 || f.Audio.SampleRate != 44100 || f.Audio.Language != "ita" {
		t.Errorf("audio %+v, want the one that is sampled well", *f.Audio)
	}
	if f.Bytes == 0 || f.Format != "matroska,webm" || f.Duration < 1900*time.Millisecond {
		t.Errorf("%+v", f)
	}
	a, err := f.Digest(t.Context())
	b, err2 := f.Digest(t.Context())
	if len(a) != 64 || a != b || err != nil || err2 != nil {
		t.Errorf("digest %q, %q, %v, %v", a, b, err, err2)
	}
}

func TestCoverNotVideo(t *testing.T) {
	cover := clips.Made(t, "cover.png", "-f lavfi -i color=red:s=300x300 -frames:v 1")
	f := probedFile(t, clips.Made(t, "song.mp3", "-f lavfi -i sine=d=2 -i "+cover+" -map 0 -map 1 -c:v mjpeg -disposition:v attached_pic"))
	if f.Video != nil || f.Audio == nil || len(f.Streams) != 2 || !f.Streams[1].Cover {
		t.Errorf("%+v", f.Streams)
	}
	_, err := Frames(t.Context(), f, Policy{}, omniscope.Span{}, "")
	if fixture.WantError(t, err, omniscope.Invalid, "no video"); !errors.Is(err, ErrNoVideo) {
		t.Error(err)
	}
	if err := CutVideo(t.Context(), f, omniscope.Span{}, filepath.Join(t.TempDir(), "x.mp4")); !errors.Is(err, ErrNoVideo) {
		t.Error(err)
	}
}

func TestRotatedPictureSize(t *testing.T) {
	lying := clips.Made(t, "lying.mp4", "-f lavfi -i color=white:s=160x80:r=25,drawbox=w=80:h=80:color=black:t=fill -t 1 "+x264)
	f := probedFile(t, clips.Made(t, "upright.mp4", "-i "+lying+" -c copy -metadata:s:v:0 rotate=90"))
	if v := f.Video; v.Width != 80 || v.Height != 160 || v.Rotation != 270 {
		t.Fatalf("%d×%d turned by %d, want 80×160 by 270", v.Width, v.Height, v.Rotation)
	}
	top, bottom := 0, 0
	_, err := RunSurvey(t.Context(), f, SurveyOptions{Grey: func(g Grey) error {
		if g.Width != 80 || g.Height != 160 {
			t.Errorf("%d×%d", g.Width, g.Height)
		}
		top, bottom = int(g.Pix[10*g.Width+40]), int(g.Pix[150*g.Width+40])
		return nil
	}})
	if err != nil || top < 235 || bottom > 20 {
		t.Errorf("white %d above, black %d below, %v", top, bottom, err)
	}
}

func TestMissingPrograms(t *testing.T) {
	path := clips.Made(t, "x.mka", "-f lavfi -i sine=d=1 -c:a aac") // a plain M4A needs no ffprobe
	f := probedFile(t, path)
	t.Setenv("PATH", t.TempDir())
	_, err := Probe(t.Context(), path)
	fixture.WantError(t, err, omniscope.NotFound, "apt-get install ffmpeg")
	_, err = RunSurvey(t.Context(), f, SurveyOptions{})
	fixture.WantError(t, err, omniscope.NotFound, "ffmpeg is not installed")
	for _, p := range Programs(t.Context()) {
		if p.Version != "" || !strings.Contains(p.Problem, "apt-get install ffmpeg") {
			t.Errorf("%+v", p)
		}
	}
}

func TestPrograms(t *testing.T) {
	need.FFmpeg(t)
	for _, p := range Programs(t.Context()) {
		if p.Problem != "" || p.Version == "" || !filepath.IsAbs(p.Path) {
			t.Errorf("%+v", p)
		}
	}
}

func TestCancellingEndsTheProgram(t *testing.T) {
	need.FFmpeg(t)
	for name, args := range map[string]string{
		"one that works":  "-v info -f lavfi -i testsrc -f rawvideo pipe:1",
		"one that sleeps": "-v info -re -f lavfi -i anullsrc -f null -",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		p := program{name: "ffmpeg", args: strings.Fields(args)}
		time.AfterFunc(300*time.Millisecond, cancel)
		begun := time.Now()
		_, err := p.run(ctx)
		if took := time.Since(begun); !errors.Is(err, context.Canceled) || took > 5*time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
	}
}

func TestListenerError(t *testing.T) {
	f := probedFile(t, clips.Made(t, "av.mp4", counting+"-f lavfi -i sine=d=4 -t 4 -c:a aac "+x264))
	enough := errors.New("enough")
	_, err := RunSurvey(t.Context(), f, SurveyOptions{Sound: func(Chunk) error { return enough }})
	_, err2 := RunSurvey(t.Context(), f, SurveyOptions{Grey: func(Grey) error { return enough }})
	_, err3 := Sound(t.Context(), f, omniscope.Span{}, func(Chunk) error { return enough })
	if !errors.Is(err, enough) || !errors.Is(err2, enough) || !errors.Is(err3, enough) {
		t.Error(err, err2, err3)
	}
}

func TestLogLimit(t *testing.T) {
	log := &runLog{}
	for range 10000 {
		if n, err := log.Write([]byte("[error] " + strings.Repeat("x", 3000) + "\n[war")); n != 3013 || err != nil {
			t.Fatal(n, err)
		}
		log.Write([]byte("ning] at the \x1b[31mend\xff\n"))
	}
	log.Write([]byte("[fatal] last"))
	log.flush()
	size := 0
	for _, text := range append(log.first, log.last...) {
		size += len(text)
	}
	if size > 2*logLines*logLineBytes || len(log.complaints("fatal")) != 1 {
		t.Errorf("%d bytes, %q", size, log.complaints("fatal"))
	}
	if w := log.complaints("warning"); len(w) != 1 || w[0] != "at the  [31mend\uFFFD" {
		t.Errorf("%q", w)
	}
}
