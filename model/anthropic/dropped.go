package anthropic

import (
	"errors"
	"net/http"
	"strings"
	"sync"

	"omniscope/model"
)

// dropped lists the sampling options that a model refuses: newer ones take no
// temperature, or not together with top_p. Seeds and schemas are always left
// out, since the API has none in this form; the prompt and the reader of the
// answer do a schema's work.
type dropped struct{ temperature, topP bool }

// names lists the options of req that were left out.
func (d dropped) names(req *model.Request) (names []string) {
	if req.Schema != nil {
		names = append(names, "response_format")
	}
	if req.Params.Seed != nil {
		names = append(names, "seed")
	}
	if d.temperature && req.Params.Temperature != nil {
		names = append(names, "temperature")
	}
	if d.topP && req.Params.TopP != nil {
		names = append(names, "top_p")
	}
	return names
}

// unsupported are words of errors about an option that a model does not take, as
// opposed to a value out of range, which the user has to correct.
var unsupported = []string{"support", "only be set", "deprecated", "cannot both", "not allowed", "not permitted", "must be unset"}

// after adds the option that err refuses. It returns false if err refuses no
// option, or one that is left out already.
func (d dropped) after(req *model.Request, err error) (dropped, bool) {
	var status *model.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusBadRequest {
		return d, false
	}
	says := strings.ToLower(status.Message)
	if !anyOf(unsupported, says) {
		return d, false
	}
	topP, temperature := strings.Contains(says, "top_p"), strings.Contains(says, "temperature")
	switch {
	case topP && !d.topP && req.Params.TopP != nil:
		d.topP = true
	case temperature && !d.temperature && req.Params.Temperature != nil:
		d.temperature = true
	default:
		return d, false
	}
	return d, true
}

// droppedOptions remembers what each model refused, once it has answered without.
type droppedOptions struct {
	mu      sync.RWMutex
	byModel map[string]dropped
}

func (o *droppedOptions) of(name string) dropped {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.byModel[name]
}

// keep adds found to what is known of a model. Other calls may have added other
// options meanwhile.
func (o *droppedOptions) keep(name string, found dropped) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byModel == nil {
		o.byModel = make(map[string]dropped)
	}
	known := o.byModel[name]
	o.byModel[name] = dropped{known.temperature || found.temperature, known.topP || found.topP}
}
