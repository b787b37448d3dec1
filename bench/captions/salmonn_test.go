package captions

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/pyrepr"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric"
)

// salmonnData are three clips: one with a caption, one with an empty caption, one without.
const salmonnData = `[{"video": "video/0.mp4", "conversations": [{"from": "human", "value": "<image>\nDescribe it."}], "events": ["A man's hand waves", "A dog barks", "Rain", "Music"]},
{"video": "video/1.mp4", "events": ["A", "B"]},
{"video": "video/2.mp4", "events": ["C", "D"]}]`

const salmonnCaptions = `{"id": ["video/0.mp4"], "pred": ["A man waves."]}
{"id": "1.mp4", "pred": ""}
{"id": "2.mp4", "pred": "C and D."}`

func tallied(missed, incorrect, hallucinated int) string {
	return withLists(missed, incorrect, hallucinated, missed, incorrect, hallucinated)
}

// withLists is a reply with three numbers, and lists of so many events.
func withLists(missed, incorrect, hallucinated, missedEvents, incorrectEvents, hallucinatedEvents int) string {
	list := func(event string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(event+", ", n), ", ") + "]"
	}
	return fmt.Sprintf(`{"Missed": %d, "Incorrect": %d, "Hallucination": %d, "Missed Event": %s, "Incorrect Event": %s, "Hallucination Event": %s }`, missed, incorrect, hallucinated,
		list(`"x"`, missedEvents), list(`"y"`, incorrectEvents), list(`"z"`, hallucinatedEvents))
}

// TestPromptSALMONN shows what the judge sees: the number of events, their list as Python prints it,
// the caption without its repetitions.
func TestPromptSALMONN(t *testing.T) {
	data := captionstest.File(t, "data.json", salmonnData)
	texts := make(map[string]string)
	in := captionstest.Inputs(data, captionstest.File(t, "c.jsonl", `{"id": ["video/0.mp4"], "pred": ["Go. `+strings.Repeat("Stop. ", 9)+`"]}`), func(step string, _ int, text string) string {
		if step == "video/0.mp4" {
			texts[step] = text
		}
		return tallied(0, 0, 0)
	}, bench.Strict, 1)
	in.Samples = []omniscope.SampleID{"video/0.mp4"}
	captionstest.Score(t, SALMONN(), in)
	for _, want := range []string{"There are totally 4 base events", `["A man's hand waves", 'A dog barks', 'Rain', 'Music']`, "\nGo. Stop. \n"} {
		if !strings.Contains(texts["video/0.mp4"], want) {
			t.Errorf("the judge sees %q, without %q", texts["video/0.mp4"], want)
		}
	}
}

