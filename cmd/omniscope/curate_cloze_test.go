package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"omniscope/curate/cloze"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/people"
)

// rawClips are the sources of the project, of which some are not fit.
var rawClips = []string{"bbb_trailer.webm", "tos_battle.webm", "sintel_2s_letterbox.mp4", "testcard_timecode.mp4", "smpte_2997.mp4", "nasa_13013.mp4", "flower.mp4", "jfk.flac"}

const clozeRules = `min_height: 100
min_seconds: 1
min_transitions: 0
max_still_share: 1
max_subtitle_share: 1
segment: {min_seconds: 1, wanted_seconds: 4, max_seconds: 6}
`

const clozeProject = `recipe: omni-cloze
sources: sources.jsonl
settings:
  collect: {rules: "{project}/rules.yaml"}
  captions: {detective: offline, tools: "scene,sound"}
  describe: {validator: "scripted/{project}/validator.json"}
  draft: {drafter: "scripted/{project}/drafter.json"}
  test: {judge: "scripted/{project}/judge.json"}
  mend: {drafter: "scripted/{project}/drafter.json"}
  release: {settings: "{project}/release.yaml"}
`

const clozeRelease = "name: made-cloze\npretty_name: Made\ndescription: Made by a test.\nversion: 1.0.0\nlicense: cc-by-4.0\nlanguages: [en]\n" +
	"task_categories: [video-text-to-text]\nannotations_creators: [machine-generated]\ncreators: [A Test]\n"

// sceneDraft is the draft of a scene of curate/cloze's corpus, as a model writes it.
func sceneDraft(t *testing.T, name string) (passage string, blanks []map[string]any) {
	t.Helper()
	text := fixture.Read(t, filepath.Join("..", "..", "curate", "cloze", "testdata", "scenes", name+".txt"))
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	passage = strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	passage = regexp.MustCompile(`\{([^|}]+)[^}]*\}`).ReplaceAllString(passage, "$1")
	passage = regexp.MustCompile(`\[(visual|audio|audio-visual): ([^\]]+)\]`).ReplaceAllStringFunc(passage, func(m string) string {
		sense, options, _ := strings.Cut(strings.Trim(m, "[]"), ": ")
		all := strings.Split(options, " / ")
		n := len(blanks) + 1
		blanks = append(blanks, map[string]any{"number": n, "answer": all[0], "distractors": all[1:], "required_modality": sense, "from": []int{1}})
		return fmt.Sprintf("[BLANK_%d]", n)
	})
	return passage, blanks
}

// newClozeProject writes a project whose models are scripts: one clip's draft has 29 blanks at first, and one's blank 3 is guessed.
func newClozeProject(t *testing.T, dir string) {
	t.Helper()
	media := golden.Path(t, "media")
	var sources strings.Builder
	describe, draft, guess := make(map[string][]string), make(map[string][]string), make(map[string][]string)
	for i, file := range rawClips {
		id := strings.TrimSuffix(file, filepath.Ext(file))
		fmt.Fprintln(&sources, fixture.JSON(map[string]any{"id": id, "path": filepath.Join(media, file), "licence": "CC-BY-4.0", "origin": "a test", "url": "https://example.org/" + file}))
		describe[id+"/describe"] = []string{fixture.JSON(map[string]any{"sentences": []any{map[string]any{"text": "Something is seen and heard.", "from": []string{"a1", "v1"}, "modality": "audio-visual"}}, "conflicts": []any{}, "dropped": []any{}})}
		passage, blanks := sceneDraft(t, []string{"market", "bicycle", "ferry", "rehearsal", "pancakes"}[i%5])
		whole := fixture.JSON(map[string]any{"passage": passage, "blanks": blanks})
		draft[id+"/draft"] = []string{whole}
		if i == 0 {
			few := fixture.JSON(map[string]any{"passage": strings.Replace(passage, "[BLANK_30]", "thing", 1), "blanks": blanks[:29]})
			draft[id+"/draft"] = []string{few, whole}
		}
		addGuesses(t, guess, id, passage, blanks, i == 1)
		b := maps.Clone(blanks[2])
		b["answer"], b["sentence"] = "zebra crossing", ""
		draft[cloze.RepairStep(id, 3)] = []string{fixture.JSON(b)}
	}
	writeFiles(t, dir, map[string]string{"curate.yaml": clozeProject, "rules.yaml": clozeRules, "release.yaml": clozeRelease, "sources.jsonl": sources.String(),
		"validator.json": fixture.JSON(describe), "drafter.json": fixture.JSON(draft), "judge.json": fixture.JSON(guess)})
}

// addGuesses scripts the judge of a row: it guesses nothing, or blank 3, and finds nothing in captions of one sense.
func addGuesses(t *testing.T, guess map[string][]string, id, passage string, blanks []map[string]any, third bool) {
	t.Helper()
	d := &cloze.Draft{UUID: id, Passage: passage}
	fixture.OK(t, json.Unmarshal([]byte(fixture.JSON(blanks)), &d.Blanks))
	none := make(map[string]string)
	for _, b := range d.Blanks {
		none[fmt.Sprint(b.Number)] = "E"
	}
	for _, test := range []string{cloze.AudioTest, cloze.VisualTest} {
		guess[cloze.BlindStep(id, test, 1)] = []string{fixture.JSON(none)}
	}
	for run := 1; run <= 3; run++ {
		said := maps.Clone(none)
		if third {
			said["3"] = cloze.Letter(d, uint64(run)).Cloze.Blanks[2].Key
		}
		guess[cloze.BlindStep(id, cloze.GuessTest, run)] = []string{fixture.JSON(said)}
	}
}

