package captions

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
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

func dreamRow(idx int, source string, events ...string) string {
	list, _ := json.Marshal(append([]string{}, events...))
	return fmt.Sprintf(`{"messages": [{"role": "user", "content": []}, {"role": "assistant", "content": [{"reference": "A \"Dog\" of %d.", "text": ""}]}], "dataset": "DREAM/%s", "idx": %d, "vid": %d, "extra_info": {"events": %s, "n_events": %d, "n_shots": 1, "n_subjects": 5}}`,
		idx, source, idx, idx, list, len(events))
}

func dreamRows(lines ...string) string { return strings.Join(lines, "\n") }

var dreamData = dreamRows(dreamRow(1, "youtube", "A dog barks.", "It runs."), dreamRow(2, "videvo", "Rain falls."), dreamRow(3, "videvo"))

const dreamCaptions = `{"idx": 1, "caption": "A \"Dog\" barks."}
{"idx": "2", "caption": ""}
{"video": "3.mp4", "caption": "Rain."}`

func relates(relations ...string) string {
	var list []string
	for _, r := range relations {
		list = append(list, fmt.Sprintf(`{"event": "x", "relationship": %q, "reason": "y"}`, r))
	}
	return `{"events": [` + strings.Join(list, ", ") + `]}`
}

// because is a reply of relationships with reasons.
func because(relationsAndReasons ...string) string {
	var list []string
	for i := 0; i < len(relationsAndReasons); i += 2 {
		list = append(list, fmt.Sprintf(`{"event": "x", "relationship": %q, "reason": %q}`, relationsAndReasons[i], relationsAndReasons[i+1]))
	}
	return `{"events": [` + strings.Join(list, ", ") + `]}`
}

func dreamReplies(step string, _ int, text string) string {
	if !strings.Contains(step, "/") {
		return `{"events": ["one moves", "two moves"]}`
	}
	if strings.Contains(text, "['one moves', 'two moves']") || strings.HasPrefix(step, "1/") {
		return relates("entailment", "Neutral ")
	}
	return relates("contradiction")
}

// TestPromptsDream shows what the judge sees: small letters, and single quotes where events are taken.
func TestPromptsDream(t *testing.T) {
	texts := make(map[string]string)
	in := inputs(t, dreamData, dreamCaptions, func(step string, attempt int, text string) string {
		if step == "1" || strings.HasPrefix(step, "1/") {
			texts[step] = text
		}
		return dreamReplies(step, attempt, text)
	}, bench.Strict, 1)
	in.Samples = []omniscope.SampleID{"1"}
	captionstest.Score(t, Dream(), in)
	for step, want := range map[string]string{
		"1":           "Video Description: a 'dog' barks.\n",
		"1/recall":    "Video Description:\na \"dog\" barks.\n\nEvents: ['A dog barks.', 'It runs.']\n",
		"1/precision": "Video Description:\na \"dog\" of 1.\n\nEvents: ['one moves', 'two moves']\n",
	} {
		if !strings.Contains(texts[step], want) {
			t.Errorf("%s: %q has no %q", step, texts[step], want)
		}
	}
}

