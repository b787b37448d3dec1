package predict

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"omniscope"
	"omniscope/metric/textnorm"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/marks"
	"omniscope/model/symptoms"
)

// A System is a model and the way it is asked.
type System struct {
	Profile  *Profile
	Clips    *Clips
	Asker    *judge.Judge // the model, wrapped: see session
	Modality omniscope.Modality
	Folder   string            // that the samples' media are named below; "" = the working folder
	Found    map[string]string // files that are elsewhere below Folder, by the names of the dataset; nil = none
	Seed     uint64            // of drawn prompts
	// Link gives a file that is sent whole an address by which the endpoint gets it; nil
	// sends it in the request.
	Link func(path string) (url string, err error)

	KeepCut bool // an answer that was cut off by the length limit counts as one

	// MostRejected ends the run when the endpoint rejects so many requests before it
	// answers one; 0 = never.
	MostRejected int

	answered atomic.Bool
	rejected atomic.Int64
}

// A Prediction is what became of one sample.
type Prediction struct {
	Sample   omniscope.SampleID `json:"sample"`
	Outcome  omniscope.Outcome  `json:"outcome"`
	Answer   string             `json:"answer,omitempty"` // only where Outcome is OK
	Why      string             `json:"why,omitempty"`    // it is not
	Raw      string             `json:"raw,omitempty"`    // what the model wrote, where Answer is not that
	Cut      bool               `json:"cut,omitempty"`    // it was cut off by the length limit
	Words    int                `json:"words,omitempty"`  // of Answer
	Symptoms []symptoms.Symptom `json:"symptoms,omitempty"`
	Sent     Sent               `json:"sent"`
	Model    string             `json:"model,omitempty"`          // as the endpoint calls it
	Dropped  []string           `json:"dropped,omitempty"`        // options that the endpoint refused, such as temperature
	Usage    *model.Usage       `json:"usage"`                    // nil = not known
	New      bool               `json:"-"`                        // the first request was sent now, and not because its remembered reply is of no use
	Few      bool               `json:"tokens_too_few,omitempty"` // for what was sent, by the endpoint's own count
	Warnings []string           `json:"warnings,omitempty"`
	Blind    *blind             `json:"blind,omitempty"` // nil = the sample has no twin

	Inquiries int `json:"inquiries,omitempty"` // of the detective, where that is the system

	textBytes int    // bytes of the texts next to the media: times of frames, and of parts of the sound
	few       string // the warning of Few
}

// Length is how many words the answer has. Details of older runs count an answer without blanks as one word.
func (p *Prediction) Length() int {
	if textnorm.HasSpaceless(p.Answer) {
		return textnorm.CountWords(p.Answer)
	}
	return p.Words
}

// Predict asks the model about one sample. That there is no answer is an outcome;
// an error is one that the whole run should stop for.
func (s *System) Predict(ctx context.Context, sample *omniscope.Sample) (*Prediction, error) {
	prompt := s.Profile.promptFor(sample, s.Seed)
	var way manner
	sh, answer, err := s.ask(ctx, sample, prompt, way)
	for err == nil && s.anotherWay(sh.failed(), &way) {
		sh, answer, err = s.ask(ctx, sample, prompt, way)
	}
	if err != nil {
		return nil, err
	}
	p := &Prediction{Sample: sample.ID, Sent: sh.sent, Warnings: sh.warnings, textBytes: sh.textBytes()}
	if err := sh.failed(); err != nil {
		p.Outcome, p.Why = omniscope.Missing, err.Error()
		return p, nil
	}
	s.conclude(p, &answer, sample, prompt)
	s.CheckTokens([]*Prediction{p})
	return p, s.countRejected(answer.Attempts[len(answer.Attempts)-1])
}

// ask shows a sample to the model. Where it
// cannot be shown the model is not asked, and the showing says why.
func (s *System) ask(ctx context.Context, sample *omniscope.Sample, prompt string, way manner) (sh *showing, answer judge.Answer[string], err error) {
	sh, err = s.show(ctx, sample, way)
	if err != nil {
		if ctx.Err() != nil {
			return nil, answer, err
		}
		why := err
		sh = &showing{}
		sh.unmade.Store(&why)
		return sh, answer, nil
	}
	sh.sent.Prompt, sh.sent.System = prompt, s.Profile.System
	answer, err = judge.Ask(ctx, s.Asker, s.question(string(sample.ID), sample, sh, prompt))
	return sh, answer, err
}

// question is what the model is asked about a sample that is shown.
func (s *System) question(step string, sample *omniscope.Sample, sh *showing, prompt string) judge.Question[string] {
	return judge.Question[string]{Step: step, Messages: s.messages(sh, prompt), Read: s.reader(sample), Repeat: true, Whole: !s.KeepCut}
}

