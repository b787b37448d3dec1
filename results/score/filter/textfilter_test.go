package filter

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric/textnorm"
)

var (
	english = Normalize(textnorm.English)
	basic   = Normalize(textnorm.Schemes[textnorm.WhisperBasic])
)

// filtered is the result of a work on lines.
func filtered(in string, work Work) (string, error) {
	var out bytes.Buffer
	err := Lines(context.Background(), "stdin", strings.NewReader(in), &out, work)
	return out.String(), err
}

func mustFilter(t *testing.T, in string, work Work) string {
	t.Helper()
	out, err := filtered(in, work)
	fixture.OK(t, err)
	return out
}

// The result fields are taken from each line of what the published programs
// answered, and the filter must put them back.
func TestCompatGolden(t *testing.T) {
	normal, words := []string{"out", "error", "message"}, []string{"wer", "subs", "dels", "ins", "hits", "error", "message"}
	for _, c := range []struct {
		file   string
		result []string
		work   Work
	}{
		{"metrics/normalizer_en.jsonl", normal, english},
		{"metrics/normalizer_basic.jsonl", normal, basic},
		{"metrics/wer.jsonl", words, WordErrors("", "")},
		{"metrics/asr_pipeline.jsonl", []string{"wer"}, WordErrors(ByLanguage, "")},
		{"mcif/resegment.jsonl", []string{"segments", "as_wer", "error"}, Resegment(false)},
	} {
		t.Run(c.file, func(t *testing.T) {
			published, err := os.ReadFile(golden.Path(t, filepath.FromSlash(c.file)))
			fixture.OK(t, err)
			var in strings.Builder
			for line := range bytes.Lines(published) {
				in.WriteString(without(t, line, c.result) + "\n")
			}
			out := mustFilter(t, in.String(), c.work)
			compareRecords(t, string(published), out, c.result)
		})
	}
}

func rawFields(t *testing.T, line []byte) (fields map[string]json.RawMessage) {
	t.Helper()
	fixture.OK(t, json.Unmarshal(line, &fields))
	return fields
}

func without(t *testing.T, line []byte, names []string) string {
	t.Helper()
	var kept []string
	fields := rawFields(t, line)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(names, name) {
			kept = append(kept, fmt.Sprintf("%q: %s", name, fields[name]))
		}
	}
	return "{" + strings.Join(kept, ", ") + "}"
}

