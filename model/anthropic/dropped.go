package anthropic

import (
	"errors"
	"net/http"
	"strings"

	"omniscope/model"
	"omniscope/model/exchange"
)

// always are the options that are left out of every request, since the API does not have them in this form. Newer models take no
// temperature, or not together with top_p.
const always = exchange.Schema | exchange.Seed

// unsupported are words of errors about an option that a model does not take, as
// opposed to a value out of range, which the user has to correct.
var unsupported = []string{"support", "only be set", "deprecated", "cannot both", "not allowed", "not permitted", "must be unset"}

// refusedOption returns the option of req that err refuses and that was not left out; 0 = err is about something else.
func refusedOption(req *model.Request, err error, without exchange.Option) exchange.Option {
	var status *model.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusBadRequest {
		return 0
	}
	says := strings.ToLower(status.Message)
	switch {
	case !exchange.SaysAny(says, unsupported):
		return 0
	case strings.Contains(says, "top_p") && !without.Has(exchange.TopP) && req.Params.TopP != nil:
		return exchange.TopP
	case strings.Contains(says, "temperature") && req.Params.Temperature != nil:
		return exchange.Temperature
	}
	return 0
}