// countRejected ends a run whose requests the endpoint does not take: each carries
// media, and the next would fare no better.
func (s *System) countRejected(last judge.Attempt) error {
	if last.Response != nil {
		s.answered.Store(true)
	}
	if s.answered.Load() || s.MostRejected == 0 || omniscope.KindOf(last.Err) != omniscope.Invalid {
		return nil
	}
	if s.rejected.Add(1) < int64(s.MostRejected) {
		return nil
	}
	return &omniscope.Error{Kind: omniscope.Unusable, Op: "stopped", Err: fmt.Errorf(
		"the endpoint rejected the first %d requests, and answered none: %w; see what is sent with `omniscope probe --model MODEL,profile=%s --preview CLIP`, name another profile or modality, then run the command again; --stop-after-unusable 0 goes on as it is",
		s.MostRejected, last.Err, s.Profile.Name)}
}

// messages are the request: the system's message, if there is one, then the media
// and the prompt.
func (s *System) messages(sh *showing, prompt string) []model.Message {
	var messages []model.Message
	if s.Profile.System != "" {
		messages = append(messages, model.Text(model.System, s.Profile.System))
	}
	parts := slices.Clone(sh.parts)
	switch {
	case s.Modality == Text: // one text, as the published runner writes it
		parts = []model.Part{{Kind: model.TextPart, Text: parts[0].Text + "\n" + prompt}}
	case prompt != "":
		parts = append(parts, model.Part{Kind: model.TextPart, Text: prompt})
	}
	return append(messages, model.Message{Role: model.User, Parts: parts})
}

// reader returns the reader of replies to a sample: any text is an answer. It leaves out the train of thought and what chat templates
// leave around an answer.
func (s *System) reader(sample *omniscope.Sample) func(reply string) (string, error) {
	return func(reply string) (string, error) {
		text, open := s.Profile.strip(reply)
		if !open {
			read := marks.Answer
			if sample.Prompt != "" && boxed(text) {
				read = func(reply string) (string, bool) { return marks.AfterThought(marks.FirstTurn(reply)) }
			}
			var ok bool
			text, ok = read(text)
			if text, open = strings.TrimSpace(text), !ok; sample.Prompt == "" {
				text = marks.Unwrapped(text)
			}
		}
		switch {
		case model.Blank(text) && open:
			return "", errors.New("the model's reasoning did not end, and there is no answer")
		case model.Blank(text):
			return "", errors.New("the answer is empty")
		}
		return text, nil
	}
}

// boxed reports whether a reply marks a part of it as its answer, as GLM does: to a question, the reader of the answer needs the marks.
func boxed(reply string) bool {
	return strings.Contains(reply, "<|end_of_box|>") && !strings.HasPrefix(strings.TrimSpace(reply), "<|begin_of_box|>")
}

// conclude says what became of the sample by the last attempt.
func (s *System) conclude(p *Prediction, a *judge.Answer[string], sample *omniscope.Sample, prompt string) {
	first, last := a.Attempts[0].Response, a.Attempts[len(a.Attempts)-1]
	p.Outcome, p.New = a.Outcome, first != nil && !first.Cached && !a.Again
	if last.Err != nil {
		p.Why = last.Err.Error()
	}
	if r := last.Response; r != nil {
		p.take(r)
	}
	if p.Outcome != omniscope.OK {
		return
	}
	if sample.Prompt == "" && symptoms.Refuses(a.Value) { // of a question, such words may be the answer
		p.Outcome, p.Why = omniscope.Refused, fmt.Sprintf("it refuses in words: %q", model.FirstWords(a.Value))
		return
	}
	if p.Answer = a.Value; p.Raw == p.Answer {
		p.Raw = ""
	}
	p.Words = textnorm.CountWords(p.Answer)
	p.Symptoms = symptoms.Find(symptoms.Given{Text: p.Answer, Lang: sample.Language, Prompt: prompt})
}

// take takes the last reply.
func (p *Prediction) take(r *model.Response) {
	p.Model, p.Usage, p.Cut, p.Dropped, p.Raw = r.Model, &r.Usage, r.Outcome() == omniscope.Truncated, r.DroppedOptions, r.Text
	p.Sent.measured(r.Sent)
	if !r.Finish.IsKnown() {
		p.Warnings = append(p.Warnings, fmt.Sprintf("the endpoint ended the answer with the unknown finish reason %q: it counts as complete", r.Finish))
	}
	switch {
	case p.Outcome == omniscope.Unparsed && r.Reason() == model.Empty:
		p.Outcome = omniscope.Abstained
	case p.Outcome == omniscope.OK && r.Outcome() != omniscope.OK && !p.Cut:
		p.Outcome, p.Why = r.Outcome(), r.Problem() // KeepCut keeps what a limit cut off, and nothing that a filter took out
	}
}
