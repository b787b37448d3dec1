// Package worldsense is WorldSense (arXiv 2502.04326): questions about videos of eight domains.
// Its scorer is VLMEvalKit's: the first capital letter, and no letter is wrong.
package worldsense

import (
	"slices"
	"strings"

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
		Name:    "worldsense",
		Title:   "WorldSense: questions about videos of eight domains, seen and heard",
		Paper:   "arXiv 2502.04326",
		Licence: "data: honglyhly/WorldSense, CC BY-NC-SA 4.0 by its paper; bring your own copy",
		Hears:   true,
		Sees:    true,
		Needs: []bench.Need{
			{Part: "annotations", Dataset: "honglyhly/WorldSense", Names: []string{"worldsense_qa.json"}, Licence: "CC BY-NC-SA 4.0", Flag: "--data"},
			{Part: "media", Dataset: "honglyhly/WorldSense", Flag: "--media"},
		},
		Data:    "the benchmark's file, worldsense_qa.json",
		Answers: "file of answers: rows with id (VIDEO/task0, VIDEO/task1, ...) and answer",
		Fields:  []string{"answer", "response", "prediction"},
		IDs:     []string{"id"},
		Form:    rows.Layout{Keyed: true},
		Read:    read,
		Count:   choice.ByLetter(choice.MustFind("video-mme"), omniscope.Wrong),
		Say:     choice.AsLetter,
		Lacking: omniscope.Wrong,
	})
}

// read reads the questions of a video: whatever has "task" in its name.
func read(row []byte, video string, _ int) (all []choice.Question, err error) {
	v := gjson.ParseBytes(row)
	of := bench.Tags("domain", v.Get("domain").Str, "subcategory", v.Get("sub_category").Str, "duration", v.Get("duration").String())
	for _, class := range v.Get("audio_class").Array() {
		of = append(of, bench.Tag{Dimension: "audio", Group: class.Str})
	}
	v.ForEach(func(key, task gjson.Result) bool {
		if !strings.Contains(key.Str, "task") {
			return true
		}
		options := bench.WithoutLetters(choice.Texts(task.Get("candidates")))
		all = append(all, choice.Question{
			ID: video + "/" + key.Str, Clip: []string{video}, Media: omniscope.Media{Video: video + ".mp4"}, Text: task.Get("question").Str,
			Options: options, Gold: letters.Index(task.Get("answer").Str, len(options)),
			Tags: slices.Concat(bench.Tags("task_domain", task.Get("task_domain").Str, "task_type", task.Get("task_type").Str), of),
		})
		return true
	})
	return all, nil
}
