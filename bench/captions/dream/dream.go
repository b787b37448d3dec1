// Package dream is DREAM-1K (Tarsier, arXiv 2407.00634), scored as AutoDQ does: a judge takes
// the events from a caption, and says which of them the human description entails, and which
// of its events the caption entails.
package dream

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/metric"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// facts are what people say of a clip.
type facts struct {
	Source    int // in metric.DQSources
	Reference string
	Events    []string // of the reference
	buckets   []bench.Tag
}

// New makes the benchmark.
func New() bench.Benchmark {
	return captions.New(captions.Protocol[facts]{
		About: bench.Info{
			Sees: true,
			Name: "dream-1k", Title: "DREAM-1K: events that captions tell, by AutoDQ",
			Paper: "arXiv 2407.00634", Licence: "data: bytedance/tarsier, Apache-2.0; bring your own copy",
			Judge: "openai/gpt-3.5-turbo-0125",
			About: "Three calls a caption: its events; which of the reference's events it tells (recall); which of its own events the\n" +
				"reference tells (precision). Both are means over clips, then over the five sources.",
			Asking:   bench.Asking{OfficialAttempts: 10, Attempts: 3},
			Metric:   &metric.DQ,
			StepKeys: "the clip's idx for its events, idx/recall and idx/precision",
			Needs: []bench.Need{
				{Part: "annotations", Dataset: "omni-research/DREAM-1K", Names: []string{"DREAM-1k.jsonl"}, Licence: "Apache-2.0", Flag: "--data"},
				{Part: "media", Dataset: "omni-research/DREAM-1K", Flag: "--media"},
			},
		},
		Data:          "the benchmark's file, DREAM-1k.jsonl",
		Version:       "dream3",
		Prompts:       promptFiles,
		Uses:          map[string][]string{"extract.txt": {"caption"}, "relate.txt": {"description", "events"}},
		CaptionPrompt: func(string) string { return "Describe the video in detail." },
		Read:          readRow,
		First:         first,
		Bound:         bound,
		Exam:          exam,
		Score:         score,
	})
}

func readRow(row []byte, _ string) ([]captions.Clip[facts], error) {
	v := gjson.ParseBytes(row)
	source := strings.TrimPrefix(v.Get("dataset").Str, "DREAM/")
	c := captions.Clip[facts]{ID: v.Get("idx").String(), Tags: bench.Tags("source", source)}
	c.Media = omniscope.Media{Video: c.ID + ".mp4"}
	c.Names = []string{c.ID, v.Get("vid").String(), v.Get("dataset").Str + "_" + c.ID}
	c.Facts.Source = slices.Index(metric.DQSources, source)
	if c.Facts.Source < 0 {
		return nil, fmt.Errorf("the source %q is none of %s", source, strings.Join(metric.DQSources, ", "))
	}
	for _, m := range v.Get("messages").Array() {
		for _, part := range m.Get("content").Array() {
			if m.Get("role").Str == "assistant" && part.Get("reference").Type == gjson.String {
				c.Facts.Reference = part.Get("reference").Str
			}
		}
	}
	events := v.Get("extra_info.events")
	if c.Facts.Reference == "" || !events.IsArray() {
		return nil, errors.New("the row has no reference, or no list of its events")
	}
	for _, e := range events.Array() {
		c.Facts.Events = append(c.Facts.Events, e.String())
	}
	info := v.Get("extra_info")
	c.Facts.buckets = bench.Tags("subjects", few(info.Get("n_subjects")), "shots", few(info.Get("n_shots")), "events", many(info.Get("n_events")))
	return []captions.Clip[facts]{c}, nil
}

// few and many are the published groups by numbers; "" = there is none.
func few(n gjson.Result) string {
	switch {
	case !n.Exists():
		return ""
	case n.Int() <= 1:
		return "1 or none"
	case n.Int() >= 4:
		return "4 and more"
	}
	return n.String()
}

func many(n gjson.Result) string {
	switch {
	case !n.Exists():
		return ""
	case n.Int() <= 3:
		return "3 and fewer"
	case n.Int() <= 5:
		return "4 and 5"
	case n.Int() <= 7:
		return "6 and 7"
	}
	return "8 and more"
}
