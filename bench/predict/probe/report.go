package probe

import (
	"cmp"
	"fmt"
	"math"
	"regexp"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/model"
)

// Schema names the form of a Report.
const Schema = "omniscope.probe/1"

// A Report is what an endpoint perceived.
type Report struct {
	Schema   string             `json:"schema"`
	Run      string             `json:"run"`
	Model    string             `json:"model"`
	Source   string             `json:"source,omitempty"` // its address; "" = not known
	Profile  string             `json:"model_profile"`
	Modality omniscope.Modality `json:"modality"`
	Seed     uint64             `json:"seed"`
	Results  []result           `json:"trials"`

	Languages []languageResult `json:"languages,omitempty"` // in which digits were spoken
}

// A result is what came of one trial.
type result struct {
	Trial      string            `json:"trial"`
	Tests      string            `json:"tests"`
	Perception Perception        `json:"verdict"`
	Perceived  string            `json:"perceived"` // in words
	Question   string            `json:"asked"`
	Expected   string            `json:"expected,omitempty"` // of a model that perceives all that was sent
	Answer     string            `json:"answered,omitempty"`
	Outcome    omniscope.Outcome `json:"outcome,omitzero"`
	Sent       *predict.Sent     `json:"sent,omitempty"`
	TokensIn   int               `json:"tokens_in,omitempty"`    // as the endpoint counted; 0 = it did not
	Least      int               `json:"tokens_least,omitempty"` // that the media need, see LeastTokens
	Few        bool              `json:"tokens_too_few,omitempty"`
}

// Skipped is the result of a trial that is not asked.
func (t *Trial) Skipped() result {
	return result{Trial: t.Name, Tests: t.Tests, Question: t.Question, Perception: NotSent, Perceived: t.Unsent}
}

// Result reads what became of a trial's sample.
func (t *Trial) Result(p *predict.Prediction) result {
	r := result{Trial: t.Name, Tests: t.Tests, Question: t.Question, Outcome: p.Outcome, Answer: p.Answer, Sent: &p.Sent, Least: leastTokens(&p.Sent)}
	if p.Usage != nil && !p.Usage.Estimated {
		r.TokensIn = p.Usage.TokensIn
	}
	r.Few = p.Few || r.TokensIn > 0 && r.TokensIn < r.Least
	switch p.Outcome {
	case omniscope.OK:
		f := t.read(p.Answer, &p.Sent)
		r.Perception, r.Expected, r.Perceived = f.Perception, f.Expected, f.Perceived
	case omniscope.Missing: // the profile refuses such a clip
		r.Perception, r.Perceived = NotSent, p.Why
	default:
		r.Perception, r.Perceived = NoAnswer, p.Why
	}
	return r
}

// What media need of tokens at least. Of the models in use those that pack most have
// 16 tokens for a picture (VideoChat-Flash) and 88 for 30 s of sound (SALMONN); usual
// ones have ten times as many. Of a video, servers sample 4 frames at least
// (qwen-vl-utils, FPS_MIN_FRAMES).
const (
	leastOfPicture = 16
	leastOfSecond  = 2.5
	leastSampled   = 4
)

// leastTokens is fewer tokens than models in use count for media. A smaller count is
// strong evidence that part of them did not reach the model.
func leastTokens(sent *predict.Sent) int {
	least := 0.0
	if f := sent.Frames; f != nil {
		least += float64(leastOfPicture * f.Count)
	}
	if s := sent.Sound; s != nil {
		least += leastOfSecond * s.Seconds
	}
	if v := sent.Video; v != nil {
		least += leastOfPicture * leastSampled
		if v.Sound {
			least += leastOfSecond * sent.Seconds
		}
	}
	return int(math.Floor(least))
}

// Faults are the results of which something that was sent was not perceived.
func (r *Report) Faults() (faults []result) {
	for _, result := range r.Results {
		if result.Perception != Perceived && result.Perception != NotSent || result.Few {
			faults = append(faults, result)
		}
	}
	return faults
}

// Asked is the number of trials that the model was asked about.
func (r *Report) Asked() (n int) {
	for _, result := range r.Results {
		if result.Perception != NotSent {
			n++
		}
	}
	return n
}

// Tokens says what the endpoint counted beside what is needed, for people.
func (r *result) Tokens() string {
	if r.TokensIn == 0 || r.Perception == NotSent {
		return "-"
	}
	text := fmt.Sprintf("%d, %d needed", r.TokensIn, r.Least)
	if r.Few {
		text += ": too few"
	}
	return text
}

// Columns are the columns of Rows.
var Columns = []string{"trial", "verdict", "what was perceived", "answered (expected)"}

// Rows are the results for a table of 80 columns. Long lists of numbers are cut: the report in JSON has all.
func (r *Report) Rows() (rows [][]string) {
	for _, x := range r.Results {
		perceived := x.Perceived
		if x.Few {
			perceived += fmt.Sprintf("; only %s tokens", x.Tokens())
		}
		answer := cmp.Or(model.FirstWords(few(x.Answer)), "-")
		if x.Expected != "" {
			answer += " (" + few(x.Expected) + ")"
		}
		rows = append(rows, []string{x.Trial, string(x.Perception), few(perceived), answer})
	}
	return rows
}

// manyNumbers are more than five numbers in a row.
var manyNumbers = regexp.MustCompile(`((?:\d+[ ,;.\n]+){5})(?:\d+[ ,;.\n]+)*\d+`)

// few keeps the first five numbers of a longer row.
func few(text string) string { return manyNumbers.ReplaceAllString(text, "${1}…") }
