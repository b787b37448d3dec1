package eval

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/model/wrap"
	"omniscope/session"
)

// describe adds to the results who judged, and what must be equal for two scores
// to be comparable.
func (e *Evaluation) describe(r *document.Results, by About) {
	if e.judges() {
		e.describeJudge(r)
	}
	e.describeExam(r)
	r.FailedWhy = cmp.Or(session.FailedWhy(e.asked()), r.FailedWhy)
	r.Signature = e.signature(r, by)
}

// judges reports whether the run has a judge, a model or the offline baseline: a benchmark
// whose judge is optional has none where no model was named.
func (e *Evaluation) judges() bool {
	return e.Judge != nil && !(e.Info.JudgeOptional && e.Judge.Judge == nil)
}

func (e *Evaluation) describeJudge(r *document.Results) {
	m := e.Judge
	r.Judge.Name = e.Spec.judge().Model
	if m.Endpoint != nil {
		at := m.Endpoint.Info()
		r.Judge.Endpoint = &at
	}
	r.Judge.Answered, r.Judge.Sources = session.Counts(m.Meter.Models()), session.Counts(m.Meter.Sources())
	if m.Judge != nil {
		r.Judge.Readable = m.Judge.Readings.List()
	}
	if e.Spec.judge().Schema {
		r.Warnings = append(r.Warnings, "official here counts replies to requests with a schema, which the published program does not send: run with --scoring official for its scores")
	}
	r.Usage.CostUSD, r.Usage.Lost.CostUSD = session.CostOfCalls(e.paid())
	if m.Judge != nil && len(r.Judge.Answered) > 1 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the judge answered under %d names: %s", len(r.Judge.Answered), session.JoinCounts(r.Judge.Answered)))
	}
	if len(r.Judge.Sources) > 1 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("answers come from %d endpoints: %s", len(r.Judge.Sources), session.JoinCounts(r.Judge.Sources)))
	}
	r.Warnings = append(append(r.Warnings, session.EndpointWarnings(m.Meter)...), e.others().warnings()...)
}

func (e *Evaluation) signature(r *document.Results, by About) string {
	parts := []string{r.Benchmark.Name}
	if e.judges() {
		parts = append(parts, "judge:"+e.judgeName())
	}
	parts = append(parts, "profile:"+r.Scoring)
	for _, p := range r.Judge.Prompts {
		parts = append(parts, "prompt-"+strings.TrimSuffix(p.Name, ".txt")+":"+p.Digest)
	}
	if e.judges() && !r.Judge.Baseline {
		parts = append(parts, settings(e.Spec.judge(), e.Judge.Meter, r.Scoring))
	}
	parts = append(append(parts, e.chain.signature()...), e.observers.signature()...)
	parts = append(parts, e.Read.Protocol, "data:"+e.Read.Data, fmt.Sprintf("samples:%d", e.Read.Units), fmt.Sprintf("seed:%d", e.Spec.Seed))
	if e.Spec.Repetition > 0 {
		parts = append(parts, fmt.Sprintf("repetition:%d", e.Spec.Repetition))
	}
	parts = append(parts, "omniscope:"+by.Version)
	return strings.Join(parts, "|")
}

// judgeName is the judge's name; a script is named by what it holds, people by their project.
func (e *Evaluation) judgeName() string {
	name := e.Spec.judge().Model
	if !e.Judge.ByStep {
		return name
	}
	provider, _, _ := strings.Cut(name, "/")
	return provider + "/" + strings.TrimPrefix(e.Judge.Source, provider+"/")
}

// settings names what else shapes a role's answers.
func settings(r *session.Role, sent *wrap.Meter, profile string) string {
	temperature := -1.0 // the model's own
	if r.Temperature != nil {
		temperature = *r.Temperature
	}
	text := fmt.Sprintf("temperature:%g", temperature)
	if r.Temperature != nil && slices.Contains(sent.Dropped(), "temperature") {
		text = "temperature:refused"
	}
	if profile != bench.Official.String() {
		text += fmt.Sprintf("|attempts:%d", r.Attempts)
	}
	if r.MaxTokens > 0 {
		text += fmt.Sprintf("|max-tokens:%d", r.MaxTokens)
	}
	if r.Schema {
		text += "|schema:first"
	}
	if r.Extra != "" {
		text += fmt.Sprintf("|extra:%x", sha256.Sum256([]byte(r.Extra)))[:len("|extra:")+12]
	}
	return text
}
