package inspect

import (
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench/harness"
)

// sample reads an EvalSample.
func sample(v gjson.Result, at harness.Place) harness.Sample {
	s := harness.Sample{Fields: make(map[string]string), Scores: make(map[string]float64), Epoch: max(1, int(v.Get("epoch").Int())), Place: at}
	if id := v.Get("id"); id.Type == gjson.String {
		s.Fields["id"] = id.Str
	} else {
		s.Fields["number"] = id.Raw // Inspect numbers samples that have no id: that is no name of theirs
	}
	harness.Fields(s.Fields, "metadata.", v.Get("metadata"))
	v.Get("scores").ForEach(func(name, score gjson.Result) bool {
		if points, ok := pointsOf(score.Get("value")); ok {
			s.Scores[name.Str] = points
		}
		return true
	})
	s.Judge(completion(v), nil)
	outcome(&s, v)
	return s
}

// pointsOf are the points of a score: C, I, P and N stand for correct, incorrect, partial and no
// answer (src/inspect_ai/scorer/_metric.py).
func pointsOf(value gjson.Result) (float64, bool) {
	switch {
	case value.Type == gjson.Number:
		return value.Num, true
	case value.Type == gjson.True:
		return 1, true
	case value.Type == gjson.False:
		return 0, true
	}
	points, ok := map[string]float64{"C": 1, "P": 0.5, "I": 0, "N": 0}[value.Str]
	return points, ok
}

// completion is the text of the output. A long one may stand among the attachments.
func completion(v gjson.Result) string {
	text := v.Get("output.completion").String()
	if text == "" {
		text = contentOf(v.Get("output.choices.0.message.content"))
	}
	if name, ok := strings.CutPrefix(text, "attachment://"); ok {
		if there := v.Get("attachments." + gjson.Escape(name)); there.Exists() {
			return there.String()
		}
	}
	return text
}

// contentOf is the text of a message: itself, or the texts among its parts, without reasoning.
func contentOf(content gjson.Result) string {
	if !content.IsArray() {
		return content.String()
	}
	var text strings.Builder
	for _, part := range content.Array() {
		if part.Get("type").Str == "text" {
			text.WriteString(part.Get("text").Str)
		}
	}
	return text.String()
}

// outcome says what kept a sample from an answer of its own. The first reason counts.
func outcome(s *harness.Sample, v gjson.Result) {
	detail := v.Get("output.error").String()
	reason := v.Get("output.choices.0.stop_reason").Str
	switch limit := v.Get("limit"); {
	case v.Get("error").IsObject():
		s.Fail(omniscope.Failed, "sample ended with an error", v.Get("error.message").String())
	case v.Get("invalidation").IsObject():
		s.Fail(omniscope.Failed, "sample was declared invalid", v.Get("invalidation.reason").String())
	case limit.IsObject():
		s.Fail(omniscope.Truncated, "sample was stopped by a limit", limit.Get("type").String())
	case reason == "content_filter":
		s.Fail(omniscope.Refused, "stop_reason content_filter", detail)
	case reason == "max_tokens" || reason == "length" || reason == "model_length":
		s.Fail(omniscope.Truncated, "stop_reason "+reason, detail)
	case reason == "tool_calls":
		s.Fail(omniscope.Unparsed, "stop_reason tool_calls: the output is a call of a tool", detail)
	case detail != "":
		s.Fail(omniscope.Failed, "output has an error", detail)
	case len(v.Get("output.choices").Array()) == 0:
		s.Fail(omniscope.Failed, "sample has no output", "")
	case strings.HasPrefix(s.Answer, "attachment://"):
		s.Fail(omniscope.Failed, "output names an attachment that the log does not have", s.Answer)
	}
}
