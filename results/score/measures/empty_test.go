package measures

import (
	"testing"

	"omniscope"
	"omniscope/internal/testing/workdir"
	"omniscope/metric"
	"omniscope/results/score"
)

// TestSilentReferences scores transcripts of silent recordings, with the field names of NeMo and the Open ASR Leaderboard.
func TestSilentReferences(t *testing.T) {
	workdir.Enter(t, `-- manifest.jsonl --
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
	_, empty, err := WordErrors(t.Context(), "silent.jsonl", "silent.jsonl", "", metric.CountEmpty)
	if err != nil || empty != 0 {
		t.Errorf("%d empty references, %v", empty, err)
	}
}