func TestScoringsSALMONN(t *testing.T) {
	data := captionstest.File(t, "data.json", salmonnData)
	for _, c := range []struct {
		name             string
		scoring          bench.Scoring
		caption          string // of the first clip, as JSON; "" = it has none
		judge            captionstest.Judge
		official, strict string // counts of round 1 and 2: judged missed incorrect hallucinated
		differs          string
		calls            int
	}{
		{"clear replies", bench.Strict, `"x"`, func(string, int, string) string { return tallied(1, 2, 5) }, "4 1 2 5, 4 1 2 5", "4 1 2 5, 4 1 2 5", "", 7},
		{"more events than there are", bench.Strict, `"x"`, func(string, int, string) string { return tallied(3, 2, 0) }, "4 3 2 0, 4 3 2 0", "4 3 1 0, 4 3 1 0", howMore, 7},
		{"a number without events, then an answer", bench.Strict, `"x"`, func(_ string, attempt int, _ string) string {
			return map[bool]string{true: withLists(2, 1, 0, 0, 1, 0), false: tallied(1, 0, 0)}[attempt == 1]
		}, "4 2 1 0, 4 2 1 0", "4 1 0 0, 4 1 0 0", howAgain, 14},
		{"events without a number", bench.Strict, `"x"`, func(string, int, string) string { return withLists(0, 1, 0, 0, 1, 2) }, "4 0 1 0, 4 0 1 0", "0 0 0 0, 0 0 0 0", howLost, 14},
		{"more events than the number", bench.Strict, `"x"`, func(string, int, string) string { return withLists(1, 1, 0, 2, 1, 0) }, "4 1 1 0, 4 1 1 0", "0 0 0 0, 0 0 0 0", howLost, 14},
		{"an event that is missed and incorrect", bench.Strict, `"x"`, func(string, int, string) string { return strings.Replace(tallied(1, 1, 0), "y", "x", 1) }, "4 1 1 0, 4 1 1 0", "0 0 0 0, 0 0 0 0", howLost, 14},
		{"the placeholder of the format", bench.Strict, `"x"`, func(string, int, string) string { return strings.Replace(tallied(1, 0, 0), "x", "...", 1) }, "4 1 0 0, 4 1 0 0", "0 0 0 0, 0 0 0 0", howLost, 14},
		{"the placeholder of the question", bench.Strict, `"x"`, func(string, int, string) string { return strings.Replace(tallied(1, 0, 0), "x", "xxx", 1) }, "4 1 0 0, 4 1 0 0", "0 0 0 0, 0 0 0 0", howLost, 14},
		{"numbers alone, with empty lists", bench.Strict, `"x"`, func(string, int, string) string { return withLists(1, 1, 2, 0, 0, 0) }, "4 1 1 2, 4 1 1 2", "4 1 1 2, 4 1 1 2", "", 7},
		{"an empty list in words", bench.Strict, `"x"`, func(string, int, string) string {
			return strings.Replace(tallied(1, 0, 0), `"Hallucination Event": []`, `"Hallucination Event": ["None."]`, 1)
		}, "4 1 0 0, 4 1 0 0", "4 1 0 0, 4 1 0 0", "", 7},
		{"in single quotes", bench.Strict, `"x"`, func(string, int, string) string { return `{'Missed': 1, 'Incorrect': 0, 'Hallucination': 0}` }, "0 0 0 0, 0 0 0 0", "4 1 0 0, 4 1 0 0", howForm, 7},
		{"repaired", bench.Strict, `"x"`, func(_ string, attempt int, _ string) string {
			return map[bool]string{true: "no", false: tallied(1, 1, 1)}[attempt == 1]
		}, "0 0 0 0, 0 0 0 0", "4 1 1 1, 4 1 1 1", howForm, 14},
		{"an earlier round's numbers stay", bench.Strict, `"x"`, func(step string, _ int, _ string) string {
			return map[bool]string{true: tallied(2, 0, 0), false: "no"}[step == "video/0.mp4"]
		}, "4 2 0 0, 4 2 0 0", "4 2 0 0, 0 0 0 0", howStale, 1 + 6*2},
		{"failed calls", bench.Strict, `"x"`, func(string, int, string) string { return "" }, "0 0 0 0, 0 0 0 0", "0 0 0 0, 0 0 0 0", "", 14},
		{"no caption", bench.Strict, "", func(string, int, string) string { return tallied(0, 0, 0) }, "0 0 0 0, 0 0 0 0", "4 4 0 0, 4 4 0 0", "clip without a caption", 0},
		{"an empty one", bench.Strict, `""`, func(string, int, string) string { return tallied(0, 0, 0) }, "0 0 0 0, 0 0 0 0", "4 4 0 0, 4 4 0 0", "empty caption", 0},
		{"official asks about it", bench.Official, `""`, func(string, int, string) string { return tallied(0, 0, 0) }, "4 0 0 0, 4 0 0 0", "4 4 0 0, 4 4 0 0", "empty caption", 7},
		{"official asks again, then with the second prompt", bench.Official, `"x"`, func(step string, attempt int, text string) string {
			if strings.HasSuffix(step, "/count") && attempt == 2 && strings.Contains(text, `"missed" + "correct" + "incorrect" = 4`) {
				return `{"Missed": 1, "Correct": 2, "Incorrect": 1, "Hallucination": 3}`
			}
			return `{"Missed": 1, "Correct": 2, "Incorrect": 2, "Hallucination": 3}`
		}, "4 1 1 3, 4 1 1 3", "4 1 2 3, 4 1 2 3", howMore, 2 + 2 + 6}, // no reply to the first prompt can be cut; each later round asks once
		{"official once it has numbers", bench.Official, `"x"`, func(step string, _ int, _ string) string {
			return map[bool]string{true: tallied(2, 0, 0), false: "no"}[step == "video/0.mp4"]
		}, "4 2 0 0, 4 2 0 0", "4 2 0 0, 0 0 0 0", howStale, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := `{"id": "9.mp4", "pred": "x"}` + "\n" + `{"id": "1.mp4", "pred": "x"}`
			if c.caption != "" {
				file = `{"id": "0.mp4", "pred": ` + c.caption + `}`
			}
			calls := 0
			in := captionstest.Inputs(data, captionstest.File(t, "c.jsonl", file), func(step string, attempt int, text string) string {
				calls++
				return c.judge(step, attempt, text)
			}, c.scoring, 2)
			r := captionstest.One(t, SALMONN(), in, 0)
			want, ok := map[string]omniscope.Outcome{"failed calls": omniscope.Failed, "an earlier round's numbers stay": omniscope.Unparsed, "official once it has numbers": omniscope.Unparsed,
				"no caption": omniscope.Missing, "an empty one": omniscope.Abstained, "official asks about it": omniscope.Abstained}[c.name]
			switch {
			case c.differs == howLost:
				want = omniscope.Unparsed
			case !ok:
				want = omniscope.OK
			}
			scored{c.official, c.strict, want, c.differs}.check(t, r, "overall", func(k metric.Counts) string {
				return fmt.Sprintf("%g %g %g %g, %g %g %g %g", k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8])
			})
			if calls != c.calls {
				t.Errorf("%d calls, want %d", calls, c.calls)
			}
		})
	}
}

