// Package choice scores multiple-choice questions about recordings, whichever benchmark
// they are of: a protocol describes how to read its file and how its published scorer counts.
//
// Answers are scored directly, as a model gave them that saw or heard the recordings. Or,
// in a cascade (Omni-Captioner, arXiv 2510.12720, section 6), a model answers from captions
// of the recordings alone. That model is named in place of a judge.
//
// Official scoring counts as the published scorer does, quirks and denominator included.
// Strict scoring reads each answer with one sound reader (model/judge/letters), counts every
// question, and tells those that abstain from those that are wrong. Both come from the same
// answers.
package choice

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/model/judge"
	"omniscope/model/judge/letters"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// readers is the version of the code that reads replies; it is part of every score's
// signature. Count it up when a change can alter how a reply is read.
const readers = "choice3"

// A question is one question about a recording.
type question struct {
	ID      string   // of the question in its file
	Row     string   // another id, which numbers the rows of this file and is valid for this file only; "" = absent
	Clip    []string // names of the recording, the file's own first; captions go by any of them
	Media   omniscope.Media
	Text    string
	Options []string    // without their letters
	Gold    int         // the right one's number, from 0
	Tags    []bench.Tag // groups that it counts in
}

// A protocol is what one benchmark has of its own.
type protocol struct {
	Name, Title, Paper, Licence string
	Hears, Sees                 bool // its questions test hearing, seeing
	Needs                       []bench.Need
	Data                        string   // what its file is, for help
	Answers                     string   // what a file of answers is, for help
	Fields                      []string // names of the field with the answer, the benchmark's own first
	IDs                         []string // names of the field with the question's id, in a file of answers

	// Results turns a row of the result file of the benchmark's own program into rows of answers, each with a
	// field of IDs and a field of Fields. It returns nil for another kind of row, and an empty list where no question of the row has an answer. A nil Results means that the
	// benchmark has no such file.
	Results func(row gjson.Result) [][]byte

	Form rows.Layout // of the file
	// Read reads the questions of a row. key is its name, if the file is Keyed, and number
	// counts from 1.
	Read func(row []byte, key string, number int) ([]question, error)

	// Count is the published scorer's verdict on an answer: Correct or Wrong, or Unjudged
	// where it leaves the question out of the denominator.
	Count func(answer string, q *question) omniscope.Verdict
	// Say is how the published scorer wants option i said: in words if InWords, else by its letter unless Say is set.
	Say func(q *question, i int) string
	// InWords reports that the published scorer compares the words of options: a letter is wrong to it. Models are asked for words.
	InWords bool
	// Lacking is the published scorer's verdict on a question without an answer: Unjudged if it leaves the question out.
	Lacking omniscope.Verdict
}

func newBenchmark(p protocol) bench.Benchmark {
	switch {
	case p.InWords:
		p.Say = asText
	case p.Say == nil:
		p.Say = asLetter
	}
	return &benchmark{protocol: &p, LineAnswers: bench.LineAnswers{IDField: p.IDs[0], TextField: p.Fields[0]}}
}

type benchmark struct {
	*protocol
	bench.LineAnswers
	shuffle  int  // seed of the options' order; 0 = as in the file
	circular bool // each option is first once
	any      bool // answers count even if their rows contradict the questions
}

var (
	_ bench.AnswerWriter = (*benchmark)(nil)
	_ bench.Asker        = (*benchmark)(nil)
)

// Info implements bench.Benchmark.
func (b *benchmark) Info() bench.Info {
	return bench.Info{
		Name: b.Name, Title: b.Title, Paper: b.Paper, Licence: b.Licence,
		Judge: "openai/gpt-4o", JudgeOptional: true, Examined: true,
		About: "Without --answerer, --predictions holds a model's own answers. With --answerer MODEL it holds captions, from which\n" +
			"that model answers every question (a cascade; openai/gpt-4o in arXiv 2510.12720); `--captions none` has it guess.",
		Asking:   bench.Asking{OfficialAttempts: 1, Attempts: 3},
		Metric:   &metric.Choice,
		StepKeys: "the question's id",
		Records:  []string{"answers.jsonl", bench.CasesFile},
		Needs:    b.Needs,
		Hears:    b.Hears,
		Sees:     b.Sees,
		Files: bench.Files{
			Predictions:  b.Answers + "; or, with --answerer, captions by recording\n(JSON Lines, CSV, Parquet, or a folder of these)",
			Data:         b.Data,
			DataNeeded:   true,
			CaptionField: "field of the answer or caption (default: the first that is there of\n" + list(slices.Concat(b.Fields, bench.CaptionFields)) + ")",
		},
		Aliases: []bench.Alias{{Of: "predictions", Name: "captions"}, {Of: "judge", Name: "answerer"}},
		Examples: fmt.Sprintf(`  omniscope eval %s --data FILE --predictions answers.jsonl
  omniscope eval %[1]s --data FILE --captions captions.jsonl --answerer openai/gpt-4o --dry-run
  omniscope eval %[1]s --data FILE --captions none --answerer openai/gpt-4o`, b.Name),
	}
}

