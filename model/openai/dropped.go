package openai

import (
	"errors"
	"net/http"
	"strings"

	"omniscope/model"
	"omniscope/model/exchange"
)

var (
	schemaWords      = []string{"response_format", "json_schema", "json schema", "grammar", "guided"}
	unsupportedWords = []string{"support", "only", "deprecated", "default", "not allowed", "not permitted"}
)

// refusedOption returns the option of req that err refuses and that was not left out; 0 = err is about something else. A value out
// of range is not a refused option: the user has to correct it. Some servers answer 500 to a schema that they cannot convert, and would do so at
// every try.
func refusedOption(req *model.Request, err error, without exchange.Option) exchange.Option {
	var status *model.StatusError
	if !errors.As(err, &status) {
		return 0
	}
	says := strings.ToLower(status.Code + " " + status.Message)
	schema := req.Schema != nil && !without.Has(exchange.Schema) && exchange.SaysAny(says, schemaWords)
	switch status.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
	case http.StatusInternalServerError:
		if schema {
			return exchange.Schema
		}
		return 0
	default:
		return 0
	}
	switch unsupported := exchange.SaysAny(says, unsupportedWords); {
	case schema:
		return exchange.Schema
	case unsupported && req.Params.MaxTokens > 0 && !without.Has(exchange.MaxTokens) && strings.Contains(says, "max_completion_tokens"):
		return exchange.MaxTokens
	case unsupported && req.Params.Temperature != nil && strings.Contains(says, "temperature"):
		return exchange.Temperature
	}
	return 0
}