func TestPublishedVectorsSALMONN(t *testing.T) {
	var vectors struct {
		Collapse struct{ Cases []struct{ In, Out string } } `json:"vs2_reduce_repeated_words"`
		Parse    struct {
			Cases []struct {
				In, Error string
				Out       *struct {
					Missed, Incorrect, Hallucination int
					Events                           []string `json:"missed_events"`
				}
			}
		} `json:"vs2_judge_parse"`
	}
	text, err := os.ReadFile(golden.Path(t, "bench", "vectors", "official_scoring_vectors.json"))
	if err == nil {
		err = json.Unmarshal(text, &vectors)
	}
	fixture.OK(t, err)
	for _, c := range vectors.Collapse.Cases {
		if got := prepared(c.In); got != c.Out {
			t.Errorf("%.60q is collapsed to %.60q, want %.60q", c.In, got, c.Out)
		}
	}
	for _, c := range vectors.Parse.Cases {
		got, err := publishedList(c.In)
		switch {
		case c.Out == nil && err == nil:
			t.Errorf("%s is read, and the published scorer has a %s", c.In, c.Error)
		case c.Out != nil && (err != nil || got.Missed != c.Out.Missed || got.Incorrect != c.Out.Incorrect || got.Hallucinated != c.Out.Hallucination || !slices.Equal(got.missedEvents, c.Out.Events)):
			t.Errorf("%s: %+v, %v; want %+v", c.In, got, err, *c.Out)
		}
	}
	if n, m := len(vectors.Collapse.Cases), len(vectors.Parse.Cases); n != 22 || m != 9 {
		t.Errorf("%d and %d cases, want 22 and 9", n, m)
	}
}

// misbehaves is a judge that now and then does not count, counts in another form, or fails,
// as a hash of the call says.
func misbehaves(step string, attempt int, text string) string {
	h := fnv.New32a()
	fmt.Fprint(h, step, attempt)
	n := int(h.Sum32() >> 8)
	t := [3]int{n % 9, n / 9 % 7, n / 63 % 5}
	if strings.Contains(text, `"Correct": x`) {
		if n%3 == 0 {
			return fmt.Sprintf(`{"Missed": %d, "Correct": 1, "Incorrect": 0, "Hallucination": 2}`, strings.Count(text, ", '")) // right for some
		}
		return "{}"
	}
	switch n / 315 % 10 {
	case 0:
		return "Sorry, I cannot help with that."
	case 1:
		return fmt.Sprintf(`{'Missed': %d, 'Incorrect': %d, 'Hallucination': %d}`, t[0], t[1], t[2])
	case 2:
		return ""
	case 3:
		return tallied(500, 1, 2)
	}
	return tallied(t[0], t[1], t[2])
}

