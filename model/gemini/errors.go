package gemini

import (
	"errors"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/model"
	"omniscope/model/exchange"
)

// refusedWith returns what makes an error of an answer outside 2xx. The statuses are explained in
// ai.google.dev/gemini-api/docs/troubleshooting.
func refusedWith(secrets *model.Redactor) func(*http.Response, []byte) error {
	return func(resp *http.Response, body []byte) error {
		e := exchange.Refusal(resp, body, secrets)
		var status *model.StatusError
		if !errors.As(e, &status) || status.Status < 400 || status.Status >= 500 || e.Kind == omniscope.Declined {
			return e
		}
		name := strings.ToUpper(gjson.GetManyBytes(body, "error.status")[0].String() + gjson.GetManyBytes(body, "0.error.status")[0].String())
		switch {
		case aboutFile(status) && (status.Status == http.StatusForbidden || status.Status == http.StatusNotFound || status.Status == http.StatusBadRequest):
			e.Kind = omniscope.Invalid // one file of one request, not the key
		case name == "FAILED_PRECONDITION":
			e.Kind = omniscope.Denied // the country, or billing
		case name == "RESOURCE_EXHAUSTED" && e.Kind != omniscope.Denied:
			e.Kind = omniscope.Transient
		}
		return e
	}
}

// aboutFile reports whether an error speaks of a file. The server answers 403
// for files that are gone: "You do not have permission to access the File NAME
// or it may not exist." (googleapis/python-genai, issue 1218).
func aboutFile(e *model.StatusError) bool {
	return strings.Contains(e.Message, "File ") || strings.Contains(e.Message, "files/")
}

// namingModel tells the model's name with a 404, whose words may lack it.
func (m *Model) namingModel(name string, err error) error {
	var e *omniscope.Error
	var status *model.StatusError
	if !errors.As(err, &e) || !errors.As(err, &status) || status.Status != http.StatusNotFound || aboutFile(status) {
		return err
	}
	return &omniscope.Error{Kind: e.Kind, Op: "model " + name + " at " + m.BaseURL(), Err: e.Err, RetryAfter: e.RetryAfter}
}
