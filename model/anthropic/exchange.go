package anthropic

import (
	"context"
	"net/http"
	"time"

	"omniscope/model"
	"omniscope/model/exchange"
)

// call sends one request, without a body if that is nil, and has read take the
// body of a 2xx answer. Errors are of our kinds, the context's own where ctx
// ended; those of a body that may have to be paid for are marked so.
func (m *Model) call(ctx context.Context, timeout time.Duration, method, address string, body []byte, read func(header http.Header, answer []byte) error) error {
	answer, err := m.server.Do(ctx, exchange.Request{Method: method, URL: address, Body: body, Timeout: timeout})
	accepted := err == nil
	if accepted {
		err = read(answer.Header, answer.Body)
	}
	if err == nil || body == nil {
		return err
	}
	return model.MarkLost(err, answer.Sent, accepted)
}
