package crash

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/media/wav"
)

// TestLongCaptionsKilled kills the production of a list's captions at random moments. In the end they are
// the bytes that an undisturbed run writes, nothing is left unfinished, and what was paid for twice is
// no more than what was on its way.
func TestLongCaptionsKilled(t *testing.T) {
	const clips, kills = 300, 20
	program, list := built.Program(t), makeClips(t, clips)
	command := func(url string) []string { return captionsOf(list, url) }
	judge := startJudge(t, "", detective)
	address := judge.URL()
	undisturbed := &site{t: t, program: program, command: command(address), work: t.TempDir(), url: address}
	undisturbed.finish()
	paid := judge.Stats().Answered
	judge.Close()

	judge = startJudge(t, address, detective)
	killed := &site{t: t, program: program, command: command(address), work: t.TempDir(), url: address}
	random := rand.New(rand.NewPCG(uint64(kills), 9))
	for n := range kills {
		killed.killedAt(afterQuestions(1+random.IntN(max(1, paid/kills)), time.Duration(random.IntN(30))*time.Millisecond), judge)
		judge.drain()
		killed.read()
		t.Logf("kill %d: %d calls remembered", n+1, len(killed.answers))
	}
	killed.finish()
	stats := judge.Stats()
	t.Logf("%d answers to %d questions", stats.Answered, paid)
	if stats.Answered > paid+kills*unsaved {
		t.Errorf("%d answers were served, want %d and at most %d lost with each kill", stats.Answered, paid, unsaved)
	}
	sameCaptions(t, undisturbed, killed, (clips+999)/1000)
}

// passes are those of the lists of these tests, and detective is who investigates and observes.
var (
	passes    = []string{"a", "av"}
	detective = fake.DetectiveReply([]string{"observer1-hearing", "observer2-hearing"}, 2)
)

// captionsOf is the command that investigates a list.
func captionsOf(list, url string, more ...string) []string {
	return append([]string{"caption", "--list", list, "--passes", strings.Join(passes, ","), "--tools", "sound", "--detective", "openai/mock,base-url=" + url,
		"--observer", "openai/one,base-url=" + url, "--observer", "openai/two,base-url=" + url, "-j", strconv.Itoa(concurrency)}, more...)
}

// sameCaptions compares the captions of two sites, so many files of each pass.
func sameCaptions(t *testing.T, a, b *site, want int) {
	t.Helper()
	for _, pass := range passes {
		files, err := filepath.Glob(filepath.Join(a.work, "out", pass, "*"))
		if err != nil || len(files) != want {
			t.Fatalf("%q, %v", files, err)
		}
		for _, file := range files {
			name := filepath.Join(pass, filepath.Base(file))
			if !bytes.Equal(a.file(name), b.file(name)) {
				t.Errorf("%s differs", name)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(b.work, "out", pass, "unfinished-*")); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	}
}

// TestLongCaptionsInParts does a list in three parts, one of them killed and given again. From their journals, joined, the captions are made
// without a question, and are those of one command.
func TestLongCaptionsInParts(t *testing.T) {
	program, list := built.Program(t), makeClips(t, 7)
	judge := startJudge(t, "", detective)
	address := judge.URL()
	whole := &site{t: t, program: program, command: captionsOf(list, address), work: t.TempDir(), url: address}
	whole.finish()

	joined := &site{t: t, program: program, command: captionsOf(list, address), work: t.TempDir(), url: address}
	merge := []string{"journal", "merge", "--work-dir", joined.work}
	for i := range 3 {
		part := &site{t: t, program: program, command: captionsOf(list, address, "--shard", fmt.Sprintf("%d/3", i)), work: t.TempDir(), url: address}
		if i == 1 {
			part.killedAt(afterQuestions(5, 0), judge)
		}
		part.finish()
		if there, _ := filepath.Glob(filepath.Join(part.work, "out", "*")); len(there) > 0 {
			t.Errorf("part %d wrote results: %q", i, there)
		}
		merge = append(merge, part.work)
	}
	if out, err := exec.Command(program, merge...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	judge.drain()
	paid := judge.Stats().Answered
	joined.finish()
	if n := judge.Stats().Answered - paid; n > 0 {
		t.Errorf("the joined journals lacked %d answers", n)
	}
	sameCaptions(t, whole, joined, 1)
}

// makeClips makes so many clips of half a second, each a tone of its own, and a list of them.
func makeClips(t *testing.T, n int) (list string) {
	t.Helper()
	dir := t.TempDir()
	var rows bytes.Buffer
	for i := range n {
		const rate = 16000
		sound := wav.Header(rate, 1, rate)
		for k := range rate / 2 {
			sound = binary.LittleEndian.AppendUint16(sound, uint16(int16(8000*math.Sin(2*math.Pi*float64(200+i)*float64(k)/rate))))
		}
		name := fmt.Sprintf("%d.wav", i)
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), sound, 0o600))
		fmt.Fprintf(&rows, `{"id": "clip %d", "url": %q}`+"\n", i, name)
	}
	list = filepath.Join(dir, "clips.jsonl")
	fixture.OK(t, os.WriteFile(list, rows.Bytes(), 0o600))
	return list
}
