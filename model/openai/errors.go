package openai

import (
	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/model"
)

// failedInside returns the error inside an answer with status 200, with the tokens that the answer counts if the server worked
// on it.
func (m *Model) failedInside(failure *omniscope.Error, usage gjson.Result) error {
	err := model.MarkLost(failure, true, true)
	if model.LostIn(err).Tries == 0 || !usage.IsObject() {
		return err
	}
	var counted model.Response
	m.readUsage(usage, &counted)
	return model.WithLost(model.Lost{Tries: 1, TokensIn: counted.Usage.TokensIn, TokensOut: counted.Usage.TokensOut}, failure)
}
