package captions

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

// embedder is the role of the model that turns texts into vectors.
const embedder = "embedder"

// m3bench holds the options of M3-Bench-web.
type m3bench struct {
	limit int // characters of captions that are given in full
	top   int // passages that are given of longer captions
}

// M3Bench makes the benchmark M3-Bench-web (M3-Agent, arXiv 2508.09736) as CapRiCorn-1K uses it (arXiv
// 2606.21949, figure 4): captions are given to a model as the memory of a long video, it answers
// questions in free words, and a judge decides about each answer whether the right one follows from it.
func M3Bench() bench.Benchmark {
	b := &m3bench{limit: 400_000, top: 5}
	return newBenchmark(protocol{
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
		Data:    "the benchmark's file, web.json",
		Version: "m3bench3",
		Prompts: "m3bench",
		Uses:    map[string][]string{"answer.txt": {"memory", "question"}, "bare.txt": {"question"}, "judge.txt": {"question", "ground_truth_answer", "agent_answer"}},
		Form:    rows.Layout{Keyed: true},
		Join:    stretches,
		Bare:    true,
		CaptionPrompt: func(string) string {
			return "Describe the video in detail: who does what, what is said, and what is heard."
		},
		Options: []bench.Option{
			{Name: "memory-limit", Value: bench.Number(&b.limit), Help: "most characters of a video's captions to send in full; of longer captions, send the passages that fit the question best"},
			{Name: "top-k", Value: bench.Number(&b.top), Help: "number of passages to send of longer captions"},
		},
		Read:      readM3,
		First:     b.first,
		FirstRole: b.firstRole,
		Bound:     b.bound,
		Exam:      examM3,
		Score:     b.score,
	})
}

func readM3(row []byte, video string) ([]clip, error) {
	c := clip{ID: video, Media: omniscope.Media{Video: video + ".mp4"}}
	for i, q := range gjson.GetBytes(row, "qa_list").Array() {
		one := question{ID: bench.ID(q.Get("question_id")), Text: q.Get("question").Str, Answer: q.Get("answer").Str}
		for _, t := range q.Get("type").Array() {
			one.Groups = append(one.Groups, t.Str)
		}
		switch {
		case one.Text == "" || one.Answer == "":
			return nil, fmt.Errorf("question %d of video %s has no question or no answer", i+1, video)
		case q.Get("before_clip").Exists():
			return nil, errors.New("its questions are asked in the middle of a video, as in robot.json: only web.json is scored")
		}
		c.Questions = append(c.Questions, one)
	}
	if len(c.Questions) == 0 {
		return nil, fmt.Errorf("video %s has no qa_list", video)
	}
	return []clip{c}, nil
}

// dense reports whether a video's captions are searched by vectors.
func (b *m3bench) dense(a *asking, caption string) bool {
	return len(caption) > b.limit && a.roles[embedder] != nil
}

func m3AnswerMessages(a *asking, q *question, memory string) []model.Message {
	if a.bare {
		return a.messages("", "bare.txt", "question", q.Text)
	}
	return a.messages("", "answer.txt", "memory", memory, "question", q.Text)
}

func m3JudgeMessages(a *asking, q *question, answer string) []model.Message {
	return a.messages("", "judge.txt", "question", q.Text, "ground_truth_answer", q.Answer, "agent_answer", answer)
}

func (b *m3bench) first(a *asking, c *clip, caption string) (out []*model.Request) {
	m := b.newMemory(caption)
	if b.dense(a, caption) {
		return embedRequests(a, c, m)
	}
	for i := range c.Questions {
		q := &c.Questions[i]
		out = append(out, request(a.role(answerer), c.step("q", i), m3AnswerMessages(a, q, b.best(m, m.byWords(q.Text))), nil))
	}
	return out
}

// firstRole is the embedder where captions are searched by meaning, else the answerer.
func (b *m3bench) firstRole(a *asking, caption *string) string {
	if caption != nil && b.dense(a, *caption) {
		return embedder
	}
	return answerer
}

// embedRequests ask for the vectors of the passages and the questions.
func embedRequests(a *asking, c *clip, m *memory) (out []*model.Request) {
	add := func(step, text string) {
		r := request(a.roles[embedder], step, []model.Message{model.Text(model.User, text)}, nil)
		r.Embed = true
		out = append(out, r)
	}
	for i, passage := range m.passages {
		add(passageStep(c.ID, i), passage)
	}
	for i := range c.Questions {
		add(c.step("q", i)+"/embed", c.Questions[i].Text)
	}
	return out
}

func (b *m3bench) bound(a *asking, c *clip, caption string) bench.Bound {
	out := a.boundVerdicts(c, func(q *question, answer string) []model.Message { return m3JudgeMessages(a, q, answer) }, true)
	if b.dense(a, caption) {
		memory := b.top*longestPassage + size(m3AnswerMessages(a, &c.Questions[0], ""))
		out.Further = append(out.Further, bench.Further{Role: answerer, Questions: len(c.Questions), Bytes: memory, MaxTokens: a.role(answerer).Params.MaxTokens, Sure: true})
	}
	return out
}

func m3Schema() *model.Schema {
	return &model.Schema{Name: "verdict", JSON: json.RawMessage(`{"type": "object", "properties": {"verdict": {"type": "string", "enum": ["Yes", "No"]}}, "required": ["verdict"], "additionalProperties": false}`)}
}

// A judgedAnswer is an answer with a known verdict.
type judgedAnswer struct {
	question, right, answer string
	verdict                 omniscope.Verdict
}

// m3Exam are answers from which the right answer clearly follows, or clearly does not.
var m3Exam = []judgedAnswer{
	{"Who repairs the bicycle?", "Anna", "It is Anna who repairs it.", omniscope.Correct},
	{"Who repairs the bicycle?", "Anna", "Her brother Tom repairs it, and Anna watches.", omniscope.Wrong},
	{"How many plates are on the table?", "four", "There are 4 plates.", omniscope.Correct},
	{"How many plates are on the table?", "four", "Nine plates are on it.", omniscope.Wrong},
	{"Is the shop open at night?", "No", "It closes at six in the evening and opens again in the morning.", omniscope.Correct},
	{"Is the shop open at night?", "No", "Yes, it is open around the clock.", omniscope.Wrong},
	{"Why does the girl cry?", "Because she lost her toy", "Her doll is gone and she cannot find it.", omniscope.Correct},
	{"Why does the girl cry?", "Because she lost her toy", "I cannot tell from the video.", omniscope.Wrong},
	{"What does the man cook?", "Soup", "He makes a vegetable soup in a large pot.", omniscope.Correct},
	{"Where do they go after lunch?", "To the swimming pool", "They stay at home and sleep.", omniscope.Wrong},
}

// examM3 has the judge, not the answerer, judge known answers.
func examM3(a *asking) []bench.ExamItem {
	return examine(a, 0, m3Exam, func(e judgedAnswer, _ string) judge.Question[omniscope.Verdict] {
		return judge.Question[omniscope.Verdict]{Messages: m3JudgeMessages(a, &question{Text: e.question, Answer: e.right}, e.answer), Schema: m3Schema, Read: readM3Verdict}
	}, func(e judgedAnswer, v omniscope.Verdict) bool { return v == e.verdict })
}
