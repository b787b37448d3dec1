// Package videomme is Video-MME (arXiv 2405.21075): questions about videos of three lengths.
// The published scorer takes the first capital letter, and leaves answers without one out.
package videomme

import (
	"slices"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/rows"
	"omniscope/model/judge/letters"
)

// New makes the benchmark.
func New() bench.Benchmark {
	return choice.New(choice.Protocol{
		Name:    "video-mme",
		Title:   "Video-MME: questions about short, medium and long videos",
		Paper:   "arXiv 2405.21075",
		Licence: "data: lmms-lab/Video-MME, academic research only, not to be passed on; bring your own copy",
		Sees:    true,
		Needs: []bench.Need{
			{Part: "annotations", Dataset: "lmms-lab/Video-MME", Names: []string{"*.parquet"}, Licence: "academic research only", Flag: "--data"},
			{Part: "media", Dataset: "lmms-lab/Video-MME", YouTube: true, Flag: "--media"},
		},
		Data:    "the benchmark's questions: its table in Parquet or as JSON Lines, or the template of\nits results",
		Answers: "file of answers: rows with question_id and response, or the filled-in template of results\n(output_test_template.json)",
		Fields:  []string{"response", "answer", "prediction"},
		IDs:     []string{"question_id", "id"},
		Results: results,
		Form:    rows.Layout{Lax: true},
		Read:    read,
		Count:   choice.ByLetter(choice.MustFind("video-mme"), omniscope.Unjudged),
		Say:     choice.AsLetter,
		Lacking: omniscope.Unjudged,
	})
}

// read reads a row of the table, or a video of the template with its questions.
func read(row []byte, _ string, _ int) (all []choice.Question, err error) {
	v := gjson.ParseBytes(row)
	of := bench.Tags("duration", v.Get("duration").Str, "domain", v.Get("domain").Str, "subcategory", v.Get("sub_category").Str)
	clip := []string{v.Get("video_id").String()}
	if id := bench.ID(v.Get("videoID")); id != "" {
		clip = append(clip, id)
	}
	questions := []gjson.Result{v}
	if list := v.Get("questions"); list.IsArray() {
		questions = list.Array()
	}
	for _, q := range questions {
		options := bench.WithoutLetters(choice.Texts(q.Get("options")))
		all = append(all, choice.Question{
			ID: bench.ID(q.Get("question_id")), Clip: clip, Media: omniscope.Media{Video: clip[len(clip)-1] + ".mp4"}, Text: q.Get("question").Str,
			Options: options, Gold: letters.Index(q.Get("answer").Str, len(options)),
			Tags: slices.Concat(bench.Tags("task_type", q.Get("task_type").Str), of),
		})
	}
	return all, nil
}

// results are the answers in the filled-in template (evaluation/output_test_template.json of MME-Benchmarks/Video-MME). A
// response that is empty there was never filled in.
func results(video gjson.Result) (answers [][]byte) {
	if video.Get("questions").IsArray() {
		answers = [][]byte{}
	}
	for _, q := range video.Get("questions").Array() {
		if q.Get("response").String() != "" && q.Get("question_id").Exists() {
			answers = append(answers, choice.With(q, "video_id", video.Get("video_id").String()))
		}
	}
	return answers
}
