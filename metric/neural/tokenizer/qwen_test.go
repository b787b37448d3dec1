package tokenizer

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestQwenVectors compares with the ids of the library tokenizers.
func TestQwenVectors(t *testing.T) {
	q, err := OpenQwen("testdata/qwen/tokenizer.json")
	fixture.OK(t, err)
	f, err := os.Open("testdata/qwen/qwen.jsonl")
	fixture.OK(t, err)
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var v struct {
			Text string
			IDs  []int32
		}
		fixture.OK(t, json.Unmarshal(lines.Bytes(), &v))
		if got := q.Encode(v.Text); !slices.Equal(got, v.IDs) {
			t.Errorf("%q: %v, want %v", v.Text, got, v.IDs)
		}
	}
	if n != 665 {
		t.Errorf("%d vectors", n)
	}
}

func TestFilesThatAreNoTokenizerOfQwen(t *testing.T) {
	good, err := os.ReadFile("testdata/qwen/tokenizer.json")
	fixture.OK(t, err)
	for want, text := range map[string]string{
		"not JSON":             string(good[:1000]),
		"no tokenizer of Qwen": strings.Replace(string(good), `"type": "BPE"`, `"type": "Unigram"`, 1),
		"its pattern":          strings.Replace(string(good), `\\p{N}|`, `\\p{N}{1,3}|`, 1),
		"not NFC":              strings.Replace(string(good), `"NFC"`, `"NFKC"`, 1),
		"no merges":            `{"model": {"type": "BPE", "merges": []}, "normalizer": {"type": "NFC"}, "pre_tokenizer": {"pretokenizers": [{"pattern": {"Regex": ` + jsonText(qwenPattern) + `}}]}}`,
		"want two pieces":      `{"model": {"type": "BPE", "merges": ["ab"]}, "normalizer": {"type": "NFC"}, "pre_tokenizer": {"pretokenizers": [{"pattern": {"Regex": ` + jsonText(qwenPattern) + `}}]}}`,
	} {
		path := filepath.Join(t.TempDir(), "tokenizer.json")
		os.WriteFile(path, []byte(text), 0o644)
		if _, err := OpenQwen(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func jsonText(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
