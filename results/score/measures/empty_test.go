package measures

import (
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/results/score"
)

// TestSilentReferences scores transcripts of silent recordings, with the field names of NeMo and the Open ASR Leaderboard.
func TestSilentReferences(t *testing.T) {
	fixture.Enter(t, `-- manifest.jsonl --
{"audio_filepath": "1.wav", "text": "[inaudible]", "pred_text": "thank you"}
{"audio_filepath": "2.wav", "text": "so it goes", "pred_text": "so it went"}
{"audio_filepath": "3.wav", "text": "", "pred_text": ""}
-- silent.jsonl --
{"text": "", "pred_text": "a"}
-- both.jsonl --
{"reference": "a b", "text": "what this line is about", "hypothesis": "a b", "pred_text": "x"}
`)
	manifest := score.Files{Data: "manifest.jsonl"}
	wer := func(rule string) *score.Measure { return WER("whisper-en", "en", rule) }
	scoring{files: manifest, measure: wer("")}.fails(t, omniscope.Invalid, `manifest.jsonl:1: the reference has no words, and so no word error rate \(--empty-ref skip .*--empty-ref count .*\): \[inaudible\]`)
	scoring{files: manifest, measure: wer(metric.SkipEmpty)}.prints(t, ` 0\.3333 `, `3: subs 1 dels 0 ins 0`, `norm:whisper-en\|empty-ref:skip\(2\)\|version:`, `1 of 3 references are empty, the first in line 3; they are left out`)
	scoring{files: manifest, measure: wer(metric.CountEmpty)}.prints(t, ` 1\.0000 `, `3: subs 1 dels 0 ins 2`, `norm:whisper-en\|empty-ref:count\(2\)\|version:`)
	scoring{files: manifest, measure: wer(metric.CountEmpty), format: score.FormatPython}.prints(t, `\A1.0\n\z`)
	for _, rule := range []string{metric.SkipEmpty, metric.CountEmpty} {
		scoring{files: score.Files{Data: "silent.jsonl"}, measure: wer(rule)}.fails(t, omniscope.Invalid, `no reference has words, so the word error rate is undefined`)
	}
	scoring{files: score.Files{Data: "both.jsonl"}, measure: wer("")}.prints(t, ` 0\.0000 `) // a field "text" may be something else
}

// TestSilentReferencesThatAreLeftOut compares files with lines to leave out with the same files without them: numbers of
// segments and clusters, and intervals, are the same.
func TestSilentReferencesThatAreLeftOut(t *testing.T) {
	for _, lines := range []int{4, 7, 60} {
		for _, clusters := range []bool{false, true} {
			var files [2]strings.Builder
			for i := range lines {
				row := fmt.Sprintf(`"reference": "so it goes %d", "hypothesis": "so it went %d"`, i, i-i%3)
				for k := range files {
					fmt.Fprintf(&files[k], "{%s, \"talk\": \"t%d\"}\n", row, i/2)
				}
				fmt.Fprintf(&files[0], `{"reference": "[noise]", "hypothesis": "", "talk": "silent%d"}`+"\n", i)
			}
			fixture.Enter(t, "-- with.jsonl --\n"+files[0].String()+"-- without.jsonl --\n"+files[1].String())
			var printed [2]string
			for k, name := range []string{"with.jsonl", "without.jsonl"} {
				one := scoring{files: score.Files{Data: name}, measure: WER("whisper-en", "en", metric.SkipEmpty)}
				if clusters {
					one.files.Cluster = "talk"
				}
				text, err := one.run(t)
				fixture.OK(t, err)
				printed[k] = strings.NewReplacer("with.jsonl", "", "without.jsonl", "", "without |", "with |", fmt.Sprintf("skip(%d)", lines), "skip(0)").Replace(text)
			}
			if printed[0] != printed[1] {
				t.Errorf("%d lines: with silent ones\n%s\nand without\n%s", lines, printed[0], printed[1])
			}
		}
	}
}
