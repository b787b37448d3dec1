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

var (
	schemaWords      = []string{"response_format", "json_schema", "guided"}
	unsupportedWords = []string{"support", "only", "deprecated", "default", "not allowed", "not permitted"}
)

// after returns c and the option that err refuses. It is false unless err is
// such a refusal and the request did not go without the option already. A
// value out of range is no refusal of the option: the user is to mend it.
func (c concession) after(req *model.Request, err error) (concession, bool) {
	var status *model.StatusError
	if !errors.As(err, &status) || (status.Status != http.StatusBadRequest && status.Status != http.StatusUnprocessableEntity) {
		return c, false
	}
	says := strings.ToLower(status.Code + " " + status.Message)
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

// concessions are what each model of an endpoint was found to refuse and to
// answer without. One that brought no answer is not kept: the words of a refusal
// may quote a request that was refused for another reason.
type concessions struct {
	mu      sync.RWMutex
	byModel map[string]concession
}

func (c *concessions) get(name string) concession {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.byModel[name]
}

// keep adds to what is known: other calls may have found something else
// meanwhile.
func (c *concessions) keep(name string, found concession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byModel == nil {
		c.byModel = make(map[string]concession)
	}
	known := c.byModel[name]
	c.byModel[name] = concession{
		schema:      known.schema || found.schema,
		maxTokens:   known.maxTokens || found.maxTokens,
		temperature: known.temperature || found.temperature,
	}
}
