package exchange

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"omniscope/model"
)

func TestWordsOfRefusals(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"No.","type":"bad","code":400}}`: "(bad): No.",
		`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"audio longer than 30 s is not supported\"}}","provider_name":"Acme"}}}`: ": Provider returned error (Acme): audio longer than 30 s is not supported",
		`{"error":{"message":"Provider returned error","metadata":{"raw":"try later"}}}`:                                                                                               ": Provider returned error: try later",
		`{"Response":{"Error":{"Code":"FailedOperation.ResourcePackExhausted","Message":"No pack."}}}`:                                                                                 "(FailedOperation.ResourcePackExhausted): No pack.",
		`{"success":false,"errors":[{"code":7000,"message":"No route."}]}`:                                                                                                             "(7000): No route.",
		`{"detail":[{"type":"string_type","loc":["body","messages",1],"msg":"not a string","input":"AAAA"},{"msg":"and more"}]}`:                                                       ": body.messages.1: not a string; and more",
		`{"statusCode":400,"error":"Bad Request","message":"No."}`:                                                                                                                     "(Bad Request): No.",
		`{"detail":{"error":{"message":"unknown model: x","type":"invalid_request_error"}}}`:                                                                                           "(invalid_request_error): unknown model: x",
		`{"fault":{"faultstring":"Quota exceeded.","detail":{"errorcode":"policies.QuotaViolation"}}}`:                                                                                 "(policies.QuotaViolation): Quota exceeded.",
		`{"error":{"error":{"message":"No.","code":"deep"}}}`:                                                                                                                          "(deep): No.",
		`{"error":true,"message":"No."}`:   ": No.",
		`{"error":{}}`:                     ": {}",
		`{"error":"A word."}`:              ": A word.",
		`[{"error":{"message":"First."}}]`: ": First.",
		`<html>`:                           ": <html>",
		``:                                 ": bad request",
		`null`:                             ": bad request",
	} {
		err := Refusal(&http.Response{StatusCode: http.StatusBadRequest}, []byte(body), nil)
		var status *model.StatusError
		if !errors.As(err, &status) || status.Error() != "the endpoint answered 400"+sep(want)+want {
			t.Errorf("%s: %q, want %q", body, err, want)
		}
	}
}

// sep is the blank before a code in parentheses.
func sep(words string) string {
	if words[0] == '(' {
		return " "
	}
	return ""
}

func TestAnswersWithoutAnError(t *testing.T) {
	for _, body := range []string{`{}`, `{"id":"x","choices":[]}`, `{"error":null}`, `{"error":""}`, `{"error":{"message":"","code":null}}`, `{"base_resp":{"status_code":0,"status_msg":""}}`, `{"message":""}`, `{"code":0,"message":"Success","sid":"x"}`,
		`{"message":"ok"}`, `{"error":"null"}`, `{"error":"None"}`, `{"detail":"","fault":null}`} {
		if f := Failure([]byte(body), nil); f != nil {
			t.Errorf("%s: %v", body, f)
		}
	}
}

// TestWaitsInsideAnswers reads waits of errors in answers with status 200, as gateways hand them on.
func TestWaitsInsideAnswers(t *testing.T) {
	for body, want := range map[string]time.Duration{
		`{"error":{"code":429,"message":"slow down","metadata":{"headers":{"X-RateLimit-Reset":"7","X-RateLimit-Remaining":"0"}}}}`: 7 * time.Second,
		`{"error":{"code":429,"message":"slow down","metadata":{"headers":{"retry-after":"7"}}}}`:                                   7 * time.Second,
		`{"error":{"code":429,"message":"try again in 7s"}}`:                                                                        7 * time.Second,
		`{"error":{"code":502,"message":"Upstream died","metadata":{"headers":{"X-RateLimit-Reset":"7"}}}}`:                         0,
	} {
		if got := Failure([]byte(body), nil); got == nil || got.RetryAfter != want {
			t.Errorf("%s: %v, want a wait of %s", body, got, want)
		}
	}
}
