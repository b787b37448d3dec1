package speed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"omniscope/bench/document"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/clozegen"
)

// BenchmarkJudge makes 10,000 calls to a judge of 50 ms: by `omniscope eval omni-cloze` with journal and results, and by
// the bare client just before it. Ratios are omniscope's rates by the bare client's.
func BenchmarkJudge(b *testing.B) {
	const calls = 10_000
	for _, shape := range []struct {
		name                       string
		blanks, words, answerBytes int
	}{
		{"short", 2, 30, 0},
		{"real", 30, 300, 0},
		{"long", 2, 30, 3000}, // short prompts, answers of 3 KB
	} {
		rows := filepath.Join(b.TempDir(), "rows.jsonl")
		for _, inFlight := range []int{100, 500, 1000} {
			b.Run(fmt.Sprintf("shape=%s/inflight=%d", shape.name, inFlight), func(b *testing.B) {
				program := built.Program(b)
				makeRows(b, rows, clozegen.Options{Rows: calls, Blanks: shape.blanks, Words: shape.words})
				for b.Loop() {
					url := startServer(b, shape.answerBytes)
					report(b, bareRun(b, url, rows, inFlight), judgeRun(b, program, url, rows, inFlight, calls))
				}
			})
		}
	}
}

func makeRows(b *testing.B, path string, o clozegen.Options) {
	b.Helper()
	var text bytes.Buffer
	if err := clozegen.Write(&text, o); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
}

// bareRun runs the bare client.
func bareRun(b *testing.B, url, rows string, inFlight int) took {
	b.Helper()
	out, t := timed(b, command("bare", url, rows, filepath.Join(b.TempDir(), "bare.db"), strconv.Itoa(inFlight)))
	var right int
	if _, err := fmt.Sscan(string(out), &t.calls, &right); err != nil {
		b.Fatal(err)
	}
	return t
}

// judgeRun runs omniscope, and checks that it did its work.
func judgeRun(b *testing.B, program, url, rows string, inFlight, calls int) took {
	b.Helper()
	cmd := exec.Command(program, "eval", "omni-cloze", "-p", rows, "--judge", "openai/mock", "--judge-base-url", url, "-j", strconv.Itoa(inFlight),
		"--work-dir", filepath.Join(b.TempDir(), "work"), "--json", "--no-progress")
	out, t := timed(b, cmd)
	var r document.Results
	if err := json.Unmarshal(out, &r); err != nil {
		b.Fatal(err)
	}
	if u := r.Usage; u.Calls != calls || u.Failed > 0 {
		b.Fatalf("%d calls, %d failed, want %d", u.Calls, u.Failed, calls)
	}
	t.calls = r.Usage.Seconds
	return t
}

// report reports what omniscope took, and its rates by those of a peer.
func report(b *testing.B, peer, ours took) {
	b.ReportMetric(ours.calls, "calls-s")
	b.ReportMetric(peer.calls, "bare-calls-s")
	b.ReportMetric(peer.calls/ours.calls, "calls-ratio")
	b.ReportMetric(ours.wall, "wall-s")
	b.ReportMetric(peer.wall, "bare-wall-s")
	b.ReportMetric(peer.wall/ours.wall, "wall-ratio")
	b.ReportMetric(ours.cpu, "cpu-s")
	b.ReportMetric(peer.cpu, "bare-cpu-s")
	b.ReportMetric(ours.peakMB, "peak-MB")
	b.ReportMetric(peer.peakMB, "bare-peak-MB")
}
