package harness

import (
	"net/http"
	"slices"
	"strings"

	"omniscope"
	"omniscope/model"
)

// A Failure is a text that a harness writes where a model gave no answer.
type Failure struct {
	Text    string
	At      position // where in the answer it is; AtStart or Alone where a model could write the same
	Outcome omniscope.Outcome
	Why     string
}

// A position is where in an answer a text is.
type position int

// The positions, without blanks around the answer.
const (
	anywhere position = iota
	AtStart
	Alone
)

func (f *Failure) in(text string) bool {
	text = strings.TrimSpace(text)
	switch f.At {
	case AtStart:
		return strings.HasPrefix(text, f.Text)
	case Alone:
		return text == f.Text
	}
	return strings.Contains(text, f.Text)
}

// Judge decides whether a text in a log is an answer. known are the harness's own texts; the first match
// counts. A failed request that a server's filter stopped is a refusal.
func (s *Sample) Judge(text string, known []Failure) {
	for _, f := range known {
		switch {
		case !f.in(text):
			continue
		case f.Outcome == omniscope.Failed && filtered(text):
			s.Fail(omniscope.Refused, WhyFiltered, text)
		default:
			s.Fail(f.Outcome, f.Why, text)
		}
		return
	}
	s.Answer, s.Outcome = text, omniscope.OK
	switch strings.TrimSpace(text) {
	case "":
		s.Fail(omniscope.Abstained, whyEmpty, "")
	case "None", "nan", "NaN", "<NA>", "null":
		s.Fail(omniscope.Failed, whyNothing, text)
	default:
		if likeError(text) {
			s.Suspicion = suspiciousError
		}
	}
}

// filtered reports whether the text of a failed request says that a filter of contents stopped it, in the words of any provider.
func filtered(text string) bool {
	return (&model.StatusError{Status: http.StatusBadRequest, Message: text}).Kind(0) == omniscope.Declined
}

// errorStarts are the first words of failures, written by Python programs, servers and proxies.
var errorStarts = []string{"Error", "ERROR", "error:", "[ERROR", "[Error", "Traceback (most recent call last)", "Exception:", "HTTPError", "HTTP Error", "HTTPConnectionPool", "HTTPSConnectionPool", "API Error", "APIError",
	"Internal Server Error", "Request failed", "Request timed out", "<Response [", "<!DOCTYPE html", "<!doctype html", "<html", `{"error"`, `{'error'`}

// likeError reports whether an answer begins as the text of a failure does.
func likeError(text string) bool {
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(errorStarts, func(start string) bool { return strings.HasPrefix(text, start) })
}

// Why there is no answer, in words that all harnesses share.
const (
	WhyFiltered = "refused by a content filter"
	whyEmpty    = "empty answer: the model said nothing, or a request brought nothing"
	whyNothing  = "Python's None or NaN instead of an answer"
	whyWords    = "refuses in words"
	whyDouble   = "in the log several times, with different answers"
	whyAbsent   = "not in the log"
	whyUnknown  = "no sample of the benchmark's file has this id"
)

// What is odd about answers, in words that all harnesses share.
const (
	SuspiciousJudge = "the harness's judge failed, and its score is a filling"
	SuspiciousMedia = "says that it was given no media"
	suspiciousError = "begins like the text of a failure"
)
