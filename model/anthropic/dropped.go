package anthropic

import (
	"errors"
	"net/http"
	"strings"

	"omniscope/model"
	"omniscope/model/exchange"
)

// leftOut lists the options of req that were left out. Newer models take no temperature, or not together with top_p. Seeds and
// schemas are always left out, since the API does not have them in this form.
func leftOut(req *model.Request, without exchange.Option) (names []string) {
	if req.Schema != nil {
		names = append(names, "response_format")
	}
	if req.Params.Seed != nil {
		names = append(names, "seed")
	}
	if without.Has(exchange.Temperature) && req.Params.Temperature != nil {
		names = append(names, "temperature")
	}
	if without.Has(exchange.TopP) && req.Params.TopP != nil {
		names = append(names, "top_p")
	}
	return names
}

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
	case !anyOf(unsupported, says):
		return 0
	case strings.Contains(says, "top_p") && !without.Has(exchange.TopP) && req.Params.TopP != nil:
		return exchange.TopP
	case strings.Contains(says, "temperature") && req.Params.Temperature != nil:
		return exchange.Temperature
	}
	return 0
}
