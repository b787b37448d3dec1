package model

import (
	"errors"
	"fmt"
	"net/http"
)

// A StatusError is an endpoint's own answer that a call failed.
type StatusError struct {
	Status  int    // HTTP status
	Code    string // the endpoint's error code, such as context_length_exceeded
	Message string // the endpoint's words, at most a few lines of them
	Inside  bool   // it came inside an answer whose own status was 200
}

func (e *StatusError) Error() string {
	if e.Code != "" {
		return fmt.Sprintf("the endpoint answered %d (%s): %s", e.Status, e.Code, e.Message)
	}
	return fmt.Sprintf("the endpoint answered %d: %s", e.Status, e.Message)
}

// RateLimited reports whether err is an endpoint asking for fewer calls.
func RateLimited(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Status == http.StatusTooManyRequests
}
