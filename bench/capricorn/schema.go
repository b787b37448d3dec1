package capricorn

import (
	"encoding/json"
	"fmt"
	"strings"

	"omniscope/model"
)

// The wanted forms of replies. Questions that are sent again as they are have them only if the judge gets them with
// the first asking: see judge.Judge.

func eventSchema(ev event) *model.Schema {
	return &model.Schema{Name: "judgement", JSON: json.RawMessage(eventForm(ev))}
}

// eventForm is the JSON schema of a judgement. Its properties are in the order of the prompt.
func eventForm(ev event) string {
	properties, required := `"event_type": {"type": "string", "enum": ["correctly mentioned", "mentioned but with errors", "not mentioned"]}, "reason": {"type": "string"}`, `"event_type", "reason"`
	if ev.ofSubjects() {
		var names, each []string
		for _, s := range ev.subjects {
			names, each = append(names, jsonText(s)), append(each, jsonText(s)+`: {"type": ["string", "null"]}`)
		}
		properties += fmt.Sprintf(`, "subject_description_in_caption": {"type": "object", "properties": {%s}, "required": [%s], "additionalProperties": false}`, strings.Join(each, ", "), strings.Join(names, ", "))
		required += `, "subject_description_in_caption"`
	}
	return fmt.Sprintf(`{"type": "object", "properties": {%s}, "required": [%s], "additionalProperties": false}`, properties, required)
}

// batchSchema has a judgement for each event, in their order.
func batchSchema(events []event) *model.Schema {
	var properties, required []string
	for i, ev := range events {
		properties = append(properties, fmt.Sprintf(`"%d": %s`, i+1, eventForm(ev)))
		required = append(required, fmt.Sprintf(`"%d"`, i+1))
	}
	return &model.Schema{Name: "judgements", JSON: fmt.Appendf(nil, `{"type": "object", "properties": {%s}, "required": [%s], "additionalProperties": false}`, strings.Join(properties, ", "), strings.Join(required, ", "))}
}

// groupSchema does not bind the names of categories: there may be any number.
func groupSchema() *model.Schema {
	return &model.Schema{Name: "categories", JSON: json.RawMessage(`{"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}`)}
}
