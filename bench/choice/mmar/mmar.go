// Package mmar is MMAR (arXiv 2505.13032): questions about sound, music, speech and their
// mixtures. The published scorer compares words, as MMAU's does.
package mmar

import (
	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/choice"
)

// New makes the benchmark.
func New() bench.Benchmark {
	return choice.New(choice.Protocol{
		Name:    "mmar",
		Title:   "MMAR: questions about sound, music, speech and their mixtures",
		Paper:   "arXiv 2505.13032",
		Licence: "data: ddlBoJack/MMAR, CC BY-NC 4.0; bring your own copy",
		Hears:   true,
		Needs: []bench.Need{
			{Part: "annotations", Dataset: "BoJack/MMAR", Names: []string{"MMAR-meta.json*"}, Licence: "CC BY-NC 4.0", Flag: "--data"},
			{Part: "media", Dataset: "BoJack/MMAR", Flag: "--media"},
		},
		Data:    "the benchmark's file, MMAR-meta.jsonl or MMAR-meta.json",
		Answers: "file of answers: rows with id and answer_prediction",
		Fields:  []string{"answer_prediction", "model_output", "response"},
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
	if v.Get("audio_path").Str == "" { // MMAU's rows have audio_id, and would be read as questions without a recording
		return nil, bench.NoField("audio_path", bench.FieldsOf(row))
	}
	options, audio, id := choice.Texts(v.Get("choices")), v.Get("audio_path").Str, bench.ID(v.Get("id"))
	return []choice.Question{{
		ID: id, Clip: []string{id, audio}, Media: omniscope.Media{Audio: audio}, Text: v.Get("question").Str,
		Options: options, Gold: choice.IndexOf(v.Get("answer").String(), options),
		Tags: bench.Tags("modality", v.Get("modality").Str, "category", v.Get("category").Str, "subcategory", v.Get("sub-category").Str, "language", v.Get("language").Str),
	}}, nil
}
