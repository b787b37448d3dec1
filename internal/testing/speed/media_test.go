package speed

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// clips is how many files BenchmarkMedia has of each kind: 500, or CLIPS.
func clips() int {
	if n, err := strconv.Atoi(os.Getenv("CLIPS")); err == nil {
		return n
	}
	return 500
}

// BenchmarkMedia asks a model of 50 ms for a caption of each file, 32 calls at a time. Inspect takes WAV and MP3 alone, and
// UltraEval-Audio no film; it transcribes, and scores the texts. inflight
// is the most calls that the server had at a time.
func BenchmarkMedia(b *testing.B) {
	need.Processes(b)
	for _, kind := range []struct {
		name, modality string
		seconds        int
		inspect        bool
		input, codec   []string // of ffmpeg
	}{
		{"wav", "audio", 1, true, []string{"-f", "lavfi", "-i", "anoisesrc=a=0.1:r=16000"}, []string{"-ac", "1", "-c:a", "pcm_s16le"}},
		{"flac", "audio", 5, false, []string{"-f", "lavfi", "-i", "anoisesrc=a=0.1:r=16000"}, []string{"-ac", "1", "-c:a", "flac"}},
		{"mp3", "audio", 5, true, []string{"-f", "lavfi", "-i", "anoisesrc=a=0.1:r=44100"}, []string{"-ac", "1", "-c:a", "libmp3lame"}},
		{"mp4", "audio-visual", 4, false, []string{"-f", "lavfi", "-i", "testsrc2=s=320x240:r=10", "-f", "lavfi", "-i", "anoisesrc=a=0.1"},
			[]string{"-c:v", "libx264", "-preset", "ultrafast", "-g", "40", "-pix_fmt", "yuv420p", "-c:a", "aac"}},
	} {
		dir := b.TempDir()
		makeClips := func(b *testing.B) {
			b.Helper()
			if list, err := filepath.Glob(filepath.Join(dir, "*."+kind.name)); err == nil && len(list) > 0 {
				return
			}
			args := append(append([]string{}, kind.input...), "-t", strconv.Itoa(kind.seconds*clips()))
			if kind.name != "flac" { // of pieces of FLAC ffmpeg does not write the length
				args = append(args, kind.codec...)
				ffmpeg(b, append(args, "-f", "segment", "-segment_time", strconv.Itoa(kind.seconds), filepath.Join(dir, "%04d."+kind.name))...)
				_ = os.Remove(filepath.Join(dir, fmt.Sprintf("%04d.%s", clips(), kind.name))) // a rest of a frame
				return
			}
			pieces := b.TempDir()
			ffmpeg(b, append(args, "-ac", "1", "-f", "segment", "-segment_time", strconv.Itoa(kind.seconds), filepath.Join(pieces, "%04d.wav"))...)
			for i := range clips() {
				ffmpeg(b, append([]string{"-i", filepath.Join(pieces, fmt.Sprintf("%04d.wav", i))}, append(kind.codec, filepath.Join(dir, fmt.Sprintf("%04d.flac", i)))...)...)
			}
		}
		if kind.inspect {
			b.Run(fmt.Sprintf("kind=%s/by=inspect", kind.name), func(b *testing.B) {
				peer(b, "inspect_audio.py") // it skips the benchmark before files are made
				makeClips(b)
				for b.Loop() {
					url := startServer(b, "caption", 0)
					timed(b, peer(b, "inspect_audio.py", url, dir, filepath.Join(b.TempDir(), "logs")))
					mostInFlight(b, url)
				}
			})
		}
		if kind.modality == "audio" {
			b.Run(fmt.Sprintf("kind=%s/by=ultraeval", kind.name), func(b *testing.B) {
				env, checkout := filepath.Join(peers(b), "ultraeval-env"), filepath.Join(peers(b), "ultraeval")
				peerOf(b, env, "ultraeval_audio.py") // it skips the benchmark before files are made
				makeClips(b)
				for b.Loop() {
					url := startServer(b, "caption", 0)
					timed(b, peerOf(b, env, "ultraeval_audio.py", url, dir, b.TempDir(), checkout))
					mostInFlight(b, url)
				}
			})
		}
		b.Run(fmt.Sprintf("kind=%s/by=omniscope", kind.name), func(b *testing.B) {
			makeClips(b)
			for b.Loop() {
				url := startServer(b, "caption", 0)
				out := filepath.Join(b.TempDir(), "captions.jsonl")
				timed(b, program(b, "caption", dir, "--model", "openai/mock,base-url="+url, "--modality", kind.modality, "--set", "blind-share=0",
					"--concurrency", "32", "--work-dir", filepath.Join(b.TempDir(), "work"), "--out", out, "--quiet"))
				mostInFlight(b, url)
				b.ReportMetric(float64(lines(b, out)), "captions")
			}
		})
	}
}

func ffmpeg(b *testing.B, args ...string) {
	b.Helper()
	if out, err := exec.Command("ffmpeg", append([]string{"-v", "error", "-nostdin"}, args...)...).CombinedOutput(); err != nil {
		b.Fatalf("ffmpeg: %v: %s", err, out)
	}
}

// mostInFlight reports the most calls that the server had at a time.
func mostInFlight(b *testing.B, url string) {
	b.Helper()
	s, err := fake.FetchStats(url)
	fixture.OK(b, err)
	if s.Answered < clips() {
		b.Fatalf("%d calls were answered, want %d", s.Answered, clips())
	}
	b.ReportMetric(float64(s.PeakInFlight), "inflight")
}

func lines(b *testing.B, path string) (n int) {
	b.Helper()
	text, err := os.ReadFile(path)
	fixture.OK(b, err)
	for s := bufio.NewScanner(strings.NewReader(string(text))); s.Scan(); {
		n++
	}
	return n
}
