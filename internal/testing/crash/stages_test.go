package crash

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"omniscope/internal/testing/benchgen"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

const videos, keypoints, subjects = 30, 36, 4

// unsavedInStages is how many answers a kill can lose at most. A run works on all
// of the videos at once and asks 8 questions of each at a time; where the disk is
// slow, all of their answers may be on their way to it.
const unsavedInStages = 8 * videos

// aboutGroups reports whether a question of CapRiCorn-1K is of its second
// stage, which hangs on the answers of the first.
func aboutGroups(r *fake.Request) bool {
	return bytes.Contains(r.Body, []byte("all of the descriptions below are of one and the same subject"))
}

// TestKillsInEitherStage kills runs of a benchmark whose questions come in two
// stages, in the first, in the second and while results are written.
func TestKillsInEitherStage(t *testing.T)     { testKillsInEitherStage(t, 8) }
func TestLongKillsInEitherStage(t *testing.T) { testKillsInEitherStage(t, manyKills()) }

func testKillsInEitherStage(t *testing.T, times int) {
	program, eval := built.Program(t), makeVideos(t)
	answer := fake.CapricornReply(200)

	judge := startJudge(t, "", answer)
	address := judge.URL()
	undisturbed := &site{t: t, program: program, eval: eval, work: t.TempDir(), url: address}
	undisturbed.finish()
	all := judge.Stats().Answered
	if all <= videos*keypoints {
		t.Fatalf("an undisturbed run took %d answers, want more than one for each keypoint", all)
	}
	judge.Close()

	judge = startJudge(t, address, answer)
	killed := &site{t: t, program: program, eval: eval, work: t.TempDir(), url: address}
	lost, done := 0, 0
	random := rand.New(rand.NewPCG(uint64(times), 4))
	for i := range times {
		when := stageMoment(random, i, times)
		servedBefore, knownBefore := judge.Stats().Answered, len(killed.answers)
		if killed.killedAt(when, judge) {
			done++
		}
		judge.drain()
		killed.read()
		served, kept := judge.Stats().Answered-servedBefore, len(killed.answers)-knownBefore
		t.Logf("%s: %d answers served, %d kept, %d of %d there", when.name, served, kept, len(killed.answers), all)
		if served-kept > unsavedInStages {
			t.Errorf("%s: lost %d answers, want %d at most", when.name, served-kept, unsavedInStages)
		}
		lost += served - kept
	}
	killed.finish()
	killed.read()

	stats := judge.Stats()
	t.Logf("%d answers to %d questions after %d kills: %d were lost and paid for twice", stats.Answered, all, done, lost)
	if stats.Distinct != all || len(killed.answers) != all || stats.Answered != all+lost {
		t.Errorf("%d answers were served to %d questions, the journal remembers %d; want %d and the %d lost", stats.Answered, stats.Distinct, len(killed.answers), all, lost)
	}
	if done < 3 {
		t.Errorf("%d runs were killed", done)
	}
	sameResults(t, undisturbed, killed, videos, "keypoints.jsonl", "subjects.jsonl", "counts.jsonl",
		"1_judge_accuracy_coverage.jsonl", "2_judge_referential_consistency.jsonl",
		"1_accuracy_coverage_metrics.json", "2_referential_consistency_metrics.json")
}

// stageMoment is in the first stage for a third of the kills, in the second for
// the next, and while results are written for the rest.
func stageMoment(random *rand.Rand, i, kills int) moment {
	wait := time.Duration(random.Int64N(int64(2 * latency)))
	switch {
	case 3*i < kills:
		return afterQuestions(1+random.IntN(videos*keypoints*3/2/kills), wait)
	case 3*i < 2*kills:
		return afterQuestionsOf("grouping", aboutGroups, 1+random.IntN(max(videos*subjects/kills, 1)), wait)
	}
	files := []string{".1_accuracy_coverage_metrics.json.partial", ".keypoints.jsonl.partial", "results.json"}
	return whileWriting(files[random.IntN(len(files))])
}

func makeVideos(t *testing.T) (eval []string) {
	t.Helper()
	rows, captions := filepath.Join(t.TempDir(), "annotations.jsonl"), filepath.Join(t.TempDir(), "captions.jsonl")
	var a, c bytes.Buffer
	fixture.OK(t, benchgen.Captions(&a, &c, benchgen.CaptionOptions{Videos: videos, Keypoints: keypoints, Subjects: subjects, Words: 40}))
	for path, text := range map[string][]byte{rows: a.Bytes(), captions: c.Bytes()} {
		fixture.OK(t, os.WriteFile(path, text, 0o600))
	}
	return []string{"capricorn", "-d", rows, "-p", captions}
}
