package captions

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/pyrepr"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

// Dream makes the benchmark DREAM-1K (Tarsier, arXiv 2407.00634), scored as AutoDQ does: a judge takes
// the events from a caption, and decides which of them the human description entails, and which
// of its events the caption entails.
func Dream() bench.Benchmark {
	return newBenchmark(protocol{
		About: bench.Info{
			Sees: true,
			Name: "dream-1k", Title: "DREAM-1K: events that captions describe, by AutoDQ",
			Paper: "arXiv 2407.00634", Licence: "data: bytedance/tarsier, Apache-2.0; bring your own copy",
			Judge: "openai/gpt-3.5-turbo-0125",
			About: "Three calls for each caption: one lists its events, one finds the reference's events in it (recall), and one finds its\n" +
				"events in the reference (precision). Both are means over clips, then over the five sources.",
			Asking:   bench.Asking{OfficialAttempts: 10, Attempts: 3},
			Metric:   &metric.DQ,
			StepKeys: "the clip's idx for its events, idx/recall and idx/precision",
			Needs:    bench.NeedsOf("omni-research/DREAM-1K", "Apache-2.0", "DREAM-1k.jsonl"),
		},
		Data:          "the benchmark's file, DREAM-1k.jsonl",
		Version:       "dream3",
		Prompts:       "dream",
		Uses:          map[string][]string{"extract.txt": {"caption"}, "relate.txt": {"description", "events"}},
		CaptionPrompt: func(string) string { return "Describe the video in detail." },
		Read:          readDream,
		First: func(a *asking, c *clip, caption string) []*model.Request {
			return []*model.Request{request(a.judge, c.ID, extractMessages(a, caption), eventSchema)}
		},
		Bound: boundDream,
		Exam:  examDream,
		Score: scoreDream,
	})
}

func readDream(row []byte, _ string) ([]clip, error) {
	v := gjson.ParseBytes(row)
	source := strings.TrimPrefix(v.Get("dataset").Str, "DREAM/")
	c := clip{ID: v.Get("idx").String(), Tags: bench.Tags("source", source)}
	c.Media = omniscope.Media{Video: c.ID + ".mp4"}
	c.Names = []string{c.ID, v.Get("vid").String(), v.Get("dataset").Str + "_" + c.ID}
	c.Source = slices.Index(metric.DQSources, source)
	if c.Source < 0 {
		return nil, fmt.Errorf("the source %q is not one of %s", source, strings.Join(metric.DQSources, ", "))
	}
	for _, m := range v.Get("messages").Array() {
		for _, part := range m.Get("content").Array() {
			if m.Get("role").Str == "assistant" && part.Get("reference").Type == gjson.String {
				c.Reference = part.Get("reference").Str
			}
		}
	}
	events := v.Get("extra_info.events")
	if c.Reference == "" || !events.IsArray() {
		return nil, errors.New("the row has no reference, or no list of its events")
	}
	for _, e := range events.Array() {
		c.Events = append(c.Events, e.String())
	}
	info := v.Get("extra_info")
	c.Buckets = bench.Tags("subjects", bucketOf(info.Get("n_subjects"), few), "shots", bucketOf(info.Get("n_shots"), few), "events", bucketOf(info.Get("n_events"), many))
	return []clip{c}, nil
}

// A bucket is a published group of clips by a number.
type bucket struct {
	most  int64
	group string
}

var (
	few  = []bucket{{1, "1 or none"}, {2, "2"}, {3, "3"}, {math.MaxInt64, "4 and more"}}
	many = []bucket{{3, "3 and fewer"}, {5, "4 and 5"}, {7, "6 and 7"}, {math.MaxInt64, "8 and more"}}
)

// bucketOf is the group of a number; "" = the number is not known.
func bucketOf(n gjson.Result, buckets []bucket) string {
	for _, b := range buckets {
		if n.Exists() && n.Int() <= b.most {
			return b.group
		}
	}
	return ""
}

func extractMessages(a *asking, caption string) []model.Message {
	return a.messages("", "extract.txt", "caption", strings.ReplaceAll(strings.ToLower(caption), `"`, "'"))
}

// relateMessages ask what events are to a description, in small letters.
func relateMessages(a *asking, description string, events []string) []model.Message {
	return a.messages("", "relate.txt", "description", strings.ToLower(description), "events", pyrepr.List(events))
}

