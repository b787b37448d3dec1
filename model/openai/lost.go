package openai

import (
	"errors"
	"net/http"

	"omniscope/model"
)

// lost marks the failure of a request that may have to be paid for. sent says
// that all of it was sent: a server that does not answer in time, breaks off or
// sends an unreadable answer has often done its work. accepted says that the
// status of its answer was 200, whatever is inside.
func lost(err error, sent, accepted bool) error {
	var status *model.StatusError
	if errors.As(err, &status) {
		sent = mayCharge(status.Status) || accepted && (status.Status < 400 || status.Status >= 500)
	}
	if !sent {
		return err
	}
	return model.WithLost(model.Lost{Tries: 1}, err)
}

// mayCharge reports whether a request that was answered with a status may be
// charged. These are the statuses of proxies that stopped waiting for the answer
// of the server behind them, or could not read it. (408 is among them as
// OpenRouter uses it; 520, 524, 598 and 599 are those of CDNs.)
func mayCharge(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusGatewayTimeout, 520, 524, 598, 599:
		return true
	}
	return false
}
