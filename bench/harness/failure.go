package harness

import (
	"strings"

	"omniscope"
)

// A Failure is a text that a harness writes where a model gave no answer.
type Failure struct {
	Text    string // that is in the answer
	Outcome omniscope.Outcome
	Why     string
}

// Judge says what a text in a log is: an answer, or what stands in its place. known are the
// harness's own texts.
func (s *Sample) Judge(text string, known []Failure) {
	for _, f := range known {
		if strings.Contains(text, f.Text) {
			s.Fail(f.Outcome, f.Why, text)
			return
		}
	}
	s.Answer, s.Outcome = text, omniscope.OK
	switch strings.TrimSpace(text) {
	case "":
		s.Fail(omniscope.Abstained, whyEmpty, "")
	case "None", "nan", "NaN", "<NA>", "null":
		s.Fail(omniscope.Failed, whyNothing, text)
	}
}

// Why there is no answer, in words that all harnesses share.
const (
	whyEmpty   = "empty answer: the model said nothing, or a request brought nothing"
	whyNothing = "Python's None or NaN in place of an answer"
	whyWords   = "refuses in words"
	whyDouble  = "in the log several times, with different answers"
	whyAbsent  = "not in the log"
	whyUnknown = "no sample of the benchmark's file has this id"
)

// What is odd about answers, in words that all harnesses share.
const (
	SuspiciousJudge = "the harness's judge failed, and its score is a filling"
	SuspiciousMedia = "says that it was given no media"
)
