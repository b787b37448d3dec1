package openai

import (
	"errors"
	"net/http"
	"strings"
	"sync"

	"omniscope/model"
)

// A concession is what a request goes without because the model behind an
// endpoint refuses it: structured output on older servers, max_tokens and
// temperature on reasoning models. What was conceded is told with each answer.
type concession struct {
	schema      bool // no response_format; the prompt and the reader of the answer do its work
	maxTokens   bool // max_completion_tokens instead of max_tokens
	temperature bool // the model's own temperature
}

// names lists what an answer to req went without.
func (c concession) names(req *model.Request) []string {
	var names []string
	if c.schema && req.Schema != nil {
		names = append(names, "response_format")
	}
	if c.temperature && req.Params.Temperature != nil {
		names = append(names, "temperature")
	}
	return names
}

// concessions are what each model of an endpoint was found to refuse.
type concessions struct {
	mu      sync.RWMutex
	byModel map[string]concession
}

func (c *concessions) get(name string) concession {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.byModel[name]
}

// learn reports whether err is the refusal of an option that the request can
// do without, and which it did not already go without.
func (c *concessions) learn(req *model.Request, tried concession, err error) bool {
	var status *model.StatusError
	if !errors.As(err, &status) || (status.Status != http.StatusBadRequest && status.Status != http.StatusUnprocessableEntity) {
		return false
	}
	says, now := strings.ToLower(status.Message), tried
	switch {
	case !tried.schema && req.Schema != nil && (strings.Contains(says, "response_format") || strings.Contains(says, "json_schema") || strings.Contains(says, "guided")):
		now.schema = true
	case !tried.maxTokens && req.Params.MaxTokens > 0 && strings.Contains(says, "max_completion_tokens"):
		now.maxTokens = true
	case !tried.temperature && req.Params.Temperature != nil && strings.Contains(says, "temperature"):
		now.temperature = true
	default:
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byModel == nil {
		c.byModel = make(map[string]concession)
	}
	c.byModel[req.Model] = now
	return true
}
