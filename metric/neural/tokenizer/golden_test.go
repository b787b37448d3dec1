package tokenizer

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric/textnorm"
)

// tiny is a file of the small models, or of the ids that transformers and
// bert_score gave for them.
func tiny(t testing.TB, path string) string {
	t.Helper()
	return golden.Path(t, "metrics", "tiny_models", filepath.FromSlash(path))
}

// lines reads a file of JSON Lines.
func lines[T any](t *testing.T, path string) (all []T) {
	t.Helper()
	f, err := os.Open(tiny(t, path))
	fixture.OK(t, err)
	defer f.Close()
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<26)
	for scan.Scan() {
		var one T
		if err := json.Unmarshal(scan.Bytes(), &one); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, one)
	}
	return all
}

func opened(t testing.TB) func(Tokenizer, error) Tokenizer {
	return func(tok Tokenizer, err error) Tokenizer {
		t.Helper()
		fixture.OK(t, err)
		return tok
	}
}

func tinyRoBERTa(t testing.TB) Tokenizer {
	return opened(t)(OpenGPT2(tiny(t, "tiny_roberta/vocab.json"), tiny(t, "tiny_roberta/merges.txt")))
}

func tinyBERT(t testing.TB, name string) Tokenizer {
	return opened(t)(OpenWordPiece(tiny(t, name+"/vocab.txt")))
}

func tinyXLMR(t testing.TB) Tokenizer {
	return opened(t)(OpenJSON(tiny(t, "tiny_comet/tokenizer.json")))
}

// tinyVariant is the same tokenizer as newer converters write it.
func tinyVariant(t testing.TB) Tokenizer {
	t.Helper()
	var whole, parts map[string]any
	for path, into := range map[string]*map[string]any{"tokenizer.json": &whole, "tokenizer_variant_b.json": &parts} {
		text, err := os.ReadFile(tiny(t, "tiny_comet/"+path))
		fixture.OK(t, err)
		fixture.OK(t, json.Unmarshal(text, into))
	}
	precompiled := parts["normalizer"].(map[string]any)["normalizers"].([]any)[0].(map[string]any)
	precompiled["precompiled_charsmap"] = whole["normalizer"].(map[string]any)["precompiled_charsmap"]
	maps.Copy(whole, parts)
	text, err := json.Marshal(whole)
	fixture.OK(t, err)
	path := filepath.Join(t.TempDir(), "tokenizer.json")
	fixture.OK(t, os.WriteFile(path, text, 0o600))
	return opened(t)(OpenJSON(path))
}

func TestIdsMatchOriginals(t *testing.T) {
	type line struct {
		Text    string  `json:"text"`
		XLMR    []int32 `json:"xlmr_a"`
		Variant []int32 `json:"xlmr_b"`
		RoBERTa []int32 `json:"roberta_slow"`
		MBERT   []int32 `json:"mbert_slow"`
		ZhBERT  []int32 `json:"zhbert_slow"`
	}
	all := lines[line](t, "tokenizer_golden.jsonl")
	xlmr, variant, roberta := tinyXLMR(t), tinyVariant(t), tinyRoBERTa(t)
	mbert, zhbert := tinyBERT(t, "tiny_mbert"), tinyBERT(t, "tiny_zhbert")
	for _, l := range all {
		if l.Variant == nil {
			l.Variant = l.XLMR
		}
		compare(t, "XLM-R", xlmr, l.Text, 0, l.XLMR)
		compare(t, "XLM-R, variant b", variant, l.Text, 0, l.Variant)
		compare(t, "RoBERTa", roberta, textnorm.Strip(l.Text), 0, l.RoBERTa)
		compare(t, "mBERT", mbert, textnorm.Strip(l.Text), 0, l.MBERT)
		compare(t, "Chinese BERT", zhbert, textnorm.Strip(l.Text), 0, l.ZhBERT)
	}
	t.Logf("%d lines", len(all))
}

func compare(t *testing.T, name string, tok Tokenizer, text string, limit int, want []int32) {
	t.Helper()
	if got := tok.Encode(text, limit); !slices.Equal(got, want) {
		t.Errorf("%s, %.200q: got %v, want %v", name, text, got, want)
	}
}

func TestIdsMatchBERTScore(t *testing.T) {
	type line struct {
		Candidate    string  `json:"cand"`
		Reference    string  `json:"ref"`
		CandidateIDs []int32 `json:"cand_ids"`
		ReferenceIDs []int32 `json:"ref_ids"`
	}
	for lang, open := range map[string]func() Tokenizer{
		"en": func() Tokenizer { return tinyRoBERTa(t) },
		"de": func() Tokenizer { return tinyBERT(t, "tiny_mbert") },
		"it": func() Tokenizer { return tinyBERT(t, "tiny_mbert") },
		"zh": func() Tokenizer { return tinyBERT(t, "tiny_zhbert") },
	} {
		all := lines[line](t, "bertscore_"+lang+".jsonl")
		tok := open()
		for _, l := range all {
			compare(t, lang, tok, textnorm.Strip(l.Candidate), 512, l.CandidateIDs)
			compare(t, lang, tok, textnorm.Strip(l.Reference), 512, l.ReferenceIDs)
		}
	}
}

func TestIdsMatchCOMET(t *testing.T) {
	type line struct {
		Source       string  `json:"src"`
		Hypothesis   string  `json:"mt"`
		Reference    string  `json:"ref"`
		SourceIDs    []int32 `json:"src_ids"`
		HypothesisID []int32 `json:"mt_ids"`
		ReferenceIDs []int32 `json:"ref_ids"`
	}
	all := lines[line](t, "tiny_comet/comet.jsonl")
	tok := tinyXLMR(t)
	for _, l := range all {
		compare(t, "source", tok, strings.TrimSpace(l.Source), 510, l.SourceIDs)
		compare(t, "hypothesis", tok, strings.TrimSpace(l.Hypothesis), 510, l.HypothesisID)
		compare(t, "reference", tok, strings.TrimSpace(l.Reference), 510, l.ReferenceIDs)
	}
}
