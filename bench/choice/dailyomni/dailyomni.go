// Package dailyomni is Daily-Omni (arXiv 2505.17862): questions about what is seen and heard
// at the same time. The published tester looks at how an answer begins, and leaves failures
// out.
package dailyomni

import (
	"fmt"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/sha256hex"
	"omniscope/model/judge/letters"
)

// New makes the benchmark.
func New() bench.Benchmark {
	return choice.New(choice.Protocol{
		Name:    "daily-omni",
		Title:   "Daily-Omni: questions about what is seen and heard at the same time",
		Paper:   "arXiv 2505.17862",
		Licence: "data: liarliar/Daily-Omni, CC BY-NC-SA 4.0; bring your own copy",
		Hears:   true,
		Sees:    true,
		Needs: []bench.Need{
			{Part: "annotations", Dataset: "liarliar/Daily-Omni", Names: []string{"qa.json"}, Licence: "CC BY-NC-SA 4.0", Flag: "--data"},
			{Part: "media", Dataset: "liarliar/Daily-Omni", Flag: "--media"},
		},
		Data:    "the benchmark's file, qa.json",
		Answers: "file of answers: rows with id (VIDEO/DIGEST, as omniscope data samples\nprints it, or VIDEO/N, N the row of the complete file) and answer",
		Fields:  []string{"answer", "response", "prediction"},
		IDs:     []string{"id"},
		Read:    read,
		Count:   choice.ByStart,
		Say:     choice.AsLetter,
		Lacking: omniscope.Unjudged,
	})
}

// read builds an id from the video, the question and its options: the file has no ids, and a row number
// means another question in a subset of the file.
func read(row []byte, _ string, number int) ([]choice.Question, error) {
	v := gjson.ParseBytes(row)
	video := v.Get("video_id").String()
	options := bench.WithoutLetters(choice.Texts(v.Get("Choice")))
	question := v.Get("Question").Str
	return []choice.Question{{
		ID: video + "/" + sha256hex.Of(fmt.Sprintf("%q %q", question, options))[:8], Row: fmt.Sprintf("%s/%d", video, number),
		Clip: []string{video}, Media: omniscope.Media{Video: video + "/" + video + "_video.mp4"}, Text: question,
		Options: options, Gold: letters.Index(v.Get("Answer").Str, len(options)),
		Tags: bench.Tags("type", v.Get("Type").Str, "duration", v.Get("video_duration").Str, "category", v.Get("video_category").Str),
	}}, nil
}