func boundDream(a *asking, c *clip, caption string) (b bench.Bound) {
	recall, precision, most := size(relateMessages(a, caption, c.Events)), size(relateMessages(a, c.Reference, nil)), a.judge.Params.MaxTokens
	if a.scoring == bench.Strict {
		recall, precision, b.RepairBytes = recall+repairWords+most, precision+repairWords+most, repairWords
	}
	if len(c.Events) > 0 || a.scoring == bench.Official {
		b.Further = append(b.Further, bench.Further{Questions: 1, Bytes: recall, MaxTokens: most, Sure: true})
	}
	b.Further = append(b.Further, bench.Further{Questions: 1, Bytes: precision, Replies: 1, MaxTokens: most, Sure: true})
	return b
}

func eventSchema() *model.Schema {
	return &model.Schema{Name: "events", JSON: json.RawMessage(`{"type": "object", "properties": {"events": {"type": "array", "items": {"type": "string"}}}, "required": ["events"], "additionalProperties": false}`)}
}

func relationSchema() *model.Schema {
	return &model.Schema{Name: "relations", JSON: json.RawMessage(`{"type": "object", "properties": {"events": {"type": "array", "items": {"type": "object",
"properties": {"event": {"type": "string"}, "relationship": {"type": "string", "enum": ["entailment", "neutral", "contradiction"]}, "reason": {"type": "string"}},
"required": ["event", "relationship", "reason"], "additionalProperties": false}}}, "required": ["events"], "additionalProperties": false}`)}
}

// A related is a description with events and the known answer for each: entailed or not.
type related struct {
	description string
	events      []string
	entailed    []bool // what is not may be neutral or a contradiction: both count the same
}

const (
	yard  = "A boy in a red shirt kicks a ball over the fence. An old man picks it up, smiles, and throws it back. The boy waves and runs into the house."
	train = "A train stops at a small station at night. Three passengers get off, and a guard blows a whistle. The train leaves without anybody getting on."
)

// relationExam are events that a description clearly entails, or clearly does not.
var relationExam = []related{
	{yard, []string{"A boy kicks a ball over the fence.", "A girl climbs a tree."}, []bool{true, false}},
	{yard, []string{"An old man throws the ball back.", "An old man keeps the ball.", "The boy waves."}, []bool{true, false, true}},
	{yard, []string{"A dog chases the boy.", "The boy runs into the house."}, []bool{false, true}},
	{yard, []string{"The boy stays in the yard.", "A man picks up a ball.", "A woman opens a window."}, []bool{false, true, false}},
	{train, []string{"A train stops at a station.", "A plane lands."}, []bool{true, false}},
	{train, []string{"Many people get on the train.", "A guard blows a whistle."}, []bool{false, true}},
	{train, []string{"Passengers get off the train.", "The train leaves.", "The guard sells tickets."}, []bool{true, true, false}},
	{train, []string{"The train never stops.", "Three people leave the train.", "A child cries."}, []bool{false, true, false}},
}

type extracted struct {
	caption string
	words   []string
}

// extractExam are captions with a word of each event.
var extractExam = []extracted{
	{"A dog jumps over a fence. After that, a man throws a ball.", []string{"jump", "throw"}},
	{"A baker opens the oven, and a customer drops a coin. A bell rings.", []string{"oven", "coin", "bell"}},
}

// examDream has the judge relate known events, and find the events of captions.
func examDream(a *asking) []bench.ExamItem {
	relate := examine(a, 0, relationExam, func(e related, _ string) judge.Question[[]string] {
		return judge.Question[[]string]{Messages: relateMessages(a, e.description, e.events), Schema: relationSchema,
			Read: func(reply string) ([]string, error) { return readRelations(reply, e.events) }}
	}, func(e related, found []string) bool {
		for i, r := range found {
			if (r == relations[0]) != e.entailed[i] {
				return false
			}
		}
		return true
	})
	extract := examine(a, len(relate), extractExam, func(e extracted, _ string) judge.Question[[]string] {
		return judge.Question[[]string]{Messages: extractMessages(a, e.caption), Schema: eventSchema, Read: readEvents}
	}, func(e extracted, found []string) bool {
		all := strings.ToLower(strings.Join(found, "\n"))
		for _, w := range e.words {
			if !strings.Contains(all, w) {
				return false
			}
		}
		return len(found) >= len(e.words) && len(found) <= 10 // the prompt allows ten
	})
	return append(relate, extract...)
}
