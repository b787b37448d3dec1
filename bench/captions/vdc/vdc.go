// Package vdc is VDC, the Video Detailed Captions benchmark of AuroraCap (arXiv 2410.03051): a
// model answers questions about a video from its caption alone, and a judge says of each answer
// whether it means what the right one does.
package vdc

import (
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/metric"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// A question is one about a video.
type question struct {
	Text, Answer, Category string
}

// answererRole is the role of the model that answers from captions.
const answererRole = "answerer"

// maxTokens is the published limit of an answer, and of a verdict.
const maxTokens = 256

// atOnce is how many questions about one video are asked at a time.
const atOnce = 8

// asks are what captioners are asked for each subset. The published program draws one of many
// wordings for each video.
var asks = map[string]string{
	"short":       "Write a one-sentence summary of the video.",
	"background":  "Describe the background, including objects, location, weather, and time.",
	"camera":      "What are the camera angles and movements throughout the video?",
	"main_object": "Describe the main subject, including their attributes and movements throughout the video.",
}

// New makes the benchmark.
func New() bench.Benchmark {
	return captions.New(captions.Protocol[[]question]{
		About: bench.Info{
			Sees: true,
			Name: "vdc", Title: "VDC: questions that a detailed caption should answer",
			Paper: "arXiv 2410.03051", Licence: "data: rese1f/aurora, Apache-2.0; bring your own copy",
			Judge: "sglang/meta-llama/Llama-3.1-8B-Instruct",
			About: "A model answers each question from the caption alone, the judge compares the answer with the right one: two calls\n" +
				"a question. The published program uses one model for both. Calls of a video come together, the caption first, so\n" +
				"that a server can keep what they share. The published program sets no temperature; here it is 0 unless you set it.",
			Asking:   bench.Asking{OfficialAttempts: 1, Attempts: 3, MaxTokens: maxTokens, AtOnce: atOnce},
			Metric:   &metric.CaptionQA,
			StepKeys: "the video's id for its first question, and /q2, /q3 and so on behind it for the others; for verdicts\nalso /judge behind that, or /judge2 where the first answer is of no use",
			Roles:    []bench.RoleInfo{{Name: answererRole, Help: "model that answers the questions from captions (default: the judge)", Attempts: 3, MaxTokens: maxTokens}},
			Needs: []bench.Need{
				{Part: "annotations", Dataset: "wchai/Video-Detailed-Caption", Names: []string{"detailed.jsonl", "short.jsonl", "background.jsonl", "camera.jsonl", "main_object.jsonl"}, Licence: "Apache-2.0", Flag: "--data"},
				{Part: "media", Dataset: "wchai/Video-Detailed-Caption", Flag: "--media"},
			},
		},
		Data:     "questions of a subset: detailed.jsonl, short.jsonl, background.jsonl, camera.jsonl or\nmain_object.jsonl",
		Version:  "vdc3",
		LastWins: true,
		Prompts:  promptFiles,
		Uses: map[string][]string{
			"answer-system.txt": nil, "answer.txt": {"caption", "question"},
			"judge-system.txt": nil, "judge.txt": {"question", "answer", "response"},
		},
		CaptionPrompt: func(subset string) string {
			if ask := asks[subset]; ask != "" {
				return ask
			}
			return "Describe the video in detail."
		},
		FirstRole: func(*captions.Asking, *string) string { return answererRole },
		Read:      readRow,
		First:     first,
		Bound:     bound,
		Exam:      exam,
		Score:     score,
	})
}

// readRow reads a row: an object of one video's questions, by the video's name.
func readRow(row []byte, _ string) (clips []captions.Clip[[]question], err error) {
	videos := gjson.ParseBytes(row)
	if !videos.IsObject() {
		return nil, errors.New("the row is no object of questions by video")
	}
	videos.ForEach(func(video, list gjson.Result) bool {
		c := captions.Clip[[]question]{ID: video.Str, Media: omniscope.Media{Video: video.Str + ".mp4"}}
		for i, q := range list.Array() {
			one := question{Text: q.Get("question").String(), Answer: q.Get("answer").String(), Category: category(q.Get("category").String())}
			if !q.IsObject() || !q.Get("question").Exists() || !q.Get("answer").Exists() {
				err = fmt.Errorf("question %d of video %s has no question or no answer", i+1, video.Str)
			}
			c.Facts = append(c.Facts, one)
		}
		if !list.IsArray() || len(c.Facts) == 0 {
			err = fmt.Errorf("video %s has no list of questions", video.Str)
		}
		clips = append(clips, c)
		return err == nil
	})
	if err == nil && len(clips) == 0 {
		err = errors.New("the row is no object of questions by video")
	}
	return clips, err
}

// category is a category in one spelling: the released files have over a thousand, most of them
// once. Those that are not among the frequent ones are other.
func category(name string) string {
	name = strings.ToLower(strings.Trim(name, " '\"`.,"))
	switch name {
	case "object", "action", "reason", "location", "method", "time", "emotion", "effect", "atmosphere", "description", "person", "technique", "subject":
		return name
	}
	return "other"
}
