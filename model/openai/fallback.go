package openai

import (
	"errors"
	"net/http"
	"strings"
	"sync"

	"omniscope/model"
)

// A fallback lists the options that a request leaves out because the model
// refuses them: structured output on older servers, max_tokens and temperature
// on reasoning models. Each answer names them in DroppedOptions.
type fallback struct {
	schema      bool // no response_format; the prompt and the reader of the answer do its work
	maxTokens   bool // max_completion_tokens instead of max_tokens
	temperature bool // the model's own temperature
}

// names lists the options of req that were left out.
func (c fallback) names(req *model.Request) []string {
	var names []string
	if c.schema && req.Schema != nil {
		names = append(names, "response_format")
	}
	if c.temperature && req.Params.Temperature != nil {
		names = append(names, "temperature")
	}
	return names
}

var (
	schemaWords      = []string{"response_format", "json_schema", "json schema", "grammar", "guided"}
	unsupportedWords = []string{"support", "only", "deprecated", "default", "not allowed", "not permitted"}
)

// after adds the option that err refuses. It returns false if err refuses no
// option, or one that is left out already. A value out of range does not count
// as a refused option: the user has to correct it. Some servers answer 500 to a
// schema that they cannot convert, and would do so at every try.
func (c fallback) after(req *model.Request, err error) (fallback, bool) {
	var status *model.StatusError
	if !errors.As(err, &status) {
		return c, false
	}
	says := strings.ToLower(status.Code + " " + status.Message)
	if status.Status == http.StatusInternalServerError && !c.schema && req.Schema != nil && anyOf(schemaWords, says) {
		c.schema = true
		return c, true
	}
	if status.Status != http.StatusBadRequest && status.Status != http.StatusUnprocessableEntity {
		return c, false
	}
	unsupported := anyOf(unsupportedWords, says)
	switch {
	case !c.schema && req.Schema != nil && anyOf(schemaWords, says):
		c.schema = true
	case !c.maxTokens && req.Params.MaxTokens > 0 && unsupported && strings.Contains(says, "max_completion_tokens"):
		c.maxTokens = true
	case !c.temperature && req.Params.Temperature != nil && unsupported && strings.Contains(says, "temperature"):
		c.temperature = true
	default:
		return c, false
	}
	return c, true
}

// fallbacks remembers each model's fallback once the model has answered with it.
// One without an answer is not kept: the error's text may quote a request that
// was refused for another reason.
type fallbacks struct {
	mu      sync.RWMutex
	byModel map[string]fallback
}

func (c *fallbacks) get(name string) fallback {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.byModel[name]
}

// keep adds found to the model's fallback. Other calls may have added other
// options meanwhile.
func (c *fallbacks) keep(name string, found fallback) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byModel == nil {
		c.byModel = make(map[string]fallback)
	}
	known := c.byModel[name]
	c.byModel[name] = fallback{
		schema:      known.schema || found.schema,
		maxTokens:   known.maxTokens || found.maxTokens,
		temperature: known.temperature || found.temperature,
	}
}
