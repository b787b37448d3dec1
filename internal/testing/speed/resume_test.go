package speed

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/testing/benchgen"
	"omniscope/internal/testing/fake"
)

// BenchmarkResume stops a run of 200,000 calls, or the SHARE of them, by its budget just before its end and starts it again: first-s is the time to
// its first new call.
func BenchmarkResume(b *testing.B) {
	answers := share(b, 200_000)
	b.Run("by=omniscope", func(b *testing.B) {
		dir := b.TempDir()
		rows := filepath.Join(dir, "rows.jsonl")
		makeRows(b, rows, benchgen.ClozeOptions{Rows: answers + 100, Blanks: 2, Words: 30})
		for b.Loop() {
			var first atomic.Int64 // when the first request came, in nanoseconds since 1970
			answer := fake.ClozeReply(nil, 0)
			server := fake.Start(b, fake.Config{Reply: func(r *fake.Request) fake.Reply {
				first.CompareAndSwap(0, time.Now().UnixNano())
				return answer(r)
			}})
			args := []string{"eval", "omni-cloze", "-p", rows, "--judge", "openai/mock,base-url=" + server.URL(), "-j", "500",
				"--work-dir", filepath.Join(b.TempDir(), "work"), "--json", "--quiet"}
			stopped := program(b, append(args, "--max-calls", strconv.Itoa(answers))...)
			if err := stopped.Run(); err == nil || stopped.ProcessState.ExitCode() != 4 {
				b.Fatalf("the budget did not stop the run: %v", err)
			}
			first.Store(0)
			started := time.Now()
			var resumed *exec.Cmd = program(b, args...)
			timed(b, resumed)
			b.ReportMetric(time.Unix(0, first.Load()).Sub(started).Seconds(), "first-s")
			server.Close()
		}
	})
}
