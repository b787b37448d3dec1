// Package mmau is MMAU (arXiv 2410.19168): questions about sound, music and speech. The
// published scorer compares the words of an answer with those of the options.
package mmau

import (
	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/choice"
)

// New makes the benchmark.
func New() bench.Benchmark {
	return choice.New(choice.Protocol{
		Name:    "mmau",
		Title:   "MMAU: questions about sound, music and speech",
		Paper:   "arXiv 2410.19168",
		Licence: "data: Sakshi113/MMAU, Apache-2.0; bring your own copy",
		Hears:   true,
		Needs: []bench.Need{
			{Part: "annotations", Page: "https://github.com/Sakshi113/MMAU", Names: []string{"mmau-test*.json"}, Licence: "Apache-2.0", Flag: "--data"},
			{Part: "media", Page: "https://github.com/Sakshi113/MMAU", Flag: "--media"},
		},
		Data:    "the benchmark's file, such as mmau-test-mini.json",
		Answers: "file of answers: rows with id and model_output",
		Fields:  []string{"model_output", "model_prediction", "response"},
		IDs:     []string{"id"},
		Read:    read,
		Count:   choice.ByWords,
		Say:     choice.AsText,
		InWords: true,
		Lacking: omniscope.Unjudged,
	})
}

func read(row []byte, _ string, _ int) ([]choice.Question, error) {
	v := gjson.ParseBytes(row)
	options, audio, id := choice.Texts(v.Get("choices")), bench.ID(v.Get("audio_id")), bench.ID(v.Get("id"))
	q := choice.Question{
		ID: id, Clip: []string{audio, id}, Media: omniscope.Media{Audio: audio}, Text: v.Get("question").Str,
		Options: options, Gold: choice.IndexOf(v.Get("answer").String(), options),
		Tags: bench.Tags("task", v.Get("task").Str, "difficulty", v.Get("difficulty").Str, "category", choice.First(v.Get("category")), "subcategory", v.Get("sub-category").Str),
	}
	return []choice.Question{q}, nil
}
