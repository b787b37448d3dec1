package mllm

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/marks"
	"omniscope/perceive"
)

// Confidence in what a model says. Models are too sure of themselves, so that
// they are believed within limits only.
const (
	evens     = 0.5
	leastSure = 0.05
	mostSure  = 0.9
)

// read makes an answer of a response, or says why there is none.
func read(resp *model.Response) (*perceive.Answer, error) {
	text, problem := strings.TrimSpace(resp.Text), resp.Problem()
	switch {
	case resp.Outcome() == omniscope.Refused:
		return nil, &omniscope.Error{Kind: omniscope.Declined, Op: "read the reply", Err: errors.New(problem)}
	case resp.Outcome() == omniscope.Truncated:
		return nil, &omniscope.Error{Kind: omniscope.Malformed, Op: "read the reply", Err: fmt.Errorf("%s, after %d tokens", problem, resp.Usage.TokensOut)}
	case problem != "":
		return nil, &omniscope.Error{Kind: omniscope.Malformed, Op: "read the reply", Err: errors.New(problem)}
	}
	answer, ok := marks.Answer(text)
	switch {
	case !ok:
		return nil, &omniscope.Error{Kind: omniscope.Malformed, Op: "read the reply", Err: errors.New("it ends within the model's reasoning")}
	case model.Blank(answer):
		return nil, &omniscope.Error{Kind: omniscope.Malformed, Op: "read the reply", Err: errors.New("it holds reasoning or special tokens and no answer")}
	case refuses(answer):
		return nil, &omniscope.Error{Kind: omniscope.Declined, Op: "read the reply", Err: fmt.Errorf("it refuses in words: %q", model.FirstWords(answer))}
	}
	what, sure := confidence(marks.Unwrapped(answer))
	return &perceive.Answer{Text: text, Observations: []perceive.Observation{{Kind: perceive.Reported, What: what, Sure: sure}}}, nil
}

// confidence takes the line at the end of a reply that says how sure the model
// is. A reply in a form of its own has none.
func confidence(text string) (rest string, sure float64) {
	at := strings.LastIndexByte(text, '\n')
	line := strings.Trim(text[at+1:], " \t*_`.")
	name, value, found := strings.Cut(line, ":")
	if !found || at < 0 || !strings.EqualFold(strings.Trim(name, " *_"), "confidence") {
		return text, evens
	}
	value = strings.Trim(value, " *_`")
	scale := 1.0
	if v, percent := strings.CutSuffix(value, "%"); percent {
		value, scale = strings.TrimSpace(v), 100
	}
	n, err := strconv.ParseFloat(value, 64)
	if n /= scale; err != nil || !(n >= 0 && n <= 1) {
		return text, evens
	}
	rest = strings.TrimSpace(text[:at])
	if rest == "" {
		return text, evens
	}
	return rest, min(max(n, leastSure), mostSure)
}

// refusals are how models say that they will not, or that they have not got
// what they were sent.
var refusals = []string{
	"i can't assist with", "i cannot assist with", "i can't help with", "i cannot help with", "i'm not able to help with", "i am not able to help with",
	"i can't view images", "i cannot view images", "i can't view videos", "i cannot view videos", "i'm unable to view", "i am unable to view",
	"i can't listen to audio", "i cannot listen to audio", "i can't process audio", "i cannot process audio", "i'm unable to listen", "i am unable to listen", "i'm unable to process audio",
	"i don't have access to the", "i do not have access to the", "no image was provided", "no audio was provided", "no video was provided",
}

// openings are how refusals begin. Words that somebody says in a clip are
// reported, and replies that report begin in other ways.
var openings = []string{"i'm sorry", "i am sorry", "sorry", "unfortunately", "i apologize", "as an ai", "i can't", "i cannot", "i'm not able", "i am not able", "i'm unable", "i am unable", "i don't have", "i do not have", "no image was", "no audio was", "no video was"}

// longestRefusal bounds what is taken for a refusal: a long reply that has such
// words in it tells of something.
const longestRefusal = 300

func refuses(text string) bool {
	if len(text) > longestRefusal {
		return false
	}
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return slices.ContainsFunc(openings, func(o string) bool { return strings.HasPrefix(text, o) }) &&
		slices.ContainsFunc(refusals, func(r string) bool { return strings.Contains(text, r) })
}
