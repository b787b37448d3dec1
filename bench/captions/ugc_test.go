package captions

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric"
)

const ugcData = `{
  "question": "Describe it.",
  "samples": [
    {"video_id": "PI-1", "path": "/x/PI-1.mp4", "answer": "A dog."},
    {"video_id": "PI-2", "answer": "A cat."},
    {"video_id": "PI-3", "answer": "A bird."}
  ]
}`

const ugcCaptions = `{"video_id": "PI-1", "caption": " A dog barks. "}
{"video_id": "PI-2", "caption": " "}`

func rated(visual, audio, details any) string {
	return fmt.Sprintf("{'visual': %v, 'audio': %v, 'details': %v}", visual, audio, details)
}

func TestPromptUGC(t *testing.T) {
	seen := ""
	in := inputs(t, ugcData, ugcCaptions, func(step string, _ int, text string) string {
		seen = text
		return rated(1, 1, 1)
	}, bench.Strict, 1)
	captionstest.Score(t, UGC(), in)
	if want := "\nSample ID: PI-1\nPredicted Description: A dog barks.\nGround Truth Description: A dog.\n"; !strings.Contains(seen, want) {
		t.Errorf("%q has no %q", seen, want)
	}
}

func TestScoringsUGC(t *testing.T) {
	for _, c := range []struct {
		name             string
		scoring          bench.Scoring
		first            string // reply; later ones are 2, 2, 2. "" = all calls fail
		official, strict string // clips visual audio details forced
		outcome          omniscope.Outcome
		differs          string
	}{
		{"clear", bench.Strict, rated(3, 4, 5), "1 3 4 5 0", "1 3 4 5 0", omniscope.OK, ""},
		{"in words", bench.Strict, "Here:\n```\n" + rated(3, 4, 5) + "\n```\nThat is it.", "1 3 4 5 0", "1 3 4 5 0", omniscope.OK, ""},
		{"two of them", bench.Strict, rated(3, 4, 5) + rated(1, 1, 1), "0 0 0 0 0", "1 2 2 2 0", omniscope.OK, "first reply that cannot be read"},
		{"halves", bench.Strict, rated(3.5, 4, 5), "1 3 4 5 0", "1 2 2 2 0", omniscope.OK, "rating read otherwise"},
		{"texts", bench.Strict, rated("'4'", 4, 5), "1 4 4 5 0", "1 4 4 5 0", omniscope.OK, ""},
		{"out of range", bench.Strict, rated(9, 4, 0), "1 9 4 0 0", "1 2 2 2 0", omniscope.OK, "rating read otherwise"},
		{"a dimension less", bench.Strict, "{'visual': 1, 'audio': 2}", "0 0 0 0 0", "1 2 2 2 0", omniscope.OK, "first reply that cannot be read"},
		{"failed calls", bench.Strict, "", "0 0 0 0 0", "0 0 0 0 0", omniscope.Failed, ""},
		{"failed calls, official", bench.Official, "", "1 0 0 0 1", "0 0 0 0 0", omniscope.Failed, "no usable reply"},
		{"asked again, official", bench.Official, "Good.", "1 2 2 2 0", "1 2 2 2 0", omniscope.OK, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := inputs(t, ugcData, ugcCaptions, func(_ string, attempt int, _ string) string {
				if attempt > 1 && c.first != "" {
					return rated(2, 2, 2)
				}
				return c.first
			}, c.scoring, 3)
			r := captionstest.One(t, UGC(), in, 0)
			scored{c.official, c.strict, c.outcome, c.differs}.check(t, r, "overall", func(k metric.Counts) string {
				return fmt.Sprintf("%g %g %g %g %g", k[0], k[1], k[2], k[3], k[5])
			})
		})
	}
}

// TestNoCaptionsUGC leaves out clips without a caption, and rates empty ones lowest in
// strict scoring alone.
func TestNoCaptionsUGC(t *testing.T) {
	in := inputs(t, ugcData, ugcCaptions, func(string, int, string) string { return rated(5, 5, 5) }, bench.Strict, 1)
	r := captionstest.Score(t, UGC(), in)
	official, strict := captionstest.Whole(r, bench.Official)["average"], captionstest.Whole(r, bench.Strict)["average"]
	if *official.Value != 1 || official.N != 1 || official.Unscored != 2 {
		t.Errorf("official %+v", official)
	}
	if math.Abs(*strict.Value-0.6) > 1e-12 || strict.N != 2 || strict.Unscored != 1 {
		t.Errorf("strict %v of %d, %d unscored", *strict.Value, strict.N, strict.Unscored)
	}
	if empty, none := captionstest.One(t, UGC(), in, 1).Outcome, captionstest.One(t, UGC(), in, 2).Outcome; empty != omniscope.Abstained || none != omniscope.Missing {
		t.Errorf("%v, %v", empty, none)
	}
}

// TestReleasedFileUGC loads all references, and rates captions by their numbers.
func TestReleasedFileUGC(t *testing.T) {
	data := golden.Path(t, "bench", "ugc-videocap", "final_caption_qa.json")
	var released struct {
		Question string
		Samples  []struct {
			ID string `json:"video_id"`
		}
	}
	text, err := os.ReadFile(data)
	if err == nil {
		err = json.Unmarshal(text, &released)
	}
	fixture.OK(t, err)
	var file strings.Builder
	number, sum := make(map[string]int), 0.0
	for i, s := range released.Samples {
		number[s.ID] = i
		sum += float64(1+i%5+1+i%3+5) / 15
		fmt.Fprintf(&file, `{"video_id": %q, "caption": "x"}`+"\n", s.ID)
	}
	r := captionstest.Score(t, UGC(), captionstest.Inputs(data, captionstest.File(t, "c.jsonl", file.String()), func(step string, _ int, _ string) string {
		i := number[step]
		return rated(1+i%5, 1+i%3, 5)
	}, bench.Strict, 1))
	for p := range bench.Scoring(2) {
		if got := captionstest.Whole(r, p)["average"]; got.N != 999 || math.Abs(*got.Value-sum/999) > 1e-12 {
			t.Errorf("%v: %v of %d, want %v of 999", p, *got.Value, got.N, sum/999)
		}
	}
	if len(r.Warnings) > 0 {
		t.Errorf("it warns: %q", r.Warnings)
	}
	if ugcAsk != released.Question {
		t.Error("captioners are not asked what the file says")
	}
}
