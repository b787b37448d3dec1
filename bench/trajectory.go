package bench

import (
	"strings"

	"github.com/tidwall/gjson"
)

// TrajectoryField has a detective's conversation, whose last message is the caption: rows of captions that an investigation wrote, here
// or in the released pipeline, may have nothing else.
const TrajectoryField = "omni_detective_trajectory"

// TextIn is the text of a field of a row. Of a trajectory it is the last message; null if the detective did not end in one.
func TextIn(row []byte, field string) gjson.Result {
	v := gjson.GetBytes(row, gjson.Escape(field))
	if field != TrajectoryField || !v.Exists() {
		return v
	}
	null := gjson.Result{Type: gjson.Null, Raw: "null"}
	messages := v.Array()
	if !v.IsArray() || len(messages) == 0 {
		return null
	}
	last := messages[len(messages)-1]
	if last.Get("role").Str != "assistant" {
		return null
	}
	content := last.Get("content")
	if content.IsArray() { // parts, as some clients write them
		var parts []string
		for _, part := range content.Array() {
			parts = append(parts, part.Get("text").Str)
		}
		content = gjson.Result{Type: gjson.String, Str: strings.Join(parts, "\n")}
	}
	if content.Type != gjson.String {
		return null
	}
	return content
}
