package anthropic

import (
	"encoding/json"
	"errors"
	"maps"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
	"omniscope/model/exchange"
)

// readStream puts a message together from a stream of events (page "Streaming messages" of Anthropic's documentation), which some
// gateways always send.
func (m *Model) readStream(stream string) (a answer, err error) {
	usage := make(map[string]json.RawMessage)
	for data := range exchange.Events(stream) {
		if exchange.EndsStream(data) {
			break
		}
		if !jsonfast.Valid(data) {
			return a, m.NotProtocol([]byte(data), errors.New("not JSON"))
		}
		event := gjson.Parse(data)
		switch event.Get("type").Str {
		case "message_start":
			if err := json.Unmarshal([]byte(event.Get("message").Raw), &a); err != nil {
				return a, m.NotProtocol([]byte(data), err)
			}
			maps.Copy(usage, membersOf(event.Get("message.usage")))
		case "content_block_start":
			var b contentBlock
			if err := json.Unmarshal([]byte(event.Get("content_block").Raw), &b); err != nil {
				return a, m.NotProtocol([]byte(data), err)
			}
			a.Content = append(a.Content, b)
		case "content_block_delta":
			if n := len(a.Content); n > 0 {
				a.Content[n-1].Text += event.Get("delta.text").String()
				a.Content[n-1].Thinking += event.Get("delta.thinking").String()
			}
		case "message_delta":
			a.StopReason = event.Get("delta.stop_reason").String()
			a.StopDetails.Explanation = event.Get("delta.stop_details.explanation").String()
			maps.Copy(usage, membersOf(event.Get("usage")))
		default: // an error, or an event of a later version
			if failure := exchange.Failure([]byte(data), m.Secrets); failure != nil {
				return a, failure
			}
		}
	}
	a.Usage, err = json.Marshal(usage)
	return a, err
}

func membersOf(object gjson.Result) map[string]json.RawMessage {
	all := make(map[string]json.RawMessage)
	object.ForEach(func(name, value gjson.Result) bool {
		all[name.Str] = json.RawMessage(value.Raw)
		return true
	})
	return all
}
