package openai

import (
	"errors"
	"net/http"

	"omniscope/model"
)

// lost marks the failure of a request that may have to be paid for. sent says
// that all of it was sent: a server that does not answer in time, breaks off or
// answers what nobody can read has often done its work.
func lost(err error, sent bool) error {
	var status *model.StatusError
	if errors.As(err, &status) {
		sent = mayCharge(status.Status)
	}
	if !sent {
		return err
	}
	return model.WithLost(model.Lost{Tries: 1}, err)
}

// mayCharge reports whether a request that was answered with a status may be
// charged: 200 with an error inside, and the statuses of proxies that stopped
// waiting for, or could not read, the answer of the server behind them. (408 is
// among them as OpenRouter uses it; 520, 524 and 598 are those of CDNs.)
func mayCharge(status int) bool {
	switch status {
	case http.StatusOK, http.StatusRequestTimeout, http.StatusGatewayTimeout, 520, 524, 598, 599:
		return true
	}
	return false
}
