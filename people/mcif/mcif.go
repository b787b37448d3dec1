// Package mcif has people make question-answer sets and translations of recorded talks, as for MCIF
// (arXiv 2507.19634): questions from the abstract alone, then from the talk, verified by somebody
// else; transcripts, abstracts and questions in other languages, revised and reviewed line by line. Out
// come the tables that MCIF's builder reads.
//
// Systems are scored on what is built of them by package bench/mcif, which this package does not know.
//
//	questions-abstract ─► questions (same person) ─► verify ─┬► translate-de ─► review-de
//	                                                         ├► translate-it ─► review-it
//	                                                         └► translate-zh ─► review-zh
package mcif

import (
	_ "embed"
	"strings"

	"omniscope/bench/mcif/talkqa"
	"omniscope/people"
)

// name is that of this kind of work.
const name = "mcif"

// The names of the stages. Those of languages are these and the language, such as translate-de.
const (
	questionsAbstract = "questions-abstract"
	questions         = "questions"
	verifyStage       = "verify"
	translate         = "translate-"
	review            = "review-"
)

// A language is one that talks are translated to.
type language struct {
	code, name string
	column     string // in the builder's tables: the name of its files
	noAnswer   string // how its references answer what cannot be answered
	signs      bool   // it puts no blanks between words
}

var languages = []language{
	{code: "de", name: "German", column: "german", noAnswer: "Nicht zu beantworten."},
	{code: "it", name: "Italian", column: "italian", noAnswer: "Non è possibile rispondere."},
	{code: "zh", name: "Chinese", column: "chinese", noAnswer: "无法回答。", signs: true},
}

func languageOf(code string) *language {
	for i := range languages {
		if languages[i].code == code {
			return &languages[i]
		}
	}
	return nil
}

// stages are how people work on a talk.
func stages(to []string) []people.Stage {
	by := []people.ProjectRole{people.Annotator, people.Senior}
	all := []people.Stage{
		{Name: questionsAbstract, Title: "Questions from the abstract", By: by, People: 1, Sound: people.NoMedia, LeaseMinutes: 60},
		{Name: questions, Title: "Questions", By: by, People: 1, After: questionsAbstract, Same: questionsAbstract, LeaseMinutes: 180},
		{Name: verifyStage, Title: "Verify questions", By: by, People: 1, After: questions, Apart: []string{questionsAbstract, questions}, LeaseMinutes: 120},
	}
	for _, code := range to {
		l := languageOf(code)
		all = append(all,
			people.Stage{Name: translate + code, Title: "Revise " + l.name, By: by, People: 1, After: verifyStage, LeaseMinutes: 240},
			people.Stage{Name: review + code, Title: "Review " + l.name, By: by, People: 1, After: translate + code, Apart: []string{translate + code}, LeaseMinutes: 240})
	}
	return all
}

//go:embed guideline.md
var guideline string

// Kind is this kind of work.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{
		Name:  name,
		About: "Write questions, answers and translations of talks, as for MCIF",
		Long: `For each talk, one person asks three questions from its abstract alone and then at least ten in all, with answers and
where the talk gives them; another verifies. For each language somebody revises the machine's translation line by
line, and somebody else reviews it. Give the talks with --talks, a line of JSON each: id, video_link, video or audio (the
file), abstract, transcript, and lines with source, start, end and the machine's text as de, it and zh. Questions that
are there already come with --questions, in the form of the export; rejected ones are left out.`,
		Examples: `  omniscope people new mcif talks --talks talks.jsonl
  omniscope people new mcif talks --talks talks.jsonl --language de --questions questions.jsonl`,
	},
	Maker:   func() people.Maker { return &maker{} },
	Exports: exports(),
	Tables:  tables,
}, talkOf, works())

// works are what people do at the stages.
func works() map[string]people.StageWork[talkInfo] {
	out := map[string]people.StageWork[talkInfo]{
		questionsAbstract: {Form: abstractForm, Complete: func(_ *people.WorkItem, _ *talkInfo, answers map[string]people.Value) error {
			return checkTwice(written(&people.Done{Answers: answers}))
		}},
		questions: {Form: questionsForm, Complete: func(_ *people.WorkItem, _ *talkInfo, answers map[string]people.Value) error {
			return checkQuestions(written(&people.Done{Answers: answers}))
		}},
		verifyStage: {Form: verifyForm, Complete: checkVerdicts},
	}
	for i := range languages {
		l := &languages[i]
		out[translate+l.code] = people.StageWork[talkInfo]{Form: func(c *people.WorkItem, t *talkInfo) (*people.Form, error) {
			return t.translationForm(c, l, nil), nil
		}}
		out[review+l.code] = people.StageWork[talkInfo]{Form: func(c *people.WorkItem, t *talkInfo) (*people.Form, error) {
			return t.translationForm(c, l, last(c.At(translate+l.code))), nil
		}}
	}
	return out
}

// A talkInfo is what an item holds.
type talkInfo struct {
	talkqa.Talk
	Given []given `json:"given,omitempty"`
}

// machine is what a machine made of a line.
func machine(l *talkqa.Line, code string) string {
	return map[string]string{"de": l.German, "it": l.Italian, "zh": l.Chinese}[code]
}

// A given question was there when the project was made.
type given struct {
	Line string `json:"row"` // as it stands in the file
	talkqa.Row
}

var talkOf = people.Payload[talkInfo]("talk")

// transcript is the text of the talk.
func (t *talkInfo) transcript() string {
	if t.Transcript != "" || len(t.Lines) == 0 {
		return t.Transcript
	}
	var lines []string
	for _, l := range t.Lines {
		lines = append(lines, l.Source)
	}
	return strings.Join(lines, "\n")
}

// parts are the lines of the abstract.
func (t *talkInfo) parts() []talkqa.Line {
	if len(t.Parts) > 0 {
		return t.Parts
	}
	return []talkqa.Line{{Source: t.Abstract}}
}

func last(done []people.Done) *people.Done {
	if len(done) == 0 {
		return nil
	}
	return &done[len(done)-1]
}