// compareRecords compares the results by value, and all else by byte.
func compareRecords(t *testing.T, wanted, got string, result []string) {
	t.Helper()
	want, have := strings.SplitAfter(wanted, "\n"), strings.SplitAfter(got, "\n")
	if len(want) != len(have) {
		t.Fatalf("%d lines, want %d", len(have)-1, len(want)-1)
	}
	wrong := 0
	for i := range len(want) - 1 {
		w, h := rawFields(t, []byte(want[i])), rawFields(t, []byte(have[i]))
		names := slices.AppendSeq(slices.Clone(result), maps.Keys(w))
		for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
			same := bytes.Equal(w[name], h[name])
			if slices.Contains(result, name) {
				same = reflect.DeepEqual(valueOf(t, w[name]), valueOf(t, h[name]))
			}
			if !same {
				if wrong++; wrong <= 5 {
					t.Errorf("line %d, %s (%.60s): got %.300s, want %.300s", i+1, w["id"], name, h[name], w[name])
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d lines differ", wrong, len(want)-1)
	}
}

// valueOf is nil for a field that is not there, else a list of its value.
func valueOf(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	if raw == nil {
		return nil
	}
	var v any
	fixture.OK(t, json.Unmarshal(raw, &v))
	return []any{v}
}

func TestNormalizedComparison(t *testing.T) {
	for _, c := range []struct {
		name, in, scheme, want string
	}{
		{"as they are", `{"refs": ["So it goes"], "hyps": ["so it"]}`, "", `"wer": 0.6666666666666666, "subs": 1, "dels": 1, "ins": 0, "hits": 1}`},
		{"normal", `{"refs": ["So it goes"], "hyps": ["so it"]}`, "whisper-basic", `"wer": 0.3333333333333333, "subs": 0, "dels": 1, "ins": 0, "hits": 2}`},
		{"none wrong", `{"refs": ["a", "b"], "hyps": ["a", "b"]}`, "", `"wer": 0.0, "subs": 0, "dels": 0, "ins": 0, "hits": 2}`},
		{"more errors than words", `{"refs": ["a"], "hyps": ["b c"]}`, "", `"wer": 2.0, "subs": 1, "dels": 0, "ins": 1, "hits": 0}`},
		{"an empty reference", `{"refs": [""], "hyps": ["a"]}`, "", `"error": "ValueError", "message": "one or more references are empty strings"}`},
		{"lists of two lengths", `{"refs": ["a", "b"], "hyps": ["a"]}`, "", `"error": "ValueError", "message": "`},
		{"English", `{"lang": "en", "refs": ["twenty five"], "hyps": ["25"]}`, "by-lang", `"wer": 0.0, "subs": 0, "dels": 0, "ins": 0, "hits": 1}`},
		{"not English", `{"lang": "de", "refs": ["twenty five"], "hyps": ["25"]}`, "by-lang", `"wer": 1.0, "subs": 1, "dels": 1, "ins": 0, "hits": 0}`},
		{"pooled", `{"refs": [{"sample_ids": ["2", "1"], "reference": "a b"}], "hyps": {"1": "b", "2": "a", "3": "c"}}`, "", `"wer": 0.0, "subs": 0, "dels": 0, "ins": 0, "hits": 2}`},
		{"pooled without a hypothesis", `{"refs": [{"sample_ids": ["2"], "reference": "a b"}], "hyps": {}}`, "", `"error": "KeyError", "message": "'2'"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mustFilter(t, c.in, WordErrors(c.scheme, "")); !strings.Contains(got, c.want) {
				t.Errorf("got %swant %s", got, c.want)
			}
		})
	}
}

func TestReferencesWithoutWords(t *testing.T) {
	for rule, want := range map[string]string{
		"skip":  `"wer": 0.5, "subs": 1, "dels": 0, "ins": 0, "hits": 1, "empty_refs": 1}`,
		"count": `"wer": 1.5, "subs": 1, "dels": 0, "ins": 2, "hits": 1, "empty_refs": 1}`,
	} {
		if got := mustFilter(t, `{"refs": ["", "a b"], "hyps": ["x y", "a c"]}`, WordErrors("", rule)); !strings.Contains(got, want) {
			t.Errorf("%s: got %swant %s", rule, got, want)
		}
	}
	if got := mustFilter(t, `{"refs": [""], "hyps": ["x"]}`, WordErrors("", "count")); !strings.Contains(got, `"wer": null, "subs": 0, "dels": 0, "ins": 1, "hits": 0, "empty_refs": 1}`) {
		t.Errorf("got %s", got)
	}
}

// A number that Python will not read is a result, not the end of the file.
func TestRefusedNumber(t *testing.T) {
	long := strings.Repeat("7", 4301)
	in := `{"in": "` + long + `", "out": "old"}` + "\n" + `{"in": "Seven"}` + "\n"
	out := mustFilter(t, in, english)
	want := `{"in": "` + long + `", "error": "AssertionError", "message": ""`
	if !strings.HasPrefix(out, want) || !strings.HasSuffix(out, `{"in": "Seven", "out": "7"}`+"\n") {
		t.Errorf("got %.80s ... %s", out, out[max(0, len(out)-200):])
	}
	out = mustFilter(t, `{"refs": ["`+long+`"], "hyps": ["7"]}`, WordErrors("whisper-en", ""))
	if !strings.Contains(out, `"error": "AssertionError"`) {
		t.Errorf("got %s", out[max(0, len(out)-200):])
	}
	if _, err := filtered("a\n"+long, NormalizeText(textnorm.English)); err == nil || !strings.HasPrefix(err.Error(), "stdin:2: ") {
		t.Errorf("plain: %v", err)
	}
}

func TestResegment(t *testing.T) {
	for _, c := range []struct {
		name, in string
		strict   bool
		want     string
	}{
		{"words", `{"hyp": "one two three", "ref_lines": ["one too", "three"]}`, false, `"segments": ["one two", "three"], "as_wer": 33.3333}`},
		{"all right", `{"hyp": "a b", "ref_lines": ["a", "b"]}`, false, `"segments": ["a", "b"], "as_wer": 0.0}`},
		{"Chinese by its name", `{"lang": "zh", "hyp": "甲乙丙", "ref_lines": ["甲乙", "丙"]}`, false, `"segments": ["甲乙", "丙"], "as_wer": 0.0}`},
		{"characters", `{"lang": "en", "char_level": true, "hyp": "abc", "ref_lines": ["ab", "c"]}`, false, `"segments": ["ab", "c"], "as_wer": 0.0}`},
		{"Chinese by words", `{"lang": "zh", "char_level": false, "hyp": "甲乙 丙", "ref_lines": ["甲乙", "丙"]}`, false, `"segments": ["甲乙", "丙"], "as_wer": 0.0}`},
		{"Japanese by its name", `{"lang":"ja","hyp":"今日は天気がいい私は学校に行く","ref_lines":["今日は天気が良い","私は学校へ行く"]}`, false, `"segments": ["今日は天気がいい", "私は学校に行く"], "as_wer": 13.3333}`},
		{"Thai by its name", `{"lang":"th-TH","hyp":"กขคง","ref_lines":["กข","คง"]}`, false, `"segments": ["กข", "คง"], "as_wer": 0.0}`},
		{"Korean has blanks", `{"lang":"ko","hyp":"가나 다라","ref_lines":["가나","다라"]}`, false, `"segments": ["가나", "다라"], "as_wer": 0.0}`},
		{"Japanese without a name", `{"hyp":"今日は天気がいい私は学校に行く","ref_lines":["今日は天気が良い","私は学校へ行く"]}`, false, `"warning": "the text has hardly a blank between words`},
		{"a crash", `{"hyp": "a b", "ref_lines": ["a", "", "b"], "as_wer": 1}`, false, `"ref_lines": ["a", "", "b"], "error": "mwerSegmenter killed by signal 11; no __segments file"}`},
		{"strict", `{"hyp": "a b", "ref_lines": ["a", "", "b"], "error": "E"}`, true, `"ref_lines": ["a", "", "b"], "segments": ["a", "", "b"], "as_wer": 0.0}`},
		{"strict, without lines", `{"hyp": "a", "ref_lines": []}`, true, `"error": "the reference has no lines: `},
		{"strict, of nothing", `{"hyp": "a", "ref_lines": [""]}`, true, `"as_wer": null}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mustFilter(t, c.in, Resegment(c.strict)); !strings.Contains(got, c.want) {
				t.Errorf("got %swant %s", got, c.want)
			}
		})
	}
}
