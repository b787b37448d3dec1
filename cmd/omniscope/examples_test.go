package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// helpExamples are the examples of a command and those below it, in the order of the help, each once.
func helpExamples(cmd *cobra.Command) (lines []string) {
	for _, line := range strings.Split(strings.ReplaceAll(cmd.Example, "\\\n", " "), "\n") {
		if line = strings.Join(strings.Fields(line), " "); strings.Contains(line, "omniscope ") {
			lines = append(lines, line)
		}
	}
	for _, sub := range cmd.Commands() {
		for _, line := range helpExamples(sub) {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// TestHelpExamples parses every example of every help.
func TestHelpExamples(t *testing.T) {
	inDocumentedProject(t)
	lines := helpExamples(programTree())
	if len(lines) < 200 {
		t.Errorf("%d examples, want at least 200", len(lines))
	}
	for _, line := range lines {
		calls, err := programCalls(line)
		if err != nil || len(calls) == 0 {
			t.Errorf("%s: no call of the program: %v", line, err)
		}
		for _, args := range calls {
			if _, err := parseCommand(args); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

// runExamples are the examples that TestLongHelpExamples runs, in this order. The others are only parsed: they need files of
// benchmarks, networks, the hub, a database or people, or they serve until they are interrupted.
const runExamples = `
omniscope doctor caption --no-network
omniscope data list
omniscope data list mcif
omniscope data verify
omniscope data verify omni-cloze --data omni_cloze.jsonl --media clips
omniscope data stats omni-cloze omni_cloze.jsonl --json
omniscope docs models
omniscope docs profile qwen3-omni
omniscope docs --man ~/.local/share/man/man1
omniscope run omni-cloze --data omni_cloze.jsonl --media clips --model openai/gpt-4o --judge openai/gpt-4o-2024-11-20
omniscope eval omni-cloze -d try/cloze/clips.jsonl -p try/captions/careful.jsonl
omniscope eval omni-cloze --predictions rows.jsonl
omniscope eval omni-cloze --data omni_cloze.jsonl --predictions captions.csv --judge openai/gpt-4o-2024-11-20 --dry-run
omniscope eval omni-cloze -p rows.jsonl --judge openai/my-model,base-url=http://localhost:8000/v1 -j 256
omniscope score bleu --hyp out.de.txt --ref ref.de.txt
omniscope score chrf --hyp a.txt --hyp b.txt --ref ref.txt --cluster-file talks.txt
omniscope score wer --data rows.jsonl --lang en --cluster talk --per-segment
omniscope score normalize --scheme whisper-basic --plain < talk.de.txt
omniscope score wer --hyp out.en.txt --ref ref.en.txt --lang en
omniscope score wer --data rows.jsonl --hyp-field asr --normalizer none --cluster talk
omniscope score wer --data manifest.jsonl --lang en --empty-ref count
echo '{"refs": ["so it goes"], "hyps": ["So it went."]}' | omniscope score wer --each-line --lang en
omniscope score bleu --hyp out.zh.txt --ref ref.zh.txt --lang zh
omniscope score bleu --hyp out.txt --ref ref-a.txt --ref ref-b.txt --format python
omniscope score bleu --data rows.jsonl --hyp-field base --hyp-field ours --ref-field target
omniscope score chrf --hyp out.txt --ref ref.txt
omniscope score chrf --hyp out.txt --ref ref.txt --word-order 2 --per-segment --format tsv
echo '{"id": 7, "in": "Mr. Park paid twenty-five dollars."}' | omniscope score normalize --scheme whisper-en
echo '{"hyp": "one two three", "ref_lines": ["one too", "three"]}' | omniscope score resegment
omniscope score resegment --plain reference.zh.txt --characters < talk.zh.txt
echo '{"reply": "The answer is not A but B.", "options": ["a dog", "a train"]}' | omniscope score choice
echo '{"clip": "a.mp4", "caption": "Two dogs bark."}' | omniscope score plant --kinds count
omniscope score plant --seed 7 < captions.jsonl > planted.jsonl
omniscope compare careful confident
omniscope compare runs/released latest --fail-if-worse=accuracy,hallucination --level 0.01
omniscope compare runs/monday runs/tuesday --samples
omniscope leaderboard omni-cloze
omniscope leaderboard capricorn --published-judge qwen3-235b
omniscope view latest --html run.html
omniscope export careful confident --out tables
omniscope export careful confident --as latex --score accuracy,hallucination
omniscope push runs/mine shared/results --leave-out '*.html' --yes
omniscope caption clips --model vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct
omniscope caption clip.mp4
omniscope caption clips --detective openai/gpt-4.1 --observer openai/gpt-4o --dry-run
omniscope audit --text "A dog barks. There are two cuts." clip.mp4
omniscope audit captions.jsonl --media clips --splitter openai/gpt-4.1 --observer openai/gpt-4o --dry-run
omniscope curate init harbour --recipe omni-cloze
omniscope curate status harbour
omniscope curate trace harbour --out provenance.jsonl
echo '{"probs": [0.1, 0.9, 0.8, 0.1]}' | omniscope curate mcif segment --pdac
omniscope curate mcif build --example-languages > languages.yaml
omniscope curate release --example-settings > release.yaml
omniscope people new captions review --captions captions.jsonl --people 3
omniscope people status review
omniscope people export review
omniscope people new arena votes --captions ours.jsonl --captions theirs.csv --battles 500 --again 20
omniscope people new judge jury
omniscope people invite votes ann --role voter --name "Ann Lee"
omniscope people invite votes ann ben cem
omniscope people status votes
omniscope people export votes
omniscope people agreement votes --out agreement
omniscope train recipe --settings
omniscope journal show
omniscope journal prune --older-than 2160h --texts --yes
omniscope journal recover --out saved
omniscope journal show --work-dir saved
omniscope probe --model vllm/qwen2.5-omni --trials beeps,alignment --dry-run
omniscope probe --model vllm/NAME,profile=qwen3-omni --preview clip.mp4
`

// An exampleFolder has small files with the names that examples use.
type exampleFolder struct {
	t   *testing.T
	dir string
	env []string
	url string // of the server that answers for models
}

// TestLongHelpExamples runs the examples that need no network, and models of a local server.
func TestLongHelpExamples(t *testing.T) {
	need.FFmpeg(t)
	need.Program(t, "sh")
	f := newExampleFolder(t)
	known := helpExamples(programTree())
	for _, line := range strings.Split(strings.TrimSpace(runExamples), "\n") {
		if !slices.Contains(known, line) {
			t.Errorf("no help has the example %s", line)
			continue
		}
		code, said := f.shell(line)
		want := exitDone
		if strings.Contains(line, "--fail-if-worse") {
			want = exitWorse // the newer of these runs is
		}
		if code != want {
			t.Errorf("%s: exit code %d, want %d\n%s", line, code, want, said)
		}
	}
}

func newExampleFolder(t *testing.T) *exampleFolder {
	t.Helper()
	judge := fake.ClozeReply(func(uint64, int) byte { return 'A' }, 0)
	describe := fake.FixedReply("A disc moves from left to right in silence.")
	server := fake.Start(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		if r.Contains("BLANK_1") && r.Contains("not given") {
			return judge(r)
		}
		return describe(r)
	}})
	f := &exampleFolder{t: t, dir: t.TempDir(), url: server.URL()}
	f.env = append(os.Environ(), "HOME="+t.TempDir(), "OMNISCOPE_QUIET=true", "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+f.url, "VLLM_BASE_URL="+f.url)
	f.must(`omniscope demo try
cp -r try/clips clips; cp clips/harbour.mp4 clip.mp4; cp try/clips-cloze.jsonl omni_cloze.jsonl
mkdir runs
for system in careful confident; do
  omniscope eval omni-cloze -d try/cloze/clips.jsonl -p try/captions/$system.jsonl --judge offline --out $system
done
for run in released monday mine; do cp -r careful runs/$run; done
cp -r confident runs/tuesday; cp -r confident latest`)
	f.writeTexts()
	f.writeRows()
	return f
}

func (f *exampleFolder) write(name, text string) {
	f.t.Helper()
	fixture.OK(f.t, os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o600))
}

// writeTexts writes the files of lines that scores compare.
func (f *exampleFolder) writeTexts() {
	for _, name := range strings.Fields("out.de ref.de a b ref out.en ref.en out.zh ref.zh out ref-a ref-b talk.de talk.zh reference.zh") {
		f.write(name+".txt", "one two three four five\nsix seven eight nine ten\n")
	}
	f.write("talks.txt", "t1\nt2\n")
	f.write("manifest.jsonl", `{"audio_filepath": "a.wav", "text": "so it goes", "pred_text": "so it went"}`+"\n")
}

// writeRows writes captions of the clips, and rows of the benchmark that have their captions and texts to compare.
func (f *exampleFolder) writeRows() {
	data, err := os.ReadFile(filepath.Join(f.dir, "omni_cloze.jsonl"))
	fixture.OK(f.t, err)
	var rows, captions bytes.Buffer
	table := "uuid,caption\n"
	for line := range bytes.Lines(data) {
		row := make(map[string]any)
		fixture.OK(f.t, json.Unmarshal(line, &row))
		fmt.Fprintf(&captions, "{\"uuid\": %q, \"caption\": \"A boat is in a harbour. There is one cut.\"}\n", row["uuid"])
		table += fmt.Sprint(row["uuid"], ",A boat.\n")
		maps.Copy(row, map[string]any{"predicted_caption": "A boat.", "talk": row["uuid"], "hyp": "one two", "ref": "one two",
			"asr": "one two", "base": "one three", "ours": "one two", "target": "one two"})
		fixture.OK(f.t, json.NewEncoder(&rows).Encode(row))
	}
	f.write("rows.jsonl", rows.String())
	f.write("captions.jsonl", captions.String())
	f.write("ours.jsonl", captions.String())
	f.write("captions.csv", table)
	f.write("theirs.csv", table)
}

// shell runs a line as a user types it, with the local server in place of the address that examples name.
func (f *exampleFolder) shell(line string) (code int, said string) {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), "sh", "-euc", strings.ReplaceAll(line, "http://localhost:8000/v1", f.url))
	cmd.Dir, cmd.Env = f.dir, f.env
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		f.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (f *exampleFolder) must(lines string) {
	f.t.Helper()
	if code, said := f.shell(lines); code != exitDone {
		f.t.Fatalf("%s: exit code %d\n%s", lines, code, said)
	}
}