// TestReleasedFileSALMONN scores all clips in seven rounds with a judge that misbehaves, and compares
// official scoring with a loop over rounds and tries that is written down here as the published
// program has it: items that keep what an earlier round put into them.
func TestReleasedFileSALMONN(t *testing.T) {
	data := golden.Path(t, "bench", "video-salmonn2-test", "video_salmonn2_test.json")
	var rows []struct {
		Video  string
		Events []string
	}
	text, err := os.ReadFile(data)
	if err == nil {
		err = json.Unmarshal(text, &rows)
	}
	fixture.OK(t, err)
	var file strings.Builder
	events := 0
	for i, r := range rows {
		events += len(r.Events)
		if i%40 != 7 { // some have no caption
			json.NewEncoder(&file).Encode(map[string]any{"id": []string{r.Video}, "pred": []string{"Caption of " + r.Video}})
		}
	}
	if len(rows) != 483 || events != 16541 {
		t.Errorf("%d clips with %d events, want 483 with 16,541", len(rows), events)
	}
	var total [7][4]float64 // events, missed, incorrect, hallucinated
	for i, r := range rows {
		var kept *tally
		for round := 0; round < 7 && i%40 != 7; round++ {
			step := r.Video
			if round > 0 {
				step += fmt.Sprint("/round", round+1)
			}
			for try := 1; try == 1 || kept == nil && try <= 9; try++ {
				if got, err := publishedList(misbehaves(step, try, "")); err == nil {
					kept = &got
				}
			}
			for try := 1; kept == nil && try <= 3; try++ {
				if got, err := publishedCounts(misbehaves(step+"/count", try, `"Correct": x`+pyrepr.List(r.Events)), len(r.Events)); err == nil {
					kept = &got
				}
			}
			if kept != nil {
				for k, n := range []int{len(r.Events), kept.Missed, kept.Incorrect, kept.Hallucinated} {
					total[round][k] += float64(n)
				}
			}
		}
	}
	slices.SortFunc(total[:], func(a, b [4]float64) int {
		return int(math.Copysign(1, (a[1]+a[2]+a[3])/a[0]-(b[1]+b[2]+b[3])/b[0]))
	})
	middle := total[3]
	captions := captionstest.File(t, "captions.jsonl", file.String())
	official := captionstest.Score(t, SALMONN(), captionstest.Inputs(data, captions, misbehaves, bench.Official, listTries))
	scores := captionstest.Whole(official, bench.Official)
	for name, want := range map[string]float64{
		"miss": middle[1] / middle[0], "incorrect": middle[2] / middle[0], "hallucination": middle[3] / middle[0],
		"hall": (middle[2] + middle[3]) / middle[0], "total": (middle[1] + middle[2] + middle[3]) / middle[0],
		"total_lowest": (total[0][1] + total[0][2] + total[0][3]) / total[0][0], "total_highest": (total[6][1] + total[6][2] + total[6][3]) / total[6][0],
	} {
		if got := scores[name].Value; got == nil || math.Abs(*got-want) > 1e-12 {
			t.Errorf("official %s is %v, the loop has %v", name, got, want)
		}
	}
	strict := captionstest.Score(t, SALMONN(), captionstest.Inputs(data, captions, misbehaves, bench.Strict, 3))
	mended := captionstest.Whole(strict, bench.Strict)
	if mended["miss"].N+mended["miss"].Unscored != events {
		t.Errorf("strict scores %d events and leaves %d unjudged, of %d", mended["miss"].N, mended["miss"].Unscored, events)
	}
	if *mended["total"].Value >= *scores["total"].Value || *mended["total_lowest"].Value >= *mended["total_highest"].Value {
		t.Errorf("strict: total %v between %v and %v; official %v counts 500 events that are not there", *mended["total"].Value, *mended["total_lowest"].Value, *mended["total_highest"].Value, *scores["total"].Value)
	}
	t.Logf("official: total %.4f (%.4f to %.4f); strict: total %.4f (%.4f to %.4f)", *scores["total"].Value, *scores["total_lowest"].Value, *scores["total_highest"].Value,
		*mended["total"].Value, *mended["total_lowest"].Value, *mended["total_highest"].Value)
}
