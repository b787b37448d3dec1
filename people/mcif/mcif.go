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
	"slices"
	"strings"

	"omniscope"
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
type Kind struct{}

var (
	_ people.Kind   = Kind{}
	_ people.Tabler = Kind{}
)

// Info implements people.Kind.
func (Kind) Info() people.Info {
	return people.Info{
		Name:  name,
		About: "questions, answers and translations of talks, as for MCIF",
		Long: `For each talk, one person asks three questions from its abstract alone and then at least ten in all, with answers and
where the talk gives them; another verifies. For each language somebody revises the machine's translation line by
line, and somebody else reviews it. Give the talks with --talks, a line of JSON each: id, video_link, video or audio (the
file), abstract, transcript, and lines with source, start, end and the machine's text as de, it and zh. Questions that
are there already come with --questions, in the form of the export; rejected ones are left out.`,
		Examples: `  omniscope people new mcif talks --talks talks.jsonl
  omniscope people new mcif talks --talks talks.jsonl --language de --questions questions.jsonl`,
	}
}

// Form implements people.Kind.
func (Kind) Form(c *people.WorkItem) (*people.Form, error) {
	t, err := talkOf(c.Item)
	if err != nil {
		return nil, err
	}
	switch c.Stage.Name {
	case questionsAbstract:
		return t.abstractForm(), nil
	case questions:
		return t.questionsForm(c), nil
	case verifyStage:
		return t.verifyForm(c), nil
	}
	if l, reviews := languageStage(c.Stage.Name); l != nil {
		return t.translationForm(c, l, reviews), nil
	}
	return nil, omniscope.Invalidf("the project has a stage %q, which this version does not know", c.Stage.Name)
}

// languageStage is the language of a stage; nil = it is none of those.
func languageStage(stage string) (l *language, reviews bool) {
	if code, ok := strings.CutPrefix(stage, review); ok {
		return languageOf(code), true
	}
	return languageOf(strings.TrimPrefix(stage, translate)), false
}

// Complete implements people.Kind.
func (Kind) Complete(c *people.WorkItem, answers map[string]people.Value) error {
	t, err := talkOf(c.Item)
	if err != nil {
		return err
	}
	switch c.Stage.Name {
	case questionsAbstract:
		return checkTwice(written(&people.Done{Answers: answers}))
	case questions:
		return checkQuestions(written(&people.Done{Answers: answers}))
	case verifyStage:
		return t.checkVerdicts(c, answers)
	}
	return nil
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

func talkOf(item *people.Item) (*talkInfo, error) { return people.Payload[talkInfo](item, "talk") }

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

func choices(values []string, labels, help map[string]string) (out []people.Choice) {
	for _, v := range values {
		label := labels[v]
		if label == "" {
			label = strings.ToUpper(v[:1]) + v[1:]
		}
		out = append(out, people.Choice{Value: v, Label: label, Help: help[v]})
	}
	return out
}

func last(done []people.Done) *people.Done {
	if len(done) == 0 {
		return nil
	}
	return &done[len(done)-1]
}

func cardOf(key string) string {
	_, id, _ := strings.Cut(key, "/")
	return id
}

func number(list []string, value string) int { return slices.Index(list, value) }
