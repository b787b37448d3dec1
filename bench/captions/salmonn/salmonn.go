// Package salmonn is the test set of video-SALMONN 2 (arXiv 2506.15220): a judge counts which
// annotated events a caption misses, which it gets wrong, and what it makes up, in seven
// rounds, of which the one in the middle is published.
package salmonn

import (
	"embed"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/metric"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// facts are the annotated events of a clip, of pictures and sound.
type facts []string

// New makes the benchmark.
func New() bench.Benchmark {
	return captions.New(captions.Protocol[facts]{
		About: bench.Info{
			Hears: true, Sees: true,
			Name: "video-salmonn2", Title: "video-SALMONN 2 test set: events that captions miss, get wrong or make up",
			Paper: "arXiv 2506.15220", Licence: "data: tsinghua-ee/video-SALMONN_2_testset, Apache-2.0; bring your own copy",
			Judge: "openai/gpt-3.5-turbo-0125",
			About: "Each caption is judged in seven rounds; published is the round in the middle. Hall are incorrect and hallucinated\n" +
				"events together, Total is Miss and Hall; lower is better.",
			Asking:   bench.Asking{OfficialAttempts: listTries, Attempts: 3},
			Metric:   &metric.Events,
			StepKeys: "the clip's id, such as video/0.mp4, and for a later round /round2 to /round7; in profile official\nalso /count behind it, for the second prompt",
			Needs: []bench.Need{
				{Part: "annotations", Dataset: "tsinghua-ee/video-SALMONN_2_testset", Names: []string{"video_salmonn2_test.json"}, Licence: "Apache-2.0", Flag: "--data"},
				{Part: "media", Dataset: "tsinghua-ee/video-SALMONN_2_testset", Flag: "--media"},
			},
		},
		Data:    "the test set's file, video_salmonn2_test.json",
		Version: "salmonn3",
		Prompts: promptFiles,
		Uses: map[string][]string{
			"list-system.txt": {"event_num"}, "list.txt": {"events_in_video", "cap_to_be_rated"},
			"count-system.txt": {"event_num"}, "count.txt": {"events_in_video", "cap_to_be_rated"},
		},
		Read:  readRow,
		First: first,
		Bound: bound,
		Exam:  exam,
		Score: score,
	})
}

func readRow(row []byte, _ string) ([]captions.Clip[facts], error) {
	v := gjson.ParseBytes(row)
	c := captions.Clip[facts]{ID: v.Get("video").Str, Media: omniscope.Media{Video: v.Get("video").Str}}
	for _, e := range v.Get("events").Array() {
		if e.Type != gjson.String {
			return nil, errors.New("an event is no text")
		}
		c.Facts = append(c.Facts, e.Str)
	}
	if len(c.Facts) == 0 {
		return nil, errors.New("the row has no events")
	}
	c.Prompt = strings.TrimPrefix(v.Get("conversations.0.value").Str, "<image>\n")
	return []captions.Clip[facts]{c}, nil
}
