// Package m3bench is M3-Bench-web (M3-Agent, arXiv 2508.09736) as CapRiCorn-1K uses it (arXiv
// 2606.21949, figure 4): captions are given to a model as the memory of a long video, it answers
// questions in free words, and a judge says of each answer whether the right one follows from it.
package m3bench

import (
	"embed"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/internal/rows"
	"omniscope/metric"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// A judgedQuestion is one about a video.
type judgedQuestion struct {
	ID, Text, Answer string
	Types            []string
}

// The roles beside the judge.
const (
	answerer = "answerer"
	embedder = "embedder"
)

// atOnce is how many questions about one video are asked at a time.
const atOnce = 8

// New makes the benchmark.
func New() bench.Benchmark {
	b := &benchmark{limit: 400_000, top: 5}
	b.Benchmark = captions.New(captions.Protocol[[]judgedQuestion]{
		About: bench.Info{
			Hears: true, Sees: true,
			Name: "m3-bench-web", Title: "M3-Bench-web: open questions about long videos, answered from captions as memory",
			Paper: "arXiv 2508.09736", Licence: "data: ByteDance-Seed/m3-agent, Apache-2.0; bring your own copy",
			Judge: "openai/gpt-4o-2024-11-20",
			About: "A model answers each question from the video's captions (GPT-4.1 in arXiv 2606.21949), and the judge compares the\n" +
				"answer with the right one: two calls a question. Captions that are longer than --memory-limit are searched: by\n" +
				"their words (BM25), or with --embedder by their meaning.",
			Asking:   bench.Asking{OfficialAttempts: 20, Attempts: 3, MaxTokens: 2048, AtOnce: atOnce},
			Metric:   &metric.OpenAnswers,
			StepKeys: "the video's name for its first question, and /q2, /q3 and so on behind it for the others; for\nverdicts /judge behind that (/judge2 where the first answer is of no use), for vectors /embed and /passage1, /passage2 and so on",
			Roles: []bench.RoleInfo{
				{Name: answerer, Help: "model that answers the questions from captions (default: the judge)", Attempts: 3},
				{Name: embedder, Help: "model of vectors of texts, to search captions that are too long for the memory by their meaning\n(default: they are searched by their words)", Attempts: 3},
			},
			Needs: []bench.Need{
				{Part: "annotations", Dataset: "ByteDance-Seed/M3-Bench", Names: []string{"web.json"}, Licence: "Apache-2.0", Flag: "--data"},
				{Part: "media", Page: "https://www.youtube.com", YouTube: true, Flag: "--media"},
			},
		},
		Data:     "the benchmark's file, web.json",
		Version:  "m3bench3",
		Settings: func() string { return fmt.Sprintf("|memory-limit:%d|top-k:%d", b.limit, b.top) },
		Prompts:  promptFiles,
		Uses:     map[string][]string{"answer.txt": {"memory", "question"}, "bare.txt": {"question"}, "judge.txt": {"question", "ground_truth_answer", "agent_answer"}},
		Form:     rows.Layout{Keyed: true},
		Join:     between,
		Bare:     true,
		CaptionPrompt: func(string) string {
			return "Describe the video in detail: who does what, what is said, and what is heard."
		},
		FirstRole: b.firstRole,
		Further:   "",
		Read:      readRow,
		First:     b.first,
		Bound:     b.bound,
		Exam:      exam,
		Score:     b.score,
	})
	return b
}

type benchmark struct {
	*captions.Benchmark[[]judgedQuestion]
	limit int // characters of captions that are given whole
	top   int // passages that are given of longer ones
}

var _ bench.Optioned = (*benchmark)(nil)

// Options implements bench.Optioned.
func (b *benchmark) Options() []bench.Option {
	return []bench.Option{
		{Name: "memory-limit", Value: bench.Number(&b.limit), Help: "characters of a video's captions that are given whole; of longer ones the passages that fit the question best"},
		{Name: "top-k", Value: bench.Number(&b.top), Help: "how many passages are given of captions that are longer"},
	}
}

func readRow(row []byte, video string) ([]captions.Clip[[]judgedQuestion], error) {
	c := captions.Clip[[]judgedQuestion]{ID: video, Media: omniscope.Media{Video: video + ".mp4"}}
	for i, q := range gjson.GetBytes(row, "qa_list").Array() {
		one := judgedQuestion{ID: bench.ID(q.Get("question_id")), Text: q.Get("question").Str, Answer: q.Get("answer").Str}
		for _, t := range q.Get("type").Array() {
			one.Types = append(one.Types, t.Str)
		}
		switch {
		case one.Text == "" || one.Answer == "":
			return nil, fmt.Errorf("question %d of video %s has no question or no answer", i+1, video)
		case q.Get("before_clip").Exists():
			return nil, errors.New("its questions are asked in the middle of a video, as those of robot.json: only web.json is scored")
		}
		c.Facts = append(c.Facts, one)
	}
	if len(c.Facts) == 0 {
		return nil, fmt.Errorf("video %s has no qa_list", video)
	}
	return []captions.Clip[[]judgedQuestion]{c}, nil
}