func TestScoringsDream(t *testing.T) {
	const events = `{"events": ["one moves", "two moves"]}`
	for _, c := range []struct {
		name             string
		scoring          bench.Scoring
		clip             int
		extract          string // first reply; the second is events
		recall           string // the same; the second is two entailments
		precision        string
		official, strict string // recall: clips, sum, all; precision: clips, sum, all
		differs          string
	}{
		{"clear", bench.Strict, 1, events, relates("entailment", "neutral"), relates("entailment", "entailment"), "1 0.5 1 1 1 1", "1 0.5 1 1 1 1", ""},
		{"neutral does not count for precision", bench.Strict, 1, events, relates("contradiction", "neutral"), relates("neutral", "entailment"), "1 0 1 1 0.5 1", "1 0 1 1 0.5 1", ""},
		{"what the published program mends", bench.Strict, 1, "```python\n" + events + "\n```", "```json\n" + relates("entailment", "neutral") + "\n```", relates("entailment", "entailment"), "1 0.5 1 1 1 1", "1 0.5 1 1 1 1", ""},
		{"what it cannot mend", bench.Strict, 1, "Here: " + events, relates("entailment", "neutral"), relates("entailment", "entailment"), "0 0 1 0 0 1", "1 0.5 1 1 1 1", howDropped},
		{"one event too few", bench.Strict, 1, events, relates("entailment"), relates("entailment", "entailment"), "0 0 1 0 0 1", "1 1 1 1 1 1", howDropped},
		{"another word", bench.Strict, 1, events, relates("entailment", "entails"), relates("entailment", "entailment"), "0 0 1 0 0 1", "1 1 1 1 1 1", howDropped},
		{"a reason of another relationship", bench.Strict, 1, events, because("entailment", "Contradiction: it is a cat.", "neutral", "y"), relates("entailment", "neutral"), "1 0.5 1 1 0.5 1", "1 1 1 1 0.5 1", howUnclear},
		{"the same in a run of official", bench.Official, 1, events, because("entailment", "Contradiction: it is a cat.", "neutral", "y"), relates("entailment", "neutral"), "1 0.5 1 1 0.5 1", "0 0 1 1 0.5 1", howUnclear},
		{"a reason that is another relationship", bench.Strict, 1, events, because("entailment", "This is a contradiction.", "neutral", "y"), relates("entailment", "neutral"), "1 0.5 1 1 0.5 1", "1 1 1 1 0.5 1", howUnclear},
		{"a reason that denies entailment", bench.Strict, 1, events, because("entailment", "The description does not mention it.", "neutral", "y"), relates("entailment", "neutral"), "1 0.5 1 1 0.5 1", "1 1 1 1 0.5 1", howUnclear},
		{"events of another description", bench.Strict, 1, events, strings.ReplaceAll(relates("entailment", "neutral"), `"x"`, `"submarine dives"`), relates("entailment", "neutral"), "1 0.5 1 1 0.5 1", "1 1 1 1 0.5 1", howUnclear},
		{"the reason of the format", bench.Strict, 1, events, because("entailment", "give your reason here", "neutral", "y"), relates("entailment", "neutral"), "1 0.5 1 1 0.5 1", "1 1 1 1 0.5 1", howUnclear},
		{"an event twice, another not", bench.Strict, 1, events, strings.ReplaceAll(relates("entailment", "neutral"), `"event": "x"`, `"event": "It runs."`), relates("entailment", "neutral"), "1 0.5 1 1 0.5 1", "1 1 1 1 0.5 1", howUnclear},
		{"a reason of its own relationship", bench.Strict, 1, events, because("entailment", "Entailment: it barks.", "neutral", "neutral"), relates("entailment", "neutral"), "1 0.5 1 1 0.5 1", "1 0.5 1 1 0.5 1", ""},
		{"a failed call", bench.Strict, 1, "", relates("entailment", "neutral"), "", "0 0 1 0 0 1", "1 0.5 1 0 0 1", howDropped},
		{"official asks again", bench.Official, 1, "Here: " + events, relates("entailment"), relates("entailment", "neutral"), "1 1 1 1 0.5 1", "1 1 1 1 0.5 1", ""},
		{"no events of the reference", bench.Strict, 3, events, "not asked", relates("entailment", "neutral"), "1 1 1 1 0.5 1", "0 0 0 1 0.5 1", howNoEvents},
		{"no events of the caption", bench.Strict, 1, `{"events": []}`, relates("entailment", "neutral"), "not asked", "1 0.5 1 1 1 1", "1 0.5 1 0 0 0", howNoneTold},
		{"no caption", bench.Strict, 4, "not asked", "not asked", "not asked", "0 0 1 0 0 1", "0 0 1 0 0 1", ""},
		{"an empty one", bench.Strict, 2, "not asked", "not asked", "not asked", "0 0 1 0 0 1", "1 0 1 0 0 0", howEmpty},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := inputs(t, dreamRows(dreamData, dreamRow(4, "youtube", "x")), dreamCaptions, func(step string, attempt int, _ string) string {
				_, side, _ := strings.Cut(step, "/")
				first := map[string]string{"": c.extract, "recall": c.recall, "precision": c.precision}[side]
				if first == "not asked" {
					t.Errorf("step %s is asked", step)
				}
				if attempt == 1 || first == "" {
					return first
				}
				return map[string]string{"": events, "recall": relates("entailment", "entailment"), "precision": relates("entailment", "entailment")}[side]
			}, c.scoring, 2)
			r := captionstest.One(t, Dream(), in, c.clip-1)
			// The first of the groups counts as if the clip was of the first source.
			scored{c.official, c.strict, r.Outcome, c.differs}.check(t, r, "subjects", func(k metric.Counts) string {
				return fmt.Sprintf("%g %g %g %g %g %g", k[0], k[1], k[2], k[3], k[4], k[5])
			})
		})
	}
}

