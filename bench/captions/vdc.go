package captions

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

// vdcTokens is the published limit of an answer, and of a verdict.
const vdcTokens = 256

// vdcAsks are what captioners are asked for each subset. The published program draws one of many
// wordings for each video.
var vdcAsks = map[string]string{
	"short":       "Write a one-sentence summary of the video.",
	"background":  "Describe the background, including objects, location, weather, and time.",
	"camera":      "What are the camera angles and movements throughout the video?",
	"main_object": "Describe the main subject, including their attributes and movements throughout the video.",
}

// VDC makes the benchmark VDC, the Video Detailed Captions of AuroraCap (arXiv 2410.03051): a
// model answers questions about a video from its caption alone, and a judge decides about each answer
// whether it means what the right one does.
func VDC() bench.Benchmark {
	return newBenchmark(protocol{
		About: bench.Info{
			Sees: true,
			Name: "vdc", Title: "VDC: questions that a detailed caption should answer",
			Paper: "arXiv 2410.03051", Licence: "data: rese1f/aurora, Apache-2.0; bring your own copy",
			Judge: "sglang/meta-llama/Llama-3.1-8B-Instruct",
			About: "A model answers each question from the caption alone, the judge compares the answer with the right one: two calls\n" +
				"a question. The published program uses one model for both. Calls of a video come together, the caption first, so\n" +
				"that a server can keep what they share. The published program sets no temperature; here it is 0 unless you set it.",
			Asking:   bench.Asking{OfficialAttempts: 1, Attempts: 3, MaxTokens: vdcTokens, AtOnce: atOnce},
			Metric:   &metric.CaptionQA,
			StepKeys: "the video's id for its first question, and /q2, /q3 and so on behind it for the others; for verdicts\nalso /judge behind that, or /judge2 where the first answer is of no use",
			Roles:    []bench.RoleInfo{{Name: answerer, Help: "model that answers the questions from captions (default: the judge)", Attempts: 3, MaxTokens: vdcTokens}},
			Needs:    bench.NeedsOf("wchai/Video-Detailed-Caption", "Apache-2.0", "detailed.jsonl", "short.jsonl", "background.jsonl", "camera.jsonl", "main_object.jsonl"),
		},
		Data:     "questions of a subset: detailed.jsonl, short.jsonl, background.jsonl, camera.jsonl or\nmain_object.jsonl",
		Version:  "vdc3",
		LastWins: true,
		Prompts:  "vdc",
		Uses: map[string][]string{
			"answer-system.txt": nil, "answer.txt": {"caption", "question"},
			"judge-system.txt": nil, "judge.txt": {"question", "answer", "response"},
		},
		CaptionPrompt: func(subset string) string {
			if ask := vdcAsks[subset]; ask != "" {
				return ask
			}
			return "Describe the video in detail."
		},
		Read: readVDC,
		First: func(a *asking, c *clip, caption string) (out []*model.Request) {
			for i := range c.Questions {
				out = append(out, request(a.role(answerer), c.step("q", i), vdcAnswerMessages(a, &c.Questions[i], caption), nil))
			}
			return out
		},
		FirstRole: func(*asking, *string) string { return answerer },
		Bound: func(a *asking, c *clip, _ string) bench.Bound {
			return a.boundVerdicts(c, func(q *question, answer string) []model.Message { return vdcJudgeMessages(a, q, answer) }, a.scoring == bench.Strict)
		},
		Exam:  examVDC,
		Score: scoreVDC,
	})
}

func vdcAnswerMessages(a *asking, q *question, caption string) []model.Message {
	return a.messages("answer-system.txt", "answer.txt", "caption", caption, "question", q.Text)
}

func vdcJudgeMessages(a *asking, q *question, response string) []model.Message {
	return a.messages("judge-system.txt", "judge.txt", "question", q.Text, "answer", q.Answer, "response", response)
}

func vdcSchema() *model.Schema {
	return &model.Schema{Name: "verdict", JSON: json.RawMessage(`{"type": "object", "properties": {"pred": {"type": "string", "enum": ["yes", "no"]}, "score": {"type": "integer", "minimum": 0, "maximum": 5}}, "required": ["pred", "score"], "additionalProperties": false}`)}
}

// readVDC reads a row: an object of one video's questions, by the video's name.
func readVDC(row []byte, _ string) (clips []clip, err error) {
	videos := gjson.ParseBytes(row)
	if !videos.IsObject() {
		return nil, errors.New("the row is not an object of questions by video")
	}
	videos.ForEach(func(video, list gjson.Result) bool {
		c := clip{ID: video.Str, Media: omniscope.Media{Video: video.Str + ".mp4"}}
		for i, q := range list.Array() {
			one := question{Text: q.Get("question").String(), Answer: q.Get("answer").String(), Groups: []string{category(q.Get("category").String())}}
			if !q.IsObject() || !q.Get("question").Exists() || !q.Get("answer").Exists() {
				err = fmt.Errorf("question %d of video %s has no question or no answer", i+1, video.Str)
			}
			c.Questions = append(c.Questions, one)
		}
		if !list.IsArray() || len(c.Questions) == 0 {
			err = fmt.Errorf("video %s has no list of questions", video.Str)
		}
		clips = append(clips, c)
		return err == nil
	})
	if err == nil && len(clips) == 0 {
		err = errors.New("the row is not an object of questions by video")
	}
	return clips, err
}

// category is a category in one spelling: the released files have over a thousand, most of them
// once. Rare categories are other.
func category(name string) string {
	name = strings.ToLower(strings.Trim(name, " '\"`.,"))
	switch name {
	case "object", "action", "reason", "location", "method", "time", "emotion", "effect", "atmosphere", "description", "person", "technique", "subject":
		return name
	}
	return "other"
}

// A comparison is an answer with a known verdict.
type comparison struct {
	question, answer, response string
	yes                        bool
}

// vdcExam are answers that clearly mean what the right answer does, or clearly do not.
var vdcExam = []comparison{
	{"What color is the car?", "red", "The car is red.", true},
	{"What color is the car?", "red", "The car is blue.", false},
	{"How many people are at the table?", "three", "There are 3 people.", true},
	{"How many people are at the table?", "three", "Seven people sit there.", false},
	{"Where does the man sit?", "on a beach", "He is sitting on the sand by the sea.", true},
	{"Where does the man sit?", "on a beach", "In an office.", false},
	{"What does the woman do?", "She plays the violin.", "She performs on a violin.", true},
	{"What does the woman do?", "She plays the violin.", "The description does not say.", false},
	{"What animal crosses the road?", "a kitten", "A young cat.", true},
	{"Is the window open or closed?", "It is closed.", "It is open.", false},
}

// examVDC has the judge, not the answerer, judge known answers.
func examVDC(a *asking) []bench.ExamItem {
	return examine(a, 0, vdcExam, func(e comparison, _ string) judge.Question[vdcVerdict] {
		return judge.Question[vdcVerdict]{Step: "/judge", Messages: vdcJudgeMessages(a, &question{Text: e.question, Answer: e.answer}, e.response), Schema: vdcSchema, Read: readVDCVerdict}
	}, func(e comparison, v vdcVerdict) bool { return v.yes() == e.yes })
}
