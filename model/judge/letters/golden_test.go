package letters

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/golden"
)

// vectors are answers of the published functions.
type vectors struct {
	Words struct {
		Cases []struct {
			Answer, Prediction string
			Choices            []string
			Match              bool
		}
	} `json:"mmau_string_match"`
	Letters struct {
		Index map[string]string `json:"index2ans"`
		Cases []struct {
			Response   string
			VideoMME   string   `json:"videomme_official"`
			WorldSense string   `json:"worldsense_vlmevalkit"`
			Holmes     string   `json:"videoholmes_official"`
			HolmesKit  string   `json:"videoholmes_vlmevalkit"`
			Ranked     string   `json:"lmms_eval_extract_mcq_ABCD"`
			LMMSWorld  string   `json:"lmms_eval_worldsense_parse"`
			DailyOmni  []string `json:"dailyomni_api_correct_letters"`
		}
	} `json:"mcq_extract"`
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	text, err := os.ReadFile(golden.Path(t, "bench", "vectors", "official_scoring_vectors.json"))
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil || len(v.Words.Cases) != 236 || len(v.Letters.Cases) != 43 {
		t.Fatalf("%d and %d cases, %v", len(v.Words.Cases), len(v.Letters.Cases), err)
	}
	return v
}

func TestPublishedReadersGiveTheirLetters(t *testing.T) {
	v := readVectors(t)
	options := []string{v.Letters.Index["A"], v.Letters.Index["B"], v.Letters.Index["C"], v.Letters.Index["D"]}
	for _, c := range v.Letters.Cases {
		for name, want := range map[string]string{"video-mme": c.VideoMME, "video-holmes": c.Holmes, "video-holmes-vlmevalkit": c.HolmesKit,
			"lmms-eval-mcq": c.Ranked, "lmms-eval-worldsense": c.LMMSWorld} {
			p, _ := Find(name)
			if got := p.Read(c.Response, options); got != strings.ReplaceAll(want, "WRONG", "") {
				t.Errorf("%s: %q is %q, and %q by the published reader", name, c.Response, got, want)
			}
		}
		if c.WorldSense != c.VideoMME {
			t.Errorf("%q: WorldSense reads %q, and Video-MME %q: they need two readers", c.Response, c.WorldSense, c.VideoMME)
		}
		for i := range options {
			if l := Letter(i); StartsWith(c.Response, l) != slices.Contains(c.DailyOmni, l) {
				t.Errorf("daily-omni: %q, %s: %v", c.Response, l, StartsWith(c.Response, l))
			}
		}
	}
}

func TestSameWordsAsMMAU(t *testing.T) {
	for _, c := range readVectors(t).Words.Cases {
		if got := SameWords(c.Prediction, c.Answer, c.Choices); got != c.Match {
			t.Errorf("%q for %q of %q: %v", c.Prediction, c.Answer, c.Choices, got)
		}
	}
}
