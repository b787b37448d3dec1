// Package videoholmes is Video-Holmes (arXiv 2505.21374): questions about suspense films. The
// published scorer reads <answer>, else anything, and counts failures as wrong.
package videoholmes

import (
	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/model/judge/letters"
)

// New makes the benchmark.
func New() bench.Benchmark {
	return choice.New(choice.Protocol{
		Name:    "video-holmes",
		Title:   "Video-Holmes: questions about suspense films",
		Paper:   "arXiv 2505.21374",
		Licence: "data: TencentARC/Video-Holmes, Apache-2.0 for academic purpose only; bring your own copy",
		Sees:    true,
		Needs: []bench.Need{
			{Part: "annotations", Dataset: "TencentARC/Video-Holmes", Names: []string{"*Video-Holmes.json"}, Licence: "Apache-2.0, academic purpose only", Flag: "--data"},
			{Part: "media", Dataset: "TencentARC/Video-Holmes", Flag: "--media"},
		},
		Data:    "the benchmark's file, test_Video-Holmes.json",
		Answers: "file of answers: rows with id (VIDEO/QUESTION) and answer, or the file of results\nthat evaluate.py writes (Results-MODEL.json)",
		Fields:  []string{"answer", "response", "prediction", predicted},
		IDs:     []string{"id"},
		Results: results,
		Read:    read,
		Count:   choice.ByLetter(choice.MustFind("video-holmes"), omniscope.Wrong),
		Say:     choice.AsTag,
		Lacking: omniscope.Wrong,
	})
}

// read names a question by video and number: numbers may begin anew with each video.
func read(row []byte, _ string, _ int) ([]choice.Question, error) {
	v := gjson.ParseBytes(row)
	video := v.Get("video ID").String()
	q := choice.Question{
		ID: video + "/" + v.Get("Question ID").String(), Clip: []string{video}, Media: omniscope.Media{Video: video + ".mp4"}, Text: v.Get("Question").Str,
		Tags: bench.Tags("type", v.Get("Question Type").Str),
	}
	options := v.Get("Options")
	for i := 0; options.Get(letters.Letter(i)).Exists(); i++ {
		q.Options = append(q.Options, options.Get(letters.Letter(i)).String())
	}
	q.Gold = letters.Index(v.Get("Answer").Str, len(q.Options))
	return []choice.Question{q}, nil
}

// predicted is the field of the answer in the results that the benchmark's evaluate.py writes, spelt as there.
const predicted = "Predicr Answer"

// results returns the answers of these results. "WRONG" marks a reply without an answer.
func results(row gjson.Result) [][]byte {
	switch {
	case !row.Get(predicted).Exists():
		return nil
	case row.Get(predicted).Str == "WRONG":
		return [][]byte{}
	}
	return [][]byte{choice.With(row, "id", row.Get("video ID").String()+"/"+row.Get("Question ID").String())}
}
