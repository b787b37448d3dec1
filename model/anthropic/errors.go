package anthropic

import (
	"net/http"

	"omniscope/model/exchange"
)

// refused returns the error of an answer outside 2xx.
func (m *Model) refused(resp *http.Response, body []byte) error {
	return exchange.Refusal(resp, body, m.secrets)
}