// TestRepairedRepliesDream reads replies that the published program repairs.
func TestRepairedRepliesDream(t *testing.T) {
	for reply, ok := range map[string]bool{
		`{"events": [{"event": "x", "relationship": "entailment", "reason": "y",},]}`:        true,
		`"events": [{"event": "x", "relationship": "entailment"}]`:                           true,
		"{\"events\":\n\n [{\"event\": \"x\",\n\"relationship\": \"entailment\" , }\n]\n}\n": true,
		"```json\n{\"events\": [{\"relationship\": \" ENTAILMENT\"}]}\n```":                  true,
		`{"events": [{"relationship": "entailment"} ]} done`:                                 false,
		`{"Events": [{"relationship": "entailment"}]}`:                                       false,
		`{'events': [{'relationship': 'entailment'}]}`:                                       false,
		`{"events": [{"relationship": "entailment"} {"relationship": "neutral"}]}`:           false, // mended, and one too many
	} {
		if _, err := publishedRelations(reply, 1); (err == nil) != ok {
			t.Errorf("%s: %v", reply, err)
		}
	}
}

// TestReleasedFileDream scores all clips with a judge that derives its answers from the clip, and
// compares the means by source with a loop over the file.
func TestReleasedFileDream(t *testing.T) {
	data := golden.Path(t, "bench", "dream-1k", "DREAM-1k.jsonl")
	f, err := os.Open(data)
	fixture.OK(t, err)
	defer f.Close()
	type sums struct{ clips, official, strict, strictClips float64 }
	bySource := make(map[string]*sums)
	var file strings.Builder
	events, none := 0, 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct {
			Dataset string
			Idx     int
			Extra   struct{ Events []string } `json:"extra_info"`
		}
		fixture.OK(t, json.Unmarshal(lines.Bytes(), &r))
		fmt.Fprintf(&file, `{"idx": %d, "caption": "x"}`+"\n", r.Idx)
		s := bySource[r.Dataset]
		if s == nil {
			s = &sums{}
			bySource[r.Dataset] = s
		}
		n := len(r.Extra.Events)
		events += n
		s.clips++
		if n == 0 {
			none++
			s.official++
			continue
		}
		told := 0.0
		for i := range n {
			if entails(fmt.Sprintf("%d/recall", r.Idx), i) {
				told++
			}
		}
		s.official, s.strict, s.strictClips = s.official+told/float64(n), s.strict+told/float64(n), s.strictClips+1
	}
	if len(bySource) != 5 || events != 6298 || none != 4 {
		t.Errorf("%d sources, %d events, %d clips without: want 5, 6,298 and 4", len(bySource), events, none)
	}
	judge := captionstest.Judge(func(step string, _ int, text string) string {
		if !strings.Contains(step, "/") {
			return `{"events": ["a moves", "b moves", "c moves"]}`
		}
		_, list, _ := strings.Cut(text, "\nEvents: ")
		list, _, _ = strings.Cut(list, "\nOutput a JSON")
		var found []string
		for i := range listLength(list) {
			found = append(found, map[bool]string{true: "entailment", false: "neutral"}[entails(step, i)])
		}
		return relates(found...)
	})
	r := captionstest.Score(t, Dream(), captionstest.Inputs(data, captionstest.File(t, "c.jsonl", file.String()), judge, bench.Strict, 1))
	var official, strict float64
	for _, s := range bySource {
		if s.clips != 200 {
			t.Errorf("a source of %g clips", s.clips)
		}
		official, strict = official+s.official/s.clips/5, strict+s.strict/s.strictClips/5
	}
	for p, want := range map[bench.Scoring]float64{bench.Official: official, bench.Strict: strict} {
		scores := captionstest.Whole(r, p)
		recall, precision := *scores["recall"].Value, *scores["precision"].Value
		if math.Abs(recall-want) > 1e-12 || math.Abs(*scores["f1"].Value-2*recall*precision/(recall+precision)) > 1e-12 {
			t.Errorf("%v: recall %v, the loop has %v; F1 %v of precision %v", p, recall, want, *scores["f1"].Value, precision)
		}
	}
	if len(r.Warnings) > 0 {
		t.Errorf("it warns: %q", r.Warnings)
	}
	if len(metric.DQ.Fields) != 30 {
		t.Errorf("%d counts", len(metric.DQ.Fields))
	}
}

// entails is whether an event of a step is entailed, by a hash.
func entails(step string, i int) bool {
	h := fnv.New32a()
	fmt.Fprint(h, step, " ", i)
	return h.Sum32()>>6%3 > 0
}

// listLength counts the texts of a list as Python prints it.
func listLength(list string) (n int) {
	for len(list) > 1 {
		if list[0] != '\'' && list[0] != '"' {
			list = list[1:]
			continue
		}
		quote := list[0]
		list = list[1:]
		for list[0] != quote {
			if list[0] == '\\' {
				list = list[1:]
			}
			list = list[1:]
		}
		list = list[1:]
		n++
	}
	return n
}
