package speed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"omniscope/bench/document"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/benchgen"
	"omniscope/internal/testing/fixture"
)

// BenchmarkJudge makes 10,000 calls to a judge of 50 ms, by `omniscope eval omni-cloze` with journal and results, by the bare client,
// and by a program that uses OpenAI's SDK. calls-s is from the first call to the last answer.
func BenchmarkJudge(b *testing.B) {
	const calls = 10_000
	for _, shape := range []struct {
		name                       string
		blanks, words, answerBytes int
	}{
		{"short", 2, 30, 0},
		{"long", 2, 30, 3000}, // short prompts, answers of 3 KB
		{"real", 30, 300, 0},  // as Omni-Cloze has them
	} {
		rows := filepath.Join(b.TempDir(), "rows.jsonl")
		for _, inFlight := range []int{100, 500, 1000} {
			for _, by := range []string{"bare", "sdk", "sdkcall", "omniscope"} {
				b.Run(fmt.Sprintf("shape=%s/inflight=%d/by=%s", shape.name, inFlight, by), func(b *testing.B) {
					client := judgeClient(b, by) // it skips the benchmark before rows are made
					makeRows(b, rows, benchgen.ClozeOptions{Rows: calls, Blanks: shape.blanks, Words: shape.words})
					for b.Loop() {
						url := startServer(b, "cloze", shape.answerBytes)
						if client != nil {
							out := timed(b, client(url, rows, filepath.Join(b.TempDir(), "answers.db"), strconv.Itoa(inFlight)))
							seconds, _, _ := strings.Cut(string(out), " ")
							if s, err := strconv.ParseFloat(seconds, 64); err == nil {
								b.ReportMetric(s, "calls-s")
							}
							continue
						}
						r := evaluate(b, url, inFlight, "omni-cloze", "-p", rows)
						if r.Usage.Calls != calls {
							b.Fatalf("%d calls, want %d", r.Usage.Calls, calls)
						}
					}
				})
			}
		}
	}
}

// judgeClient makes commands of a client; nil = omniscope. The SDK's client waits for the commit of an answer: one for all that come
// meanwhile, or one for each (sdkcall).
func judgeClient(b *testing.B, by string) func(args ...string) *exec.Cmd {
	b.Helper()
	const prompts = "../../../bench/omnicloze/prompts"
	switch by {
	case "bare":
		return func(args ...string) *exec.Cmd { return command("bare", args...) }
	case "sdk", "sdkcall":
		path := filepath.Join(peers(b), "bin", "sdk")
		if !ondisk.Exists(path) {
			b.Skip("install the peers with scripts/peers.sh")
		}
		commit := map[string]string{"sdk": "batch", "sdkcall": "call"}[by]
		return func(args ...string) *exec.Cmd { return exec.Command(path, append(args, prompts, commit)...) }
	}
	return nil
}

// BenchmarkCapricorn makes one call for each of 36 keypoints of 1,000 videos, or the SHARE of them, then one for each subject, 200 at a
// time.
func BenchmarkCapricorn(b *testing.B) {
	var rows, captions bytes.Buffer
	fixture.OK(b, benchgen.Captions(&rows, &captions, benchgen.CaptionOptions{Videos: share(b, 1000), Keypoints: 36, Subjects: 4, Words: 300}))
	dir := b.TempDir()
	write(b, filepath.Join(dir, "data.jsonl"), rows.String())
	write(b, filepath.Join(dir, "captions.jsonl"), captions.String())
	b.Run("inflight=200/by=omniscope", func(b *testing.B) {
		for b.Loop() {
			r := evaluate(b, startServer(b, "capricorn", 0), 200, "capricorn", "--data", filepath.Join(dir, "data.jsonl"), "-p", filepath.Join(dir, "captions.jsonl"))
			b.ReportMetric(float64(r.Usage.Calls)/r.Usage.Seconds, "calls/s")
		}
	})
}

// BenchmarkGrowth has the peak memory of 20,000 and of 200,000 calls, or of the SHARE of them.
func BenchmarkGrowth(b *testing.B) {
	rows := filepath.Join(b.TempDir(), "rows.jsonl")
	for _, calls := range []int{share(b, 20_000), share(b, 200_000)} {
		b.Run(fmt.Sprintf("calls=%d/by=omniscope", calls), func(b *testing.B) {
			makeRows(b, rows, benchgen.ClozeOptions{Rows: calls, Blanks: 2, Words: 30})
			for b.Loop() {
				evaluate(b, startServer(b, "cloze", 0), 500, "omni-cloze", "-p", rows)
			}
		})
	}
}

func makeRows(b *testing.B, path string, o benchgen.ClozeOptions) {
	b.Helper()
	f, err := os.Create(path)
	fixture.OK(b, err)
	defer f.Close()
	fixture.OK(b, benchgen.Cloze(f, o))
}

// evaluate runs omniscope eval from nothing, and checks that every call was answered.
func evaluate(b *testing.B, url string, inFlight int, args ...string) *document.Results {
	b.Helper()
	args = append([]string{"eval"}, append(args, "--judge", "openai/mock,base-url="+url, "-j", strconv.Itoa(inFlight),
		"--work-dir", filepath.Join(b.TempDir(), "work"), "--json", "--quiet")...)
	out := timed(b, program(b, args...))
	var r document.Results
	fixture.OK(b, json.Unmarshal(out, &r))
	if r.Usage.Failed > 0 {
		b.Fatalf("%d of %d calls failed", r.Usage.Failed, r.Usage.Calls)
	}
	b.ReportMetric(r.Usage.Seconds, "calls-s")
	return &r
}
