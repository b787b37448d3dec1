package anthropic

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/internal/testing/modeltest"
	"omniscope/model"
	"omniscope/model/exchange"
)

func TestSuite(t *testing.T) {
	modeltest.Run(t, modeltest.Harness{
		Start: func(t *testing.T, replies map[string]modeltest.Reply) model.Model {
			s := &strictServer{respond: func(w http.ResponseWriter, r *http.Request, body string) {
				wired(w, r, replies[modeltest.StepOf(body)])
			}}
			return s.start(t, exchange.Options{})
		},
		Declined: map[string]string{
			"the request stays as it was": "its request has sound and video, which this endpoint has not; TestRequestUnchanged has one without",
		},
	})
}

// wired is what a server sends to give a reply.
func wired(w http.ResponseWriter, r *http.Request, reply modeltest.Reply) {
	wait := ""
	if reply.RetryAfter > 0 {
		wait = strconv.Itoa(int(reply.RetryAfter.Seconds()))
	}
	switch reply.Failure {
	case omniscope.Transient:
		fail(w, "overloaded_error", "Overloaded", wait)
		return
	case omniscope.Denied:
		fail(w, "authentication_error", "invalid x-api-key", "")
		return
	case omniscope.Invalid:
		fail(w, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "")
		return
	case omniscope.Declined:
		fail(w, "invalid_request_error", "Output blocked by content filtering policy", "")
		return
	case omniscope.Malformed:
		answerText(w, strings.Repeat("again and ", endpoint.MostBytes/10), "end_turn", reply)
		return
	}
	switch {
	case reply.Hang:
		<-r.Context().Done()
	case reply.Refusal != "":
		answerText(w, reply.Refusal, "refusal", reply)
	case reply.Finish == model.ContentFilter:
		answerText(w, "", "refusal", reply)
	case reply.Finish == model.Length:
		answerText(w, reply.Text, "max_tokens", reply)
	default:
		answerText(w, reply.Text, "end_turn", reply)
	}
}

// answerText answers with a text. An empty answer of the API has no blocks.
func answerText(w http.ResponseWriter, text, stop string, r modeltest.Reply) {
	block := ""
	if text != "" {
		quoted, err := json.Marshal(text)
		if err != nil {
			panic(err)
		}
		block = `{"type":"text","text":` + string(quoted) + `}`
	}
	reply(w, http.StatusOK, nil, completion(block, stop, r.Model, max(r.TokensIn, 1), max(r.TokensOut, 1)))
}