// Open implements bench.Benchmark.
func (b *benchmark) Open(ctx context.Context, in bench.Inputs) (_ bench.Evaluation, err error) {
	e := &evaluation{protocol: b.protocol, in: in, shuffle: b.shuffle, circular: b.circular, any: b.any}
	if !e.cascade() && (b.shuffle > 0 || b.circular) {
		return nil, omniscope.Usagef("--shuffle and --circular are for a cascade: name the model that answers with --answerer")
	}
	if err := e.openPrompts(); err != nil {
		return nil, err
	}
	all, digest, err := b.questions(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	e.all, e.clusters = all, make(bench.Clusters)
	for i := range all {
		e.clusters.Add(all[i].Clip[0])
	}
	if e.questions, err = bench.Select(all, func(q *question) string { return q.ID }, "question", in); err != nil {
		return nil, err
	}
	e.newPlan(digest)
	if e.blind() {
		return e, nil
	}
	if e.texts, err = e.openTexts(ctx); err != nil {
		return nil, err
	}
	e.plan.Inputs[e.texts.Lines.Path] = e.texts.Lines.Digest
	return e, nil
}

func (e *evaluation) newPlan(digest string) {
	e.plan = &bench.Plan{
		System: cmp.Or(e.in.System, bench.SystemName(e.in.Predictions)), Units: len(e.questions), Of: len(e.all),
		Steps:    func(i int) string { return e.questions[i].ID },
		Inputs:   map[string]string{e.in.Data: digest},
		Protocol: readers, Data: e.digest(),
	}
	e.plan.WarnUnknown(e.Name, e.in.Data, digest)
	if n := e.repeating(); n > 0 {
		e.plan.Warn("%d questions have an option twice: either of the two is right if one is", n)
	}
	if e.cascade() {
		e.plan.Protocol += "|cascade"
		if e.shuffle > 0 {
			e.plan.Protocol += fmt.Sprintf("|shuffle:%d", e.shuffle)
		}
		if e.circular {
			e.plan.Protocol += "|circular"
		}
		for _, p := range e.prompts() {
			e.plan.Prompts = append(e.plan.Prompts, p.Info())
		}
	}
}

// repeating counts the questions that have an option twice.
func (e *evaluation) repeating() (n int) {
	for i := range e.questions {
		options := slices.Sorted(slices.Values(e.questions[i].Options))
		if len(slices.Compact(options)) < len(e.questions[i].Options) {
			n++
		}
	}
	return n
}

func (e *evaluation) openPrompts() (err error) {
	if !e.cascade() {
		return nil
	}
	builtin, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		return err
	}
	name, needs := "answer.txt", []string{"caption", "question", "options"}
	if e.blind() {
		name, needs = "blind.txt", needs[1:]
	} else if e.system, err = judge.LoadPrompt(builtin, e.in.Prompts, e.in.PromptsName, "system.txt"); err != nil {
		return err
	}
	if e.prompt, err = judge.LoadPrompt(builtin, e.in.Prompts, e.in.PromptsName, name); err != nil {
		return err
	}
	if err := e.prompt.Require(needs...); err != nil {
		return err
	}
	return judge.OnlyPrompts(e.in.Prompts, e.in.PromptsName, "answer.txt", "blind.txt", "system.txt")
}

// prompts are those that are used.
func (e *evaluation) prompts() []*judge.Prompt {
	if e.system == nil {
		return []*judge.Prompt{e.prompt}
	}
	return []*judge.Prompt{e.system, e.prompt}
}

// digest is that of the questions that are asked.
func (e *evaluation) digest() string {
	sum := sha256.New()
	for i := range e.questions {
		q := &e.questions[i]
		fmt.Fprintf(sum, "%q %q %q %d\n", q.ID, q.Text, q.Options, q.Gold)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// Samples implements bench.Dataset.
func (b *benchmark) Samples(ctx context.Context, path string) iter.Seq2[omniscope.Sample, error] {
	return func(yield func(omniscope.Sample, error) bool) {
		questions, _, err := b.questions(ctx, path)
		if err != nil {
			yield(omniscope.Sample{}, err)
			return
		}
		for i := range questions {
			q := &questions[i]
			s := omniscope.Sample{ID: omniscope.SampleID(q.ID), Media: q.Media, Prompt: q.Text + "\n" + lettered(q.Options) + "\n" + b.wanted()}
			if b.InWords {
				s.Options = q.Options
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

// wanted asks for an answer in the form that the published scorer reads.
func (p *protocol) wanted() string {
	if p.InWords {
		return "Reply with the words of the right option, without its letter, and nothing else."
	}
	return "Reply with the letter of the right option and nothing else."
}

// Asked implements bench.Asker.
func (b *benchmark) Asked(ctx context.Context, path string) (map[omniscope.SampleID]bench.Asked, error) {
	questions, _, err := b.questions(ctx, path)
	all := make(map[omniscope.SampleID]bench.Asked, len(questions))
	for i := range questions {
		all[omniscope.SampleID(questions[i].ID)] = questions[i].asked()
	}
	return all, err
}

// asked is what rows of answers may repeat.
func (q *question) asked() bench.Asked {
	return bench.Asked{Question: q.Text, Options: q.Options, Key: letters.Letter(q.Gold), Media: append(q.Clip, q.Media.Video, q.Media.Audio)}
}