// buildCloze runs a project to its end; run does its next steps, until people are waited for.
func buildCloze(t *testing.T, dir string, run func() string) {
	t.Helper()
	workers := &staff{roles: map[people.ProjectRole][]string{people.Annotator: {"ann", "ben"}, people.Senior: {"sue"}}, say: func(stage string, _ *people.WorkItem, answers map[string]people.Value) {
		if stage != "review" {
			return
		}
		for key, v := range answers {
			if strings.HasPrefix(key, "sentence/") {
				v["verdict"] = "right"
			}
		}
		answers["approve"] = people.Value{"verdict": "approve"}
	}}
	for _, step := range []string{"approve", "review"} {
		if said := run(); !strings.Contains(said, "step "+step+" waits for people") {
			t.Fatalf("step %s is not reached: %s", step, said)
		}
		workers.do(t, filepath.Join(dir, "steps", step, "project"))
	}
	has(t, run(), "all steps of")
}

// TestLongCurateCloze builds a set of eight raw clips with scripted models and people, undisturbed and killed again and again: the
// results are the same, and can be scored and traced.
func TestLongCurateCloze(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	newClozeProject(t, whole)
	start := time.Now()
	buildCloze(t, whole, func() string { return runProgram(t, 0, "curate", "run", whole) })
	took := time.Since(start)

	killed := filepath.Join(t.TempDir(), "killed")
	newClozeProject(t, killed)
	kills := 0
	buildCloze(t, killed, func() string {
		for wait := took / 15; ; wait += took / 15 {
			cmd := exec.Command(built.Program(t), "curate", "run", killed)
			timer := time.AfterFunc(wait, func() { cmd.Process.Kill() })
			out, err := cmd.CombinedOutput()
			timer.Stop()
			if err == nil {
				return string(out)
			}
			if cmd.ProcessState.ExitCode() >= 0 {
				t.Fatalf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
			}
			kills++
		}
	})
	if kills < 3 {
		t.Errorf("the program was killed %d times only", kills)
	}
	for _, file := range []string{"collect/collected.jsonl", "collect/rejected.jsonl", "describe/descriptions.jsonl", "draft/omni_cloze.jsonl", "draft/drafts.jsonl", "test/tested.jsonl",
		"mend/omni_cloze.jsonl", "mend/drafts.jsonl", "review/omni_cloze.jsonl", "release/release/data/test.jsonl", "release/release/VERSION.json"} {
		a, b := stepFile(t, whole, file), stepFile(t, killed, file)
		if a != b || a == "" && !strings.Contains(file, "rejected") {
			t.Errorf("%s differs after %d kills, or is empty", file, kills)
		}
	}
	checkClozeProject(t, whole)
}

func stepFile(t *testing.T, dir, file string) string {
	t.Helper()
	text := fixture.Read(t, filepath.Join(dir, "steps", filepath.FromSlash(file)))
	return strings.ReplaceAll(text, dir, "PROJECT") // a scripted model is named by its file
}

// checkClozeProject looks at what was built.
func checkClozeProject(t *testing.T, dir string) {
	t.Helper()
	rows, _, err := cloze.ReadRows(t.Context(), filepath.Join(dir, "steps", "review", "omni_cloze.jsonl"))
	if err != nil || len(rows) < 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var captions strings.Builder
	for _, row := range rows {
		if found := cloze.CheckRow(row, cloze.Paper()); len(found) > 0 {
			t.Errorf("row %s: %v", row.UUID, found)
		}
		if row.UUID == "tos_battle" && row.Cloze.Blanks[2].Answer != "zebra crossing" {
			t.Errorf("the blank that was guessed is not mended: %+v", row.Cloze.Blanks[2])
		}
		fmt.Fprintln(&captions, fixture.JSON(map[string]string{"uuid": row.UUID, "caption": "A market."}))
	}
	file := filepath.Join(t.TempDir(), "captions.jsonl")
	writeFiles(t, filepath.Dir(file), map[string]string{"captions.jsonl": captions.String()})
	data := filepath.Join(dir, "steps", "release", "release", "data", "test.jsonl")
	has(t, strings.ToLower(runProgram(t, 0, "eval", "omni-cloze", "--data", data, "--predictions", file, "--judge", "offline", "--out", filepath.Join(t.TempDir(), "scored"), "--work-dir", t.TempDir())), "overall")
	card := stepFile(t, dir, "release/release/README.md")
	has(t, card, "How far people agreed", "Funnel")
	if strings.Contains(card, "How people work") {
		t.Error("the card tells how single people work")
	}
	traced := runProgram(t, 0, "curate", "trace", dir, rows[0].UUID)
	has(t, traced, `"step":"collect"`, `"licence":"CC-BY-4.0"`, `"step":"describe"`, `"evidence":`, `"step":"approve"`, `"by":"ann"`, `"rests":`, `"step":"review"`)
}
